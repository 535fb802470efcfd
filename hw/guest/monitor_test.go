//go:build guest

package guest

import (
	"encoding/json"
	"io"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"shoeboard/hw/serial"
)

// monitor is QEMU's own, by which devices are plugged and keys pressed.
type monitor struct {
	t       *testing.T
	port    *serial.Port
	answers *json.Decoder
}

// patient reads on where a port returns nothing after its tenth of a second.
type patient struct{ *serial.Port }

func (p patient) Read(b []byte) (int, error) {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		if n, err := p.Port.Read(b); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// openMonitor begins to talk to QEMU. It is closed when the test ends.
func openMonitor(t *testing.T) *monitor {
	t.Helper()
	port, err := serial.Open("/dev/ttyS1", 115200)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { port.Close() })
	for b := make([]byte, 4096); ; { // what is left of a greeting or of events
		if n, err := port.Read(b); n == 0 || err != nil {
			break
		}
	}
	m := &monitor{t, port, json.NewDecoder(patient{port})}
	m.try("qmp_capabilities", nil) // fails when it has been done: it is one line for all tests
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
	order := values{"execute": command}
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
			Return any `json:"return"`
			Error  *struct{ Desc string }
		}
		if err := m.answers.Decode(&answer); err != nil {
			m.t.Fatalf("QEMU does not answer %s: %v", command, err)
		}
		if answer.Error != nil {
			return answer.Error.Desc
		}
		if answer.Return != nil { // and neither its greeting nor an event
			return ""
		}
	}
}

// awake keeps the processor busy until it is stopped. With nothing to do the guest's
// clock leaps to the next timer, while QEMU needs time of the host's to answer.
func awake() (stop func()) {
	var done atomic.Bool
	go func() {
		for !done.Load() {
			runtime.Gosched()
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
