package scene

// uprightBar is the portrait bar: the phase in a line of its own, all else in
// the line below.
func (d *drawing) uprightBar(s barSay, b Box) {
	in := b.inset(d.u(28), d.u(5))
	if s.qr {
		k := d.qrBlock(s, b)
		k.draw(in.X1 - k.w)
		in.X1 -= k.w + d.u(28)
	}
	top, low := in.top(round(in.H() * 0.54))
	for i, f := range barFits {
		u := d.upright(s, f, top, low)
		fits := u.phase.width()+total(u.topRight, d.u(28)) <= top.W() && u.secondFits(low) &&
			total(u.left, d.u(36))+total(u.right, d.u(28)) <= low.W()+d.u(36)
		if !fits && i < len(barFits)-1 {
			continue
		}
		if room := top.W() - total(u.topRight, d.u(28)); u.phase.width() > room {
			u.phase = d.squeezed(u.phase, room)
		}
		d.putUpright(s, u, top, low)
		return
	}
}

// upright is what stands in a portrait bar.
type upright struct {
	phase, second         row // second is among left too
	topRight, left, right []block
}

// upright sorts what the bar says into its two lines.
func (d *drawing) upright(s barSay, f barFit, top, low Box) upright {
	u := upright{phase: d.phaseRow(s, f)}
	if f.broken {
		u.breakPhase(d, s, low)
	}
	u.secondDown(d, s, top, low)
	lines := s.lines
	if len(lines) > 1 { // of two, the first stands beside the phase
		whole := f
		whole.two = false
		u.topRight = append(u.topRight, d.linesBlock([]phrase{{first: lines[0].first}}, whole, top, -1))
		lines = lines[1:]
	}
	u.topRight = present(append(u.topRight, d.totalsBlock(s, f, top))...)
	u.left = append(u.left, d.linesBlock(lines, f, low, -1), d.summaryBlock(s, f, low, d.u(14)))
	u.flag(d, s, f, top, low)
	if s.chip && f.chip {
		no, result := d.chipRuns()
		line := append(no, result...)
		line[1].gap = d.u(12)
		k := block{line.width(), func(x float32) { d.put(line, x, d.seat(line, low)) }}
		u.left = append(u.left, d.plated(k, low, d.u(14)))
	}
	u.left = present(u.left...)
	u.right = present(d.paysBlock(s, f, low, d.u(4)), d.countBlock(s, low))
	return u
}

// secondDown moves the second language of the phase down where a countdown runs,
// and where the phase takes the whole line.
func (u *upright) secondDown(d *drawing, s barSay, top, low Box) {
	if len(u.phase) < 2 || s.small != "" || !s.counting && u.phase.width() <= top.W() {
		return
	}
	second := u.phase[1:]
	u.phase, u.second = u.phase[:1], second
	u.left = append(u.left, block{second.width(), func(x float32) { d.put(second, x, d.seat(second, low)) }})
}

// flag puts the chip in outline beside the phase where there is room, else into
// the second line.
func (u *upright) flag(d *drawing, s barSay, f barFit, top, low Box) {
	flag := d.flagBlock(s, f, top, d.u(10))
	if f.broken || u.phase.width()+total(u.topRight, d.u(28))+flag.w+d.u(28) <= top.W() {
		u.topRight = append(u.topRight, present(flag)...)
		return
	}
	u.left = append(u.left, d.flagBlock(s, f, low, d.u(6)))
}

// breakPhase puts the second half of a long phase into the second line.
func (u *upright) breakPhase(d *drawing, s barSay, low Box) {
	parts := halves(s.phase.first)
	if len(parts) < 2 {
		return
	}
	style, l, col := d.phaseSet(70, s.phase.first), d.words.first.Lang, d.theme.Bar.TextOver
	u.phase = one("bar.phase", d.shape(style, parts[0], l), col)
	u.second = one("bar.phase", d.shape(style, parts[1], l), col)
	second := u.second
	u.left = append(u.left, block{second.width(), func(x float32) { d.put(second, x, d.seat(second, low)) }})
}

// secondFits reports whether the second language fits the height of its line.
func (u *upright) secondFits(low Box) bool { return u.second.ink().H() <= low.H() }

// present leaves out blocks that have nothing to show.
func present(blocks ...block) []block {
	var out []block
	for _, k := range blocks {
		if k.w > 0 {
			out = append(out, k)
		}
	}
	return out
}

// putUpright paints the two lines.
func (d *drawing) putUpright(s barSay, u upright, top, low Box) {
	d.put(u.phase, top.X0, d.seat(u.phase, top))
	drawRight(u.topRight, top.X1, d.u(28))
	if s.small != "" {
		d.paragraph("bar.small", []string{s.small}, low.inset(0, d.u(4)), 20, d.theme.Bar.TextOver)
	}
	x := low.X0
	for _, k := range u.left {
		k.draw(x)
		x += k.w + d.u(36)
	}
	drawRight(u.right, low.X1, d.u(28))
}
