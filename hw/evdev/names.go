package evdev

import "strconv"

// Codes of the kernel's input-event-codes.h that this package treats apart.
const (
	keyEnter   = 28
	keyNumLock = 69
	keyKP0     = 82
	keyKPEnter = 96
	keyQ       = 16
	key1       = 2
)

// names maps key codes 1 to 194 to the kernel's names, built from runs of consecutive codes.
var names = buildNames(map[int][]string{
	1: {"ESC", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "MINUS", "EQUAL", "BACKSPACE", "TAB",
		"Q", "W", "E", "R", "T", "Y", "U", "I", "O", "P", "LEFTBRACE", "RIGHTBRACE", "ENTER", "LEFTCTRL",
		"A", "S", "D", "F", "G", "H", "J", "K", "L", "SEMICOLON", "APOSTROPHE", "GRAVE", "LEFTSHIFT",
		"BACKSLASH", "Z", "X", "C", "V", "B", "N", "M", "COMMA", "DOT", "SLASH", "RIGHTSHIFT",
		"KPASTERISK", "LEFTALT", "SPACE", "CAPSLOCK", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8",
		"F9", "F10", "NUMLOCK", "SCROLLLOCK", "KP7", "KP8", "KP9", "KPMINUS", "KP4", "KP5", "KP6",
		"KPPLUS", "KP1", "KP2", "KP3", "KP0", "KPDOT"},
	86: {"102ND", "F11", "F12"},
	95: {"KPJPCOMMA", "KPENTER", "RIGHTCTRL", "KPSLASH", "SYSRQ", "RIGHTALT", "LINEFEED",
		"HOME", "UP", "PAGEUP", "LEFT", "RIGHT", "END", "DOWN", "PAGEDOWN", "INSERT", "DELETE",
		"MACRO", "MUTE", "VOLUMEDOWN", "VOLUMEUP", "POWER", "KPEQUAL", "KPPLUSMINUS", "PAUSE", "SCALE",
		"KPCOMMA"},
	125: {"LEFTMETA", "RIGHTMETA", "COMPOSE", "STOP", "AGAIN", "PROPS", "UNDO", "FRONT", "COPY", "OPEN",
		"PASTE", "FIND", "CUT", "HELP", "MENU", "CALC", "SETUP", "SLEEP", "WAKEUP"},
	148: {"PROG1", "PROG2", "WWW"},
	155: {"MAIL", "BOOKMARKS", "COMPUTER", "BACK", "FORWARD"},
	163: {"NEXTSONG", "PLAYPAUSE", "PREVIOUSSONG", "STOPCD"},
	172: {"HOMEPAGE", "REFRESH", "EXIT"},
	179: {"KPLEFTPAREN", "KPRIGHTPAREN"},
	183: {"F13", "F14", "F15", "F16", "F17", "F18", "F19", "F20", "F21", "F22", "F23", "F24"},
})

// twins maps the names that a key of a numeric pad has when NumLock is off, or on pads that
// send the main keyboard's code, to the name on the keycap.
var twins = map[string]string{
	"HOME": "KP7", "UP": "KP8", "PAGEUP": "KP9", "LEFT": "KP4", "RIGHT": "KP6", "END": "KP1",
	"DOWN": "KP2", "PAGEDOWN": "KP3", "INSERT": "KP0", "DELETE": "KPDOT", "ENTER": "KPENTER",
	"EQUAL": "KPEQUAL",
}

func buildNames(runs map[int][]string) map[uint16]string {
	m := map[uint16]string{}
	for first, run := range runs {
		for i, name := range run {
			m[uint16(first+i)] = name
		}
	}
	return m
}

// Pos returns the position name of a key code: the name on a numeric pad's keycap ("KP7",
// "KPENTER"), otherwise the kernel's name without KEY_ ("A", "F1"), or "KEY" and the number.
// NumLock has a name, though no Pad sends it.
func Pos(code uint16) string {
	name, ok := names[code]
	if !ok {
		return "KEY" + strconv.Itoa(int(code))
	}
	if twin, ok := twins[name]; ok {
		return twin
	}
	return name
}
