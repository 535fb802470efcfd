package overlay

import (
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
)

// svg returns the page as a file to be printed, in true millimetres, with all text as
// outlines.
func (pg page) svg() ([]byte, error) {
	s := &sheet{ids: map[glyph]string{}}
	s.line(`<rect width="%s" height="%s" fill="#ffffff"/>`, mm(pg.size.w), mm(pg.size.h))
	for _, c := range pg.caps {
		s.keycap(c)
	}
	for _, l := range pg.words {
		s.lettering(l)
	}
	s.ruler(pg.ruler)
	if s.err != nil {
		return nil, s.err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%smm\" height=\"%smm\" "+
		"viewBox=\"0 0 %[1]s %[2]s\">\n", mm(pg.size.w), mm(pg.size.h))
	fmt.Fprintf(&out, "<title>%s</title>\n<defs>\n", html.EscapeString(pg.title))
	for _, id := range slices.Sorted(maps.Values(s.ids)) {
		fmt.Fprintf(&out, "<path id=%q d=%q/>\n", id, s.paths[id])
	}
	out.WriteString("</defs>\n" + s.body.String() + "</svg>\n")
	return []byte(out.String()), nil
}

// glyph is one letter of one font.
type glyph struct {
	face *face
	r    rune
}

// sheet collects the drawing and the letters that it uses.
type sheet struct {
	body  strings.Builder
	ids   map[glyph]string
	paths map[string]string
	faces []*face
	err   error
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

// lettering draws a text letter by letter.
func (s *sheet) lettering(l lettering) {
	scale := l.size / l.face.unit
	x := l.box.x
	for _, r := range l.text {
		width, err := l.face.width(string(r))
		if err != nil && s.err == nil {
			s.err = err
		}
		if id := s.glyph(glyph{l.face, r}); id != "" {
			s.line(`<use href="#%s" transform="translate(%s %s) scale(%.6f)" fill="%s"/>`,
				id, mm(x), mm(l.box.y+l.box.h), scale, l.ink)
		}
		x += width * l.size
	}
}

// glyph returns the id of a letter's outline, "" for a space.
func (s *sheet) glyph(g glyph) string {
	if id, known := s.ids[g]; known {
		return id
	}
	path, err := g.face.outline(g.r)
	if err != nil && s.err == nil {
		s.err = err
	}
	if path == "" {
		return ""
	}
	if !slices.Contains(s.faces, g.face) {
		s.faces = append(s.faces, g.face)
	}
	id := fmt.Sprintf("f%d-%x", slices.Index(s.faces, g.face), g.r)
	if s.paths == nil {
		s.paths = map[string]string{}
	}
	s.ids[g], s.paths[id] = id, path
	return id
}

// mm formats a length with no more digits than a printer has.
func mm(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", v), "0"), ".")
}
