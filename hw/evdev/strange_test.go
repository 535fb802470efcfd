package evdev_test

import (
	"strings"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/evdev"
	"shoeboard/hw/hwtest"
)

func TestForeignKeyboardIsNamedOnceAndLeftAlone(t *testing.T) {
	atPad(t, func(t *testing.T, d *desk, _ *hwtest.Node) {
		board := d.in.Plug("event2", keyboard("usb-1.4/input0"))
		if n := d.ExpectChange(lag, hw.Unknown); n.Pos != "" || n.Text != "keyboard 046d:c31c at usb-1.4/input0 is not enrolled and is ignored" {
			t.Errorf("told %+v", n)
		}
		board.Key(code["KP1"], true)
		d.in.Plug("event3", powerButton())
		d.Expect(time.Minute)
		if d.in.Opened() != 1 {
			t.Errorf("%d devices are open, want the pad alone", d.in.Opened())
		}
		d.in.Unplug("event2")
		d.ExpectChange(time.Second, hw.Left)
		d.in.Plug("event2", keyboard("usb-1.4/input0")) // came back: said again
		d.ExpectChange(lag, hw.Unknown)
		d.in.Plug("event4", keyboard("usb-1.5/input0"))
		d.ExpectChange(lag, hw.Unknown)
		d.in.Unplug("event2") // one is left
		d.Expect(time.Minute)
		d.in.Unplug("event4")
		d.ExpectChange(lag, hw.Left)
	})
}

// A pad that stands in and is pulled out again leaves nothing behind.
func TestAStandInThatGoesIsSaidToHaveLeft(t *testing.T) {
	atDesk(t, settings(), func(t *testing.T, d *desk) {
		d.Start()
		d.ExpectChange(lag, hw.Went)
		for range 2 {
			d.in.Plug("event1", pad("usb-1.3/input0"))
			d.Wait(time.Second)
			d.Take()
			d.in.Unplug("event1")
			d.Wait(2 * time.Second)
			if _, notices := d.Take(); len(notices) != 2 || notices[0].Change != hw.Went || notices[1].Change != hw.Left {
				t.Fatalf("told %+v", notices)
			}
		}
	})
}

// A device called itself a message to the players. What nobody has enrolled is named by
// its numbers, also when it was the table's pad and goes.
func TestADeviceHasNoWordsOfItsOwn(t *testing.T) {
	said := "TIE PAYS 40 TO 1"
	any := settings()
	any.Match = evdev.Match{}
	atDesk(t, any, func(t *testing.T, d *desk) {
		d.Start()
		d.ExpectChange(lag, hw.Went)
		first := pad("usb-1.2/input0")
		first.Name = said
		d.in.Plug("event1", first)
		d.ExpectChange(lag, hw.Came)
		board := keyboard("usb-1.4/input0")
		board.Name = said
		d.in.Plug("event2", board)
		strange := d.ExpectChange(lag, hw.Unknown)
		d.in.Unplug("event2")
		d.ExpectChange(lag, hw.Left)
		d.in.Unplug("event1")
		gone := d.ExpectChange(time.Second, hw.Went)
		for text, want := range map[string]string{strange.Text: "046d:c31c at usb-1.4/input0", gone.Text: "at usb-1.2/input0 was unplugged"} {
			if strings.Contains(text, "PAYS") || !strings.Contains(text, want) {
				t.Errorf("told %q, expected %q", text, want)
			}
		}
	})
}

// A pad that shows itself as two keyboards, as those that report every key at once do, was
// told as another keypad beside itself: a fault for as long as it was there.
func TestSecondInterfaceOfThePadIsNoOtherKeypad(t *testing.T) {
	any := settings()
	any.Match = evdev.Match{}
	for name, s := range map[string]evdev.Settings{"enrolled": settings(), "any": any} {
		atDesk(t, s, func(t *testing.T, d *desk) {
			plug := func(port string) {
				d.in.Plug("event1", pad(port+"/input0"))
				second := pad(port + "/input1")
				second.Name = "SEM USB Keypad Keyboard"
				d.in.Plug("event2", second)
			}
			plug("usb-1.2")
			d.Start()
			if d.ExpectChange(lag, hw.Came); d.in.Opened() != 1 {
				t.Errorf("%s: %d nodes are open", name, d.in.Opened())
			}
			d.Expect(time.Minute)
			d.in.Plug("event3", pad("usb-1.2.1/input0")) // a pad behind it is another one
			if n := d.ExpectChange(lag, hw.Unknown); !n.Pad {
				t.Errorf("%s: told %+v", name, n)
			}
			d.in.Unplug("event3")
			d.ExpectChange(time.Second, hw.Left)
			if s.Match != (evdev.Match{}) {
				return
			}
			d.in.Unplug("event1") // its nodes go one by one
			d.ExpectChange(time.Second, hw.Went)
			d.Expect(5 * time.Second)
			d.in.Unplug("event2")
			plug("usb-1.2")
			d.ExpectChange(2*time.Second, hw.Came)
			d.Expect(5 * time.Second)
		})
	}
	atDesk(t, settings(), func(t *testing.T, d *desk) { // nor of one that stands in
		d.Start()
		d.ExpectChange(lag, hw.Went)
		d.in.Plug("event1", pad("usb-1.3/input0"))
		d.in.Plug("event2", pad("usb-1.3/input1"))
		d.Wait(time.Second)
		if _, notices := d.Take(); len(notices) != 2 || d.in.Opened() != 1 {
			t.Errorf("told %+v, %d nodes are open", notices, d.in.Opened())
		}
	})
}
