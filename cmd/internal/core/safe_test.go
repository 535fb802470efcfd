package core

import (
	"testing"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/ports"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/cmd/internal/testkit/shelf"
)

// In a safe start there is the dealer's keypad and nothing else.
func TestASafeStartHasNoDevices(t *testing.T) {
	cfg := testkit.Config(t, shelf.Venue+"[[shoe]]\nkind = \"tsp1\"\ndevice = \"/dev/shoe\"\n")
	pack, err := config.Pack(cfg.Game)
	if err != nil {
		t.Fatal(err)
	}
	count := func(safe int) int {
		return len(ports.Ports{Dev: "/dev"}.Panel(Setup{Config: cfg, Safe: safe}.InForce(), pack, shelf.New().Outlets()).Sources)
	}
	if all, safe := count(0), count(3); all != 6 || safe != 0 {
		t.Errorf("%d devices, in a safe start %d", all, safe)
	}
}
