package config

import "shoeboard/tracker"

// Config is everything that is in force for one table. The tag effect says when
// a change of the key takes effect: now, at the next hand, at the next shoe, or
// at the next start of the program; the tag want is what a person is told to write.
type Config struct {
	Table string `toml:"-"` // the unit's own number, "14"

	Venue string `toml:"venue" effect:"now" want:"the house's name in quotes"`
	Zone  string `toml:"zone" effect:"now" want:"an IANA time zone such as \"America/Los_Angeles\""`

	Game  string `toml:"game" effect:"shoe" want:"the id of a game in quotes"`
	Decks int    `toml:"decks" effect:"shoe" want:"a whole number of decks"`

	Bets       string `toml:"bets" effect:"hand" want:"\"off\", \"close\" or \"timer\""`
	BetSeconds int    `toml:"bet_seconds" effect:"hand" want:"a whole number of seconds from 5 to 120"`
	Reopen     int    `toml:"reopen_seconds" effect:"hand" want:"a whole number of seconds from 3 to 60"`
	AutoOpen   int    `toml:"auto_open" effect:"hand" want:"a whole number of seconds from 5 to 120"`
	MinHand    int    `toml:"min_hand" effect:"hand" want:"a whole number of seconds from 0 to 30"`
	Entry      string `toml:"entry" effect:"hand" want:"\"results\" or \"totals\""`
	Confirm    bool   `toml:"confirm" effect:"hand"`
	DealerFix  int    `toml:"dealer_fix" effect:"hand" want:"a whole number from 0 to 3"`

	Data   string `toml:"data" effect:"start" want:"a folder, written from the root"`
	Socket string `toml:"socket" effect:"start" want:"the path of a socket, written from the root"`

	Collection  string                `toml:"collection" effect:"hand" want:"the name of a [collections.NAME], or \"\" for none"`
	Collections map[string]Collection `toml:"collections" effect:"hand"`
	Limits      []Limit               `toml:"limit" effect:"hand"`

	Roads Roads `toml:"roads" effect:"now"`
	Texts Texts `toml:"texts" effect:"now"`

	Screens []Screen `toml:"screen" effect:"start"`
	Keypads []Keypad `toml:"keypad" effect:"start"`
	Shoes   []Shoe   `toml:"shoe" effect:"start"`

	Lights      []Lights    `toml:"light" effect:"start"`
	Buzzers     []Buzzer    `toml:"buzzer" effect:"start"`
	Echoes      []Echo      `toml:"echo" effect:"start"`
	Timers      []Timer     `toml:"timer" effect:"start"`
	KeySwitches []KeySwitch `toml:"key_switch" effect:"start"`

	Keymaps map[string]Keymap `toml:"keymap" effect:"start"`

	// Tables are the overrides while a file is read; nil in every Config handed out.
	Tables map[string]*Config `toml:"table" want:"sections such as [table.14]; which table a unit stands at is said by \"shoeboard config table 14\""`
}

// Limit is the least and most that may be wagered on some bets.
type Limit struct {
	Bets []string `toml:"bets" want:"a list of bets such as [\"player\", \"banker\"]"`
	Min  Dollars  `toml:"min" want:"dollars such as 40 or 2.50"`
	Max  Dollars  `toml:"max" want:"dollars such as 40 or 2.50"`
}

// Collection is a posted schedule of fees, at most five.
type Collection struct {
	Rates []Rate `toml:"rates"`
}

// Rate is one flat fee. Exactly one of a range of wagers, Bets and PlayerDealer
// says what it is taken for; a range without To has no upper end.
type Rate struct {
	From         Dollars  `toml:"from" want:"dollars such as 40 or 2.50"`
	To           Dollars  `toml:"to" want:"dollars such as 40 or 2.50"`
	Bets         []string `toml:"bets" want:"a list of bets such as [\"dragon-7\"]"`
	PlayerDealer bool     `toml:"player_dealer"`
	Fee          Dollars  `toml:"fee" want:"dollars such as 1 or 0.50; a fee is flat, never a share of the wager"`
}

// Roads are the conventions that houses differ in.
type Roads struct {
	Tail       string `toml:"tail" want:"\"gravity\" or \"stay\""`
	LeadingTie string `toml:"leading_tie" want:"\"overlay\" or \"own_column\""`
	AskMarks   bool   `toml:"ask_marks"`
}

// Texts are the house's own lines on the board.
type Texts struct {
	Message  string `toml:"message" want:"one line in quotes"`
	InfoLine string `toml:"info_line" want:"one line in quotes"`
	CareLine string `toml:"care_line" want:"one line in quotes"`
}

// Screen is one picture of the board.
type Screen struct {
	Name         string   `toml:"name" want:"a name in quotes"`
	Languages    []string `toml:"languages" want:"one or two languages such as [\"en\", \"zh-Hant\"]"`
	Theme        string   `toml:"theme" want:"the name of a theme in quotes"`
	Rotation     int      `toml:"rotation" want:"0, 90, 180 or 270 (degrees clockwise)"`
	Size         Size     `toml:"size"`
	Output       string   `toml:"output" want:"the name of an output such as \"HDMI-2\", or \"\" for any"`
	BeadStyle    string   `toml:"bead_style" want:"\"letters\", \"chinese\" or \"totals\""`
	NaturalMarks bool     `toml:"natural_marks"`
	PhaseBar     string   `toml:"phase_bar" want:"\"bottom\" or \"top\""`
	Inches       int      `toml:"screen_inches" want:"the screen's diagonal in inches, a whole number from 5 to 120"`
	PixelShift   bool     `toml:"pixel_shift"`
	Pictures     string   `toml:"pictures" want:"a folder, written from the root, or \"\" for none"`
	Fullscreen   bool     `toml:"fullscreen"`
}

