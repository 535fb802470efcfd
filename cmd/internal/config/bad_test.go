package config

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"shoeboard/tracker/strict"
)

// bad are files with something wrong, and what a technician is told: each text in
// want stands in one line of the message.
var bad = []struct {
	name string
	file string
	want []string
}{
	{"mistyped key", "bet_secnods = 20", []string{`:1:1: bet_secnods = 20: no such key; did you mean "bet_seconds"?`}},
	{"unknown key", "colour = \"red\"", []string{`:1:1: colour = "red": no such key, expected one of venue, zone`}},
	{"mistyped section", "[rodas]\ntail = \"stay\"", []string{`:1:2: rodas: no such key; did you mean "roads"?`}},
	{"mistyped key in a section", "[roads]\ntial = \"stay\"", []string{`:2:1: roads.tial = "stay": no such key; did you mean "tail"?`}},
	{"key under a section", "[roads]\ndealer_fix = 2", []string{`:2:1: roads.dealer_fix = 2: no such key in this section; it belongs above the first [section]`}},
	{"key twice", "decks = 8\ngame = \"dai-bacc\"\ndecks = 6", []string{`:3:1: decks = 6: not valid TOML (key decks is already defined), expected a whole number of decks`}},
	{"text without quotes", "bets = timer", []string{`:1:8: bets = timer: `, `expected "off", "close" or "timer"`}},
	{"no value", "venue =", []string{`:1:7: venue: `, `expected the house's name in quotes`}},
	{"open quote", "venue = \"The House", []string{`:1:`, `venue = "The House: `}},
	{"open section", "[roads\ntail = \"stay\"", []string{":1:7: "}},
	{"not TOML", "hello", []string{`:1:5: `, `in the line "hello"`}},
	{"text for a number", "decks = \"8\"", []string{`:1:9: decks = "8": expected a whole number of decks`}},
	{"number for a text", "venue = 8", []string{`:1:9: venue = 8: expected the house's name in quotes`}},
	{"text for yes or no", "confirm = \"yes\"", []string{`:1:11: confirm = "yes": expected true or false`}},
	{"fraction for a whole number", "bet_seconds = 20.5", []string{`:1:15: bet_seconds = 20.5: expected a whole number of seconds from 5 to 120`}},
	{"number too large for any field", "decks = 99999999999999999999", []string{":1:", "decks = 99999999999999999999"}},
	{"value for a section", "roads = \"gravity\"", []string{`:1:9: roads = "gravity": expected one section: [roads]`}},
	{"single brackets for a list", "[limit]\nbets = [\"tie\"]", []string{`:1:2: limit: expected a list, with double brackets: [[limit]]`}},
	{"double brackets for a section", "[[roads]]\ntail = \"stay\"", []string{`:1:3: roads: expected one section: [roads]`}},

	{"venue too long", "venue = \"" + strings.Repeat("v", 41) + "\"", []string{":1:9: venue = ", "has 41 characters, expected at most 40"}},
	{"venue of two lines", `venue = "The\nHouse"`, []string{":1:9: venue = ", "one line without control characters"}},
	{"zone abroad", `zone = "America/Los_Angels"`, []string{`:1:8: zone = "America/Los_Angels": expected an IANA time zone`}},
	{"zone of the unit", `zone = "Local"`, []string{":1:8: zone = "}},
	{"unknown game", `game = "dai-baac"`, []string{`:1:8: game = "dai-baac": did you mean "dai-bacc"?, expected "dai-bacc" or "ez-baccarat-panda-8"`}},
	{"decks that are not approved", "game = \"dai-bacc\"\ndecks = 3", []string{":2:9: decks = 3: expected a whole number of decks from 4 to 8"}},
	{"unknown mode", `bets = "time"`, []string{`:1:8: bets = "time": did you mean "timer"?, expected "off", "close" or "timer"`}},
	{"countdown too short", "bet_seconds = 2", []string{":1:15: bet_seconds = 2: expected a whole number of seconds from 5 to 120"}},
	{"negative countdown", "reopen_seconds = -1", []string{":1:18: reopen_seconds = -1: expected a whole number of seconds from 3 to 60"}},
	{"auto_open too long", "auto_open = 3600", []string{":1:13: auto_open = 3600: "}},
	{"min_hand too long", "min_hand = 31", []string{":1:12: min_hand = 31: expected a whole number of seconds from 0 to 30"}},
	{"too many fixes", "dealer_fix = 4", []string{":1:14: dealer_fix = 4: expected a whole number from 0 to 3"}},
	{"data not from the root", `data = "data"`, []string{`:1:8: data = "data": expected an absolute path of at most 100 characters`}},
	{"no socket", `socket = ""`, []string{`:1:10: socket = "": expected an absolute path of at most 100 characters`}},

	{"limit without max", "[[limit]]\nbets = [\"tie\"]\nmin = 5", []string{":1:3: limit[1].max: is missing, expected dollars"}},
	{"limit without bets", "[[limit]]\nmin = 5\nmax = 10", []string{":1:3: limit[1].bets: is missing, expected a list of bets"}},
	{"min over max", "[[limit]]\nbets = [\"tie\"]\nmin = 50\nmax = 10", []string{":4:7: limit[1].max = 10: expected at least the min, 50.00"}},
	{"part of a cent", "[[limit]]\nbets = [\"tie\"]\nmin = 0.005\nmax = 10", []string{":3:7: limit[1].min = 0.005: expected dollars with at most two decimals"}},
	{"dollars without end", "[[limit]]\nbets = [\"tie\"]\nmin = 1\nmax = inf", []string{":4:7: limit[1].max = inf: expected dollars"}},
	{"dollars that are no number", "[[limit]]\nbets = [\"tie\"]\nmin = nan\nmax = 5", []string{":3:7: limit[1].min = nan: expected dollars"}},
	{"dollar sign", "[[limit]]\nbets = [\"tie\"]\nmin = \"$5\"\nmax = 5", []string{`:3:7: limit[1].min = "$5": expected dollars such as 40 or 2.50`}},
	{"bet of another game", "[[limit]]\nbets = [\"ox-6\"]\nmin = 1\nmax = 5", []string{`:2:9: limit[1].bets[1] = "ox-6": expected "player", "banker", "tie"`}},
	{"mistyped bet", "[[limit]]\nbets = [\"dragon7\"]\nmin = 1\nmax = 5", []string{`did you mean "dragon-7"?`}},
	{"two limits for a bet", "[[limit]]\nbets = [\"tie\"]\nmin = 1\nmax = 5\n[[limit]]\nbets = [\"player\", \"tie\"]\nmin = 1\nmax = 5", []string{`:6:19: limit[2].bets[2] = "tie": is the bet of limit[1].bets[1] too, on line 2, expected another bet`}},

	{"no such schedule", "collection = \"nigth\"\n[collections.night]\nrates = [{ from = 1, fee = 1 }]", []string{`:1:14: collection = "nigth": did you mean "night"?, expected "night"`}},
	{"no schedule at all", "collection = \"day\"", []string{`:1:14: collection = "day": expected a schedule [collections.day], or "" for none`}},
	{"six rates", "[collections.day]\nrates = [" + strings.Repeat("{ bets = [\"tie\"], fee = 1 },", 6) + "]", []string{":1:14: collections.day: has 6 rates, expected one to five rates"}},
	{"fee as a share", "[collections.day]\nrates = [{ from = 1, fee = \"5%\" }]", []string{`:2:28: collections.day.rates[1].fee = "5%": expected a flat fee in dollars such as 1 or 0.50, never a share of the wager`}},
	{"percent", "[collections.day]\nrates = [{ from = 1, percent = 5 }]", []string{`:2:22: collections.day.rates[1].percent = 5: no such key, expected one of from, to, bets, player_dealer, fee`}},
	{"fee for nothing", "[collections.day]\nrates = [{ fee = 5 }]", []string{`:2:10: collections.day.rates[1]: has 0 reasons for the fee, expected exactly one of from and to, bets, player_dealer = true`}},
	{"fee for two things", "[collections.day]\nrates = [{ from = 5, player_dealer = true, fee = 5 }]", []string{`:2:10: collections.day.rates[1]: has 2 reasons for the fee, expected exactly one of from and to, bets, player_dealer = true`}},
	{"fee missing", "[collections.day]\nrates = [{ from = 5 }]", []string{`:2:10: collections.day.rates[1].fee: is missing`}},
	{"range turned round", "[collections.day]\nrates = [{ from = 50, to = 10, fee = 5 }]", []string{`:2:28: collections.day.rates[1].to = 10: expected dollars with at most two decimals, from 50.00`}},
	{"ranges that meet", "[collections.day]\nrates = [{ from = 5, fee = 1 }, { from = 100, fee = 2 }]", []string{`:2:33: collections.day.rates[2]: overlaps rates[1], expected ranges that do not overlap`}},

	{"unknown tail", "[roads]\ntail = \"fall\"", []string{`:2:8: roads.tail = "fall": expected "gravity" or "stay"`}},
	{"unknown tie convention", "[roads]\nleading_tie = \"own\"", []string{`:2:15: roads.leading_tie = "own": expected "overlay" or "own_column"`}},
	{"text too long", "[texts]\nmessage = \"" + strings.Repeat("m", 121) + "\"", []string{":2:11: texts.message = ", "has 121 characters, expected at most 120"}},

	{"unknown language", "[[screen]]\nlanguages = [\"en\", \"zh-Hnat\"]", []string{`:2:20: screen[1].languages[2] = "zh-Hnat": did you mean "zh-Hant"?`}},
	{"three languages", "[[screen]]\nlanguages = [\"en\", \"ko\", \"vi\"]", []string{":2:13: screen[1].languages = ", "one or two different languages"}},
	{"no language", "[[screen]]\nlanguages = []", []string{":2:13: screen[1].languages = []: "}},
	{"unknown theme", "[[screen]]\n[[screen]]\nname = \"b\"\ntheme = \"drak\"", []string{`:4:9: screen[2].theme = "drak": did you mean "dark"?`}},
	{"askew", "[[screen]]\nrotation = 45", []string{":2:12: screen[1].rotation = 45: expected 0, 90, 180 or 270"}},
	{"size too small", "[[screen]]\nsize = \"640x480\"", []string{`:2:8: screen[1].size = "640x480": expected "auto" or a size from "800x480"`}},
	{"size in words", "[[screen]]\nsize = \"big\"", []string{`:2:8: screen[1].size = "big": expected "auto"`}},
	{"unknown beads", "[[screen]]\nbead_style = \"letter\"", []string{`did you mean "letters"?`}},
	{"bar in the middle", "[[screen]]\nphase_bar = \"middle\"", []string{`:2:13: screen[1].phase_bar = "middle": expected "bottom" or "top"`}},
	{"screen of an inch", "[[screen]]\nscreen_inches = 1", []string{":2:17: screen[1].screen_inches = 1: "}},
	{"output with a blank", "[[screen]]\noutput = \"HDMI 2\"", []string{`:2:10: screen[1].output = "HDMI 2": expected the name of an output such as "HDMI-2", or ""`}},
	{"two screens on one output", "[[screen]]\noutput = \"HDMI-1\"\n[[screen]]\nname = \"b\"\noutput = \"HDMI-1\"", []string{`:5:10: screen[2].output = "HDMI-1": is the output of screen[1].output too, on line 2, expected another output`}},
	{"two screens of one name", "[[screen]]\n[[screen]]\n", []string{`:2:3: screen[2].name: is the name of screen[1].name too, on line 1, expected another name`}},
	{"name with a slash", "[[screen]]\nname = \"a/b\"", []string{`:2:8: screen[1].name = "a/b": expected a name of 1 to 24 letters`}},

	{"unknown keypad", "[[keypad]]\nkind = \"ubs\"", []string{`:2:8: keypad[1].kind = "ubs": did you mean "usb"?`}},
	{"unknown layout", "[[keypad]]\nlayout = \"numpad\"", []string{`:2:10: keypad[1].layout = "numpad": `, `"numpad-17" or "matrix-4x5"`}},
	{"vendor as a number", "[[keypad]]\nvendor = 1234", []string{`:2:10: keypad[1].vendor = 1234: expected a text in quotes`}},
	{"vendor too long", "[[keypad]]\nvendor = \"12345\"", []string{`:2:10: keypad[1].vendor = "12345": expected four hexadecimal digits`}},
	{"pins of a USB pad", "[[keypad]]\nrows = [\"GPIO5\"]", []string{`:2:8: keypad[1].rows = ["GPIO5"]: is only for kind = "matrix"`}},
	{"layout of another kind", "[[keypad]]\nlayout = \"matrix-4x5\"", []string{`:2:10: keypad[1].layout = "matrix-4x5": expected a layout for kind = "usb"`}},
	{"matrix without pins", "[[keypad]]\nkind = \"matrix\"\ncolumns = [\"GPIO5\"]", []string{":1:3: keypad[1].rows: is missing, expected a list of 1 to 8 pins"}},
	{"one pin twice", "[[keypad]]\nkind = \"matrix\"\ncolumns = [\"GPIO5\", \"GPIO5\"]\nrows = [\"GPIO6\"]", []string{`:3:21: keypad[1].columns[2] = "GPIO5": is the pin of keypad[1].columns[1] too, on line 3, expected another pin`}},
	{"a matrix without its last row", wired("matrix", "rows = [\"GPIO5\", \"GPIO6\", \"GPIO13\", \"GPIO19\"]\ncolumns = [\"GPIO12\", \"GPIO16\", \"GPIO20\", \"GPIO21\"]"),
		[]string{`:3:8: keypad[1].rows = ["GPIO5", "GPIO6", "GPIO13", "GPIO19"]: has no key for BANKER at r5c1, PLAYER at r5c3, TIE at r5c2, OK at r5c4: no hand can be keyed, expected at least 5 rows and 4 columns`}},
	{"a matrix without the column of OK", wired("matrix", "rows = [\"GPIO5\", \"GPIO6\", \"GPIO13\", \"GPIO19\", \"GPIO26\"]\ncolumns = [\"GPIO12\", \"GPIO16\", \"GPIO20\"]"),
		[]string{`:4:11: keypad[1].columns = ["GPIO12", "GPIO16", "GPIO20"]: has no key for OK at r5c4: no hand`}},
	{"a matrix of four keys", wired("matrix", "rows = [\"GPIO5\", \"GPIO6\"]\ncolumns = [\"GPIO12\", \"GPIO16\"]"), []string{`:3:8: keypad[1].rows = `}},
	{"an expander turned round", wired("expander", "layout = \"matrix-4x5\"\ngrid = \"4x5\""),
		[]string{`:4:8: keypad[1].grid = "4x5": has no key for BANKER at r5c1, PLAYER at r5c3, TIE at r5c2, OK at r5c4: no hand can be keyed, expected at least "5x4", rows x columns`}},
	{"an expander of four keys", wired("expander", "grid = \"2x2\""), []string{`:3:8: keypad[1].grid = "2x2": has no key for BANKER`}},
	{"a key map that needs another row", wired("expander", "layout = \"ours\"\n[keymap.ours]\nbase = \"matrix-4x5\"\n[keymap.ours.keys]\nr5c4 = {}\nr6c1 = { tap = \"OK\" }"),
		[]string{`:1:3: keypad[1].grid: has no key for OK at r6c1: no hand can be keyed, expected at least "6x1", rows x columns`}},
	{"names of keys on a matrix", wired("expander", "layout = \"ours\"\n[keymap.ours]\nbase = \"numpad-17\""),
		[]string{`:3:10: keypad[1].layout = "ours": has no key for BANKER at KP1, PLAYER at KP3, TIE at KP2, OK at KPENTER: no hand can be keyed, expected places such as r1c1`}},
	{"places on a USB pad", "[[keypad]]\nlayout = \"ours\"\n[keymap.ours]\nbase = \"matrix-4x5\"",
		[]string{`:2:10: keypad[1].layout = "ours": has no key for BANKER at r5c1, `, "expected names of keys such as KPENTER"}},
	{"at table 9 only", "[table.9]\n[[table.9.keypad]]\nkind = \"expander\"\ngrid = \"4x4\"", []string{`:4:8: table.9.keypad[1].grid = "4x4": has no key for BANKER`}},
	{"totals on a matrix that has other keys for a hand", "entry = \"totals\"\n" + wired("expander", "layout = \"ours\"\ngrid = \"2x4\"\n[keymap.ours]\nbase = \"matrix-4x5\"\n[keymap.ours.keys]\n"+
		"r1c1 = { tap = \"BANKER\" }\nr1c2 = { tap = \"PLAYER\" }\nr1c3 = { tap = \"TIE\" }\nr1c4 = { tap = \"OK\" }"),
		[]string{`:4:10: keypad[1].layout = "ours": has no key for 0, 1, 2, `}},

	{"a pin that is row and column", matrix4x5("\"GPIO26\"", "\"GPIO26\""), []string{`:4:42: keypad[1].columns[4] = "GPIO26": is the pin of keypad[1].rows[5] too, on line 3, expected another pin`}},
	{"a pin of keypad, lamp, buzzer and switch", matrix4x5("\"GPIO26\"", "\"GPIO21\"") + "\n[[light]]\nlines = [\"GPIO22\", \"gpio26\"]\nkeys = [\"OK\"]\n[[buzzer]]\nline = \"26\"\n[[key_switch]]\nline = \"pinctrl-rp1:26\"",
		[]string{`:6:20: light[1].lines[2] = "gpio26": is the pin of keypad[1].rows[5] too, on line 3`, `:9:8: buzzer[1].line = "26": is the pin of keypad[1].rows[5] too, on line 3`,
			`:11:8: key_switch[1].line = "pinctrl-rp1:26": is the pin of keypad[1].rows[5] too, on line 3`}},
	{"the wire of a keypad's chip", wired("expander", "interrupt = \"GPIO24\"\n[[buzzer]]\nline = \"GPIO24\""), []string{`:5:8: buzzer[1].line = "GPIO24": is the pin of keypad[1].interrupt too, on line 3`}},
	{"one pin twice, written in two ways", "[[light]]\nlines = [\"GPIO5\", \"5\"]\nkeys = [\"OK\"]", []string{`:2:19: light[1].lines[2] = "5": is the pin of light[1].lines[1] too, on line 2`}},
	{"a pin of the I2C bus", "[[light]]\nlines = [\"GPIO2\"]\nkeys = [\"OK\"]\n[[echo]]\nkind = \"ssd1306\"\ndevice = \"/dev/i2c-1\"",
		[]string{`:2:10: light[1].lines[1] = "GPIO2": is a pin of the I2C bus, which echo[1].device uses on line 6, expected a pin of its own`}},
	{"a pin of the SPI bus", "[[buzzer]]\nline = \"GPIO10\"\n[[timer]]\nname = \"t\"", []string{`:2:8: buzzer[1].line = "GPIO10": is a pin of the SPI bus, which timer[1].spi uses on line 3, expected a pin of its own`}},
	{"one serial port", "[[shoe]]\nkind = \"tsp1\"\ndevice = \"/dev/ttyUSB0\"\n[[echo]]\ndevice = \"/dev/ttyUSB0\"", []string{`:5:10: echo[1].device = "/dev/ttyUSB0": is the port of shoe[1].device too, on line 3, expected another port`}},
	{"one SPI port", "[[light]]\nkind = \"pixels\"\nkeys = [\"OK\"]\n[[timer]]\nspi = \"/dev/spidev0.0\"", []string{`:5:7: timer[1].spi = "/dev/spidev0.0": is the port of light[1].spi too, on line 1`}},
	{"one expander for two", wired("expander", "name = \"a\"\n[[keypad]]\nkind = \"expander\"\naddress = 0x20"), []string{`:6:11: keypad[2].address = 0x20: is the chip of keypad[1].address too, on line 1, expected another chip`}},
	{"one display for two", "[[echo]]\nkind = \"serlcd\"\ndevice = \"/dev/i2c-1\"\n[[echo]]\nname = \"b\"\nkind = \"serlcd\"\ndevice = \"/dev/i2c-1\"", []string{`:7:10: echo[2].device = "/dev/i2c-1": is the display of echo[1].device too, on line 3`}},
	{"a pin of the venue's in table 9's own", "[[buzzer]]\nline = \"GPIO5\"\n[table.9]\n[[table.9.key_switch]]\nline = \"GPIO5\"", []string{`:5:8: table.9.key_switch[1].line = "GPIO5": is the pin of buzzer[1].line too, on line 2`}},
	{"expander out of reach", "[[keypad]]\nkind = \"expander\"\naddress = 0x30", []string{":3:11: keypad[1].address = 0x30: expected the chip's address from 0x20 to 0x27"}},
	{"keys that an expander has no room for", "[[keypad]]\nkind = \"expander\"\ngrid = \"9x4\"", []string{`:3:8: keypad[1].grid = "9x4": expected rows and columns`}},
	{"keys that an mcp23017 has no room for", "[[keypad]]\nkind = \"expander\"\ngrid = \"8x4\"", []string{`:3:8: keypad[1].grid = "8x4": expected rows and columns up to "7x7"`}},
	{"an expander that nobody knows", "[[keypad]]\nkind = \"expander\"\nchip = \"pca9698\"", []string{`:3:8: keypad[1].chip = "pca9698": expected "mcp23017", "tca9555" or "pcf8575"`}},
	{"shoe without kind", "[[shoe]]\ndevice = \"/dev/ttyUSB0\"", []string{":1:3: shoe[1].kind: is missing"}},
	{"shoe without device", "[[shoe]]\nkind = \"tsp1\"", []string{":1:3: shoe[1].device: is missing"}},

	{"unknown lamps", "[[light]]\nkind = \"line\"\nkeys = [\"OK\"]", []string{`:2:8: light[1].kind = "line": did you mean "lines"?`}},
	{"lamps without pins", "[[light]]\nkeys = [\"OK\"]", []string{":1:3: light[1].lines: is missing, expected a list of pins"}},
	{"more keys than lamps", "[[light]]\nlines = [\"GPIO5\"]\nkeys = [\"OK\", \"TIE\"]", []string{`:3:8: light[1].keys = ["OK", "TIE"]: expected a list of 1 to 1 keys and bets`}},
	{"lamp of no key", "[[light]]\nkind = \"pixels\"\nkeys = [\"BANKR\"]", []string{`:3:9: light[1].keys[1] = "BANKR": did you mean "BANKER"?`}},
	{"lamp of another game's bet", "[[light]]\nkind = \"registers\"\nkeys = [\"kill\"]", []string{`:3:9: light[1].keys[1] = "kill": `, `"dragon-7"`}},
	{"pins of a strip", "[[light]]\nkind = \"pixels\"\nlines = [\"GPIO5\"]\nkeys = [\"OK\"]", []string{`:3:9: light[1].lines = ["GPIO5"]: is only for kind = "lines"`}},
	{"port of lamps on pins", "[[light]]\nlines = [\"GPIO5\"]\nspi = \"/dev/spidev0.0\"\nkeys = [\"OK\"]", []string{`:3:7: light[1].spi = "/dev/spidev0.0": is only for kind = "registers" or "pixels"`}},
	{"buzzer without a pin", "[[buzzer]]\nname = \"b\"", []string{":1:3: buzzer[1].line: is missing, expected the name of a pin"}},
	{"unknown echo", "[[echo]]\nkind = \"escops\"\ndevice = \"/dev/x\"", []string{`:2:8: echo[1].kind = "escops": did you mean "escpos"?`}},
	{"echo nowhere", "[[echo]]\nkind = \"crlf\"", []string{`:1:3: echo[1].device: is missing, expected an absolute path of at most 100 characters`}},
	{"timer of one digit", "[[timer]]\ndigits = 1", []string{":2:10: timer[1].digits = 1: expected a whole number of digits from 2 to 8"}},
	{"timer too bright", "[[timer]]\nbrightness = 16", []string{":2:14: timer[1].brightness = 16: expected a whole number from 0 to 15"}},
	{"key switch without a pin", "[[key_switch]]", []string{":1:3: key_switch[1].line: is missing, expected the name of a pin"}},
	{"two devices of one name", "[[echo]]\nname = \"pad\"\ndevice = \"/dev/x\"", []string{`:2:8: echo[1].name = "pad": is the name of keypad[1].name too, expected another name`}},

	{"lines that say when a card is turned", "[[shoe]]\nkind = \"lines\"\ndevice = \"/dev/x\"\nface_down = true", []string{`:4:13: shoe[1].face_down = true: expected false for kind = "lines"`}},
	{"totals without OK", "entry = \"totals\"\nconfirm = false", []string{`:2:11: confirm = false: expected true beside entry = "totals"`}},
	{"totals on a pad without digits", "entry = \"totals\"\n[[keypad]]\nlayout = \"ours\"\n[keymap.ours]\nbase = \"numpad-17\"\n[keymap.ours.keys]\nKP5 = { tap = \"BOTH_NATURAL\" }\nKPDOT = {}",
		[]string{`:3:10: keypad[1].layout = "ours": has no key for 5, PL_DEALER, which is the ".", expected all of them beside entry = "totals"`}},
	{"data folder of a table", "data = \"/srv/a\"\n[table.14]\ndata = \"/srv/b\"", []string{`:3:8: table.14.data = "/srv/b": belongs to the unit, not to a table, expected it above the first [section]`}},
	{"socket of a table", "[table.14]\nsocket = \"/run/b.sock\"", []string{`:2:10: table.14.socket = "/run/b.sock": belongs to the unit, not to a table, expected it above the first [section]`}},
	{"totals with an OK that is a digit", "entry = \"totals\"\n[[keypad]]\nlayout = \"ours\"\n[keymap.ours]\nbase = \"numpad-17\"\n[keymap.ours.keys]\nKPENTER = { tap = \"OK\", digit = \"5\" }",
		[]string{`:3:10: keypad[1].layout = "ours": has no key for OK without a digit, expected all of them`}},
	{"mistyped entry", `entry = "total"`, []string{`:1:9: entry = "total": did you mean "totals"?, expected "results" or "totals"`}},
	{"unknown dealer's key", "[keymap.ours.keys]\nKP1 = { tap = \"BANKR\" }", []string{`:2:15: keymap.ours.keys.KP1.tap = "BANKR": did you mean "BANKER"?`}},
	{"key that no pad has", "[keymap.ours]\nbase = \"numpad-17\"\n[keymap.ours.keys]\nKPENTR = { tap = \"OK\" }", []string{`:4:10: keymap.ours.keys.KPENTR = { tap = "OK" }: is not a position; did you mean "KPENTER"?, expected a key of a USB pad`}},
	{"place counted from 0", "[keymap.ours]\nbase = \"matrix-4x5\"\n[keymap.ours.keys]\nr0c0 = { tap = \"OK\" }", []string{`:4:8: keymap.ours.keys.r0c0 = { tap = "OK" }: is not a position`}},
	{"unknown base", "[keymap.ours]\nbase = \"numpad-18\"", []string{`:2:8: keymap.ours.base = "numpad-18": did you mean "numpad-17"?`}},
	{"key map without OK", "[keymap.ours]\nbase = \"numpad-17\"\n[keymap.ours.keys]\nKPENTER = {}", []string{":1:9: keymap.ours: has no key OK"}},
	{"held too long", "[keymap.ours]\nbase = \"numpad-17\"\n[keymap.ours.keys]\nKP0 = { tap = \"BETS\", hold = \"PAUSE\", after = 60 }", []string{":4:47: keymap.ours.keys.KP0.after = 60: expected seconds from 0.5 to 5"}},
	{"bonus of another game", "[[keypad]]\nlayout = \"ours\"\n[keymap.ours]\nbase = \"numpad-17\"\n[keymap.ours.keys]\nTAB = { tap = \"BONUS\", bet = \"kill\" }", []string{`:6:30: keymap.ours.keys.TAB.bet = "kill": expected "player", "banker", "tie"`}},
	{"fee on a bet of another game", "collection = \"day\"\n[collections.day]\nrates = [{ bets = [\"kill\"], fee = 1 }]", []string{`:3:20: collections.day.rates[1].bets[1] = "kill": expected "player", "banker", "tie"`}},
	{"bonus of nothing", "[keymap.ours]\nbase = \"numpad-17\"\n[keymap.ours.keys]\nTAB = { tap = \"BONUS\" }", []string{":4:1: keymap.ours.keys.TAB.bet: is missing, expected \"player\", \"banker\", \"kill\""}},
	{"name of a built-in layout", "[keymap.numpad-17]\nbase = \"numpad-17\"", []string{":1:9: keymap.numpad-17: is the name of a built-in layout"}},

	{"wrong at another table", "[table.15]\ndecks = 99", []string{":2:9: table.15.decks = 99: expected a whole number of decks from 3 to 8"}},
	{"override that does not fit the common part", "[[limit]]\nbets = [\"tie\"]\nmin = 1\nmax = 5\n[table.9]\ngame = \"dai-bacc\"", []string{`:2:9: limit[1].bets[1] = "tie": expected "player", "banker", "kill"`}},
	{"table in a table", "[table.9.table.8]\ndecks = 8", []string{":1:10: table.9.table: a table has no tables of its own"}},
	{"table with a long name", "[table.\"the one by the bar\"]\ndecks = 8", []string{`:1:8: table."the one by the bar": is not the number of a table`}},
	{"mistyped key of a table", "[table.9]\ndeks = 8", []string{`:2:1: table.9.deks = 8: no such key; did you mean "decks"?`}},

	{"several keys and types", "deks = 8\nbets = \"time\"\nmin_hand = 99\n[roads]\ntail = 5\nleading_tie = \"x\"\n[[limit]]\nbets = [\"tie\"]\nmin = \"5\"\nmax = 5\n", []string{
		":1:1: deks = 8", `:2:8: bets = "time"`, ":3:12: min_hand = 99", ":5:8: roads.tail = 5", `:6:15: roads.leading_tie = "x"`, `:9:7: limit[1].min = "5"`}},
	{"several values of one section", "[[screen]]\nname = \"a/b\"\nrotation = 45\nlanguages = [\"zh\"]\n", []string{
		`:2:8: screen[1].name = "a/b"`, ":3:12: screen[1].rotation = 45", `:4:14: screen[1].languages[1] = "zh"`}},
}

