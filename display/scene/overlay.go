package scene

// demo writes DEMO across the whole screen, faint enough to read through.
func (d *drawing) demo() {
	b := d.screen()
	run, _ := d.fit(set{cap: b.H() * 0.5, weight: ExtraBold, tracking: 0.02}, 1, "DEMO", english, b.W()*0.92)
	ink := faint(d.theme.Text, 0.11)
	d.text("demo", run, (b.X0+b.X1-run.Advance)/2, run.baseline(b.Y0, b.Y1), ink)
}

// waiting says over the last picture that the core cannot be reached.
func (d *drawing) waiting() {
	d.fill("waiting.veil", d.screen(), 0, faint(d.theme.Ground, 0.72))
	x, y := d.screen().centre()
	p := d.words.say("waiting")
	s := set{cap: d.cap(40), weight: Bold}
	r := d.label("waiting.text", p, s, d.screen().W()-d.u(180), d.theme.Text)
	b := box(x-r.width()/2-d.u(48), y-d.u(70), r.width()+d.u(96), d.u(140)).whole()
	d.panel("waiting", b, d.theme.Panel, d.theme.Amber)
	d.putCentre(r, x, round(r[0].run.baseline(b.Y0, b.Y1)))
}
