package journal

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestACodeIsReadAsItIsShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Code
		for i := range c {
			c[i] = rapid.Byte().Draw(t, "byte")
		}
		text := c.String()
		if len(text) != 21 || strings.ContainsAny(text, "ILOU") {
			t.Fatalf("%q", text)
		}
		copied := strings.ToLower(strings.ReplaceAll(text, "-", " "))
		copied = strings.ReplaceAll(strings.ReplaceAll(copied, "0", "o"), "1", "l")
		if got, err := ParseCode(copied); err != nil || got != c {
			t.Fatalf("%q: %v, %v", copied, got, err)
		}
	})
}

// Every single letter that is misread, and every two neighbours that change places, are found.
func TestACodeThatIsMisread(t *testing.T) {
	c := codeOf(digestOf([]byte("a record")))
	letters := []byte(strings.ReplaceAll(c.String(), "-", ""))
	for i := range letters {
		for _, other := range []byte(alphabet) {
			wrong := []byte(string(letters))
			if wrong[i] == other {
				continue
			}
			wrong[i] = other
			if got, err := ParseCode(string(wrong)); err == nil {
				t.Errorf("%s is taken for %v", wrong, got)
			}
		}
		if i > 0 && letters[i] != letters[i-1] {
			wrong := []byte(string(letters))
			wrong[i], wrong[i-1] = wrong[i-1], wrong[i]
			if got, err := ParseCode(string(wrong)); err == nil {
				t.Errorf("%s is taken for %v", wrong, got)
			}
		}
	}
	for _, text := range []string{"", "K7QF", c.String() + "0", strings.Repeat("U", 17), strings.Repeat("é", 17)} {
		if _, err := ParseCode(text); err != ErrCode {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzParseCode(f *testing.F) {
	f.Add("K7QF-2M9D-XX4T-0P1R-Z")
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := ParseCode(text); err == nil {
			if again, err := ParseCode(c.String()); err != nil || again != c {
				t.Errorf("%q: %v, %v", text, again, err)
			}
		}
	})
}
