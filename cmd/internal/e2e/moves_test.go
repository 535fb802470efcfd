package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/display/displaytest"
	"shoeboard/stats"
)

// A unit is carried to another table: the number is set, and the core starts anew. The
// screen ends by itself, and the start after it is that table's.
func movesToAnotherTable(t *testing.T, binary string) {
	u := newStation(t, binary, "")
	venue := fmt.Sprintf("data = %q\n[[screen]]\ntheme = \"dark\"\n[[table.8.screen]]\ntheme = \"light\"\n", filepath.Join(u.dir, "data"))
	if err := os.WriteFile(filepath.Join(u.dir, "venue.toml"), []byte(venue), 0o644); err != nil {
		t.Fatal(err)
	}
	dark := config.Default().Screens[0]
	light := dark
	light.Theme = "light"
	core := u.core()
	x := displaytest.Start(t, 1024, 600)
	screen := u.screen(x, dark.Name)
	u.awaitBoard("table 7", x, dark, 1024, 600, false)

	if err := datadir.WriteTable(filepath.Join(u.dir, "data"), "8"); err != nil {
		t.Fatal(err)
	}
	u.hand("PLAYER") // the core goes on as before until it starts anew
	u.awaitBoard("still table 7", x, dark, 1024, 600, false)
	core.end()
	u.start(os.Environ(), "run")
	u.until("the core is table 8's", func(b *stats.Board) bool { return b.Table == "8" })
	if err := screen.cmd.Wait(); err != nil || !strings.Contains(screen.said(), "is at another table now") {
		t.Errorf("the screen ended with %v, saying %s", err, screen.said())
	}
	testkit.Expect(t, screen.said(), "table=8")
	screen = u.screen(x, dark.Name)
	u.awaitBoard("table 8", x, light, 1024, 600, false)
	screen.end()
}