// wired is a keypad of that kind with these settings.
func wired(kind, settings string) string { return "[[keypad]]\nkind = \"" + kind + "\"\n" + settings }

// matrix4x5 is a matrix with its last row and its last column on these pins.
func matrix4x5(row, column string) string {
	return wired("matrix", `rows = ["GPIO5", "GPIO6", "GPIO13", "GPIO19", `+row+"]\ncolumns = [\"GPIO12\", \"GPIO16\", \"GPIO20\", "+column+"]")
}

// Devices that stand beside each other: one bus carries many, a name that only looks
// like another is another, and what two tables use is used once at each.
func TestDevicesThatHaveTheirOwn(t *testing.T) {
	for _, file := range []string{
		matrix4x5(`"GPIO26"`, `"GPIO21"`),
		matrix4x5(`"GPIO26"`, `"gpio-expander:5"`) + "\n[[buzzer]]\nline = \"GPIO50\"",
		wired("expander", "address = 0x21\n[[keypad]]\nname = \"b\"\nkind = \"expander\"\n[[echo]]\nkind = \"ssd1306\"\ndevice = \"/dev/i2c-1\""),
		wired("expander", "bus = \"/dev/i2c-10\"\n[[buzzer]]\nline = \"GPIO2\""),
		"[[light]]\nkind = \"pixels\"\nkeys = [\"OK\"]\n[[timer]]\n[[buzzer]]\nline = \"GPIO9\"",
		"[[shoe]]\nkind = \"replay\"\ndevice = \"/srv/a\"\n[[shoe]]\nname = \"b\"\nkind = \"replay\"\ndevice = \"/srv/a\"",
		"[table.1]\n[[table.1.buzzer]]\nline = \"GPIO5\"\n[table.2]\n[[table.2.key_switch]]\nline = \"GPIO5\"",
		wired("expander", "grid = \"6x5\""),
	} {
		if _, err := Read("shoeboard.toml", []byte(file), packs(t)); err != nil {
			t.Errorf("%s\n%v", file, err)
		}
	}
}

