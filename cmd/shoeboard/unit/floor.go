package unit

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
	saved := make(chan error, 1)
	var fact tracker.Event
	var refused error
	err := c.Table.Do(ctx, func(d *table.Desk, _ *table.View) {
		fact, refused = d.Correct(c.Set.Clock.Now(), cmd, what.Free, func(err error) { saved <- err })
	})
	if err := errors.Join(err, refused); err != nil {
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
	made := localapi.Corrected{Hand: fact.Hand, Was: fact.Was, Token: fact.Token, Free: fact.Free, By: fact.By}
	err = c.Table.Do(ctx, func(d *table.Desk, _ *table.View) { made.Hands = len(d.State().Shoe.Hands) })
	return made, err
}
