package journal_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"shoeboard/tracker/journal"
)

const childFolder = "SHOEBOARD_JOURNAL_TEST_FOLDER"

// TestMain makes this program the victim of TestKillOfARealProcess when it is
// told so: it records events for ever and says each number it has.
func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		fmt.Println("victim:", victim(folder))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func victim(folder string) error {
	j, _, err := journal.Open(journal.Dir(folder), unit)
	if err != nil {
		return err
	}
	for {
		n := int(j.Last())
		if j.NeedsRoll() || n%30 == 0 {
			if _, err := j.Roll(checkpoint(n)); err != nil {
				return err
			}
		}
		if err := j.SavePending(fmt.Appendf(nil, "pending %d", n)); err != nil {
			return err
		}
		seq, err := j.Append(event(n))
		if err != nil {
			return err
		}
		fmt.Println("ack", seq)
	}
}

// A process on a real folder is killed again and again, at whatever it is
// doing: each number it said is there, and the pending entry is whole.
func TestKillOfARealProcess(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "journal")
	said := uint64(0)
	for round := range 25 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childFolder+"="+folder)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines, killed := bufio.NewScanner(out), false
		for n := 0; lines.Scan(); n++ {
			if _, err := fmt.Sscanf(lines.Text(), "ack %d", &said); err != nil {
				t.Fatalf("round %d: %s", round, lines.Text())
			}
			if n >= round*3%40 && !killed {
				killed = true
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = cmd.Wait() // it was killed
		j, found := open(t, journal.Dir(folder))
		if found.Last < said || found.Last > said+2 || j.NeedsRoll() {
			t.Fatalf("round %d: said %d, found %d, %v", round, said, found.Last, found.Problems)
		}
		entry, after, err := j.LoadPending()
		if n, _ := strconv.Atoi(string(entry[len("pending "):])); err != nil || uint64(n) > found.Last || after+2 < said {
			t.Fatalf("round %d: pending %q after %d, %v", round, entry, after, err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	check := must[journal.Check](t)(journal.Verify(journal.Dir(folder)))
	if len(check.Problems) != 0 || uint64(check.Records) != check.Last || check.Last < said {
		t.Fatalf("said %d, verify %+v", said, check)
	}
}
