package scene

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

// band is a level strip of the plan: height in units, and its share of what the
// screen has left over.
type band struct{ h, grow float32 }

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
	switch {
	case p.portrait:
		p.upright(w, h)
	default:
		p.wide(w, h, barTop)
	}
	return p
}

// stack puts bands under each other from y 0 on, with a gap before each but the
// first, and spreads what is left of height h over those that may grow.
func (p *plan) stack(w, h, gap float32, bands []band) []Box {
	var need, grow float32
	for _, b := range bands {
		need += (b.h + gap) * p.scale
		grow += b.grow
	}
	spare := h - need
	out := make([]Box, len(bands))
	var y float32
	for i, b := range bands {
		bh := b.h*p.scale + spare*b.grow/grow
		if i > 0 {
			y += gap * p.scale
		}
		out[i] = Box{24 * p.scale, y, w - 24*p.scale, y + bh}.whole()
		y += bh
	}
	return out
}

// wide makes the landscape plan, the reference at 1920x1080.
func (p *plan) wide(w, h float32, barTop bool) {
	bands := []band{{92, 0.5}, {234, 0}, {478, 3}, {148, 1}, {68, 0.5}}
	if p.compact {
		bands = []band{{90, 0.5}, {210, 0}, {298, 3}, {138, 1}, {60, 0.5}}
	}
	order := []*Box{&p.header, &p.bigRoad, &p.results, &p.bar, &p.collection}
	if barTop {
		bands = []band{bands[0], bands[3], bands[1], bands[2], bands[4]}
		order = []*Box{&p.header, &p.bar, &p.bigRoad, &p.results, &p.collection}
	}
	for i, b := range p.stack(w, h, 12, bands) {
		*order[i] = b
	}
	p.header.X0, p.header.X1 = 0, w
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
	bands := []band{{175, 0.5}, {222, 1}, {426, 2}, {162, 0}, {306, 0}, {423, 2}, {104, 0.5}}
	order := []*Box{&p.header, &p.bar, &p.results, &p.bigRoad, &p.beads, &p.derived, &p.collection}
	if p.compact {
		bands = append(bands[:5], bands[6])
		order = append(order[:5], order[6])
	}
	for i, b := range p.stack(w, h, 14, bands) {
		*order[i] = b
	}
	p.header.X0, p.header.X1 = 0, w
	p.notice = p.beads
	if !p.compact {
		p.notice = p.derived.row(2, 3)
	}
}
