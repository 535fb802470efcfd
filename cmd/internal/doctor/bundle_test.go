package doctor

import "testing"

func TestRedaction(t *testing.T) {
	redact := redactor("14", "1000000012345678")
	for text, want := range map[string]string{
		"eth0 b8:27:eb:01:02:03 up":                       "eth0 MAC up",
		"from 192.168.1.14 port 22":                       "from ADDRESS port 22",
		"inet6 fe80:0:0:0:ba27:ebff:fe01:203":             "inet6 ADDRESS",
		`device = "tcp://shoe14.example:4000"`:            `device = "tcp://HOST:4000"`,
		"ask somebody@example.com":                        "ask MAIL",
		"psk=hunter2 next":                                "psk=REDACTED next",
		"/home/somebody/x":                                "/home/USER/x",
		"table 14 at 18:04:05, 1920x1080, version v1.2.3": "table 14 at 18:04:05, 1920x1080, version v1.2.3",
		"usb-0000:01:00.0-1.2/input0 and 04d9:1203":       "usb-0000:01:00.0-1.2/input0 and 04d9:1203",
		"of 1000000012345678 here":                        "of UNIT here",
	} {
		if got := redact(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
