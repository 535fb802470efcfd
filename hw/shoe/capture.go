package shoe

import (
	"bytes"
	"strings"
	"time"
)

// readCapture reads a capture of a line of that kind, made with any program: a recording,
// which names itself; the bytes as they came; or text that shows them, such as a dump in hex
// or the log of a terminal program. It reads it in every way and uses the one with the most
// good frames. If none of that kind is good it tries the other kinds. Only a recording has
// times; everything else comes at once.
func readCapture(name string, data []byte, kind string) (recording, error) {
	if bytes.HasPrefix(data, []byte(recordingHead)) {
		return readRecording(name, data)
	}
	if _, err := newDecoder(kind); err != nil {
		return recording{}, err
	}
	forms := formsOf(data)
	for _, k := range []string{kind, "tsp1", "angel-eye", "lines"} {
		if b, ok := best(forms, k); ok {
			return recording{Kind: k, Chunks: []chunk{{0, b}}}, nil
		}
	}
	return recording{Kind: kind, Chunks: []chunk{{0, data}}}, nil
}

// formsOf returns the bytes that data may represent, first the data itself.
func formsOf(data []byte) [][]byte {
	forms := [][]byte{data}
	text, is := decodeText(data)
	if !is {
		return forms
	}
	forms = append(forms, linesOf(text), hexOf(text, false), hexOf(text, true))
	if strings.Contains(text, `\`) {
		forms = append(forms, literalOf(text))
	}
	return forms
}

// best returns the form with the most good frames of a kind and the least noise, if any is
// good. A line of cards has no mark, so more lines than not must be good.
func best(forms [][]byte, kind string) (found []byte, ok bool) {
	var most Counts
	for _, b := range forms {
		d, err := newDecoder(kind)
		if err != nil {
			return nil, false
		}
		d.Feed(b, 0)
		d.Feed(nil, time.Minute)
		c := d.Counts()
		good, before := c.Frames+c.Repeats, most.Frames+most.Repeats
		if good > before || good == before && good > 0 && c.Bad+c.Noise < most.Bad+most.Noise {
			most, found = c, b
		}
	}
	return found, most.Frames > 0 && (kind != "lines" || most.Frames > most.Bad)
}
