//go:build guest

package guest

import (
	"slices"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/debounce"
	"shoeboard/hw/evdev"
	"shoeboard/hw/hwtest"
)

const padLag = 60 * ms

func TestPadThroughUinput(t *testing.T) {
	hwtest.ConformLive(t, func(t *testing.T) *hwtest.Bench { return newPad(t, "bench/input0").bench() })
}

// qcodes are QEMU's names of keys.
var qcodes = map[string]string{"KP1": "kp_1", "KP2": "kp_2", "KPENTER": "kp_enter", "NUMLOCK": "num_lock", "KP7": "kp_7", "HOME": "home"}

// keyboard is QEMU's USB keyboard on a port of the machine.
type keyboard struct {
	*monitor
	port    string
	plugged bool
}

func newKeyboard(t *testing.T) *keyboard {
	k := &keyboard{monitor: openMonitor(t), port: "1"}
	k.plug()
	portOf(t)
	t.Cleanup(func() {
		k.unplug()
		for range 40 {
			if kernelsKeyboard() == "" {
				return
			}
			time.Sleep(50 * ms)
		}
		t.Error("the keyboard was unplugged and is there")
	})
	return k
}

func (k *keyboard) plug() {
	k.monitor.plug("pad", "usb-kbd", k.port, nil)
	k.plugged = true
}

func (k *keyboard) unplug() {
	if k.plugged {
		k.monitor.unplug("pad")
	}
	k.plugged = false
}

func (k *keyboard) set(pos string, down bool) { k.key(qcodes[pos], down) }

func (k *keyboard) tap(s *hwtest.Session, pos string) {
	k.set(pos, true)
	s.Wait(padLag)
	k.set(pos, false)
	s.Wait(padLag)
}

// source means QEMU's keyboard wherever it is, or in one port.
func (k *keyboard) source(port string) *evdev.Pad {
	return evdev.New(evdev.Settings{Name: "pad-1", Times: debounce.Pads(),
		Match: evdev.Match{Vendor: 0x0627, Product: 0x0001, Name: "QEMU QEMU USB Keyboard", Port: port}}, evdev.Kernel{Dir: "/dev/input"})
}

func (k *keyboard) bench() *hwtest.Bench {
	return &hwtest.Bench{Source: k.source(""), Keys: []string{"KP1", "KP2", "KPENTER"}, Lag: padLag,
		Set: k.set, Plug: k.plug, Unplug: k.unplug}
}

func TestUSBKeyboard(t *testing.T) {
	hwtest.ConformLive(t, func(t *testing.T) *hwtest.Bench { return newKeyboard(t).bench() })
}

// Public bug reports: input-remapper 486, tofi 129, neru 1385. A pad wraps each key in
// NumLock, or sends Home for 7.
func TestNumLockIsNoKeyAndChangesNone(t *testing.T) {
	k := newKeyboard(t)
	s := atWires(t, k.bench())
	k.set("NUMLOCK", true)
	s.Wait(8 * ms)
	k.set("KP1", true)
	k.set("NUMLOCK", false)
	s.Wait(padLag)
	k.set("KP1", false)
	s.Wait(padLag)
	k.tap(s, "NUMLOCK")
	k.tap(s, "KP7")
	k.tap(s, "HOME")
	s.Expect(0, "+KP1", "-KP1", "+KP7", "-KP7", "+KP7", "-KP7")
}

// Public bug reports: LazyTyper 95, bcon 10, logkeys 40. A key held while the plug is
// pulled stayed held, or was taken for a tap; the pad in another port stayed dead.
func TestPlugPulledWhileAKeyIsHeld(t *testing.T) {
	k := newKeyboard(t)

	port := portOf(t)
	s := hwtest.NewLiveSession(t, &hwtest.Bench{Source: k.source(port)})

	s.Start()
	s.ExpectChange(2*time.Second, hw.Came)
	for i := range 5 { // for a moment only, or for longer
		k.set("KP1", true)
		s.Expect(padLag+time.Duration(i*i)*30*ms, "+KP1")
		k.unplug()
		s.ExpectChange(time.Second, hw.Went)
		k.plug()
		s.ExpectChange(2*time.Second, hw.Came)
		k.set("KP1", false)
		s.Expect(padLag)
		k.tap(s, "KP2")
		s.Expect(0, "+KP2", "-KP2")
	}
	k.unplug()
	s.ExpectChange(time.Second, hw.Went)
	k.port = "2"
	k.plug()
	s.Wait(2 * time.Second) // in another port it stands in, which is told
	if _, notices := s.Take(); len(notices) != 2 || notices[0].Change != hw.Came || notices[1].Change != hw.Unknown {
		t.Errorf("told %+v", notices)
	}
	k.tap(s, "KP2")
	s.Expect(0, "+KP2", "-KP2")
}

// A unit on which any pad is welcome, beside another keyboard that was there first: the
// keyboard gives way to a pad, and does not take its place while the pad's plug is bumped.
func TestBumpedPadComesBackBesideAKeyboard(t *testing.T) {
	k := newKeyboard(t)
	s := hwtest.NewLiveSession(t, &hwtest.Bench{Source: evdev.New(evdev.Settings{Name: "pad-1", Times: debounce.Pads()}, evdev.Kernel{Dir: "/dev/input"})})
	s.Start()
	s.ExpectChange(2*time.Second, hw.Came)
	k.tap(s, "KP1")
	s.Expect(0, "+KP1", "-KP1")

	p := newPad(t, "bench/input0")
	s.Wait(3 * time.Second)
	_, told := s.Take()
	var changes []hw.Change
	for _, n := range told {
		changes = append(changes, n.Change)
	}
	if !slices.Equal(changes, []hw.Change{hw.Lost, hw.Came, hw.Unknown}) || told[2].Pad { // of the keyboard
		t.Fatalf("a pad beside a keyboard: told %+v", told)
	}
	for range 3 {
		p.unplug()
		s.ExpectChange(time.Second, hw.Went)
		s.Expect(3 * time.Second)
		k.tap(s, "KP1")
		s.Expect(0)
		p.plug()
		s.ExpectChange(2*time.Second, hw.Came)
		p.set("KP2", true)
		s.Expect(padLag, "+KP2")
		p.set("KP2", false)
		s.Expect(padLag, "-KP2")
	}
}

// portOf is the port that the kernel gives the keyboard, once it knows it.
func portOf(t *testing.T) string {
	t.Helper()
	for range 40 {
		if port := kernelsKeyboard(); port != "" {
			return port
		}
		time.Sleep(50 * ms)
	}
	t.Fatal("the kernel knows no keyboard")
	return ""
}

// kernelsKeyboard is the port of the keyboard that the kernel has, if it has one.
func kernelsKeyboard() string {
	host := evdev.Kernel{Dir: "/dev/input"}
	paths, _ := host.Nodes()
	for _, path := range paths {
		dev, err := host.Open(path)
		if err != nil {
			continue
		}
		id, err := dev.Identity()
		dev.Close()
		if err == nil && id.Vendor == 0x0627 {
			return id.Port
		}
	}
	return ""
}
