package termview

import (
	"strings"
	"testing"

	"shoeboard/stats"
)

// The dealer's line says what his lines mean, and what waits for him blinks where the
// terminal can, and is called so where it cannot. Nothing of it is cut.
func TestDealersLineSaysWhatItMeans(t *testing.T) {
	for _, c := range []struct {
		dealer stats.Dealer
		means  string
		blinks bool
	}{
		{stats.Dealer{}, "DEALER", false},
		{stats.Dealer{Entering: true}, "DEALER IS ENTERING", false},
		{stats.Dealer{Entering: true, Blink: true}, "DEALER IS ENTERING (WAITING)", true},
		{stats.Dealer{Entering: true, Asking: true, Blink: true}, "QUESTION TO THE DEALER (WAITING)", true},
		{stats.Dealer{Told: "hint", Entering: true}, "MESSAGE TO THE DEALER", false},
		{stats.Dealer{Told: "saved"}, "RECORDED", false},
		{stats.Dealer{Told: "warning"}, "DEALER, ATTENTION", false},
		{stats.Dealer{Told: "warning", Refused: true}, "DEALER, ATTENTION", false},
		{stats.Dealer{Refused: true}, "KEY REFUSED", false},
	} {
		b := board(t, "ez-baccarat-panda-8", "B P")
		b.Dealer = c.dealer
		b.Dealer.Lines = [2]string{"OK=NEW SHOE 0=HAND83", "KEY IT, FREE OR VOID"}
		for _, width := range []int{64, 80, 120} {
			text := Render(b, width, false, now)
			lines := "|OK=NEW SHOE 0=HAND83|KEY IT, FREE OR VOID|\n"
			if !strings.Contains(text, "\n"+c.means+"  "+lines) && !strings.Contains(text, "\n"+c.means+"\n"+lines) {
				t.Errorf("%d columns: no %q with its lines in\n%s", width, c.means, text)
			}
		}
		if got := strings.Contains(Render(b, 80, true, now), "\x1b[5;"); got != c.blinks {
			t.Errorf("%+v: blinks %v", c.dealer, got)
		}
	}
}
