package assets

import (
	"embed"
	"fmt"
)

//go:embed lang/*.toml
var langFiles embed.FS

// Lang is one catalogue: every text of the board in one language, as TOML with
// one key for each. display/scene reads it.
type Lang struct {
	Code string // BCP 47: "en", "zh-Hant", …
	File string // for messages: "lang/en.toml"
	Data []byte // not to be changed
}

// langCodes are the catalogues built in, in the order in which they are offered.
var langCodes = [...]string{"en", "zh-Hant", "zh-Hans", "vi", "ko", "es", "tl"}

// Langs returns the catalogues, English first. lang/REVIEW.md lists the terms
// that a native speaker has yet to check.
func Langs() []Lang {
	out := make([]Lang, 0, len(langCodes))
	for _, code := range langCodes {
		file := "lang/" + code + ".toml"
		data, err := langFiles.ReadFile(file)
		if err != nil {
			panic(fmt.Sprintf("catalogue %s was not built in: %v", file, err)) // a test would have failed
		}
		out = append(out, Lang{code, file, data})
	}
	return out
}
