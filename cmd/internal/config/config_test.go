package config

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"shoeboard/display/scene"
	"shoeboard/hw/echo"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
)

// packs are the built-in games.
func packs(t testing.TB) []*game.Pack {
	t.Helper()
	all, err := Packs()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// read reads a text that must be right.
func read(t *testing.T, text string) *File {
	t.Helper()
	f, err := Read("shoeboard.toml", []byte(text), packs(t))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestInitIsTheDefaults(t *testing.T) {
	f := read(t, string(Init()))
	if got, want := f.Table("1"), Default(); !reflect.DeepEqual(got, want) {
		t.Errorf("the file to begin with comes to\n%+v\nthe defaults are\n%+v", got, want)
	}
	if got, want := Defaults().Table("7"), f.Table("7"); !reflect.DeepEqual(got, want) {
		t.Errorf("without a file there is\n%+v\nwith the file to begin with\n%+v", got, want)
	}
}

// everything is the file to begin with and every setting made that it explains.
func everything() []byte {
	return regexp.MustCompile(`(?m)^#(\S|  \{|\]$)`).ReplaceAll(Init(), []byte("$1"))
}

func TestInitNamesEveryKey(t *testing.T) {
	f := read(t, string(everything()))
	if got := f.Table("14"); got.Decks != 6 || got.Roads.Tail != "stay" || got.Limits[0].Min != 100 {
		t.Errorf("table 14 of the examples is %+v", got)
	}
	var keys []string
	for _, v := range f.Values("1") {
		keys = append(keys, v.Key)
	}
	for _, key := range tags(reflect.TypeFor[Config]()) {
		if !regexp.MustCompile(`(?m)(^|[#{ .\[])` + key + `( =|\]|\.)`).Match(Init()) {
			t.Errorf("the file to begin with does not name %s", key)
		}
		named := func(have string) bool { return regexp.MustCompile(`\b` + key + `\b`).MatchString(have) }
		if key != "table" && !slices.ContainsFunc(keys, named) {
			t.Errorf("no value of %s is described", key)
		}
	}
	for _, key := range console.Keys() {
		if !regexp.MustCompile(`\b` + string(key) + `\b`).Match(Init()) {
			t.Errorf("the file to begin with does not name the key %s", key)
		}
	}
}

// tags are all keys that a type can have, without where they stand.
func tags(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Tag.Get("toml")
		if name == "-" {
			continue
		}
		names = append(names, name)
		inner := f.Type
		for inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && inner != reflect.TypeFor[Size]() && inner != reflect.TypeFor[grid]() {
			names = append(names, tags(inner)...)
		}
	}
	return names
}

func TestEveryKeySaysWhenItTakesEffect(t *testing.T) {
	for _, v := range read(t, string(everything())).Values("14") {
		if !slices.Contains([]string{"now", "hand", "shoe", "stick", "start"}, v.Effect) {
			t.Errorf("%s takes effect %q", v.Key, v.Effect)
		}
	}
}

const house = `venue = "The House"
game = "dai-bacc"
bets = "close"
collection = "day"

[collections.day]
rates = [{ from = 10, to = 99.99, fee = 0.5 }, { from = 100, fee = 1 }]
[collections.night]
rates = [{ player_dealer = true, fee = 3 }]

[[limit]]
bets = ["player", "banker"]
min = 10
max = 2000.50
[[limit]]
bets = ["kill", "ox-6", "tiger-7"]
min = 1
max = 100

[[screen]]
languages = ["vi"]
[[screen]]
name = "back"
theme = "light"

[table.14]
game = "ez-baccarat-panda-8"
collection = "night"
dealer_fix = 3
[table.14.roads]
tail = "stay"
[[table.14.limit]]
bets = ["player", "banker", "tie"]
min = 25
max = 500
[[table.14.screen]]
bead_style = "chinese"
[table.VIP]
collection = "night"
[table.VIP.collections.night]
rates = [{ bets = ["kill"], fee = 2 }]
`

func TestATableOverridesTheCommonPart(t *testing.T) {
	f := read(t, house)
	if got := f.Tables(); !slices.Equal(got, []string{"14", "VIP"}) {
		t.Errorf("tables with a part of their own: %v", got)
	}
	common, own, vip := f.Table("3"), f.Table("14"), f.Table("VIP")
	if common.Table != "3" || own.Table != "14" || common.Venue != "The House" || own.Venue != "The House" {
		t.Errorf("table and venue: %q %q, %q %q", common.Table, common.Venue, own.Table, own.Venue)
	}
	if common.Roads.Tail != "gravity" || own.Roads != (roads{Tail: "stay", LeadingTie: "overlay"}) {
		t.Errorf("roads: common %+v, table 14 %+v", common.Roads, own.Roads)
	}
	if len(common.Limits) != 2 || len(own.Limits) != 1 || own.Limits[0].Max != 500 {
		t.Errorf("limits: common %+v, table 14 %+v", common.Limits, own.Limits)
	}
	if len(common.Screens) != 2 || common.Screens[1].Theme != "light" || !slices.Equal(common.Screens[0].Languages, []string{"vi"}) {
		t.Errorf("screens of the common part: %+v", common.Screens)
	}
	screen := defaultsOf(Screen{}).(Screen)
	screen.BeadStyle = "chinese"
	if want := []Screen{screen}; !reflect.DeepEqual(own.Screens, want) {
		t.Errorf("screens of table 14: %+v, not %+v", own.Screens, want)
	}
	if got := vip.Collections["night"].Rates; len(got) != 1 || got[0].Fee != 2 || got[0].PlayerDealer {
		t.Errorf("collection night of table VIP: %+v", got)
	}
	if got := common.Collections["night"].Rates; len(got) != 1 || !got[0].PlayerDealer {
		t.Errorf("an override changed the common part: %+v", got)
	}
}

func TestSettingsAreInCents(t *testing.T) {
	s := read(t, house).Table("3").Settings()
	want := tracker.DefaultSettings()
	want.Table, want.Venue, want.Bets = "3", "The House", tracker.BetsClose
	want.Limits = []tracker.Limit{
		{Bets: []string{"player", "banker"}, Min: 1000, Max: 200050},
		{Bets: []string{"kill", "ox-6", "tiger-7"}, Min: 100, Max: 10000},
	}
	want.Collection = []tracker.Rate{{From: 1000, To: 9999, Fee: 50}, {From: 10000, Fee: 100}}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
	if got := read(t, "").Table("1").Settings(); !reflect.DeepEqual(got, tracker.DefaultSettings()) {
		t.Errorf("an empty file comes to %+v", got)
	}
}

func TestDollarsAreExact(t *testing.T) {
	for cents := range 100_000 {
		if d := dollars(float64(cents) / 100); d.cents() != cents || !d.sound() {
			t.Fatalf("%v is %d cents, sound %v", d, d.cents(), d.sound())
		}
	}
}

func TestValuesSayWhereTheyComeFrom(t *testing.T) {
	values := map[string]Value{}
	for _, v := range read(t, house).Values("14") {
		values[v.Key] = v
	}
	for _, want := range []Value{
		{Key: "venue", Value: `"The House"`, File: "shoeboard.toml", Line: 1, Effect: "now"},
		{Key: "game", Value: `"ez-baccarat-panda-8"`, File: "shoeboard.toml", Line: 27, Effect: "shoe"},
		{Key: "decks", Value: "8", Effect: "shoe"},
		{Key: "roads.tail", Value: `"stay"`, File: "shoeboard.toml", Line: 31, Effect: "now"},
		{Key: "limit[1].min", Value: "25.00", File: "shoeboard.toml", Line: 34, Effect: "hand"},
		{Key: "collections.day.rates[1].to", Value: "99.99", File: "shoeboard.toml", Line: 7, Effect: "hand"},
		{Key: "screen[1].bead_style", Value: `"chinese"`, File: "shoeboard.toml", Line: 37, Effect: "start"},
		{Key: "screen[1].size", Value: `"auto"`, Effect: "start"},
		{Key: "screen[1].languages", Value: `["en", "zh-Hant"]`, Effect: "start"},
	} {
		if got := values[want.Key]; got != want {
			t.Errorf("%+v, not %+v", got, want)
		}
	}
}

func TestOneFileIsInForce(t *testing.T) {
	source := Source{Root: t.TempDir()}
	boot, etc := source.paths()[0], source.paths()[1]
	write := func(path, text string) {
		for _, err := range []error{os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if path, _ := source.Find(); path != "" {
		t.Errorf("without a file %q is in force", path)
	}
	write(etc, "decks = 6\n")
	if path, ignored := source.Find(); path != etc || len(ignored) != 0 {
		t.Errorf("in force %q, ignored %q", path, ignored)
	}
	write(boot, "decks = 7\n")
	path, ignored := source.Find()
	if path != boot || !slices.Equal(ignored, []string{etc}) {
		t.Errorf("in force %q, ignored %q", path, ignored)
	}
	l, err := ReadFile(path, packs(t))
	if err != nil || l.Path != path || l.File.Table("1").Decks != 7 {
		t.Errorf("%+v, %v", l, err)
	}
	none := filepath.Join(source.Root, "none.toml")
	if l, err := ReadFile(none, nil); err == nil || l.File != nil || !strings.Contains(err.Error(), none) {
		t.Errorf("a file that is not there: %v, %v", l.File, err)
	}
	write(boot, strings.Repeat("#\n", 1<<18))
	if l, err := ReadFile(boot, nil); err == nil || l.File != nil {
		t.Error("a file without end was read")
	}
}

func TestHashTellsFilesApart(t *testing.T) {
	a, b := read(t, "decks = 6\n"), read(t, "decks = 7\n")
	if a.Hash() == b.Hash() || len(a.Hash()) != 8 || a.Hash() != read(t, "decks = 6\n").Hash() {
		t.Errorf("hashes %s and %s", a.Hash(), b.Hash())
	}
}

func TestLocation(t *testing.T) {
	when := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	if got := when.In(Default().Location()).Hour(); got != 5 {
		t.Errorf("noon UTC in July is hour %d at the default place", got)
	}
}

func TestInitIsACopy(t *testing.T) {
	Init()[0] = 'x'
	if !bytes.HasPrefix(Init(), []byte("# Configuration")) {
		t.Error("a caller changed the embedded file")
	}
}

func TestDefaultsFollowTheKindOfKeypad(t *testing.T) {
	c := read(t, `[[keypad]]
vendor = "04d9"
[[keypad]]
name = "wired"
kind = "matrix"
rows = ["GPIO5", "pinctrl-rp1:6", "GPIO13", "GPIO19", "GPIO26"]
columns = ["GPIO12", "GPIO16", "GPIO20", "GPIO21"]
[[keypad]]
name = "chip"
kind = "expander"
address = 0x21
`).Table("1")
	want := []Keypad{
		{Name: "pad", Kind: "usb", Layout: "numpad-17", Vendor: 0x04d9},
		{Name: "wired", Kind: "matrix", Layout: "matrix-4x5", Rows: []string{"GPIO5", "pinctrl-rp1:6", "GPIO13", "GPIO19", "GPIO26"},
			Columns: []string{"GPIO12", "GPIO16", "GPIO20", "GPIO21"}},
		{Name: "chip", Kind: "expander", Layout: "matrix-4x5", Chip: "mcp23017", Bus: "/dev/i2c-1", Address: 0x21, Grid: grid{5, 4}},
	}
	if !reflect.DeepEqual(c.Keypads, want) {
		t.Errorf("got  %+v\nwant %+v", c.Keypads, want)
	}
}

// The choices of some keys are those of other packages.
func TestChoicesAreThoseOfTheProgram(t *testing.T) {
	choice := func(of reflect.Type, name string) []string {
		field, _ := of.FieldByName(name)
		return strings.Fields(field.Tag.Get("one"))
	}
	var names []string
	for _, theme := range scene.Themes() {
		names = append(names, theme.Name)
	}
	if themes := choice(reflect.TypeFor[Screen](), "Theme"); !slices.Equal(themes, names) {
		t.Errorf("a configuration knows the themes %q, the scene %q", themes, names)
	}
	for _, kind := range append(choice(reflect.TypeFor[Echo](), "Kind"), "teletype") {
		_, err := echo.Wiring{Kind: kind, Device: t.TempDir()}.Open()
		if unknown := err != nil && strings.Contains(err.Error(), "no kind of display"); unknown != (kind == "teletype") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// A key map or a schedule of a table replaces the common one of its name as a whole,
// however the name is written.
func TestANameInQuotesIsOverriddenAsAWhole(t *testing.T) {
	for _, name := range []string{`mine`, `"my pad"`, `"my.pad"`, `"my[pad"`} {
		f := read(t, `[[keypad]]
layout = `+strconv.Quote(strings.Trim(name, `"`))+`
[keymap.`+name+`]
base = "numpad-17"
keys = { KP7 = { tap = "VOID" } }
[collections.`+name+`]
rates = [{ from = 10, to = 100, fee = 1 }, { from = 101, fee = 2 }]
[table.14.keymap.`+name+`.keys]
KP0 = { tap = "BANKER" }
KP1 = { tap = "PLAYER" }
KP2 = { tap = "TIE" }
KP3 = { tap = "OK" }
KP4 = { tap = "CLEAR" }
[table.14.collections.`+name+`]
rates = [{ from = 10, fee = 3 }]
`)
		bare := strings.Trim(name, `"`)
		c := f.Table("14")
		if m := c.Keymaps[bare]; m.Base != "" || len(m.Keys) != 5 {
			t.Errorf("%s: table 14 keeps base %q and %d keys of the common map", name, m.Base, len(m.Keys))
		}
		if s := c.Collections[bare]; len(s.Rates) != 1 {
			t.Errorf("%s: table 14 has %+v", name, s)
		}
		if m := f.Table("1").Keymaps[bare]; m.Base != "numpad-17" || len(m.Keys) != 1 {
			t.Errorf("%s: the common map is %+v", name, m)
		}
	}
}

func TestKeymaps(t *testing.T) {
	f := read(t, `[[keypad]]
layout = "ours"
[keymap.ours]
base = "numpad-17"
[keymap.ours.keys]
KPSLASH = { tap = "FREE", hold = "VOID", after = 1.5 }
KPMINUS = { hold = "NEW_SHOE" }
KP9 = { tap = "BONUS", bet = "dragon-7", digit = "9" }
TAB = {}
[table.2]
game = "dai-bacc"
[[table.2.keypad]]
`)
	ez, dai := packs(t)[1], packs(t)[0]
	ours := f.Table("1")
	m := ours.Keymap(ours.Keypads[0], ez)
	built, _ := console.Layout("numpad-17", ez)
	for pos, want := range map[string]console.Binding{
		"KPSLASH": {Tap: console.KeyFree, Hold: console.KeyVoid, After: 1500 * time.Millisecond},
		"KPMINUS": {Hold: console.KeyNewShoe, After: 2 * time.Second},
		"KP9":     {Tap: console.KeyBonus, Bet: "dragon-7", Digit: "9"},
		"TAB":     {},
		"KPENTER": built["KPENTER"],
	} {
		if m[pos] != want {
			t.Errorf("%s is %+v, not %+v", pos, m[pos], want)
		}
	}
	second := f.Table("2")
	if want, _ := console.Layout("numpad-17", dai); !reflect.DeepEqual(second.Keymap(second.Keypads[0], dai), want) {
		t.Error("table 2 does not have the built-in layout of its game")
	}
}

func TestDefaultsOfTheDealersDevices(t *testing.T) {
	f := read(t, `[[light]]
lines = ["GPIO17"]
keys = ["OK"]
[[light]]
name = "strip"
kind = "pixels"
keys = ["", "dragon-7"]
[[buzzer]]
line = "GPIO24"
[[echo]]
device = "/dev/ttyUSB0"
[[timer]]
[[key_switch]]
line = "GPIO25"
[table.9]
[[table.9.echo]]
kind = "ssd1306"
device = "/dev/i2c-1"
[[table.9.light]]
name = "only"
kind = "registers"
keys = ["OK"]
`)
	c, own := f.Table("1"), f.Table("9")
	if want := []Lights{{Name: "lights", Kind: "lines", Lines: []string{"GPIO17"}, Keys: []string{"OK"}},
		{Name: "strip", Kind: "pixels", SPI: "/dev/spidev0.0", Keys: []string{"", "dragon-7"}}}; !reflect.DeepEqual(c.Lights, want) {
		t.Errorf("lights %+v, want %+v", c.Lights, want)
	}
	if want := []Timer{{Name: "timer", SPI: "/dev/spidev0.1", Digits: 4, Brightness: 8}}; !reflect.DeepEqual(c.Timers, want) {
		t.Errorf("timer %+v, want %+v", c.Timers, want)
	}
	if c.Buzzers[0] != (Buzzer{Name: "buzzer", Line: "GPIO24"}) || c.KeySwitches[0] != (KeySwitch{Name: "key-switch", Line: "GPIO25"}) {
		t.Errorf("buzzer %+v, key switch %+v", c.Buzzers, c.KeySwitches)
	}
	if want := []Echo{{Name: "echo", Kind: "ssd1306", Device: "/dev/i2c-1"}}; !reflect.DeepEqual(own.Echoes, want) {
		t.Errorf("echo of table 9 %+v, want %+v", own.Echoes, want)
	}
	if len(own.Lights) != 1 || own.Lights[0].SPI != "/dev/spidev0.0" || len(own.Buzzers) != 1 {
		t.Errorf("table 9 has lights %+v and buzzers %+v", own.Lights, own.Buzzers)
	}
}

// A venue's own text is shown whole or refused with the character: never as a box.
func TestTextWithoutAGlyphIsRefused(t *testing.T) {
	var packs []*game.Pack
	for text, fault := range map[string]string{
		"venue = \"龍門 Casino · Sòng bạc · 카지노\"\n":            "",
		"[texts]\nmessage = \"Ask for \U0001F409 tonight\"\n": "message = ",
	} {
		_, err := Read("venue.toml", []byte(text), packs)
		told := ""
		if err != nil {
			told = err.Error()
		}
		if fault == "" && strings.Contains(told, "glyph") {
			t.Errorf("%q: %s", text, told)
		}
		if fault != "" && !(strings.Contains(told, "venue.toml:2:") && strings.Contains(told, "the board has no glyph for '🐉'")) {
			t.Errorf("%q: %q", text, told)
		}
	}
}

// The gaming day ends by the clock on the board, over midnight too.
func TestTheGamingDayEnds(t *testing.T) {
	for _, c := range []struct {
		ends, now string
		want      bool
	}{
		{"06:00", "2026-11-30T13:59:59Z", false}, {"06:00", "2026-11-30T14:00:00Z", true}, {"06:00", "2026-11-30T14:09:59Z", true},
		{"06:00", "2026-11-30T14:10:00Z", false}, {"23:55", "2026-11-30T08:04:00Z", true}, {"23:55", "2026-11-30T08:05:00Z", false},
		{"00:00", "2026-07-01T07:05:00Z", true}, {"nonsense", "2026-11-30T14:00:00Z", false},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		cfg := Default()
		cfg.DayEnds = c.ends
		if got := cfg.DayEnded(now.In(cfg.Location()), 10); got != c.want {
			t.Errorf("a day that ends at %s has ended at %s: %v", c.ends, c.now, got)
		}
	}
}
