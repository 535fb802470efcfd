package evdev_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/debounce"
	"shoeboard/hw/evdev"
	"shoeboard/hw/hwtest"
)

const lag = 5 * time.Millisecond

// codes of the keys that the tests press.
var code = map[string]uint16{"KP1": 79, "KP2": 80, "KPENTER": 96, "HOME": 102, "NUMLOCK": 69}

func keys(ranges ...uint16) (list []uint16) {
	for i := 0; i < len(ranges); i += 2 {
		for c := ranges[i]; c <= ranges[i+1]; c++ {
			list = append(list, c)
		}
	}
	return list
}

// The devices that the tests plug in.
func pad(port string) evdev.Identity {
	return evdev.Identity{Match: evdev.Match{Vendor: 0x1a2c, Product: 0x2124, Name: "SEM USB Keypad", Port: port}, Keys: keys(1, 111)}
}

func keyboard(port string) evdev.Identity {
	return evdev.Identity{Match: evdev.Match{Vendor: 0x046d, Product: 0xc31c, Name: "Logitech USB Keyboard", Port: port}, Keys: keys(1, 127)}
}

func powerButton() evdev.Identity {
	return evdev.Identity{Match: evdev.Match{Name: "pwr_button"}, Keys: keys(116, 116)}
}

func settings() evdev.Settings {
	return evdev.Settings{Name: "pad-1", Match: pad("usb-1.2/input0").Match, Times: debounce.Pads()}
}

// desk is a pad, its input layer and a session.
type desk struct {
	*hwtest.Session
	in *hwtest.Input
}

// atDesk runs test in a bubble, with the pad of s started or not.
func atDesk(t *testing.T, s evdev.Settings, test func(t *testing.T, d *desk)) {
	synctest.Test(t, func(t *testing.T) {
		in := hwtest.NewInput()
		test(t, &desk{hwtest.NewSession(t, &hwtest.Bench{Source: evdev.New(s, in), Lag: lag}), in})
	})
}

// atPad runs a test with the enrolled pad in its port, which has come.
func atPad(t *testing.T, test func(t *testing.T, d *desk, n *hwtest.Node)) {
	atDesk(t, settings(), func(t *testing.T, d *desk) {
		n := d.in.Plug("event1", pad("usb-1.2/input0"))
		d.Start()
		d.ExpectChange(lag, hw.Came)
		test(t, d, n)
	})
}

func TestConformance(t *testing.T) {
	for _, silent := range []bool{false, true} {
		t.Run(fmt.Sprintf("silent folder %v", silent), func(t *testing.T) {
			hwtest.Conform(t, func(t *testing.T) *hwtest.Bench { return bench(silent) })
		})
	}
}

// bench is a pad whose replug gives another node, as a kernel does.
func bench(silent bool) *hwtest.Bench {
	in := hwtest.NewInput()
	if silent {
		in.Silent()
	}
	in.Plug("event0", powerButton())
	n, path := in.Plug("event1", pad("usb-1.2/input0")), "event1"
	levels, plugs := map[string]bool{}, 1
	return &hwtest.Bench{
		Source: evdev.New(settings(), in), Keys: []string{"KP1", "KP2", "KPENTER"}, Lag: lag,
		Set: func(pos string, down bool) {
			levels[pos] = down
			n.Key(code[pos], down)
		},
		Unplug: func() { in.Unplug(path) },
		Plug: func() {
			plugs++
			path = fmt.Sprintf("event%d", plugs)
			var held []uint16
			for pos, down := range levels {
				if down {
					held = append(held, code[pos])
				}
			}
			n = in.Plug(path, pad("usb-1.2/input0"), held...)
		},
	}
}

