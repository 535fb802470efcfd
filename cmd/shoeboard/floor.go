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
	By  string `help:"In whose name; without it the login of who called sudo." placeholder:"NAME"`
	Why string `help:"The reason, for the record." placeholder:"TEXT"`
	socketFlag
}

// handArgs name a hand and what it is to be.
type handArgs struct {
	Hand    int      `arg:"" help:"Number of the hand in this shoe."`
	Token   []string `arg:"" name:"result" help:"P, B or T, and what else it was: B D7; P natural; totals 6.2-7.3."`
	Free    bool     `xor:"free" help:"It is a free hand."`
	NotFree bool     `xor:"free" help:"It is no free hand."`
}

// correction returns what is asked for; without a flag a fixed hand stays free or not.
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

// Run puts a hand of the shoe in play right, in the name of the floor.
func (v *fixVerb) Run(ctx context.Context, p *program, all *verbs) error {
	return v.correct(ctx, p, all, v.correction("fix"))
}

type insertVerb struct {
	handArgs
	floorFlags
}

// Run puts in a hand that was forgotten; those from its number on move by one.
func (v *insertVerb) Run(ctx context.Context, p *program, all *verbs) error {
	return v.correct(ctx, p, all, v.correction("insert"))
}

type removeVerb struct {
	Hand int `arg:"" help:"Number of the hand in this shoe."`
	floorFlags
}

// Run takes out a hand that was never dealt; those behind it move by one.
func (v *removeVerb) Run(ctx context.Context, p *program, all *verbs) error {
	return v.correct(ctx, p, all, localapi.Correction{Do: "remove", Hand: v.Hand})
}

// correct asks the core for a correction, waits until it is recorded, and says what was
// and what is.
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
	fmt.Fprintln(p.out, correctedWords(made))
	return nil
}

// correctedWords says what came of a correction: "hand 43: B+dragon-7 is now P. The shoe
// has 44 hands. Recorded in the name of anna."
func correctedWords(c localapi.Corrected) string {
	was := c.Was
	if was == tracker.LostToken {
		was = "what could not be read"
	}
	what := was + " is now " + c.Token
	switch {
	case was == "":
		what = c.Token + " is put in"
	case c.Token == "":
		what = was + " is taken out"
	}
	switch {
	case c.Free:
		what += ", a free hand"
	case was == c.Token:
		what += ", no free hand"
	}
	text := fmt.Sprintf("hand %d: %s. The shoe has %s. Recorded in the name of %s.", c.Hand, what, export.Count(c.Hands, "hand"), c.By)
	if c.Review {
		text += " The board is under review and shows it when that is released."
	}
	return text
}
