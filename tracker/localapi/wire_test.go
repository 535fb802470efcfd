package localapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"shoeboard/stats"
)

// parsePress reads the body of a press, as the core does.
func parsePress(data []byte) (key string, down bool, err error) {
	c := Core{Press: func(_ context.Context, k string, d bool) error { key, down = k, d; return nil }}
	_, err = c.press(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(data)))
	return key, down, err
}

func parseCorrection(data []byte) (c Correction, err error) {
	if err = decodeStrict(data, &c); err == nil {
		err = c.check()
	}
	return c, err
}

func TestParsePress(t *testing.T) {
	for _, c := range []struct {
		body string
		key  string
		down bool
		says string
	}{
		{body: `{"key":"BANKER","down":true}`, key: "BANKER", down: true},
		{body: ` {"down":false,"key":"dragon-7"} ` + "\n", key: "dragon-7"},
		{body: ``, says: "not understood"},
		{body: `{"key":"BANKER"}`, says: "missing"},
		{body: `{"down":true}`, says: "missing"},
		{body: `{"key":"OK","down":null}`, says: "missing"},
		{body: `{"key":"OK","down":1}`, says: "not understood"},
		{body: `{"key":"OK","down":true,"twice":true}`, says: "not understood"},
		{body: `{"key":"OK","down":true}{"key":"OK","down":false}`, says: "follows"},
		{body: `{"key":"O\nK","down":true}`, says: "plain letters"},
		{body: `["OK",true]`, says: "not understood"},
	} {
		key, down, err := parsePress([]byte(c.body))
		if c.says == "" && (err != nil || key != c.key || down != c.down) {
			t.Errorf("%s: %q %v %v", c.body, key, down, err)
		}
		if c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "expected")) {
			t.Errorf("%s: error %v, want %q and what was expected", c.body, err, c.says)
		}
	}
}

func TestParseScreenTest(t *testing.T) {
	for _, c := range []struct {
		query  string
		page   string
		forced bool
		says   string
	}{
		{query: ""},
		{query: "page=", page: ""},
		{query: "page=labels-ko", page: "labels-ko"},
		{query: "page=white&force=true", page: "white", forced: true},
		{query: "page=white&force=false", page: "white"},
		{query: "page=wite", says: "did you mean white? expected one of pattern"},
		{query: "page=\xff", says: "expected one of pattern"},
		{query: "page=white&force=perhaps", says: `force "perhaps", expected true or false`},
	} {
		q, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		page, forced, err := parseScreenTest(q)
		if c.says == "" && (err != nil || page != c.page || forced != c.forced) {
			t.Errorf("%q: %q %v %v", c.query, page, forced, err)
		}
		if c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%q: error %v, want %q", c.query, err, c.says)
		}
	}
}

func FuzzParsePress(f *testing.F) {
	for _, s := range []string{`{"key":"BANKER","down":true}`, `{"key":"dragon-7","down":false}`, `{"key":1}`, `{}`, `{"key":"OK","down":true} x`, "\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		key, down, err := parsePress(data)
		if err != nil {
			var a *AnswerError
			if !errors.As(err, &a) || a.Status != 400 {
				t.Fatalf("refused with %#v", err)
			}
			return
		}
		if key == "" || len(key) > maxKey || !isKeyName(key) {
			t.Fatalf("key %q was let through", key)
		}
		again, err := json.Marshal(press{Key: key, Down: &down})
		if err != nil {
			t.Fatal(err)
		}
		if k, d, err := parsePress(again); k != key || d != down || err != nil {
			t.Fatalf("%s reads back as %q %v %v", again, k, d, err)
		}
	})
}

func FuzzParseSeconds(f *testing.F) {
	for _, s := range []string{"0", "10", "600", "601", "-1", "", "1e3", "९"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := parseSeconds(s)
		if err == nil && (d < 0 || d > maxIdentify*time.Second || d%time.Second != 0) {
			t.Fatalf("%q gave %v", s, d)
		}
		if err != nil && d != 0 {
			t.Fatalf("%q gave %v with an error", s, d)
		}
	})
}

func FuzzDecodeBoard(f *testing.F) {
	for _, b := range []*stats.Board{board(1, 0), board(2, 9), {}} {
		data, err := json.Marshal(b)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`null`))
	f.Add([]byte(`{"version":1,"shoe":{"marks":[{"o":9}]}}`))
	f.Fuzz(comesBack)
}

// A board that takes more bytes as we write it than are read is not read again.
func TestBoardThatGrowsPastWhatIsRead(t *testing.T) {
	comesBack(t, []byte(`{"version":1,"table":"`+strings.Repeat("<", maxBoard/5)+`"}`))
	comesBack(t, []byte(`{"version":1,"faults":[{}`+strings.Repeat(",{}", maxBoard/20)+`]}`))
}

