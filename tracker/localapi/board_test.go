package localapi

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"shoeboard/stats"
	"shoeboard/tracker"
)

// texts calls each for every text that a value holds, in turn.
func texts(v reflect.Value, each func(reflect.Value)) {
	switch v.Kind() {
	case reflect.String:
		each(v)
	case reflect.Pointer:
		if !v.IsNil() {
			texts(v.Elem(), each)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			texts(v.Field(i), each)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			texts(v.Index(i), each)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			text := reflect.New(v.Type().Elem()).Elem()
			text.Set(v.MapIndex(k))
			texts(text, each)
			v.SetMapIndex(k, text)
		}
	}
}

// full is a Board with something in every place.
func full() *stats.Board {
	b := board(7, 80)
	previous := shoe(2, 80)
	b.Previous = &previous
	b.Phase, b.Bar = "betting", stats.Bar{Kind: stats.BarPlaceBets}
	b.Faults = []stats.Fault{{Code: "table-twice", Text: "one"}, {Code: "heat", Text: "two", By: "tech"}}
	b.EndedFaults = []stats.Fault{{Code: "stick", Text: "three", Ended: true}}
	b.ConfigFault = &stats.ConfigFault{File: "shoeboard.toml", Line: 3, Key: "table", Text: "four"}
	b.Limits, b.Collection = make([]tracker.Limit, 2), make([]tracker.Rate, 2)
	b.Keypad, b.Menu = []stats.KeyState{{Pos: "KP7"}}, &stats.Menu{Lines: []string{"five"}}
	b.StatusLine = "table 14"
	return b
}

// A text of a stick made a board of 1.5 MB: every screen went dark until the core was
// started again. Whatever text is too long, readers get a board with the table's number,
// and the status line says what is the matter.
func TestNoTextBlanksTheScreens(t *testing.T) {
	long := strings.Repeat("<", 250_000)
	count := 0
	texts(reflect.ValueOf(full()).Elem(), func(reflect.Value) { count++ })
	for i := range count + 1 {
		b, n, was := full(), 0, ""
		texts(reflect.ValueOf(b).Elem(), func(text reflect.Value) {
			if n == i || i == count {
				was = text.String()
				text.SetString(long)
			}
			n++
		})
		line, err := encode(b)
		if err != nil {
			t.Fatalf("%q: %v", was, err)
		}
		got, err := decodeBoard(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil || len(line) > maxBoard || got.Seq != b.Seq {
			t.Fatalf("%q is long: %d bytes, %v", was, len(line), err)
		}
		if i < count && got.Table != "14" && was != "14" || len(got.Faults) != 2 {
			t.Errorf("%q is long: table %q, %d faults", was, got.Table, len(got.Faults))
		}
		if !strings.Contains(got.StatusLine, "texts are left out") {
			t.Errorf("%q is long: the status line says %q", was, got.StatusLine)
		}
	}
}

// So it is with what is too much, and not too long.
func TestNoNumberBlanksTheScreens(t *testing.T) {
	for what, b := range map[string]*stats.Board{"hands": board(7, 30_000), "faults": board(7, 3), "limits": board(7, 3)} {
		switch what {
		case "faults":
			b.Faults = make([]stats.Fault, 50_000)
		case "limits":
			b.Limits = make([]tracker.Limit, 50_000)
		}
		line, err := encode(b)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := decodeBoard(line); err != nil || got.Table != "14" {
			t.Errorf("%s: %d bytes, %v", what, len(line), err)
		}
	}
}

// A board that has room is sent as it is.
func TestABoardThatFitsIsWhole(t *testing.T) {
	line, err := encode(full())
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeBoard(line)
	if err != nil || !reflect.DeepEqual(got.Faults, full().Faults) || got.StatusLine != "table 14" || got.Previous == nil {
		t.Errorf("%+v, %v", got, err)
	}
}