func TestBadFiles(t *testing.T) {
	all := packs(t)
	for _, b := range bad {
		t.Run(b.name, func(t *testing.T) {
			f, err := Read("shoeboard.toml", []byte(b.file), all)
			if err == nil || f != nil {
				t.Fatalf("was read: %v", f)
			}
			for _, want := range b.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("does not say\n  %s\nbut\n  %s", want, err)
				}
			}
			var errs strict.Errors
			if errors.As(err, &errs) && strings.Count(err.Error(), "\n") != len(errs)-1 {
				t.Errorf("an error takes more than one line:\n%s", err)
			}
		})
	}
	if len(bad) < 60 {
		t.Errorf("only %d bad files", len(bad))
	}
}

// TestNothingIsToldTwice: an error of the common part holds for every table, and
// is one error all the same.
func TestNothingIsToldTwice(t *testing.T) {
	_, err := Read("f", []byte("min_hand = 99\n[table.1]\nvenue = \"A\"\n[table.2]\nvenue = \"B\"\n"), packs(t))
	if got := err.(strict.Errors); len(got) != 1 {
		t.Errorf("told %d times:\n%s", len(got), err)
	}
}

// TestAnErrorHidesNoOther: leaving out a wrong line must not make up errors.
func TestAnErrorHidesNoOther(t *testing.T) {
	for _, file := range []string{
		"[[limit]]\nbets = [\"tie\"]\nmin = \"5\"\nmax = 5\n",
		"[[limit]]\nbets = tie\nmin = 5\nmax = 5\n",
		"[[shoe]]\nkind = tsp1\ndevice = \"/dev/x\"\n",
		"[keymap.ours]\nbase = numpad-17\n[keymap.ours.keys]\nTAB = {}\n",
	} {
		_, err := Read("f", []byte(file), packs(t))
		if got, ok := err.(strict.Errors); !ok || len(got) != 1 {
			t.Errorf("%q is told as\n%v", file, err)
		}
	}
}

