package scene

import (
	"image/color"
	"strings"
)

// dealer shows the two echo lines small and dim at the right end of the
// collection row, and returns where the room for the collection ends. The room
// is kept while nothing is told, so that the collection never moves.
func (d *drawing) dealer(b Box) float32 {
	if !d.b.Dealer.OnScreen {
		return b.X1
	}
	w := min(d.u(300), b.W()*0.4)
	_, left := b.right(w)
	in := Box{b.X1 - w, b.Y0, b.X1, b.Y1}
	lines := d.dealerLines()
	if len(lines) == 0 {
		return left.X1 - d.u(16)
	}
	edge, ink := d.dealerColors()
	d.fill("dealer.edge", Box{in.X0, in.Y0 + d.u(4), in.X0 + d.px(3), in.Y1 - d.u(2)}, 0, edge)
	in.X0 += d.u(14)
	for i, text := range lines {
		s := set{cap: d.cap(16), weight: Medium}
		run, _ := d.fit(s, d.least(16), text, English, in.W())
		at := in.row(i, len(lines))
		d.text("dealer.line", run, in.X0, run.Baseline(at.Y0, at.Y1), ink)
	}
	return left.X1 - d.u(16)
}

// dealerLines are the lines worth showing: the mark of who is meant, then the
// echo's two lines with their spaces closed up.
func (d *drawing) dealerLines() []string {
	e := &d.b.Dealer
	if !e.Entering && !e.Asking && !e.Refused {
		return nil
	}
	var out []string
	for _, line := range e.Lines {
		if text := strings.Join(strings.Fields(line), " "); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// dealerColors make questions and refusals a little stronger than an entry.
func (d *drawing) dealerColors() (edge, ink color.NRGBA) {
	t := d.theme
	switch {
	case d.b.Dealer.Refused:
		return t.Amber, t.Amber
	case d.b.Dealer.Asking:
		return t.Text, t.Text
	}
	return t.Muted, t.Muted
}
