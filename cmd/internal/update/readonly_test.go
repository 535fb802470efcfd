package update

import "testing"

func TestReadOnlySystems(t *testing.T) {
	const (
		proc = "24 30 0:22 / /proc ro,nosuid - proc proc ro\n"
		card = "30 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw,errors=remount-ro\n"
		slot = "30 1 179:5 / / ro,noatime shared:1 - ext4 /dev/mmcblk0p5 ro\n"
		data = "41 30 179:8 / /usr/local rw - ext4 /dev/mmcblk0p8 rw\n"
	)
	for _, c := range []struct {
		name, mounts string
		want         bool
	}{
		{"a card with Debian", proc + card, false},
		{"a slot", proc + slot, true},
		{"a slot with something below /usr", slot + data, true},
		{"a /usr of its own", card + "31 30 8:3 / /usr ro - squashfs /dev/sda3 ro,errors=continue\n", true},
		{"a /usr of its own, before the root", "31 30 8:3 / /usr rw - ext4 /dev/sda3 rw\n" + slot, false},
		{"a layer over a slot", slot + "32 30 0:40 / / rw - overlay overlay rw,lowerdir=/a,upperdir=/b\n", false},
		{"as the menu's helper sees a card", "30 1 179:2 / / ro,noatime shared:1 master:2 - ext4 /dev/mmcblk0p2 rw\n", false},
		{"a name that begins like it", card + "33 30 8:4 / /us ro - ext4 /dev/sda4 ro\n", false},
		{"a card that errors have made so", "30 1 179:2 / / rw - ext4 /dev/mmcblk0p2 ro,errors=remount-ro\n", true},
		{"nothing", "", false},
		{"nonsense", "30 1 - \n - - -\nro\n", false},
	} {
		if got := isReadOnly(c.mounts, "/usr"); got != c.want {
			t.Errorf("%s: read-only %v, want %v", c.name, got, c.want)
		}
	}
}
