package view

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

var errDealt = errors.New("hands are dealt")

// notes keep which pages a walk shows.
type notes struct {
	shown  []string
	refuse string // a page that the core does not show
}

func (n *notes) show(_ context.Context, page string, forced bool) error {
	if page != "" && page == n.refuse {
		return errDealt
	}
	if forced {
		page += "!"
	}
	n.shown = append(n.shown, page)
	return nil
}

// typed is a keyboard whose lines come a second after each other, and then nothing.
func typed(ctx context.Context, lines []string) <-chan string {
	out := make(chan string)
	go func() {
		for _, line := range lines {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
				return
			}
			select {
			case out <- line:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func TestWalks(t *testing.T) {
	all := stats.TestPages()
	enter := slices.Repeat([]string{""}, len(all))
	for _, c := range []struct {
		name   string
		walk   Walk
		keys   []string // nil: there is no keyboard at all
		refuse string
		want   []string
		says   string // of the error; empty: none
	}{
		{name: "every page on Enter", keys: enter, want: append(slices.Clone(all), "")},
		{name: "back and quit", keys: []string{"", "b", "b", "", "q"}, want: []string{"pattern", "rotation", "pattern", "pattern", "rotation", ""}},
		{name: "one page", walk: Walk{Page: "overscan"}, keys: []string{""}, want: []string{"overscan", ""}},
		{name: "one page, forced", walk: Walk{Page: "overscan", Forced: true}, keys: []string{""}, want: []string{"overscan!", ""}},
		{name: "by itself", walk: Walk{Stay: 3 * time.Second}, want: append(slices.Clone(all), "")},
		{name: "one page for a while", walk: Walk{Page: "red", Stay: time.Minute}, want: []string{"red", ""}},
		{name: "no keyboard", want: []string{"pattern", ""}, says: "use --auto or --seconds"},
		{name: "nobody there", keys: []string{""}, want: []string{"pattern", "rotation", ""}, says: "nobody stepped on for 10m0s"},
		{name: "hands are dealt", refuse: "pattern", keys: enter, says: "hands are dealt"},
		{name: "hands are dealt meanwhile", refuse: "rotation", keys: enter, want: []string{"pattern", ""}, says: "hands are dealt"},
		{name: "a slip", walk: Walk{Page: "gird"}, keys: enter, says: "did you mean grid? expected one of pattern"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := &notes{refuse: c.refuse}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				c.walk.Show, c.walk.Lines, c.walk.Out = n.show, typed(ctx, c.keys), io.Discard
				if c.keys == nil {
					c.walk.Lines = Lines(ctx, strings.NewReader(""))
				}
				err := c.walk.Run(t.Context())
				if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
					t.Errorf("error %v, want %q", err, c.says)
				}
				if !slices.Equal(n.shown, c.want) {
					t.Errorf("shown %v, want %v", n.shown, c.want)
				}
			})
		})
	}
}

// Ctrl-C ends a walk in the middle, and the board is back.
func TestCtrlCPutsTheBoardBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var out strings.Builder
		n := &notes{}
		w := Walk{Show: n.show, Lines: make(chan string), Out: &out}
		time.AfterFunc(time.Minute, cancel)
		if err := w.Run(ctx); err != nil {
			t.Error(err)
		}
		if want := []string{"pattern", ""}; !slices.Equal(n.shown, want) || !strings.HasSuffix(out.String(), "The test is over.\n") {
			t.Errorf("shown %v, said %q", n.shown, out.String())
		}
	})
}

func TestACoreThatCannotPutTheBoardBackIsTold(t *testing.T) {
	w := Walk{Page: "red", Stay: time.Millisecond, Out: io.Discard,
		Show: func(_ context.Context, page string, _ bool) error {
			if page == "" {
				return localapi.ErrNoCore
			}
			return nil
		}}
	if err := w.Run(t.Context()); !errors.Is(err, localapi.ErrNoCore) || !strings.Contains(err.Error(), "by itself within 10m0s") {
		t.Errorf("error %v", err)
	}
}

func TestLinesOfAKeyboard(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	lines := Lines(ctx, strings.NewReader("\nb\nq\n"))
	if got := []string{<-lines, <-lines}; !slices.Equal(got, []string{"", "b"}) {
		t.Errorf("lines %q", got)
	}
	cancel()
	for range lines { // ends, whether the last line is taken or not
	}
}

func TestEveryPageSaysWhatToLookFor(t *testing.T) {
	for _, page := range stats.TestPages() {
		if LookFor(page) == "" {
			t.Errorf("%s says nothing", page)
		}
	}
	if LookFor("labels-vi") != LookFor("labels-en") || LookFor("blue") == LookFor("grid") {
		t.Error("pages say what others say")
	}
}
