package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"shoeboard/cmd/internal/export"
	"shoeboard/tracker"
	"shoeboard/tracker/localapi"
)

// floorFlags are those of every correction by the floor.
type floorFlags struct {
	By  string `help:"Name for the record; the default is the user who called sudo." placeholder:"NAME"`
	Why string `help:"The reason, for the record." placeholder:"TEXT"`
	socketFlag
}

// handArgs name a hand and what it is to be.
type handArgs struct {
	Hand    int      `arg:"" help:"Number of the hand in this shoe."`
	Token   []string `arg:"" name:"result" help:"P, B or T with bonuses: B D7; P natural; or totals: 6.2-7.3."`
	Free    bool     `xor:"free" help:"The hand is a free hand."`
	NotFree bool     `xor:"free" help:"The hand is not a free hand."`
}

// correction returns the correction; without a flag a fixed hand stays free or not free.
func (v *handArgs) correction(do string) localapi.Correction {
	c := localapi.Correction{Do: do, Hand: v.Hand, Token: strings.Join(v.Token, " ")}
	if v.Free || v.NotFree {
		c.Free = &v.Free
	}
	return c
}

type fixVerb struct {
	handArgs
	floorFlags
}

// Run corrects a hand of the shoe in play, in the name of the floor.
func (v *fixVerb) Run(ctx context.Context, p *program, all *verbs) error {
	return v.correct(ctx, p, all, v.correction("fix"))
}

type insertVerb struct {
	handArgs
	floorFlags
}

// Run inserts a hand that was forgotten; the hands from its number on move by one.
func (v *insertVerb) Run(ctx context.Context, p *program, all *verbs) error {
	return v.correct(ctx, p, all, v.correction("insert"))
}

type removeVerb struct {
	Hand int `arg:"" help:"Number of the hand in this shoe."`
	floorFlags
}

// Run removes a hand that was never dealt; the hands after it move by one.
func (v *removeVerb) Run(ctx context.Context, p *program, all *verbs) error {
	return v.correct(ctx, p, all, localapi.Correction{Do: "remove", Hand: v.Hand})
}

// correct requests a correction of the core, waits until it is recorded, and prints the
// old and the new result.
func (f *floorFlags) correct(ctx context.Context, p *program, all *verbs, c localapi.Correction) error {
	if c.Hand < 1 {
		return wrongUse("hand %d: hands are numbered from 1", c.Hand)
	}
	client, err := f.client(p, all)
	if err != nil {
		return err
	}
	if c.By, c.Why = f.By, f.Why; c.By == "" {
		c.By = os.Getenv("SUDO_USER")
	}
	made, err := client.Correct(ctx, c)
	if err != nil {
		return err
	}
	fmt.Fprintln(p.out, correctionText(made))
	return nil
}

// correctionText describes a correction: "hand 43: B+dragon-7 is now P. The shoe has 44
// hands. Recorded in the name of anna."
func correctionText(c localapi.Corrected) string {
	was := c.Was
	if was == tracker.LostToken {
		was = "an unreadable hand"
	}
	what := was + " is now " + c.Token
	switch {
	case was == "":
		what = c.Token + " is inserted"
	case c.Token == "":
		what = was + " is removed"
	}
	switch {
	case c.Free:
		what += ", a free hand"
	case was == c.Token:
		what += ", not a free hand"
	}
	text := fmt.Sprintf("hand %d: %s. The shoe has %s. Recorded in the name of %s.",
		c.Hand, what, export.Count(c.Hands, "hand"), c.By)
	if c.Review {
		text += " The board is under review and shows it after the release."
	}
	return text
}
