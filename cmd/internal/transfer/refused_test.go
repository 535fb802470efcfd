package transfer

import (
	"path/filepath"
	"testing"
)

// A stick with a file system that is not mounted is named on the board until it is gone; the
// removal of another one changes nothing.
func TestAStickThatIsNotMounted(t *testing.T) {
	shown := ""
	w := Mirror{Slot: Slot{Dir: filepath.Join(t.TempDir(), "slot")}, Fault: func(code, text string) { shown = text }}
	for _, c := range []struct {
		do   func() error
		want string
	}{
		{func() error { return nil }, ""},
		{func() error { return w.Slot.Refuse("sda1", "ext4") },
			"The stick is not used: its file system is ext4. Put in one with FAT or exFAT."},
		{func() error { return w.Slot.Forget("sdb1") },
			"The stick is not used: its file system is ext4. Put in one with FAT or exFAT."},
		{func() error { return w.Slot.Forget("sda1") }, ""},
	} {
		if err := c.do(); err != nil {
			t.Fatal(err)
		}
		if w.step(t.Context(), 0); shown != c.want {
			t.Errorf("%q, want %q", shown, c.want)
		}
	}
}
