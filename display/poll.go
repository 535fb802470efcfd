package display

import (
	"strings"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

// pollKeys hears keys where there is no X server to ask, on a developer's
// machine: once a turn, so that two taps of one key within a turn are one.
func (l *loop) pollKeys() {
	now := time.Now()
	for _, k := range inpututil.AppendJustPressedKeys(nil) {
		l.options.Keys(Key{Name: ebitenName(k), Down: true, At: now})
	}
	for _, k := range inpututil.AppendJustReleasedKeys(nil) {
		l.options.Keys(Key{Name: ebitenName(k), At: now})
	}
}

// linuxNames has the keys that ebiten and Linux call by different words.
var linuxNames = map[string]string{
	"ESCAPE": "ESC", "PERIOD": "DOT", "QUOTE": "APOSTROPHE", "BACKQUOTE": "GRAVE",
	"BRACKETLEFT": "LEFTBRACE", "BRACKETRIGHT": "RIGHTBRACE",
	"ARROWLEFT": "LEFT", "ARROWRIGHT": "RIGHT", "ARROWUP": "UP", "ARROWDOWN": "DOWN",
	"SHIFTLEFT": "LEFTSHIFT", "SHIFTRIGHT": "RIGHTSHIFT", "CONTROLLEFT": "LEFTCTRL", "CONTROLRIGHT": "RIGHTCTRL",
	"ALTLEFT": "LEFTALT", "ALTRIGHT": "RIGHTALT", "METALEFT": "LEFTMETA", "METARIGHT": "RIGHTMETA",
	"NUMPADADD": "KPPLUS", "NUMPADSUBTRACT": "KPMINUS", "NUMPADMULTIPLY": "KPASTERISK", "NUMPADDIVIDE": "KPSLASH",
	"NUMPADDECIMAL": "KPDOT", "NUMPADENTER": "KPENTER", "NUMPADEQUAL": "KPEQUAL",
}

func ebitenName(k ebiten.Key) string {
	name := strings.ToUpper(k.String())
	if linux, ok := linuxNames[name]; ok {
		return linux
	}
	for _, prefix := range []string{"NUMPAD", "DIGIT"} {
		if digit, ok := strings.CutPrefix(name, prefix); ok {
			return map[string]string{"NUMPAD": "KP", "DIGIT": ""}[prefix] + digit
		}
	}
	return name
}
