package display

import (
	"fmt"

	"github.com/jezek/xgb/xproto"
)

// named are the key symbols that have a name of their own, under the name that
// Linux gives the key. A pad's key has one name with NumLock and without.
var named = map[xproto.Keysym]string{
	' ': "SPACE", '-': "MINUS", '=': "EQUAL", ',': "COMMA", '.': "DOT", '/': "SLASH", ';': "SEMICOLON",
	'\'': "APOSTROPHE", '`': "GRAVE", '[': "LEFTBRACE", ']': "RIGHTBRACE", '\\': "BACKSLASH",
	0xff08: "BACKSPACE", 0xff09: "TAB", 0xfe20: "TAB", 0xff0d: "ENTER", 0xff1b: "ESC", 0xffff: "DELETE",
	0xff50: "HOME", 0xff51: "LEFT", 0xff52: "UP", 0xff53: "RIGHT", 0xff54: "DOWN", 0xff55: "PAGEUP", 0xff56: "PAGEDOWN",
	0xff57: "END", 0xff63: "INSERT", 0xff7f: "NUMLOCK", 0xffe5: "CAPSLOCK",
	0xff9e: "KP0", 0xff9c: "KP1", 0xff99: "KP2", 0xff9b: "KP3", 0xff96: "KP4", 0xff9d: "KP5", 0xff98: "KP6",
	0xff95: "KP7", 0xff97: "KP8", 0xff9a: "KP9", 0xff9f: "KPDOT", 0xffae: "KPDOT", 0xffac: "KPDOT",
	0xff8d: "KPENTER", 0xffab: "KPPLUS", 0xffad: "KPMINUS", 0xffaa: "KPASTERISK", 0xffaf: "KPSLASH", 0xffbd: "KPEQUAL",
	0xffe1: "LEFTSHIFT", 0xffe2: "RIGHTSHIFT", 0xffe3: "LEFTCTRL", 0xffe4: "RIGHTCTRL",
	0xffe9: "LEFTALT", 0xffea: "RIGHTALT", 0xfe03: "RIGHTALT", 0xffeb: "LEFTMETA", 0xffec: "RIGHTMETA",
}

// symbolName returns the name of a key that carries the symbol, or "".
func symbolName(sym xproto.Keysym) string {
	switch {
	case isDigit(sym):
		return string(rune(sym))
	case sym >= 'a' && sym <= 'z':
		return string(rune(sym - 'a' + 'A'))
	case sym >= 'A' && sym <= 'Z':
		return string(rune(sym))
	case sym >= 0xffb0 && sym <= 0xffb9:
		return fmt.Sprintf("KP%d", sym-0xffb0)
	case sym >= 0xffbe && sym <= 0xffc9:
		return fmt.Sprintf("F%d", sym-0xffbe+1)
	}
	return named[sym]
}

func isDigit(sym xproto.Keysym) bool { return sym >= '0' && sym <= '9' }

// keyName returns the name of a key from all symbols that its layout gives it.
// A digit wins over what stands with it: on some layouts digits need Shift. A
// key without a known symbol is called by its number.
func keyName(code int, symbols []xproto.Keysym) string {
	for _, sym := range symbols[:min(2, len(symbols))] {
		if isDigit(sym) {
			return symbolName(sym)
		}
	}
	for _, sym := range symbols {
		if name := symbolName(sym); name != "" {
			return name
		}
	}
	return fmt.Sprintf("KEY%d", code-firstCode) // as Linux counts
}
