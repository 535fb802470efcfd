package scene

import (
	"image/color"
	"slices"
	"strconv"
	"strings"
	"time"

	"shoeboard/stats"
)

// noticeText is a message for staff: a title and its sentences.
type noticeText struct {
	title string
	lines []string
}

// noticeOf returns what staff must know first, and false when there is nothing
// that is worth a part of the board. A refused configuration has it for itself only
// when nothing else is the matter.
func (d *drawing) noticeOf() (noticeText, bool) {
	w := d.words.first
	n := noticeText{title: w.get("staff"), lines: d.urgent()}
	if f := d.b.ConfigFault; f != nil && !d.acknowledged(stats.ConfigCode) {
		where := f.File
		if f.Line > 0 {
			where = w.get("config_place", "name", f.File, "n", strconv.Itoa(f.Line))
		}
		if len(n.lines) == 0 {
			return noticeText{w.get("config_refused"), []string{where, f.Sentence(), w.get("config_stays")}}, true
		}
		n.lines = append(n.lines, w.get("config_refused")+": "+where+", "+f.Sentence())
	}
	if d.nobodyPlays() {
		n.lines = append(n.lines, d.known()...)
	}
	return n, len(n.lines) > 0
}

// acknowledged reports whether somebody knows of a fault which is there.
func (d *drawing) acknowledged(code string) bool {
	return slices.ContainsFunc(d.b.Faults, func(f stats.Fault) bool { return f.Code == code && f.By != "" })
}

// urgent returns the faults that are there and that nobody has acknowledged, in the order
// of the Board. The header says that the clock is not set, and a refused configuration
// has its own words.
func (d *drawing) urgent() (lines []string) {
	for _, f := range d.b.Faults {
		if !f.Staff && f.Code != "clock-not-set" && !(f.Code == stats.ConfigCode && d.b.ConfigFault != nil) {
			lines = append(lines, f.Text)
		}
	}
	return lines
}

// marked returns the faults that are no more than a mark while players look on: those that
// are acknowledged, and those that have ended and are not.
func (d *drawing) marked() []stats.Fault {
	staff := slices.Clone(d.b.Faults)
	staff = slices.DeleteFunc(staff, func(f stats.Fault) bool { return !f.Staff })
	return append(staff, d.b.EndedFaults...)
}

// known puts the marked faults in words, for when there is nothing that players look at.
// What became of a fault comes first: the sentence alone would say that it is there.
func (d *drawing) known() (lines []string) {
	for _, f := range d.marked() {
		var became []string
		if f.Began > 0 {
			became = append(became, d.when(f.Began))
		}
		switch {
		case f.Ended:
			became = append(became, d.words.first.get("fault_over"))
		case f.By != "": // else it is the screen's own, which nobody can acknowledge
			became = append(became, d.words.first.get("fault_known", "name", f.By))
		}
		if f.Times > 1 {
			became = append(became, "×"+strconv.Itoa(f.Times))
		}
		text := f.Text
		if len(became) > 0 {
			text = strings.Join(became, ", ") + ": " + text
		}
		lines = append(lines, text)
	}
	return lines
}

// when writes a moment in Unix milliseconds as the board's clock has it, with the day when
// it was another one.
func (d *drawing) when(ms int64) string {
	at := time.UnixMilli(ms).In(d.v.Wall.Location())
	text := d.clock(at)
	if at.Format(time.DateOnly) != d.v.Wall.Format(time.DateOnly) {
		text = at.Format("01-02") + " " + text
	}
	return text
}

// nobodyPlays reports whether the table is closed, or shuffles with no hand on the board.
func (d *drawing) nobodyPlays() bool {
	k := d.b.Bar.Kind
	return k == stats.BarClosedTable || k == stats.BarShuffling && d.b.Shoe.Hands == 0
}

// staffStrip sets what staff should know at the foot of an attract page and returns
// what is left of it.
func (d *drawing) staffStrip(b Box) Box {
	lines := append(d.urgent(), d.known()...)
	if len(lines) == 0 {
		return b
	}
	strip := b
	strip.Y0 = b.Y1 - d.u(28)*float32(min(len(lines), 3)) - d.u(6)
	d.paragraph("attract.staff", lines, strip, 14, d.theme.Amber)
	b.Y1 = strip.Y0 - d.u(8)
	return b
}

// noticeTakes reports whether a notice stands in the place of part b.
func (d *drawing) noticeTakes(b Box) bool {
	_, ok := d.noticeOf()
	return ok && d.p.notice.Overlaps(b)
}

// notice draws the message for staff in the place of what matters least.
func (d *drawing) notice() {
	n, ok := d.noticeOf()
	if !ok {
		return
	}
	b, t := d.p.notice, d.theme
	d.panel("notice", b, t.Panel, t.Amber)
	head, rest := b.inset(d.u(20), d.u(12)).top(round(d.u(34)))
	title := d.shape(set{cap: d.cap(17), weight: Bold, tracking: 0.03}, n.title, d.words.first.Lang)
	d.text("notice.title", title, head.X0, title.baseline(head.Y0, head.Y1), t.Amber)
	d.paragraph("notice.line", n.lines, rest, 22, t.Text)
}

// paragraph sets lines of text in b from the top, broken at spaces: capitals of
// n units, less where they would not fit, down to the least size. Of what does not
// fit even so the last line says how many texts are left out.
func (d *drawing) paragraph(name string, texts []string, b Box, n float32, col color.NRGBA) {
	s := set{cap: d.cap(n), weight: Medium}
	least := d.least(leastOf(name))
	lines := d.paragraphs(s, texts, b.W())
	for s.cap > least && float32(len(slices.Concat(lines...)))*s.cap*1.7 > b.H() {
		s.cap = max(least, s.cap-1)
		lines = d.paragraphs(s, texts, b.W())
	}
	y := b.Y0
	for _, run := range d.whole(lines, int((b.H()+1)/(s.cap*1.7)), s) {
		y += s.cap * 1.7
		d.text(name, run, b.X0, y-s.cap*0.35, col)
	}
}

// paragraphs breaks each text into lines.
func (d *drawing) paragraphs(s set, texts []string, width float32) (out [][]*Run) {
	for _, text := range texts {
		out = append(out, d.broken(s, text, d.words.first.Lang, width))
	}
	return out
}

// whole returns the lines of the texts that have room, and in the last line how many have
// not. A first text that has none by itself is cut.
func (d *drawing) whole(texts [][]*Run, room int, s set) []*Run {
	all := slices.Concat(texts...)
	if len(all) <= room || len(texts) == 1 || room < 1 {
		return all[:max(0, min(len(all), room))]
	}
	lines, n := texts[0][:min(len(texts[0]), room-1)], 1
	for ; len(lines)+len(texts[n]) < room; n++ { // all do not fit: it ends before the last
		lines = slices.Concat(lines, texts[n])
	}
	return append(slices.Clip(lines), d.shape(s, "+"+strconv.Itoa(len(texts)-n), english))
}