// Public bug report: input-remapper 486 (a ROTTAY pad), tofi 129, neru 1385.
func TestPadThatWrapsEachKeyInNumLock(t *testing.T) {
	atDesk(t, settings(), func(t *testing.T, d *desk) {
		n := d.in.Plug("event0", pad("usb-1.2/input0"))
		d.Start()
		d.ExpectChange(lag, hw.Came)
		n.Key(code["NUMLOCK"], true)
		d.Expect(8 * time.Millisecond)
		n.Key(code["KP1"], true)
		n.Key(code["NUMLOCK"], false)
		d.Expect(lag, "+KP1")
		n.Key(code["KP1"], false)
		d.Expect(lag, "-KP1")
		d.Wait(time.Second)
		n.Key(code["HOME"], true)
		n.Key(code["HOME"], false)
		d.Expect(lag, "+KP7", "-KP7")
	})
}

func TestDoubleZeroKeyIsOnePress(t *testing.T) {
	atDesk(t, settings(), func(t *testing.T, d *desk) {
		n := d.in.Plug("event0", pad("usb-1.2/input0"))
		d.Start()
		d.ExpectChange(lag, hw.Came)
		n.Key(82, true)
		n.Key(82, false)
		d.Wait(3 * time.Millisecond)
		n.Key(82, true)
		n.Key(82, false)
		d.Expect(time.Second, "+KP0", "-KP0")
	})
}

// A pad breaks at two in the morning: any other works at once, with a notice that stays, and
// gives way when the enrolled one is back. It is never enrolled by itself.
// Public bug reports: LazyTyper 95, bcon 10, logkeys 40.
func TestAnotherPadStandsIn(t *testing.T) {
	s := settings()
	s.Accepted = func(m evdev.Match) { t.Errorf("%v is enrolled", m) }
	spare := pad("usb-1.3/input0")
	spare.Vendor, spare.Name, spare.Keys = 0x04d9, "ACME Numeric Pad", []uint16{79, 80, 82, 96}
	atDesk(t, s, func(t *testing.T, d *desk) {
		n := d.in.Plug("event1", pad("usb-1.2/input0"))
		d.Start()
		d.ExpectChange(lag, hw.Came)
		n.Key(code["KP1"], true)
		d.Expect(lag, "+KP1")
		d.in.Unplug("event1")
		d.ExpectChange(time.Second, hw.Went)
		n = d.in.Plug("event2", spare)
		d.Wait(time.Second)
		_, notices := d.Take()
		if len(notices) != 2 || notices[0].Change != hw.Came || notices[1].Change != hw.Unknown || !notices[1].Pad ||
			!strings.Contains(notices[1].Text, "04d9:2124 at usb-1.3/input0 stands in for") || !strings.Contains(notices[1].Text, "keypad learn pad-1") {
			t.Fatalf("told %+v", notices)
		}
		n.Key(code["KP2"], true)
		d.Expect(lag, "+KP2")
		n.Key(code["KP2"], false)
		d.Expect(time.Minute, "-KP2") // the notice is said once, and holds
		n.Key(code["KP1"], true)
		d.Expect(lag, "+KP1")
		n = d.in.Plug("event3", pad("usb-1.2/input0"))
		d.Wait(2 * time.Second)
		_, notices = d.Take()
		if len(notices) < 2 || notices[0].Change != hw.Lost || notices[1].Change != hw.Came || !strings.Contains(notices[1].Text, "usb-1.2") {
			t.Fatalf("told %+v, want that the enrolled pad is back", notices)
		}
		n.Key(code["KP2"], true)
		d.Expect(lag, "+KP2")
		d.in.Unplug("event2")
		d.ExpectChange(time.Second, hw.Left)
	})
}

// With the enrolled pad missing nothing else becomes the dealer: no keyboard, no reader, no
// button.
func TestNoKeyboardStandsInForAnEnrolledPad(t *testing.T) {
	atDesk(t, settings(), func(t *testing.T, d *desk) {
		d.Start()
		d.ExpectChange(lag, hw.Went)
		for event, id := range map[string]evdev.Identity{"event1": keyboard("usb-1.1/input0"), "event2": badgeReader(), "event3": powerButton()} {
			n := d.in.Plug(event, id)
			d.Wait(2 * time.Second)
			n.Key(code["KP1"], true)
			n.Key(code["KP1"], false)
		}
		d.Wait(2 * time.Second)
		presses, notices := d.Take()
		if len(presses) > 0 {
			t.Errorf("pressed %v", presses)
		}
		for _, n := range notices {
			if n.Change == hw.Came {
				t.Errorf("told %+v", n)
			}
		}
	})
}

