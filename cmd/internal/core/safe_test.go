package core

import (
	"testing"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/devices"
	"shoeboard/cmd/internal/testkit"
)

// In a safe start there is the dealer's keypad and nothing else.
func TestASafeStartHasNoDevices(t *testing.T) {
	cfg := testkit.Config(t, testkit.EveryOutput+"[[shoe]]\nkind = \"tsp1\"\ndevice = \"/dev/shoe\"\n")
	pack, err := config.Pack(cfg.Game)
	if err != nil {
		t.Fatal(err)
	}
	count := func(safe int) int {
		return len(devices.Hardware{Dev: "/dev"}.Indicators(Setup{Config: cfg, Safe: safe}.InForce(), pack, devices.Outputs{}).Sources)
	}
	if all, safe := count(0), count(3); all != 6 || safe != 0 {
		t.Errorf("%d devices, in a safe start %d", all, safe)
	}
}
