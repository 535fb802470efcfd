package clock

import "testing"

func TestBootRunsForwardFromBoot(t *testing.T) {
	before := Boot()
	for range 1000 {
		now := Boot()
		if now < before || now <= 0 {
			t.Fatalf("the clock went from %v to %v", before, now)
		}
		before = now
	}
}
