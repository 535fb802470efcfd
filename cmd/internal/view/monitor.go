package view

import (
	"fmt"
	"image"
	"log/slog"
	"math"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/display/scene"
)

// pixelShift returns how many pixels to each side a picture moves that is to leave no
// marks on its panel: more than a thin line is wide, less than any margin.
func pixelShift(s config.Screen) int {
	if s.PixelShift {
		return 4
	}
	return 0
}

// settledIn is how long a monitor must have had its size: a window that is opening
// and a monitor that wakes up change theirs a few times.
const settledIn = 3 * time.Second

// checkMonitor returns p's picture function; it logs each fault of the monitor once for
// each size.
func checkMonitor(log *slog.Logger, s config.Screen, full bool, p *Presenter) pictureFunc {
	var size image.Point
	var since time.Time
	logged := false
	return func(w, h int) ([]scene.Op, time.Duration) {
		if pw, ph := p.Setup.Rotation.Size(w, h); size != image.Pt(pw, ph) {
			size, since, logged = image.Pt(pw, ph), time.Now(), false
		}
		if full && !logged && time.Since(since) >= settledIn {
			logged = true
			for _, fault := range MonitorFaults(s, size.X, size.Y) {
				log.Warn("screen", "name", s.Name, "fault", fault)
			}
		}
		return p.Picture(w, h)
	}
}

// MonitorFaults returns what a technician should know of a monitor of w x h pixels that
// shows a [[screen]].
func MonitorFaults(s config.Screen, w, h int) (faults []string) {
	if want := s.Size; want != (config.Size{}) && (want.Width != w || want.Height != h) {
		faults = append(faults, fmt.Sprintf(
			"the monitor shows %dx%d, the configuration wants %s: another cable or socket, or size = \"auto\"",
			w, h, want))
	}
	if far := readFrom(s.Inches, w, h); far < 0.98*readFrom(27, 1920, 1080) {
		faults = append(faults, fmt.Sprintf(
			"the panel is too small (screen_inches = %d, %dx%d): the phase is to be read from %.1f m, "+
				"not from 8 m: expected 27 inches or more", s.Inches, w, h, far))
	}
	return faults
}

// readFrom returns from how many metres the phase can be read on a panel of so many
// inches: from 8 m on one of 27 inches, for which the board's measures are given.
func readFrom(inches, w, h int) float64 {
	base := min(float64(w)/1920, float64(h)/1080)
	if h > w {
		base = min(float64(w)/1080, float64(h)/1920)
	}
	const metres, reference = 8, 27 / 2202.9 // the diagonal of 1920x1080 in pixels
	return metres * base * float64(inches) / math.Hypot(float64(w), float64(h)) / reference
}
