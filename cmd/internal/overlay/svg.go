package overlay

import (
	"fmt"
	"html"
	"strings"
)

// svg returns the page as a file to be printed, in true millimetres, with all text as
// outlines.
func (pg page) svg() ([]byte, error) {
	s := &sheet{}
	s.line(`<svg xmlns="http://www.w3.org/2000/svg" width="%smm" height="%smm" viewBox="0 0 %[1]s %[2]s">`,
		mm(pg.size.w), mm(pg.size.h))
	s.line("<title>%s</title>", html.EscapeString(pg.title))
	s.line(`<rect width="%s" height="%s" fill="#ffffff"/>`, mm(pg.size.w), mm(pg.size.h))
	for _, c := range pg.caps {
		s.keycap(c)
	}
	for _, l := range pg.words {
		s.lettering(l)
	}
	s.ruler(pg.ruler)
	s.line("</svg>")
	return []byte(s.body.String()), s.err
}

// sheet collects the drawing, and the first error.
type sheet struct {
	body strings.Builder
	err  error
}

func (s *sheet) line(format string, args ...any) { fmt.Fprintf(&s.body, format+"\n", args...) }

// keycap draws a key as one group with its function as a title.
func (s *sheet) keycap(c keycap) {
	s.line(`<g data-pos="%s" data-key="%s">`, html.EscapeString(c.pos), html.EscapeString(c.says))
	s.line(`<title>%s</title>`, html.EscapeString(strings.TrimSuffix(c.pos+": "+c.says, ": ")))
	s.frame(c.cell, 0, 0.1, "#c8c8c8")
	s.frame(c.area, 1, 0.2, inkBlack)
	if c.band.h > 0 {
		s.line(`<path d="M%s %sh%sv%sa1 1 0 0 1 -1 1h%sa1 1 0 0 1 -1 -1z" fill="%s"/>`,
			mm(c.band.x), mm(c.band.y), mm(c.band.w), mm(c.band.h-1), mm(-(c.band.w - 2)), inkBlack)
	}
	for _, l := range append(c.words, c.name) {
		s.lettering(l)
	}
	s.line(`</g>`)
}

func (s *sheet) frame(r rect, round, stroke float64, ink string) {
	s.line(`<rect x="%s" y="%s" width="%s" height="%s" rx="%s" fill="none" stroke="%s" stroke-width="%s"/>`,
		mm(r.x), mm(r.y), mm(r.w), mm(r.h), mm(round), ink, mm(stroke))
}

func (s *sheet) ruler(r rect) {
	s.line(`<path d="M%s %sv%sM%[1]s %[4]sh%[5]sM%[6]s %[2]sv%[3]s" stroke="%[7]s" stroke-width="0.2"/>`,
		mm(r.x), mm(r.y), mm(r.h), mm(r.y+r.h/2), mm(r.w), mm(r.x+r.w), inkBlack)
}

// lettering draws a text.
func (s *sheet) lettering(l lettering) {
	path, err := l.face.outline(l.text)
	if err != nil && s.err == nil {
		s.err = err
	}
	s.line(`<path d="%s" transform="translate(%s %s) scale(%.6f)" fill="%s"/>`,
		path, mm(l.box.x), mm(l.box.y+l.box.h), l.size/l.face.unit, l.ink)
}

// mm formats a length with no more digits than a printer has.
func mm(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", v), "0"), ".")
}
