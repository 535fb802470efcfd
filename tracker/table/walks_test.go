package table

import (
	"flag"
	"os"
	"testing"
)

// AllWalks reports whether the long tests walk every way: all keypads and bet modes, every
// byte and operation, as many checks as rapid likes. `make walks` sets it; other runs take
// one keypad, one bet mode, and a few of the rest.
func AllWalks() bool { return os.Getenv("WALKS") == "all" }

// EveryNth returns the step of a walk over so many bytes or operations.
func EveryNth(n int) int {
	if AllWalks() {
		return 1
	}
	return n
}

func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given && !AllWalks() {
		if err := flag.Set("rapid.checks", "25"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