// comesBack holds that what is read as a board is written and read again as it is.
func comesBack(t *testing.T, data []byte) {
	b, err := decodeBoard(data)
	if (b == nil) == (err == nil) {
		t.Fatalf("board %v with error %v", b, err)
	}
	if err != nil {
		return
	}
	again, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	back, err := decodeBoard(again)
	if (err != nil) != (len(again) > maxBoard) {
		t.Fatalf("%d bytes as we write it: %v", len(again), err)
	}
	if err != nil {
		return
	}
	if once, _ := json.Marshal(back); string(once) != string(again) {
		t.Fatalf("%s\ncomes back as\n%s", again, once)
	}
}

func TestDecodeBoardIgnoresWhatItDoesNotKnow(t *testing.T) {
	b, err := decodeBoard([]byte(`{"version":1,"seq":4,"hologram":{"on":true},"shoe":{"colour":"red"}}`))
	if err != nil || b.Seq != 4 {
		t.Errorf("%+v, %v", b, err)
	}
}

func TestBoardWithEverythingSurvives(t *testing.T) {
	want := fullBoard(1)
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > maxBoard/10 {
		t.Errorf("a full board has %d bytes, more than a tenth of what is read", len(data))
	}
	got, err := decodeBoard(data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("the board came back changed")
	}
}

// fullBoard has an 88-hand shoe and a previous one.
func fullBoard(seq uint64) *stats.Board {
	b := board(seq, 88)
	prev := shoe(2, 88)
	b.Previous = &prev
	return b
}

// Goal: at most 1.5 ms.
func BenchmarkBoardToJSONAndBack(b *testing.B) {
	full := fullBoard(1)
	b.ReportAllocs()
	for b.Loop() {
		data, err := json.Marshal(full)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := decodeBoard(data); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(data)))
	}
}

func BenchmarkPublish(b *testing.B) {
	hub, full := NewHub(), fullBoard(1)
	b.ReportAllocs()
	for b.Loop() {
		hub.Publish(full)
	}
}

// From Publish in the core to the Board in another process's hands.
func BenchmarkPublishToClient(b *testing.B) {
	dir := b.TempDir()
	l, err := Listen(filepath.Join(dir, "s"))
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	hub, ended := NewHub(), make(chan error, 1)
	go func() { ended <- Serve(ctx, l, Core{Hub: hub}) }()
	next, stop := iter.Pull(Client{Path: filepath.Join(dir, "s")}.Boards(ctx))
	next() // connected
	full, seq := fullBoard(1), uint64(0)
	for b.Loop() {
		seq++
		now := *full
		now.Seq = seq
		hub.Publish(&now)
		if u, _ := next(); u.Board == nil || u.Board.Seq != seq {
			b.Fatalf("want board %d, got %+v", seq, u)
		}
	}
	stop()
	cancel()
	if err := <-ended; err != nil {
		b.Error(err)
	}
}

// A hand without an outcome is one that the shoe says is lost, and no other.
func TestABoardWithALostHandIsRead(t *testing.T) {
	for text, good := range map[string]bool{
		`{"version":1,"shoe":{"marks":[{"o":1},{"o":0}],"lost":[2]}}`: true,
		`{"version":1,"shoe":{"marks":[{"o":1},{"o":0}],"lost":[1]}}`: false,
		`{"version":1,"shoe":{"marks":[{"o":1},{"o":0}]}}`:            false,
		`{"version":1,"shoe":{"marks":[{"o":4}],"lost":[1]}}`:         false,
	} {
		if _, err := decodeBoard([]byte(text)); (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestParseCorrection(t *testing.T) {
	free := true
	for text, want := range map[string]*Correction{
		`{"do":"fix","hand":43,"token":"P"}`:                                       {Do: "fix", Hand: 43, Token: "P"},
		`{"do":"insert","hand":1,"token":"b d7","free":true,"by":"a","why":"cut"}`: {Do: "insert", Hand: 1, Token: "b d7", Free: &free, By: "a", Why: "cut"},
		`{"do":"remove","hand":7}`:                                                 {Do: "remove", Hand: 7},
		`{"do":"remove","hand":7,"token":"P"}`:                                     nil,
		`{"do":"fix","hand":7}`:                                                    nil,
		`{"do":"fix","hand":0,"token":"P"}`:                                        nil,
		`{"do":"move","hand":1,"token":"P"}`:                                       nil,
		`{"do":"fix","hand":7,"token":"P","at":1}`:                                 nil,
		`{"do":"fix","hand":7,"token":"P"}{"do":"fix"}`:                            nil,
		`{"do":"fix","hand":1e99,"token":"P"}`:                                     nil,
		``:                                                                         nil,
	} {
		got, err := parseCorrection([]byte(text))
		if (err == nil) != (want != nil) || want != nil && !reflect.DeepEqual(got, *want) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

func FuzzParseCorrection(f *testing.F) {
	f.Add([]byte(`{"do":"insert","hand":1,"token":"b d7","free":true,"by":"a","why":"cut"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseCorrection(data)
		if err != nil {
			return
		}
		again, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := parseCorrection(again); err != nil || !reflect.DeepEqual(back, c) {
			t.Fatalf("%+v comes back as %+v, %v", c, back, err)
		}
	})
}
