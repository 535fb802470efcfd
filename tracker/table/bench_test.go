package table_test

import (
	"testing"

	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker/table"
)

// A hand in mid-shoe: BANKER, OK, their releases and the record, with indicators and a
// Board after each.
func BenchmarkHand(b *testing.B) {
	s := usual()
	s.quick = true
	r := sit(b, s).deal(40, "B")
	start, seq, keys := r.state(), r.state().Seq, []string{r.pos("BANKER"), r.pos("OK")}
	handle := func(event table.Event) {
		for {
			fx := r.engine.Handle(r.now, event)
			r.engine.Fill(new(stats.Board))
			if fx.Write == nil {
				return
			}
			seq++
			event = table.Committed{Seq: seq}
		}
	}
	b.ReportAllocs()
	for n := 1; b.Loop(); n++ {
		if n%40 == 0 {
			r.boot(start)
			seq = start.Seq
		}
		for _, pos := range keys {
			for _, down := range []bool{true, false} {
				r.move(r.now.Mono + 3000*ms)
				handle(hw.Press{Source: "pad", Pos: pos, Down: down, At: r.now.Mono})
			}
		}
	}
	if len(r.state().Shoe.Hands) < 41 {
		b.Fatal(r.line())
	}
}
