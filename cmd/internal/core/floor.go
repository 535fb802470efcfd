package core

import (
	"context"
	"errors"

	"shoeboard/tracker"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/table"
)

// correct records a correction of the floor, and returns when it is on disk.
func (c *Core) correct(ctx context.Context, what localapi.Correction) (localapi.Corrected, error) {
	kind := map[string]tracker.Kind{"fix": tracker.HandFixed, "insert": tracker.HandInserted, "remove": tracker.HandRemoved}[what.Do]
	cmd := tracker.Command{Kind: kind, Hand: what.Hand, Token: what.Token, By: what.By, Reason: what.Why}
	var made localapi.Corrected
	saved := make(chan error, 1)
	var fact tracker.Event
	var refused error
	err := c.Table.Do(ctx, func(d *table.Desk, _ *table.View) {
		fact, refused = d.Correct(c.Set.Clock.Now(), cmd, what.Free, func(err error) {
			made.Hands, made.Review = len(d.State().Shoe.Hands), d.State().Review != nil
			saved <- err
		})
	})
	if err == nil { // else it may be running still
		err = refused
	}
	if err != nil {
		return localapi.Corrected{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, recordedIn)
	defer cancel()
	select {
	case err := <-saved:
		if err != nil {
			return localapi.Corrected{}, err
		}
	case <-ctx.Done():
		return localapi.Corrected{}, errors.New("it is not on disk yet and will be when the record can be written: look at the board before you try again")
	}
	made.Hand, made.Was, made.Token, made.Free, made.By = fact.Hand, fact.Was, fact.Token, fact.Free, fact.By
	return made, nil
}
