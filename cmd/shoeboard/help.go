package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"shoeboard/assets"
	"shoeboard/tracker/strict"
)

type helpVerb struct {
	Subject string `arg:"" optional:"" help:"Subject of the manual; the default is to list them."`
}

// Run prints a page of the manual, or lists its subjects with their titles.
func (v *helpVerb) Run(p *program) error {
	subjects := assets.ManualSubjects()
	text, ok := assets.Manual(v.Subject)
	switch {
	case v.Subject == "":
	case ok:
		_, err := io.WriteString(p.out, text)
		return err
	default:
		hint := ""
		if near, ok := strict.Nearest(v.Subject, subjects); ok {
			hint = fmt.Sprintf(", did you mean %q?", near)
		}
		return wrongUse("no page %q in the manual%s: shoeboard help lists them", v.Subject, hint)
	}
	w := tabwriter.NewWriter(p.out, 0, 4, 2, ' ', 0)
	for _, subject := range subjects {
		text, _ := assets.Manual(subject)
		title, _, _ := strings.Cut(text, "\n")
		fmt.Fprintf(w, "%s\t%s\n", subject, strings.TrimPrefix(title, "# "))
	}
	fmt.Fprintln(w, "\nshoeboard help SUBJECT prints a page, shoeboard --help lists the verbs.")
	return w.Flush()
}
