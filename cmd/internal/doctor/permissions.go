package doctor

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"

	"shoeboard/cmd/internal/datadir"
)

// coreUser is whose the core is on a unit that was set up from the package.
const coreUser = "shoeboard"

// probePermissions looks at whose the data folder is and who may open the socket.
func probePermissions(p *Patient) []Finding {
	found := []Finding{ownership(p.Config.Data)}
	if info, err := os.Stat(p.Config.Socket); err == nil && info.Mode().Perm()&0o007 != 0 {
		found = append(found, Finding{Name: "socket", Verdict: Broken, Text: p.Config.Socket + " is open to everybody", Do: "sudo systemctl restart shoeboard"})
	}
	return grouped("permissions", found...)
}

// ownership says whose the data folder is, and which of what stands in it is another's:
// a program that somebody started as root leaves what the core cannot write to.
func ownership(data string) Finding {
	f := Finding{Name: "data folder", Verdict: Unknown}
	uid, _, err := datadir.Owner(data)
	if err != nil {
		f.Text = err.Error()
		return f
	}
	f.Do = "sudo chown -R " + coreUser + ": " + data
	owner, err := user.LookupId(strconv.Itoa(uid))
	if err != nil {
		f.Verdict, f.Text = Broken, fmt.Sprintf("%s belongs to user %d, whom nobody knows", data, uid)
		return f
	}
	if _, err := user.Lookup(coreUser); err == nil && owner.Username != coreUser {
		f.Verdict, f.Text = Broken, fmt.Sprintf("%s belongs to %s, and the core is %s", data, owner.Username, coreUser)
		return f
	}
	if name := another(data, uid); name != "" {
		f.Verdict, f.Text = Broken, fmt.Sprintf("%s does not belong to %s as its folder does", name, owner.Username)
		return f
	}
	f.Verdict, f.Text, f.Do = Fine, fmt.Sprintf("%s belongs to %s", data, owner.Username), ""
	return f
}

// another is what stands in the data folder or begins and ends its record, and belongs to
// somebody else than uid; "" for nothing.
func another(data string, uid int) string {
	names, _ := filepath.Glob(filepath.Join(data, "*")) // the patterns are right
	if record, _ := filepath.Glob(filepath.Join(datadir.Journal(data), "*")); len(record) > 0 {
		names = append(names, record[0], record[len(record)-1])
	}
	for _, name := range names {
		if whose, _, err := datadir.Owner(name); err == nil && whose != uid && filepath.Base(name) != "lost+found" {
			return name
		}
	}
	return ""
}