// TestMutatedFiles: whatever becomes of a good file, reading it ends; it is
// either right as a whole or refused, with a line in every error.
func TestMutatedFiles(t *testing.T) {
	all, rnd := packs(t), rand.New(rand.NewPCG(1, 2))
	sources := [][]byte{everything(), []byte(house)}
	refused := 0
	for i := range 1000 {
		data := mutate(rnd, sources[i%len(sources)])
		f, err := Read("shoeboard.toml", data, all)
		if err != nil {
			refused++
		}
		if problem := unsound(f, err, data); problem != "" {
			t.Fatalf("mutation %d: %s\n%s", i, problem, data)
		}
	}
	if refused < 300 {
		t.Errorf("only %d of 1000 were refused: the mutations are too mild", refused)
	}
}

// mutate makes one to three slips: bytes, lines and values.
func mutate(rnd *rand.Rand, data []byte) []byte {
	lines := strings.SplitAfter(string(data), "\n")
	for range 1 + rnd.IntN(3) {
		i, j := rnd.IntN(len(lines)), rnd.IntN(len(lines))
		switch line := lines[i]; rnd.IntN(7) {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] += lines[j]
		case 2:
			lines[i], lines[j] = lines[j], lines[i]
		case 3:
			if at := strings.IndexByte(line, '='); at >= 0 {
				values := []string{"-1", "99999", "\"\"", "true", "[]", "{}", "1.5", "\"x\"", "nan", "x", "'''"}
				lines[i] = line[:at+1] + " " + values[rnd.IntN(len(values))] + "\n"
			}
		case 4:
			if len(line) > 1 {
				at := rnd.IntN(len(line) - 1)
				lines[i] = line[:at] + string(rune(rnd.IntN(256))) + line[at+1:]
			}
		case 5:
			if len(line) > 1 {
				at := rnd.IntN(len(line) - 1)
				lines[i] = line[:at] + line[at+1:]
			}
		case 6:
			lines = lines[:1+rnd.IntN(len(lines))]
		}
		if len(lines) == 0 {
			return nil
		}
	}
	return []byte(strings.Join(lines, ""))
}