func badgeReader() evdev.Identity {
	return evdev.Identity{Match: evdev.Match{Vendor: 0xffff, Product: 0x0035, Name: "Sycreader USB Reader", Port: "usb-1.4/input0"}, Keys: keys(1, 127)}
}

// Public bug reports: google/periph 434. A badge held to its reader twice stopped the
// program; here the reader types, and is none of ours.
func TestBadgeThatIsReadTwiceIsNoPressAndHoldsNoneUp(t *testing.T) {
	atDesk(t, settings(), func(t *testing.T, d *desk) {
		n := d.in.Plug("event1", pad("usb-1.2/input0"))
		reader := d.in.Plug("event2", badgeReader())
		d.Start()
		d.Wait(lag)
		if _, notices := d.Take(); len(notices) != 2 || notices[0].Change != hw.Came || notices[1].Change != hw.Unknown {
			t.Fatalf("told %+v, want the pad taken and the reader named", notices)
		}
		for range 2 {
			for _, key := range []string{"KP1", "KP2", "KP1", "KPENTER"} {
				reader.Key(code[key], true)
				reader.Key(code[key], false)
			}
			n.Key(code["KP2"], true)
			d.Expect(lag, "+KP2")
			n.Key(code["KP2"], false)
			d.Expect(100*time.Millisecond, "-KP2")
		}
	})
}

// Where any pad is welcome, a reader that is there alone is not.
func TestBadgeReaderIsNotTakenForAPad(t *testing.T) {
	s := settings()
	s.Match = evdev.Match{}
	atDesk(t, s, func(t *testing.T, d *desk) {
		d.in.Plug("event1", badgeReader())
		d.Start()
		d.Wait(lag)
		if _, notices := d.Take(); len(notices) != 2 || notices[0].Change != hw.Unknown || notices[1].Change != hw.Went {
			t.Fatalf("told %+v, want the reader named and the pad missing", notices)
		}
		d.in.Plug("event2", pad("usb-1.9/input0"))
		d.ExpectChange(lag, hw.Came)
	})
}

func TestAnyNumericPadPrefersOneThatCallsItselfAPad(t *testing.T) {
	var accepted []evdev.Match
	s := settings()
	s.Match, s.Accepted = evdev.Match{}, func(m evdev.Match) { accepted = append(accepted, m) }
	atDesk(t, s, func(t *testing.T, d *desk) {
		d.in.Plug("event1", keyboard("usb-1.1/input0"))
		d.in.Plug("event2", pad("usb-1.9/input0"))
		d.Start()
		d.Wait(lag)
		_, notices := d.Take()
		if len(notices) != 2 || notices[0].Change != hw.Came || !strings.Contains(notices[0].Text, "SEM USB Keypad") || notices[1].Change != hw.Unknown {
			t.Fatalf("told %+v, want the pad taken and the keyboard named", notices)
		}
		if len(accepted) != 1 || accepted[0] != pad("usb-1.9/input0").Match {
			t.Errorf("accepted %v", accepted)
		}
	})
}

func TestTwoPadsOfOneMakeKeepToThemselves(t *testing.T) {
	s := settings()
	s.Others = []evdev.Match{pad("usb-1.3/input0").Match}
	atDesk(t, s, func(t *testing.T, d *desk) {
		d.in.Plug("event1", pad("usb-1.3/input0")) // pad-2, whose source has not started yet
		d.Start()
		d.ExpectChange(time.Minute, hw.Went)
		if d.in.Opened() != 0 {
			t.Error("the other source's pad is held")
		}
	})
}

func TestLostEventsLetGoOfEverything(t *testing.T) {
	atPad(t, func(t *testing.T, d *desk, n *hwtest.Node) {
		n.Key(code["KP1"], true)
		d.Expect(lag, "+KP1")
		n.Lose(map[uint16]bool{code["KP1"]: false, code["KP2"]: true})
		d.ExpectChange(lag, hw.Lost)
		n.Key(code["KP2"], false) // began unseen
		d.Expect(lag)
		d.Wait(time.Second)
		n.Key(code["KP1"], true)
		d.Expect(lag, "+KP1")
	})
}

