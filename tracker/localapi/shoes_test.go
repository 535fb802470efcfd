package localapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Shoes come as the core writes them, from the one that is asked for; a stream that breaks off
// is an error, so that nobody takes a part for the whole.
func TestShoesAreStreamed(t *testing.T) {
	long := strings.Repeat("shoe", 1<<18)
	path := socketPath(t)
	serve(t, path, Core{Shoes: func(_ context.Context, from uint64, out io.Writer) error {
		switch from {
		case 0:
			return errors.New("the index is not open yet")
		case 7:
			_, err := io.WriteString(out, long)
			return err
		}
		_, err := io.WriteString(out, "half")
		return errors.Join(err, errors.New("the index is damaged"))
	}})
	c := Client{Path: path}
	read := func(from uint64) (string, error) {
		body, err := c.Shoes(shortly(t), from)
		if err != nil {
			return "", err
		}
		defer body.Close()
		text, err := io.ReadAll(body)
		return string(text), err
	}
	if got, err := read(7); got != long || err != nil {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if got, err := read(8); err == nil {
		t.Errorf("%q, and nothing says that it broke off", got)
	}
	var a *AnswerError
	if _, err := read(0); !errors.As(err, &a) || a.Status != http.StatusConflict || !strings.Contains(a.Text, "not open yet") {
		t.Errorf("refused with %v", err)
	}
	if _, err := c.call(shortly(t), http.MethodGet, "shoes", map[string][]string{"from": {"-1"}}, nil); !errors.As(err, &a) || a.Status != http.StatusBadRequest {
		t.Errorf("of a number that is none: %v", err)
	}
	closed := socketPath(t)
	serve(t, closed, Core{})
	if _, err := (Client{Path: closed}).Shoes(shortly(t), 0); !errors.As(err, &a) || a.Status != http.StatusNotImplemented {
		t.Errorf("of a core without shoes: %v", err)
	}
}
