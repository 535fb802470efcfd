// Package config reads the one file that a venue writes, shoeboard.toml.
//
// Words: the file is the same on every card of a venue; its part above the
// first [table.N] is the common part, [table.14] overrides it for table 14; the
// table number is the one fact of a unit and is not in the file. A value comes
// from the override, else from the common part, else it is built in.
// A section that is a list ([[limit]], [[screen]], [[keypad]], [[shoe]]) or a
// named one ([collections.NAME], [keymap.NAME]) is overridden as a whole.
//
// A caller may assume: exactly one file is in force (Source.Find returns it); a file
// is read whole or not at all, for all its tables, so a wrong value for table 15
// is found at table 14 too; every error has file, line, column, key, value and
// what was expected; a Config that comes from here is within all ranges.
//
// A file that is refused changes nothing: Source.Read then returns the last good copy,
// kept in the data folder (and in the usual one, where the file names another), with the
// fault to be shown; without a copy it returns the defaults.
//
// A caller may not assume that the devices named in a Config are there, nor that
// a Config takes effect at once: each key says when it does (Value.Effect).
package config

import "shoeboard/tracker"

// Config is everything that is in force for one table. The tag effect says when
// a change of the key takes effect: now, at the next hand, shoe or stick, or
// at the next start of the program. The tags want, one and range say what is
// expected; package strict checks the last two. The tag rule names a check of this
// package, kind the kinds of device that have the key, part what the key occupies.
type Config struct {
	Table string `toml:"-"` // the unit's own number, "14"

	Venue string `toml:"venue" effect:"now" want:"the house's name in quotes" rule:"text 40"`
	Zone  string `toml:"zone" effect:"now" want:"an IANA time zone such as \"America/Los_Angeles\""`
	// DayEnds is when the gaming day ends, by the clock on the board.
	DayEnds string `toml:"day_ends" effect:"now" want:"a time of day such as \"06:00\"" rule:"time"`

	Game  string `toml:"game" effect:"shoe" want:"the id of a game in quotes"`
	Decks int    `toml:"decks" effect:"shoe" want:"a whole number of decks"`

	Bets       string `toml:"bets" effect:"hand" one:"off close timer"`
	BetSeconds int    `toml:"bet_seconds" effect:"hand" range:"5 120 seconds"`
	Reopen     int    `toml:"reopen_seconds" effect:"hand" range:"3 60 seconds"`
	AutoOpen   int    `toml:"auto_open" effect:"hand" range:"5 120 seconds"`
	MinHand    int    `toml:"min_hand" effect:"hand" range:"0 30 seconds"`
	Entry      string `toml:"entry" effect:"hand" one:"results totals"`
	Confirm    bool   `toml:"confirm" effect:"hand"`
	DealerFix  int    `toml:"dealer_fix" effect:"hand" range:"0 3"`

	Data   string `toml:"data" effect:"start" want:"an absolute path of a folder" rule:"path"`
	Socket string `toml:"socket" effect:"start" want:"an absolute path of a socket" rule:"path"`
	// Ext4 allows sticks with ext4, which the kernel does not hold against hostile images.
	Ext4 bool `toml:"stick_ext4" effect:"stick"`

	Collection  string                `toml:"collection" effect:"hand" want:"the NAME of a [collections.NAME], or \"\""`
	Collections map[string]Collection `toml:"collections" effect:"hand"`
	Limits      []Limit               `toml:"limit" effect:"hand"`

	Roads roads `toml:"roads" effect:"now"`
	Texts texts `toml:"texts" effect:"now"`

	Screens []Screen `toml:"screen" effect:"start"`
	Keypads []Keypad `toml:"keypad" effect:"start"`
	Shoes   []Shoe   `toml:"shoe" effect:"start"`

	Lights      []Lights    `toml:"light" effect:"start"`
	Buzzers     []Buzzer    `toml:"buzzer" effect:"start"`
	Echoes      []Echo      `toml:"echo" effect:"start"`
	Timers      []Timer     `toml:"timer" effect:"start"`
	KeySwitches []KeySwitch `toml:"key_switch" effect:"start"`

	Keymaps map[string]keymap `toml:"keymap" effect:"start"`

	// Tables are the overrides while a file is read; nil in every Config handed out.
	Tables map[string]*Config `toml:"table" want:"sections such as [table.14]; \"config table\" sets a unit's number"`
}

// Limit is the least and most that may be wagered on some bets.
type Limit struct {
	Bets []string `toml:"bets" want:"a list of bets such as [\"player\", \"banker\"]"`
	Min  dollars  `toml:"min" want:"dollars such as 40 or 2.50"`
	Max  dollars  `toml:"max" want:"dollars such as 40 or 2.50"`
}

// Collection is a posted schedule of fees, at most five.
type Collection struct {
	Rates []Rate `toml:"rates"`
}

