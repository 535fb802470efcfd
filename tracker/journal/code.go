package journal

import (
	"errors"
	"strings"
)

// Code shows the chain up to a record in letters that a camera can keep: the first 80 bits
// of the record's hash, and a letter by which a misread one is found.
type Code [codeBytes]byte

const (
	codeBytes   = 10
	codeLetters = 16
	// alphabet is Crockford's base 32: no I, L, O and U, which are misread.
	alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

// ErrCode says that a text is no code, or has a letter that was misread.
var ErrCode = errors.New("one letter was misread, or it is not whole: " +
	"expected 17 letters and digits as the board shows them, such as K7QF-2M9D-XX4T-0P1R-Z")

// codeOf returns the code of a record's hash.
func codeOf(hash digest) Code { return Code(hash[:codeBytes]) }

// IsZero reports whether there is no code.
func (c Code) IsZero() bool { return c == Code{} }

// letters returns the 16 values of 5 bits that the code has.
func (c Code) letters() (values [codeLetters]byte) {
	bits, n, at := 0, 0, 0
	for _, b := range c {
		for bits, n = bits<<8|int(b), n+8; n >= 5; at++ {
			n -= 5
			values[at] = byte(bits >> n & 31)
		}
	}
	return values
}

// check returns the value of the letter that guards 16 others: a polynomial over the field
// of 32 elements, by which one wrong letter is found, and two that changed places.
func check(values [codeLetters]byte) (sum byte) {
	for _, v := range values {
		if sum <<= 1; sum >= 32 {
			sum ^= 0b100101 // x^5 = x^2 + 1
		}
		sum ^= v
	}
	if sum <<= 1; sum >= 32 {
		sum ^= 0b100101
	}
	return sum
}

// String returns the code in groups: "K7QF-2M9D-XX4T-0P1R-Z".
func (c Code) String() string {
	values := c.letters()
	var text strings.Builder
	for i, v := range values {
		if i > 0 && i%4 == 0 {
			text.WriteByte('-')
		}
		text.WriteByte(alphabet[v])
	}
	return text.String() + "-" + string(alphabet[check(values)])
}

// ParseCode reads a code as a person copies it: in any case, with any spaces and dashes, O
// for 0, I and L for 1. Errors: ErrCode.
func ParseCode(text string) (Code, error) {
	plain := strings.NewReplacer("-", "", " ", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(text))
	if len(plain) != codeLetters+1 {
		return Code{}, ErrCode
	}
	var values [codeLetters]byte
	for i := range plain {
		v := strings.IndexByte(alphabet, plain[i])
		switch {
		case v < 0 || i == codeLetters && byte(v) != check(values):
			return Code{}, ErrCode
		case i < codeLetters:
			values[i] = byte(v)
		}
	}
	return pack(values), nil
}

// pack returns the code that has these letters.
func pack(values [codeLetters]byte) (c Code) {
	bits, n, at := 0, 0, 0
	for _, v := range values {
		if bits, n = bits<<5|int(v), n+5; n >= 8 {
			n -= 8
			c[at] = byte(bits >> n)
			at++
		}
	}
	return c
}
