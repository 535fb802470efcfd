package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// fakeSSH answers for the units of a small house.
const fakeSSH = `#!/bin/sh
while [ "$1" != -- ]; do shift; done
[ "$3" = "sudo -n shoeboard status --line" ] || { echo "asked for $3" >&2; exit 9; }
case $2 in
table1) echo "table 1 · dai-bacc · v1.2 · configuration aa11 · no faults" ;;
table2) echo "table 2 · dai-bacc · v1.2 · configuration aa11 · no faults" ;;
table3) echo "table 3 · dai-bacc · v1.1 · configuration bb22 · no faults" ;;
table4) echo "table 4 · dai-bacc · v1.2 · configuration aa11 · keypad-missing, 1 over" ;;
table5) echo "ssh: connect to host table5: No route to host" >&2; exit 255 ;;
table6) echo "Welcome to Debian" ;;
esac
`

func TestFleetMarksTheOddOnes(t *testing.T) {
	s := newSite(t)
	ssh := s.path("ssh")
	if err := os.WriteFile(ssh, []byte(fakeSSH), 0o755); err != nil {
		t.Fatal(err)
	}
	code, out, _ := s.do("fleet", "--ssh", ssh, "--json", "--", "table1", "table2", "table3", "table4", "table5", "table6", "-oProxyCommand=true")
	if code != exitFailed {
		t.Errorf("exit %d", code)
	}
	var units []unitLine
	if err := json.Unmarshal([]byte(out), &units); err != nil {
		t.Fatal(err)
	}
	want := []string{"", "", "version: most have v1.2; configuration: most have aa11", "faults", "no answer: ssh: connect to host table5: No route to host",
		`no answer: "Welcome to Debian" is not a status line`, "not a host name"}
	for i, u := range units {
		if got := strings.Join(u.Odd, "; "); got != want[i] {
			t.Errorf("%s: %q, want %q", u.Host, got, want[i])
		}
	}
	if out := s.fine("fleet", "--ssh", ssh, "table1", "table2"); !strings.Contains(out, "table2  2      dai-bacc  v1.2") {
		t.Errorf("a house that is well:\n%s", out)
	}
	if code, out, _ := s.do("fleet", "--ssh", ssh, "table1", "table1"); code != exitFailed || !strings.Contains(out, "another unit") {
		t.Errorf("two units at one table: exit %d\n%s", code, out)
	}
}