// Rate is one flat fee. Exactly one of a range of wagers, Bets and PlayerDealer
// says what it is charged for; a range without To has no upper end.
type Rate struct {
	From         dollars  `toml:"from" want:"dollars such as 40 or 2.50"`
	To           dollars  `toml:"to" want:"dollars such as 40 or 2.50"`
	Bets         []string `toml:"bets" want:"a list of bets such as [\"dragon-7\"]"`
	PlayerDealer bool     `toml:"player_dealer"`
	Fee          dollars  `toml:"fee" want:"a flat fee in dollars such as 1 or 0.50, never a share of the wager"`
}

// roads are the conventions that houses differ in.
type roads struct {
	Tail       string `toml:"tail" one:"gravity stay"`
	LeadingTie string `toml:"leading_tie" one:"overlay own_column"`
	AskMarks   bool   `toml:"ask_marks"`
}

// texts are the house's own lines on the board.
type texts struct {
	Message  string `toml:"message" want:"one line in quotes" rule:"text 120"`
	InfoLine string `toml:"info_line" want:"one line in quotes" rule:"text 120"`
	CareLine string `toml:"care_line" want:"one line in quotes" rule:"text 120"`
}

// Screen is one picture of the board.
type Screen struct {
	Name         string   `toml:"name" want:"a name in quotes" rule:"name"`
	Languages    []string `toml:"languages" want:"one or two languages such as [\"en\", \"zh-Hant\"]"`
	Theme        string   `toml:"theme" one:"dark light colour-blind high-contrast"`
	Rotation     int      `toml:"rotation" want:"0, 90, 180 or 270 (degrees clockwise)"`
	Size         Size     `toml:"size"`
	Output       string   `toml:"output" want:"the name of an output such as \"HDMI-2\", or \"\" for any"`
	BeadStyle    string   `toml:"bead_style" one:"letters chinese totals"`
	NaturalMarks bool     `toml:"natural_marks"`
	PhaseBar     string   `toml:"phase_bar" one:"bottom top"`
	Inches       int      `toml:"screen_inches" range:"5 120 inches"`
	PixelShift   bool     `toml:"pixel_shift"`
	Pictures     string   `toml:"pictures" want:"an absolute path of a folder, or \"\" for none" rule:"path optional"`
	Fullscreen   bool     `toml:"fullscreen"`
}

// Keypad is one device with the dealer's keys. A USB pad is identified by any of Vendor,
// Product, Device and Port; with none of them it is any numeric pad. A matrix is wired
// to the unit's own pins Rows and Columns, one on an expander to the Chip at Address on
// Bus.
type Keypad struct {
	Name    string `toml:"name" want:"a name in quotes" rule:"name"`
	Kind    string `toml:"kind" one:"usb matrix expander"`
	Layout  string `toml:"layout" want:"the name of a built-in layout or of a [keymap.NAME]"`
	Vendor  USBID  `toml:"vendor" kind:"usb"`
	Product USBID  `toml:"product" kind:"usb"`
	Device  string `toml:"device" kind:"usb" want:"the device's own name, in quotes" rule:"text 100"`
	Port    string `toml:"port" kind:"usb" want:"a port such as \"usb-0000:01:00.0-1.2/input0\"" rule:"text 100"`

	Rows    []string `toml:"rows" kind:"matrix" want:"a list of 1 to 8 pins: [\"GPIO5\", \"GPIO6\"]" rule:"pins 8"`
	Columns []string `toml:"columns" kind:"matrix" want:"a list of 1 to 8 pins: [\"GPIO5\", \"GPIO6\"]" rule:"pins 8"`
	Diodes  bool     `toml:"diodes"` // every key has one

	Chip      string `toml:"chip" kind:"expander" one:"mcp23017 tca9555 pcf8575"`
	Bus       string `toml:"bus" kind:"expander" want:"the path of an I2C bus such as \"/dev/i2c-1\"" rule:"path"`
	Address   int    `toml:"address" kind:"expander" range:"32 39" want:"the chip's address from 0x20 to 0x27"`
	Interrupt string `toml:"interrupt" kind:"expander" want:"the name of a pin such as \"GPIO4\"" rule:"pin optional"`
	Grid      grid   `toml:"grid" kind:"expander"`
}

// Shoe is one card-reading shoe.
type Shoe struct {
	Name   string `toml:"name" want:"a name in quotes" rule:"name"`
	Kind   string `toml:"kind" one:"tsp1 angel-eye lines replay"`
	Device string `toml:"device" want:"an absolute path such as \"/dev/serial/by-id/…\", or \"tcp://host:port\""`
	// FaceDown keeps faces hidden until the shoe reports that they are turned or that the
	// hand is over. A hand is then noticed later, and nothing else changes.
	FaceDown bool `toml:"face_down"`
}

// Lights are the lamps of the dealer's keys. Keys names them in the order of the
// lines, of the outputs of the registers, or of the pixels; "" is a lamp of no key.
type Lights struct {
	Name      string   `toml:"name" want:"a name in quotes" rule:"name"`
	Kind      string   `toml:"kind" one:"lines registers pixels"`
	Lines     []string `toml:"lines" kind:"lines" want:"a list of pins such as [\"GPIO22\", \"GPIO23\"]" rule:"pins 64"`
	ActiveLow bool     `toml:"active_low" kind:"lines"`
	SPI       string   `toml:"spi" kind:"registers pixels" want:"an SPI port such as \"/dev/spidev0.0\"" rule:"path"`
	Keys      []string `toml:"keys" want:"a list of keys and bets such as [\"BANKER\", \"dragon-7\", \"OK\"]"`
}

