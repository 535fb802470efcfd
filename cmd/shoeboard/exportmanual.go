package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// manualText is what the manual page says beside the verbs, in the language of man.
//
//go:embed exportmanual.man
var manualText string

type manualVerb struct{}

// Run prints the manual page: the verbs and flags as the program takes them, and
// manualText around them.
func (*manualVerb) Run(p *program, k *kong.Context) error {
	before, after, _ := strings.Cut(manualText, "@VERBS@\n")
	if _, err := io.WriteString(p.out, before); err != nil {
		return err
	}
	for _, leaf := range k.Model.Leaves(true) {
		if err := manualEntry(p.out, leaf); err != nil {
			return err
		}
	}
	_, err := io.WriteString(p.out, after)
	return err
}

func manualEntry(out io.Writer, n *kong.Node) error {
	var b strings.Builder
	fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(n.Path()), roff(n.Help))
	for _, f := range n.Flags {
		if f.Hidden || f.Name == "help" {
			continue
		}
		value := ""
		if !f.IsBool() {
			value = "=" + f.FormatPlaceHolder()
		}
		fmt.Fprintf(&b, ".RS\n.TP\n.B \\-\\-%s\n%s\n.RE\n", roff(f.Name+value), roff(f.Help))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// roff returns a text in which man finds no commands of its own.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
