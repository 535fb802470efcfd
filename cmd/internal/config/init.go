package config

import (
	"bytes"
	_ "embed"
)

//go:embed init.toml
var initial []byte

// Init is a file to begin with: every key with what it means and its default.
func Init() []byte { return bytes.Clone(initial) }