// Seen on Linux 6.1: a keyboard that is unplugged releases its keys before it goes.
func TestKeyHeldAtTheUnplugIsNotLetGo(t *testing.T) {
	atDesk(t, settings(), func(t *testing.T, d *desk) {
		d.Start()
		d.ExpectChange(lag, hw.Went)
		for i := range 4 { // with a reader that is quick and one that is late
			n := d.in.Plug("event1", pad("usb-1.2/input0"))
			d.ExpectChange(2*time.Second, hw.Came)
			n.Key(code["KP1"], true)
			d.Expect(time.Duration(i)*20*time.Millisecond, "+KP1")
			d.in.Unplug("event1")
			d.ExpectChange(time.Second, hw.Went)
		}
	})
}

func TestPadThatIsPutToSleepLosesItsKeys(t *testing.T) {
	atPad(t, func(t *testing.T, d *desk, n *hwtest.Node) {
		n.Key(code["KP1"], true)
		d.Expect(lag, "+KP1")
		n.Sleep()
		d.Expect(400 * time.Millisecond)
		d.ExpectChange(200*time.Millisecond, hw.Lost)
		n.Key(code["KP1"], true)
		d.Expect(lag, "+KP1")
		n.Sleep()
		n.Key(code["KP2"], true) // awake again: what was lost is told first
		d.Wait(time.Second)
		presses, notices := d.Take()
		if len(presses) != 1 || presses[0].Pos != "KP2" || len(notices) != 1 || notices[0].Change != hw.Lost || notices[0].Seq > presses[0].Seq {
			t.Errorf("told %+v and %+v, want that keys were lost, and then KP2", notices, presses)
		}
	})
}

func TestMatchWithoutAPortTakesThePadWhereverItIs(t *testing.T) {
	s := settings()
	s.Match.Port, s.Match.Name = "", ""
	atDesk(t, s, func(t *testing.T, d *desk) {
		d.in.Plug("event1", keyboard("usb-1.1/input0"))
		volume := pad("usb-1.9/input1") // of the same make, without keys of a pad
		volume.Keys = keys(113, 115)
		d.in.Plug("event2", volume)
		d.Start()
		d.Wait(lag)
		if _, notices := d.Take(); len(notices) != 2 || notices[1].Change != hw.Went || !strings.Contains(notices[1].Text, "any numeric pad (1a2c:2124)") {
			t.Fatalf("told %+v, want that the keyboard is foreign and the pad missing", notices)
		}
		d.in.Plug("event3", pad("usb-1.9/input0"))
		d.ExpectChange(lag, hw.Came)
	})
}

func TestNodeThatUdevGivesUsLater(t *testing.T) {
	atDesk(t, settings(), func(t *testing.T, d *desk) {
		d.Start()
		d.ExpectChange(lag, hw.Went)
		n := d.in.Plug("event1", pad("usb-1.2/input0"))
		n.Deny(true)
		d.Expect(300 * time.Millisecond)
		n.Deny(false)
		d.ExpectChange(lag, hw.Came)
	})
}

func TestMissingRightAndBusyPadAreSaidOnce(t *testing.T) {
	atDesk(t, settings(), func(t *testing.T, d *desk) {
		n := d.in.Plug("event1", pad("usb-1.2/input0"))
		n.Deny(true)
		d.Start()
		d.ExpectChange(lag, hw.Went)
		if note := d.ExpectChange(time.Minute, hw.Faulty); !strings.Contains(note.Text, "group input") {
			t.Errorf("the missing right is told as %q", note.Text)
		}
		n.Busy(true)
		n.Deny(false)
		if note := d.ExpectChange(time.Minute, hw.Faulty); !strings.Contains(note.Text, "another program") {
			t.Errorf("the busy pad is told as %q", note.Text)
		}
		n.Busy(false)
		d.ExpectChange(2*time.Second, hw.Came)
	})
}

