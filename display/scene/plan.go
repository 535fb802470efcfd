package scene

import "slices"

// plan is where everything stands on one screen. Boxes are in pixels; an empty
// box is a part that has given way. What gives way is decided here: below
// smallest the parts of the third rank (derived roads, previous shoe, hands
// since), and where a notice to staff needs room, the bead plate as well.
type plan struct {
	portrait, compact bool
	scale             float32 // pixels to one unit of the design
	base              float32 // pixels to one unit of the measures: the least sizes

	header, bigRoad, results, beads, previous, derived, bar, collection Box
	notice                                                              Box // what a notice to staff takes the place of
}

// either returns a measure for a wide screen or for an upright one.
func (p *plan) either(wide, upright float32) float32 {
	if p.portrait {
		return upright
	}
	return wide
}

const (
	// smallest is the base below which a screen is small: 1280x720 is the least
	// that shows the whole board.
	smallest = 0.6
	// larger is how much more room each thing is given on a small screen.
	larger = 1.3
)

// band is a level strip of the plan: its part, height in units, and its share of what
// the screen has left over.
type band struct {
	part    *Box
	h, grow float32
}

// planFor lays out a screen of w x h pixels.
func planFor(w, h float32, barTop bool) plan {
	p := plan{portrait: h > w}
	p.base = min(w/1920, h/1080)
	if p.portrait {
		p.base = min(w/1080, h/1920)
	}
	p.scale = p.base
	if p.compact = p.base < smallest; p.compact {
		p.scale *= larger
	}
	if p.portrait {
		p.upright(w, h)
	} else {
		p.wide(w, h, barTop)
	}
	p.header.X0, p.header.X1 = 0, w
	return p
}

// stack puts bands under each other from y 0 on, with a gap before each but the
// first, and spreads what is left of height h over those that may grow.
func (p *plan) stack(w, h, gap float32, bands []band) {
	var need, grow, y float32
	for _, b := range bands {
		need += (b.h + gap) * p.scale
		grow += b.grow
	}
	spare := h - need
	for i, b := range bands {
		bh := b.h*p.scale + spare*b.grow/grow
		if i > 0 {
			y += gap * p.scale
		}
		*b.part = Box{24 * p.scale, y, w - 24*p.scale, y + bh}.whole()
		y += bh
	}
}

// wide makes the landscape plan, the reference at 1920x1080.
func (p *plan) wide(w, h float32, barTop bool) {
	b := []band{{&p.header, 92, 0.5}, {&p.bigRoad, 234, 0}, {&p.results, 478, 3}, {&p.bar, 148, 1},
		{&p.collection, 68, 0.5}}
	if p.compact {
		b = []band{{&p.header, 90, 0.5}, {&p.bigRoad, 210, 0}, {&p.results, 298, 3}, {&p.bar, 138, 1},
			{&p.collection, 60, 0.5}}
	}
	if barTop {
		b = []band{b[0], b[3], b[1], b[2], b[4]}
	}
	p.stack(w, h, 12, b)
	p.across(p.results)
}

// across divides the middle of the landscape plan.
func (p *plan) across(mid Box) {
	gap := 12 * p.scale
	var rest Box
	p.results, rest = mid.left(480 * p.scale)
	_, rest = rest.left(gap)
	if p.compact {
		p.beads = rest.whole()
		p.notice = p.beads
		return
	}
	centre, rest := rest.left(660 * p.scale)
	_, p.derived = rest.left(gap)
	p.beads, p.previous = centre.top(264 * p.scale)
	_, p.previous = p.previous.top(gap)
	for _, part := range []*Box{&p.results, &p.beads, &p.previous, &p.derived} {
		*part = part.whole()
	}
	p.notice = p.previous
}

// upright makes the portrait plan, the reference at 1080x1920. The phase bar stands
// under the header there in any case.
func (p *plan) upright(w, h float32) {
	bands := []band{{&p.header, 175, 0.5}, {&p.bar, 222, 1}, {&p.results, 426, 2}, {&p.bigRoad, 162, 0},
		{&p.beads, 306, 0}, {&p.derived, 423, 2}, {&p.collection, 104, 0.5}}
	if p.compact {
		bands = slices.Delete(bands, 5, 6)
	}
	p.stack(w, h, 14, bands)
	p.notice = p.beads
	if !p.compact {
		p.notice = p.derived.row(2, 3)
	}
}
