package evallog

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// read returns a value as encoding/json would with numbers as texts.
func read(s *scanner) (any, error) {
	c, err := s.peek()
	if err != nil {
		return nil, err
	}
	switch c {
	case '{':
		out := map[string]any{}
		return out, s.object(func(key string) (err error) {
			out[key], err = read(s)
			return err
		})
	case '[':
		out := []any{}
		return out, s.array(func() error {
			v, err := read(s)
			out = append(out, v)
			return err
		})
	}
	v, err := s.value()
	switch v.kind {
	case 'b':
		return v.num == 1, err
	case '0':
		return json.Number(v.text), err
	case '"':
		return v.text, err
	}
	return nil, err
}

// FuzzScanner checks the scanner against encoding/json: what is JSON there is the same here, whatever pieces it comes in, and skip ends
// where value does. A text that is no JSON is an error or is read without a panic.
func FuzzScanner(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-2.5e3,"x\"y\\",null,true],"b":{},"":[[],[{}]]}`, `"\u00e9\ud83d\ude00 \\\""`, `"\\\\"`, ` [ ] `, `{"a":NaN}`, `-Infinity`, `[1,]`, `{"a"}`, `"`, `"\`, `nul`, `1`, "\"\xff\"", "[\"\x01\"]", `{"a":1}}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := newScanner(iotest.OneByteReader(strings.NewReader(text)))
		got, err := read(s)
		if err == nil {
			err = s.ends()
		}
		skipped := newScanner(strings.NewReader(text))
		skip := skipped.skip()
		if skip == nil {
			skip = skipped.ends()
		}
		if err == nil && skip != nil {
			t.Errorf("%q is read and not skipped: %v", text, skip)
		}
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var want any
		if d.Decode(&want) != nil || len(text) > maxKey {
			return
		}
		if _, more := d.Token(); more != io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %#v, want %#v", text, got, want)
		}
	})
}

// TestScannerLimits checks that what is long is passed over or refused, and not held.
func TestScannerLimits(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	s := newScanner(strings.NewReader(`["` + long + `", 7]`))
	var got []value
	if err := s.array(func() error {
		v, err := s.value()
		got = append(got, v)
		return err
	}); err != nil || len(got) != 2 || !got[0].long || got[0].text != "" || got[1].num != 7 {
		t.Errorf("%+v, %v", got, err)
	}
	s = newScanner(strings.NewReader(`{"` + long + `": 7}`))
	if err := s.object(func(string) error { return s.skip() }); err == nil || !strings.Contains(err.Error(), "a key of more than 1024 bytes") {
		t.Error(err)
	}
	deep := newScanner(io.MultiReader(strings.NewReader(strings.Repeat("[", 1<<20)), strings.NewReader(strings.Repeat("]", 1<<20))))
	if err := deep.skip(); err != nil {
		t.Error(err)
	}
}