// Buzzer is an active buzzer on one of the unit's pins.
type Buzzer struct {
	Name      string `toml:"name" want:"a name in quotes" rule:"name"`
	Line      string `toml:"line" want:"the name of a pin such as \"GPIO24\"" rule:"pin"`
	ActiveLow bool   `toml:"active_low"`
}

// Echo is the dealer's own display of two lines.
type Echo struct {
	Name   string `toml:"name" want:"a name in quotes" rule:"name"`
	Kind   string `toml:"kind" one:"escpos cd5220 crlf ssd1306 serlcd aip31068"`
	Device string `toml:"device" want:"an absolute path of a serial device or an I2C bus" rule:"path"`
}

// Timer is a seven-segment display of the countdown, a MAX7219.
type Timer struct {
	Name       string `toml:"name" want:"a name in quotes" rule:"name"`
	SPI        string `toml:"spi" want:"an SPI port such as \"/dev/spidev0.1\"" rule:"path"`
	Digits     int    `toml:"digits" range:"2 8 digits"`
	Brightness int    `toml:"brightness" range:"0 15"`
}

// KeySwitch is the supervisor's key switch, which holds the board under review.
type KeySwitch struct {
	Name       string `toml:"name" want:"a name in quotes" rule:"name"`
	Line       string `toml:"line" want:"the name of a pin such as \"GPIO25\"" rule:"pin"`
	ActiveHigh bool   `toml:"active_high"`
}

// keymap says which key of the dealer a position is, as a change of a base.
type keymap struct {
	Base string               `toml:"base" want:"the name of a built-in layout, or \"\" for none"`
	Keys map[string]mappedKey `toml:"keys" want:"a table such as { tap = \"OK\" }"`
}

// mappedKey is what one position does. A key without Tap and Hold does nothing.
type mappedKey struct {
	Tap   string  `toml:"tap" want:"the name of a key such as \"BANKER\""`
	Hold  string  `toml:"hold" want:"the name of a key such as \"VOID\""`
	After float64 `toml:"after" want:"seconds such as 1 or 2.5"`
	Bet   string  `toml:"bet" want:"the id of the bet that a key BONUS stands for"`
	Digit string  `toml:"digit" want:"the digit on the keycap in quotes, \"0\" to \"9\""`
}

// Default returns what is in force where the file says nothing. It has no limits and
// no fees: those are the venue's facts, and a guess would be posted to players.
func Default() Config {
	s := tracker.DefaultSettings()
	return Config{
		Table: s.Table, Zone: "America/Los_Angeles", DayEnds: "06:00",
		Game: "ez-baccarat-panda-8", Decks: 8,
		Bets: string(s.Bets), BetSeconds: s.BetSeconds, Reopen: s.Reopen, AutoOpen: s.AutoOpen,
		MinHand: s.MinHand, Entry: string(s.Entry), Confirm: s.Confirm, DealerFix: s.DealerFix,
		Data: "/var/lib/shoeboard", Socket: "/run/shoeboard/core.sock",
		Roads:   roads{Tail: s.Tail, LeadingTie: s.LeadingTie, AskMarks: s.AskMarks},
		Texts:   texts{Message: s.Message, InfoLine: s.InfoLine, CareLine: s.CareLine},
		Screens: []Screen{defaultsOf(Screen{}).(Screen)},
		Keypads: []Keypad{defaultsOf(Keypad{Kind: "usb"}).(Keypad)},
	}
}

// defaultsOf returns the defaults of an element of a list; they depend on its kind.
func defaultsOf(element any) any {
	switch e := element.(type) {
	case Screen:
		return Screen{Name: "screen", Languages: []string{"en", "zh-Hant"}, Theme: "dark", BeadStyle: "letters",
			PhaseBar: "bottom", Inches: 27, Fullscreen: true}
	case Keypad:
		d := Keypad{Name: "pad", Kind: "usb", Layout: "numpad-17"}
		switch e.Kind {
		case "matrix":
			d.Layout = "matrix-4x5"
		case "expander":
			d.Layout, d.Chip, d.Bus, d.Address, d.Grid = "matrix-4x5", "mcp23017", "/dev/i2c-1", 0x20, grid{5, 4}
		}
		return d
	case Shoe:
		return Shoe{Name: "shoe", FaceDown: e.Kind != "lines"}
	case Lights:
		d := Lights{Name: "lights", Kind: "lines"}
		if e.Kind == "registers" || e.Kind == "pixels" {
			d.SPI = "/dev/spidev0.0"
		}
		return d
	case Buzzer:
		return Buzzer{Name: "buzzer"}
	case Echo:
		return Echo{Name: "echo", Kind: "escpos"}
	case Timer:
		return Timer{Name: "timer", SPI: "/dev/spidev0.1", Digits: 4, Brightness: 8}
	case KeySwitch:
		return KeySwitch{Name: "key-switch"}
	}
	return element
}
