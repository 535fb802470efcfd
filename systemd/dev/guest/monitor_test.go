//go:build guest

package guest

import (
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/hw/linux"
)

// monitor is QEMU's own, by which devices are plugged and keys pressed.
type monitor struct {
	t       *testing.T
	port    *linux.Serial
	answers *json.Decoder
	asked   int
}

// patient reads on where a port returns nothing after its tenth of a second.
type patient struct{ *linux.Serial }

func (p patient) Read(b []byte) (int, error) {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		if n, err := p.Serial.Read(b); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// openMonitor begins to talk to QEMU. It is closed when the test ends.
func openMonitor(t *testing.T) *monitor {
	t.Helper()
	port, err := linux.OpenSerial("/dev/ttyS1", 115200)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { port.Close() })
	// Before the port was raw it may have echoed the greeting. 0xff has QEMU forget what
	// it heard, and complain; complaints, greetings and events are read off here.
	if _, err := port.Write([]byte{0xff, '\n'}); err != nil {
		t.Fatal(err)
	}
	for b := make([]byte, 4096); ; {
		if n, err := port.Read(b); n == 0 || err != nil {
			break
		}
	}
	m := &monitor{t: t, port: port, answers: json.NewDecoder(patient{port})}
	// It is one line for all tests, of which the first has done this.
	if err := m.try("qmp_capabilities", nil); err != "" && !strings.Contains(err, "already complete") {
		t.Fatal("QEMU: ", err)
	}
	return m
}

type values map[string]any

// do has QEMU do something and waits until it has.
func (m *monitor) do(command string, arguments values) {
	m.t.Helper()
	if err := m.try(command, arguments); err != "" {
		m.t.Fatalf("QEMU: %s %v: %s", command, arguments, err)
	}
}

func (m *monitor) try(command string, arguments values) string {
	m.t.Helper()
	m.asked++
	order := values{"execute": command, "id": m.asked}
	if arguments != nil {
		order["arguments"] = arguments
	}
	b, err := json.Marshal(order)
	if err != nil {
		m.t.Fatal(err)
	}
	defer awake()()
	if _, err := m.port.Write(append(b, '\n')); err != nil {
		m.t.Fatal(err)
	}
	for {
		var answer struct {
			Error *struct{ Desc string }
			ID    int
		}
		if err := m.answers.Decode(&answer); err != nil {
			m.t.Fatalf("QEMU does not answer %s: %v", command, err)
		}
		switch {
		case answer.ID != m.asked: // its greeting, an event, or a complaint of what came before
		case answer.Error != nil:
			return answer.Error.Desc
		default:
			return ""
		}
	}
}

// awake keeps the processor busy until it is stopped. With nothing to do the guest's
// clock leaps to the next timer, while QEMU needs time of the host's to answer. It
// gives way to whatever else there is to do.
func awake() (stop func()) {
	var done atomic.Bool
	go func() {
		runtime.LockOSThread() // for good: the thread ends with us
		idle := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE}
		_ = unix.SchedSetAttr(0, &idle, 0)
		for !done.Load() {
		}
	}()
	return func() { done.Store(true) }
}

// plug adds a USB device to a port of the root hub, or takes it away.
func (m *monitor) plug(id, driver, port string, more values) {
	m.t.Helper()
	arguments := values{"driver": driver, "id": id, "bus": "xhci.0", "port": port}
	for name, value := range more {
		arguments[name] = value
	}
	var err string
	for range 20 { // what it hangs on may not be free yet
		if err = m.try("device_add", arguments); err == "" {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	m.t.Fatalf("QEMU: device_add %v: %s", arguments, err)
}

func (m *monitor) unplug(id string) {
	m.t.Helper()
	m.do("device_del", values{"id": id})
}

// key moves a key of the keyboard that was plugged last.
func (m *monitor) key(qcode string, down bool) {
	m.t.Helper()
	m.do("input-send-event", values{"events": []values{
		{"type": "key", "data": values{"down": down, "key": values{"type": "qcode", "data": qcode}}},
	}})
}
