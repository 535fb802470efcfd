package shoe

import (
	"bytes"
	"strings"
	"time"
)

// ReadCapture reads what somebody kept of a line of that kind, whatever with: a
// recording, which calls itself what it is; the bytes as they came; or text that shows
// them, such as a dump in hex or the log of a terminal program. Of all ways to read it
// that one is taken in which the most frames are good. Where none of that kind is good
// another kind is tried. Only a recording has times; everything else comes at once.
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

// formsOf are the bytes that data may stand for, those that it is first.
func formsOf(data []byte) [][]byte {
	forms := [][]byte{data}
	text, is := plainText(data)
	if !is {
		return forms
	}
	forms = append(forms, linesOf(text), hexOf(text, false), hexOf(text, true))
	if strings.Contains(text, `\`) {
		forms = append(forms, literalOf(text))
	}
	return forms
}

// best is the form in which most frames of a kind are good, and least is not, if any
// is. Nothing shows that a line of cards is one, so most of all lines must be.
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