// A fresh unit, any pad welcome, beside another keyboard: the plug of the pad is bumped. The
// keyboard took the dealer's place, the pad was ignored when it came back, and nothing was
// wrong on the board.
func TestABumpedPadComesBackBesideAKeyboard(t *testing.T) {
	s := settings()
	s.Match = evdev.Match{}
	atDesk(t, s, func(t *testing.T, d *desk) {
		d.in.Plug("event1", keyboard("usb-1.1/input0"))
		d.in.Plug("event2", pad("usb-1.9/input0"))
		d.Start()
		d.Wait(lag)
		d.Take()
		for range 3 {
			d.in.Unplug("event2")
			d.Wait(5 * time.Second)
			if _, notices := d.Take(); len(notices) != 1 || notices[0].Change != hw.Went {
				t.Fatalf("without the pad: %+v", notices)
			}
			n := d.in.Plug("event2", pad("usb-1.9/input0"))
			d.ExpectChange(2*time.Second, hw.Came)
			n.Key(code["KP1"], true)
			d.Expect(lag, "+KP1")
			n.Key(code["KP1"], false)
			d.Expect(lag, "-KP1")
		}
	})
}

// A core that was started beside a keyboard alone takes that, until a pad is plugged in:
// then what is held on the keyboard counts no more, and the pad is the dealer's.
func TestAKeyboardThatStandsInGivesWayToAPad(t *testing.T) {
	s := settings()
	s.Match = evdev.Match{}
	atDesk(t, s, func(t *testing.T, d *desk) {
		k := d.in.Plug("event1", keyboard("usb-1.1/input0"))
		d.Start()
		d.ExpectChange(lag, hw.Came)
		k.Key(code["KP2"], true)
		d.Expect(lag, "+KP2")
		n := d.in.Plug("event2", pad("usb-1.9/input0"))
		d.Wait(2 * time.Second)
		_, notices := d.Take()
		if len(notices) < 2 || notices[0].Change != hw.Lost || notices[1].Change != hw.Came || !strings.Contains(notices[1].Text, "SEM USB Keypad") {
			t.Fatalf("told %+v, want that keys are lost and the pad is there", notices)
		}
		n.Key(code["KP1"], true)
		k.Key(code["KP2"], false)
		d.Expect(lag, "+KP1")
	})
}

// Whatever is plugged in while the dealer's own pad is there changes nothing; another pad
// is told as one that does nothing, for as long as it is there.
func TestAnotherPadDoesNotTakeTheDealersPlace(t *testing.T) {
	s := settings()
	s.Match = evdev.Match{}
	atDesk(t, s, func(t *testing.T, d *desk) {
		n := d.in.Plug("event2", pad("usb-1.9/input0"))
		d.Start()
		d.ExpectChange(lag, hw.Came)
		other := pad("usb-1.3/input0")
		other.Name, other.Keys = "ACME Numeric Pad", []uint16{79, 82, 96}
		d.in.Plug("event3", other)
		d.Wait(2 * time.Second)
		if _, notices := d.Take(); len(notices) != 1 || notices[0].Change != hw.Unknown || !notices[0].Pad {
			t.Fatalf("told %+v, want that a pad is ignored", notices)
		}
		n.Key(code["KP1"], true)
		d.Expect(lag, "+KP1")
		n.Key(code["KP1"], false)
		d.Expect(lag, "-KP1")

		d.in.Unplug("event2") // now the other stands in, and gives way when the first is back
		d.Wait(2 * time.Second)
		d.Take()
		d.in.Plug("event2", pad("usb-1.9/input0"))
		d.Wait(3 * time.Second)
		_, notices := d.Take()
		var last hw.Notice
		for _, c := range notices {
			if c.Change == hw.Came && !strings.Contains(c.Text, "SEM USB Keypad") {
				t.Errorf("told %+v", c)
			}
			last = c
		}
		if last.Change != hw.Unknown || !last.Pad {
			t.Errorf("told %+v, want at last that the other pad is ignored", notices)
		}
	})
}
