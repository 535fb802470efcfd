package transfer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker/journal"
)

// What the years of one table cost on a stick: the first mirror, a look when nothing is
// new, one more shoe, and the take-over. SCALE_DIR is a data folder that "make scale" was
// told to keep; without it a thousand shoes are made. The stick and the card are in TMPDIR.
func BenchmarkYearsOnAStick(b *testing.B) {
	u := unit{t: b, data: os.Getenv("SCALE_DIR"), id: "10000000aaaa"}
	if u.data == "" {
		u = newUnit(b, u.id, "14")
		u.shoes(make([]int, 1000)...)
		u.shoes(70)
	}
	names, err := segmentsOf(u.data)
	u.must(err)
	u.id, _, err = journal.Newest(journal.Dir(datadir.Journal(u.data)))
	u.must(err)
	slot := Slot{Dir: b.TempDir(), Plain: true}
	m, told := u.mirroring(slot)
	m.turn = turnFor
	now, passes := time.Duration(0), 0
	b.Run("mirror", func(b *testing.B) {
		peak := anonymousPeak(b, func() {
			for more := true; more; now += every {
				m.step(b.Context(), now)
				more = m.low != names[0]
				passes++
			}
		})
		b.Logf("%d segments in %d passes, %s; told %q", len(names), passes, peak, *told)
	})
	b.Run("look", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.step(b.Context(), now)
			now += every
		}
	})
	b.Run("shoe", func(b *testing.B) {
		for b.Loop() {
			sealed := names[len(names)-2]
			u.must(os.Remove(filepath.Join(slot.Dir, Home(u.id), "journal", bucket(sealed), sealed)))
			m.high, m.manifest = names[len(names)-3], Manifest{}
			m.step(b.Context(), now)
			now += every
		}
	})
	b.Run("takeover", func(b *testing.B) {
		s := spare(b, "10000000bbbb")
		q := s.questions(slot)
		if len(q) != 1 {
			b.Fatalf("asks %+v", q)
		}
		peak := anonymousPeak(b, func() { s.must(q[0].Yes(s.id)) })
		b.Logf("taken over, %s", peak)
	})
}

// anonymousPeak does something and says how long it took and how much memory that is no
// file's the process had at most meanwhile.
func anonymousPeak(b *testing.B, do func()) string {
	b.Helper()
	done := make(chan struct{})
	peak := make(chan int)
	go func() {
		most := 0
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			most = max(most, anonymous())
			select {
			case <-tick.C:
			case <-done:
				peak <- most
				return
			}
		}
	}()
	began := time.Now()
	do()
	took := time.Since(began)
	close(done)
	most := <-peak
	b.ReportMetric(took.Seconds(), "s")
	b.ReportMetric(float64(most)/1024, "anon-MB")
	return fmt.Sprintf("%v, at most %d MB anonymous", took.Round(time.Millisecond), most>>10)
}

// anonymous is the memory of this process that is no file's, in kB.
func anonymous() (kB int) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), "RssAnon:")
	_, _ = fmt.Sscan(after, &kB) // 0 where the kernel does not say
	return kB
}
