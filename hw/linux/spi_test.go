package linux

import (
	"strings"
	"testing"
)

func TestWhatIsNoSPIPortIsAClearError(t *testing.T) {
	for path, says := range map[string]string{
		"/dev/spidev199.7": "group spi", "/dev/i2c-1": "/dev/spidev0.0", "": "/dev/spidev0.0", "/dev/spidev0": "/dev/spidev0.0",
	} {
		if _, err := OpenSPI(path); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want something with %q", path, err, says)
		}
	}
}
