package localapi

import (
	"encoding/json"
	"fmt"

	"shoeboard/stats"
	"shoeboard/tracker"
)

// leanText is how much of a text is left on a Board that would have been too large, in
// bytes.
const leanText = 80

// encode returns a Board as the line that every reader takes. Of one that would be too
// large for them it leaves texts out, and where that does not do all but who and where the
// table is: a screen that shows less is better than one that shows nothing.
func encode(b *stats.Board) ([]byte, error) {
	data, err := json.Marshal(b)
	size := len(data)
	for _, leaner := range []func(stats.Board) stats.Board{withoutTexts, withoutShoe} {
		if err != nil || len(data) < MaxBoard {
			break
		}
		less := leaner(*b)
		less.StatusLine = fmt.Sprintf("the board has %d bytes, texts are left out: %s", size, clip(b.StatusLine))
		data, err = json.Marshal(&less)
	}
	return append(data, '\n'), err
}

func clip(text string) string { return tracker.Plain(text, leanText) }

// withoutTexts returns a Board whose texts are short, and that lacks what only adds to it.
func withoutTexts(b stats.Board) stats.Board {
	b.Table, b.Venue, b.Zone, b.Test = clip(b.Table), clip(b.Venue), clip(b.Zone), clip(b.Test)
	b.Limits, b.Collection, b.Keypad, b.Menu, b.Attract = nil, nil, nil, nil, stats.Attract{}
	b.Bar.Reason, b.Previous = clip(b.Bar.Reason), nil
	b.Dealer.Lines = [2]string{clip(b.Dealer.Lines[0]), clip(b.Dealer.Lines[1])}
	b.Faults, b.EndedFaults = shortFaults(b.Faults), shortFaults(b.EndedFaults)
	if f := b.ConfigFault; f != nil {
		b.ConfigFault = &stats.ConfigFault{File: clip(f.File), Line: f.Line, Key: clip(f.Key), Text: clip(f.Text)}
	}
	return b
}

// shortFaults returns as many faults as can be recorded, with short texts.
func shortFaults(all []stats.Fault) []stats.Fault {
	var short []stats.Fault
	for _, f := range all[:min(len(all), tracker.MaxFaults)] {
		f.Code, f.Text, f.By = clip(f.Code), clip(f.Text), clip(f.By)
		short = append(short, f)
	}
	return short
}

// withoutShoe returns what is left of a Board when its game or its shoe is what is too
// large.
func withoutShoe(b stats.Board) stats.Board {
	b = withoutTexts(b)
	return stats.Board{Version: b.Version, Seq: b.Seq, Table: b.Table, Venue: b.Venue, Phase: clip(b.Phase), Bar: stats.Bar{Kind: stats.BarEmpty},
		Dealer: stats.Dealer{Lines: b.Dealer.Lines, Entering: b.Dealer.Entering, Asking: b.Dealer.Asking, Refused: b.Dealer.Refused, OnScreen: b.Dealer.OnScreen},
		Faults: b.Faults, EndedFaults: b.EndedFaults, Saving: b.Saving, ConfigFault: b.ConfigFault, ClockTrusted: b.ClockTrusted, Zone: b.Zone}
}
