package scene

import (
	"image/color"
	"strconv"
)

// noticeText is a message for staff: a title and its sentences.
type noticeText struct {
	title string
	lines []string
}

// noticeOf returns what staff must know first, and false when there is nothing
// that is worth a part of the board.
func (d *drawing) noticeOf() (noticeText, bool) {
	w := d.words.first
	if f := d.b.ConfigFault; f != nil {
		where := w.Get(ConfigPlace, "name", f.File, "n", strconv.Itoa(f.Line))
		return noticeText{w.Get(ConfigRefused), []string{where, f.Key + ": " + f.Text, w.Get(ConfigStays)}}, true
	}
	var n noticeText
	for _, f := range d.b.Faults {
		if !f.Staff && f.Code != "clock-not-set" { // the header says that
			n.lines = append(n.lines, f.Text)
		}
	}
	n.title = w.Get(Staff)
	return n, len(n.lines) > 0
}

// noticeTakes reports whether a notice stands in the place of part b.
func (d *drawing) noticeTakes(b Box) bool {
	_, ok := d.noticeOf()
	return ok && d.p.notice.Overlaps(b)
}

// notice draws the message for staff in the place of what matters least, and
// that a record is on its way to the disk.
func (d *drawing) notice() {
	if n, ok := d.noticeOf(); ok {
		d.noticePanel(d.p.notice, n)
	}
}

func (d *drawing) noticePanel(b Box, n noticeText) {
	t := d.theme
	d.panel("notice", b, t.Panel, t.Amber)
	in := b.inset(d.u(20), d.u(12))
	title := d.shape(set{cap: d.cap(17), weight: Bold, tracking: 0.03}, n.title, d.words.first.Lang)
	head, rest := in.top(round(d.u(34)))
	d.text("notice.title", title, in.X0, title.Baseline(head.Y0, head.Y1), t.Amber)
	d.paragraph("notice.line", n.lines, rest, 22, t.Text)
}

// paragraph sets lines of text in b from the top, broken at spaces: capitals of
// n units, less where they would not fit, down to the least size. What does not
// fit even so is left out whole.
func (d *drawing) paragraph(name string, texts []string, b Box, n float32, col color.NRGBA) {
	s := set{cap: d.cap(n), weight: Medium}
	least := d.least(leastOf(name))
	var lines []*Run
	for {
		lines = lines[:0]
		for _, text := range texts {
			lines = append(lines, d.broken(s, text, b.W())...)
		}
		if float32(len(lines))*s.cap*1.7 <= b.H() || s.cap <= least {
			break
		}
		s.cap = max(least, s.cap-1)
	}
	y := b.Y0
	for _, run := range lines {
		if y += s.cap * 1.7; y > b.Y1+1 {
			return
		}
		d.text(name, run, b.X0, y-s.cap*0.35, col)
	}
}