// unsound says what is wrong with the answer of Read, "" for nothing.
func unsound(f *File, err error, data []byte) string {
	lines := strings.Count(string(data), "\n") + 1
	var errs strict.Errors
	switch {
	case err == nil && f == nil:
		return "neither a file nor an error"
	case err != nil && f != nil:
		return "an error, and a file all the same"
	case err == nil:
		for _, table := range append(f.Tables(), "1") {
			c := f.Table(table)
			if len(c.Screens) == 0 || len(c.Keypads) == 0 || c.DealerFix > 3 || c.Tables != nil {
				return fmt.Sprintf("table %s is half applied: %+v", table, c)
			}
		}
	case !errors.As(err, &errs) || len(errs) == 0:
		return "not a list of errors: " + err.Error()
	}
	for _, e := range errs {
		if e.Line < 1 || e.Line > lines || e.Column < 1 || e.File != "shoeboard.toml" {
			return "no such place: " + e.Error()
		}
		if e.Problem == "" && e.Expected == "" {
			return "says nothing: " + e.Error()
		}
	}
	return ""
}

func FuzzRead(f *testing.F) {
	all := packs(f)
	f.Add(Init())
	f.Add(everything())
	f.Add([]byte(house))
	for _, b := range bad {
		f.Add([]byte(b.file))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read("shoeboard.toml", data, all)
		if problem := unsound(file, err, data); problem != "" {
			t.Error(problem)
		}
	})
}
