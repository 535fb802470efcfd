package scene

import (
	"image/color"
	"strings"

	"shoeboard/stats"
)

// dealer shows the two echo lines small and dim at the right end of the
// collection row, and returns where the room for the collection ends. The room
// is kept while nothing is told, so that the collection never moves.
func (d *drawing) dealer(b Box) float32 {
	if !d.b.Dealer.OnScreen {
		return b.X1
	}
	w := min(d.u(324), b.W()*0.4)
	_, left := b.right(w)
	in := Box{b.X1 - w, b.Y0, b.X1, b.Y1}
	lines, mark := d.dealerLines()
	if len(lines) == 0 {
		return left.X1 - d.u(16)
	}
	edge, ink := d.dealerColors()
	if !d.p.portrait {
		in = in.inset(0, -d.u(6))
	}
	d.fill("dealer.edge", Box{in.X0, in.Y0 + d.u(4), in.X0 + d.px(3), in.Y1 - d.u(4)}, 0, edge)
	in.X0 += d.u(14)
	s := set{cap: d.cap(16), weight: Medium}
	put := func(text string, l Lang, i int, col color.NRGBA) {
		run, _ := d.fit(s, 1, text, l, in.W())
		at := in.row(i, len(lines)+1)
		d.text("dealer.line", run, in.X0, d.seat(one("", run, col), at), col)
	}
	put(d.words.first.get(mark), d.words.first.Lang, 0, d.theme.Muted)
	s.weight = SemiBold
	for i, text := range lines {
		put(text, english, i+1, ink)
	}
	return left.X1 - d.u(16)
}

// dealerLines are the echo's two lines with their spaces closed up, and the mark of
// what they mean. There are none while they say only what the table does.
func (d *drawing) dealerLines() (out []string, mark string) {
	e := &d.b.Dealer
	switch {
	case e.Told == stats.ToldWarning:
		mark = "dealer_warned"
	case e.Refused:
		mark = "dealer_refused"
	case e.Told == stats.ToldSaved:
		mark = "dealer_saved"
	case e.Told != "":
		mark = "dealer_told"
	case e.Asking:
		mark = "dealer_asked"
	case e.Entering:
		mark = "dealer_entering"
	default:
		return nil, mark
	}
	for _, line := range e.Lines {
		if text := strings.Join(strings.Fields(line), " "); text != "" {
			out = append(out, text)
		}
	}
	return out, mark
}

// dealerColors make questions, messages and refusals a little stronger than an entry;
// what has waited for long blinks.
func (d *drawing) dealerColors() (edge, ink color.NRGBA) {
	t, e := d.theme, &d.b.Dealer
	switch {
	case e.Refused, e.Told == stats.ToldWarning, d.v.blinks(e) && d.v.Now/dealerHalf%2 == 0:
		return t.Amber, t.Amber
	case e.Asking && !e.Blink, e.Told != "":
		return t.Text, t.Text
	}
	return t.Muted, t.Muted
}