// Keypad is one device with the dealer's keys. Of a USB pad any of Vendor,
// Product, Device and Port says which is meant; with none of them it is any
// numeric pad. A matrix is wired to the unit's own pins Rows and Columns, one on
// an expander to the Chip at Address on Bus.
type Keypad struct {
	Name    string `toml:"name" want:"a name in quotes"`
	Kind    string `toml:"kind" want:"\"usb\", \"matrix\" or \"expander\""`
	Layout  string `toml:"layout" want:"the name of a built-in layout or of a [keymap.NAME]"`
	Vendor  USBID  `toml:"vendor"`
	Product USBID  `toml:"product"`
	Device  string `toml:"device" want:"the name that the device gives itself, in quotes"`
	Port    string `toml:"port" want:"the port that the kernel names, such as \"usb-0000:01:00.0-1.2/input0\""`

	Rows    []string `toml:"rows" want:"a list of pins such as [\"GPIO5\", \"GPIO6\"]"`
	Columns []string `toml:"columns" want:"a list of pins such as [\"GPIO12\", \"GPIO13\"]"`
	Diodes  bool     `toml:"diodes"` // every key has one

	Chip      string `toml:"chip" want:"\"mcp23017\", \"tca9555\" or \"pcf8575\""`
	Bus       string `toml:"bus" want:"the path of an I2C bus such as \"/dev/i2c-1\""`
	Address   int    `toml:"address" want:"the chip's address from 0x20 to 0x27"`
	Interrupt string `toml:"interrupt" want:"the name of a pin such as \"GPIO4\""`
	Grid      Grid   `toml:"grid"`
}

// Shoe is one card-reading shoe.
type Shoe struct {
	Name   string `toml:"name" want:"a name in quotes"`
	Kind   string `toml:"kind" want:"\"tsp1\", \"angel-eye\", \"lines\" or \"replay\""`
	Device string `toml:"device" want:"a serial device (\"/dev/serial/by-id/…\"), \"tcp://host:port\", or a file for kind \"replay\""`
	// FaceDown holds faces back until the shoe says that they are turned or that the
	// hand is over. It costs nothing but to know later that a hand has begun.
	FaceDown bool `toml:"face_down"`
}

// Keymap says which key of the dealer a position is, as a change of a base.
type Keymap struct {
	Base string         `toml:"base" want:"the name of a built-in layout, or \"\" for none"`
	Keys map[string]Key `toml:"keys" want:"a table such as { tap = \"OK\" }"`
}

// Key is what one position does. A key without Tap and Hold does nothing.
type Key struct {
	Tap   string  `toml:"tap" want:"the name of a key such as \"BANKER\""`
	Hold  string  `toml:"hold" want:"the name of a key such as \"VOID\""`
	After float64 `toml:"after" want:"seconds such as 1 or 2.5"`
	Bet   string  `toml:"bet" want:"the id of the bet that a key BONUS stands for"`
	Digit string  `toml:"digit" want:"the digit on the keycap in quotes, \"0\" to \"9\""`
}

// Default is what is in force where the file says nothing. It has no limits and
// no fees: those are the venue's facts, and a guess would be posted to players.
func Default() Config {
	s := tracker.DefaultSettings()
	return Config{
		Table: s.Table, Zone: "America/Los_Angeles",
		Game: "ez-baccarat-panda-8", Decks: 8,
		Bets: string(s.Bets), BetSeconds: s.BetSeconds, Reopen: s.Reopen, AutoOpen: s.AutoOpen,
		MinHand: s.MinHand, Entry: string(s.Entry), Confirm: s.Confirm, DealerFix: s.DealerFix,
		Data: "/var/lib/shoeboard", Socket: "/run/shoeboard/core.sock",
		Roads:   Roads{Tail: s.Tail, LeadingTie: s.LeadingTie, AskMarks: s.AskMarks},
		Texts:   Texts{Message: s.Message, InfoLine: s.InfoLine, CareLine: s.CareLine},
		Screens: []Screen{defaultScreen()},
		Keypads: []Keypad{defaultKeypad("usb")},
	}
}

func defaultScreen() Screen {
	return Screen{
		Name: "screen", Languages: []string{"en", "zh-Hant"}, Theme: "dark", BeadStyle: "letters",
		PhaseBar: "bottom", Inches: 27, Fullscreen: true,
	}
}

// defaultKeypad is what holds for a keypad of a kind.
func defaultKeypad(kind string) Keypad {
	k := Keypad{Name: "pad", Kind: "usb", Layout: "numpad-17"}
	switch kind {
	case "matrix":
		k.Layout = "matrix-4x5"
	case "expander":
		k.Layout, k.Chip, k.Bus, k.Address, k.Grid = "matrix-4x5", "mcp23017", "/dev/i2c-1", 0x20, Grid{5, 4}
	}
	return k
}
