package study_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"achilles/gridworld"
	"achilles/render/play"
	"achilles/render/study"
	"achilles/render/study/trial"
	"achilles/render/web"
)

// questions returns a study of two questions.
func questions() *study.Site {
	s := &study.Site{Settings: study.NewSettings(), Consent: "One.\r\n\r\nTwo\nlines.\n"}
	for i, text := range []string{"abcd", "wxyz"} {
		s.Items = append(s.Items, study.Item{ID: fmt.Sprintf("i-%d", i), Question: &study.Question{Text: text, Options: []string{"a", "e"}}})
	}
	return s
}

// worlds returns a study of one world, in which the reward falls into the third of four holes.
func worlds() *study.Site {
	x := trial.Pack(play.PracticeWorld(gridworld.Turning, 2))
	return &study.Site{Settings: study.NewSettings(), Items: []study.Item{{ID: "i-0", World: &x}}}
}

// published returns the files of a study, and its configuration.
func published(t *testing.T, s *study.Site) (fstest.MapFS, study.Page) {
	t.Helper()
	files, err := s.Files(&web.Program{Wasm: []byte("engine"), Glue: []byte("glue")})
	if err != nil {
		t.Fatal(err)
	}
	site := fstest.MapFS{}
	for name, b := range files {
		site[name] = &fstest.MapFile{Data: b}
	}
	c, err := study.ReadPage(site)
	if err != nil {
		t.Fatal(err)
	}
	return site, c
}

// TestFiles checks what a site has: all that participants need, no right answer but of practice, and an identity that changes with
// what they are shown.
func TestFiles(t *testing.T) {
	site, c := published(t, questions())
	if want := []string{"One.", "Two lines."}; !slices.Equal(c.Consent, want) || !slices.Equal(c.Order, []string{"i-0", "i-1"}) || c.Endpoint != "" || c.Progress != "" {
		t.Errorf("consent %q, order %q, endpoint %q", c.Consent, c.Order, c.Endpoint)
	}
	if got := string(site["items/i-1.json"].Data); got != `{"question":"wxyz","options":["a","e"]}` {
		t.Errorf("an item is %s", got)
	}
	if site["engine.wasm.gz"] != nil || len(c.Trials) == 0 {
		t.Error("a site of questions has a program, or no practice")
	}
	for _, x := range c.Trials {
		if !slices.Contains(x.Options, x.Answer) {
			t.Errorf("%q is none of %q", x.Answer, x.Options)
		}
	}
	other := questions()
	other.Pause++
	if _, d := published(t, other); d.Study == c.Study || len(c.Study) != 12 {
		t.Errorf("studies that differ are both called %s", c.Study)
	}
	site, c = published(t, worlds())
	if site["engine.wasm.gz"] == nil || site["wasm_exec.js"] == nil {
		t.Error("a site of worlds has no program")
	}
	holes := map[string]bool{}
	for _, x := range c.Trials {
		holes[x.World.World] = true
	}
	if len(holes) != 4 {
		t.Errorf("in practice, the reward falls into %d holes", len(holes))
	}
	if _, err := trial.Open(*c.Trials[0].World); err != nil {
		t.Error(err)
	}
}

// A disk is a file in memory that counts how much of it is safe, and fails if it is told to.
type disk struct {
	mu     sync.Mutex
	data   []byte
	at     int64
	synced int
	full   bool
}

func (d *disk) Read(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.at >= int64(len(d.data)) {
		return 0, io.EOF
	}
	n := copy(p, d.data[d.at:])
	d.at += int64(n)
	return n, nil
}

func (d *disk) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := len(p)
	if d.full {
		n /= 2
	}
	d.data = append(d.data[:d.at], p[:n]...)
	d.at += int64(n)
	if d.full {
		return n, errors.New("the disk is full")
	}
	return n, nil
}

func (d *disk) Seek(offset int64, _ int) (int64, error) { d.at = offset; return offset, nil }
func (d *disk) Truncate(size int64) error               { d.data = d.data[:size]; return nil }
func (d *disk) Sync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.synced = len(d.data)
	return nil
}

// safe returns what a crash would leave.
func (d *disk) safe() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return string(d.data[:d.synced])
}

func row(c study.Page, who string, n int, more string) string {
	return fmt.Sprintf(`{"study":%q,"participant":%q,"session":"x","row":%d,%s}`, c.Study, who, n, more)
}

func opened(t *testing.T, d study.Storage, c study.Page) *study.Log {
	t.Helper()
	l, err := study.OpenLog(d, c.Study, c.Order)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// TestLog checks that rows are safe before anybody hears that they were kept, that a row counts once, that what a crash left half
// written is cut off, and that a full disk loses nothing that was kept.
func TestLog(t *testing.T) {
	_, c := published(t, questions())
	d := &disk{}
	l := opened(t, d, c)
	first := row(c, "P1", 1, `"kind":"item","item":"i-1","answer":"e"`)
	for range 3 {
		if err := l.Append([]byte(first + "\n\n" + first)); err != nil {
			t.Fatal(err)
		}
		if d.safe() != first+"\n" {
			t.Fatalf("after an answer the disk has %q", d.safe())
		}
	}
	d.full = true
	second := row(c, "P1", 2, `"kind":"event","event":"practice passed"`)
	if err := l.Append([]byte(second)); err == nil || errors.Is(err, study.ErrRow) {
		t.Errorf("a full disk: %v", err)
	}
	d.full = false
	if err := l.Append([]byte(second)); err != nil || string(d.data) != first+"\n"+second+"\n" {
		t.Errorf("after a full disk (%v):\n%s", err, d.data)
	}
	if got := l.Done("P1"); !slices.Equal(got.Items, []string{"i-1"}) || got.Practised != "passed" || got.Ended {
		t.Errorf("done %+v", got)
	}
	if got := l.Done("P2"); got.Items == nil || len(got.Items) > 0 {
		t.Errorf("somebody new has done %+v", got)
	}
	l.Close()
	if err := l.Append([]byte(row(c, "P1", 3, `"kind":"event"`))); err == nil {
		t.Error("a closed log keeps rows")
	}

	torn := &disk{data: []byte(string(d.data) + row(c, "P2", 1, `"kind":"event"`)[:30])}
	again := opened(t, torn, c)
	if string(torn.data) != string(d.data) || len(again.Done("P1").Items) != 1 {
		t.Errorf("after a crash: %q", torn.data)
	}
	if err := again.Append([]byte(first + "\n" + row(c, "P2", 1, `"kind":"event","event":"finished"`))); err != nil || strings.Count(torn.safe(), "\n") != 3 {
		t.Errorf("going on after a crash (%v): %q", err, torn.safe())
	}
	if people, ended, items := again.Count(); people != 2 || ended != 1 || items != 1 {
		t.Errorf("%d participants, %d to the end, %d items", people, ended, items)
	}
	if _, err := study.OpenLog(&disk{data: []byte(first + "\nnonsense\n")}, c.Study, c.Order); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a broken line in the middle: %v", err)
	}
}

// TestRefuses checks that what is no row of the study is not kept, nor what came with it.
func TestRefuses(t *testing.T) {
	_, c := published(t, questions())
	d := &disk{}
	l := opened(t, d, c)
	good := row(c, "P1", 1, `"kind":"event"`)
	other := c
	other.Study = "another"
	for name, bad := range map[string]string{
		"no JSON": "x", "another study": row(other, "P1", 2, `"kind":"event"`), "nobody": row(c, "", 2, `"kind":"event"`), "no number": row(c, "P1", 0, `"kind":"event"`),
		"no kind": row(c, "P1", 2, `"kind":"?"`), "no such item": row(c, "P1", 2, `"kind":"item","item":"i-9"`), "a list": "[]",
		"too long": row(c, "P1", 2, `"kind":"event","x":"`+strings.Repeat("x", 1<<17)+`"`),
	} {
		if err := l.Append([]byte(good + "\n" + bad)); !errors.Is(err, study.ErrRow) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(d.data) > 0 {
		t.Errorf("kept %q", d.data)
	}
}

// TestServer checks that the server shows the site and nothing else, says where answers go, and that many participants at once lose
// nothing.
func TestServer(t *testing.T) {
	site, c := published(t, questions())
	f, err := os.Create(filepath.Join(t.TempDir(), "answers.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := opened(t, f, c)
	server := httptest.NewServer(study.Handler(site, c, l))
	defer server.Close()
	get := func(path string) (int, string) {
		t.Helper()
		r, err := server.Client().Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(b)
	}
	for path, want := range map[string]string{"/": "<title>Study</title>", "/study.js": "use strict", "/items/i-0.json": "abcd", "/study.json": `"endpoint":"answers"`, "/?participant=P1": "<title>", "/progress?participant=P1": `{"items":[],"practised":""}`} {
		if code, text := get(path); code != 200 || !strings.Contains(text, want) {
			t.Errorf("%s: %d\n%.200s", path, code, text)
		}
	}
	for _, path := range []string{"/items/", "/items", "/key.json", "/../key.json", "/%2e%2e/key.json", "/answers", "/answers.jsonl"} {
		if code, text := get(path); code < 400 && !strings.Contains(text, "<title>") {
			t.Errorf("%s: %d\n%.200s", path, code, text)
		}
	}
	const people = 20
	var all sync.WaitGroup
	for p := range people {
		all.Go(func() {
			for n := 1; n <= 5; n++ {
				text := row(c, fmt.Sprint("P", p), n, fmt.Sprintf(`"kind":"item","item":"i-%d","answer":"e"`, n%2))
				for range 2 { // a browser that did not hear the answer sends again
					r, err := server.Client().Post(server.URL+"/answers", "text/plain", strings.NewReader(text))
					if err != nil {
						t.Error(err)
						return
					}
					if r.Body.Close(); r.StatusCode != 200 {
						t.Errorf("status %s", r.Status)
					}
				}
			}
		})
	}
	all.Wait()
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range bytes.Lines(b) {
		var x map[string]any
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatal(err)
		}
		seen[fmt.Sprint(x["participant"], x["row"])] = true
	}
	if len(seen) != 5*people || bytes.Count(b, []byte("\n")) != 5*people {
		t.Errorf("%d rows of %d kept, in %d lines", len(seen), 5*people, bytes.Count(b, []byte("\n")))
	}
	if _, text := get("/progress?participant=P3"); text != "{\"items\":[\"i-1\",\"i-0\"],\"practised\":\"\"}\n" {
		t.Errorf("P3 has done %s", text)
	}
	for body, want := range map[string]int{"nonsense": 400, strings.Repeat("x", 5<<20): 413, "": 200} {
		r, err := server.Client().Post(server.URL+"/answers", "text/plain", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if r.Body.Close(); r.StatusCode != want {
			t.Errorf("%.10q: %s", body, r.Status)
		}
	}
	if r, err := http.Head(server.URL + "/"); err != nil || r.StatusCode != 200 {
		t.Errorf("HEAD: %v", err)
	} else {
		r.Body.Close()
	}
}

// TestGrading checks that questions are graded by the key, that steps which do not bear out a success are an error, and that a row
// and an item count once.
func TestGrading(t *testing.T) {
	site, c := published(t, questions())
	g := study.NewGrading(c, site, map[string]string{"i-0": "e", "i-1": "a"})
	var out strings.Builder
	in := strings.Join([]string{
		row(c, "P1", 1, `"kind":"event","event":"began"`), row(c, "P1", 2, `"kind":"item","item":"i-0","answer":"e"`), row(c, "P1", 2, `"kind":"item","item":"i-0","answer":"e"`),
		row(c, "P1", 3, `"kind":"item","item":"i-1","answer":"e"`), row(c, "P1", 4, `"kind":"item","item":"i-1","answer":"a"`), row(c, "P1", 5, `"kind":"attention","success":1`), row(c, "P1", 6, `"kind":"event","event":"finished"`),
	}, "\n")
	if err := g.Add(&out, strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Count(got, "\n") != 5 || !strings.Contains(got, `{"success":1,"study"`) || strings.Count(got, `"success":0`) != 1 {
		t.Errorf("graded:\n%s", got)
	}
	if got := strings.Join(g.Summary(), "\n"); got != "P1: 1 of 2 items passed, 1 of 1 attention checks\n1 participant, 5 rows; 1 item taken twice, counted once" {
		t.Errorf("the summary is\n%s", got)
	}
	if err := g.Add(io.Discard, strings.NewReader(row(c, "P2", 1, `"kind":"item","item":"i-1","answer":"e","success":1`))); err == nil {
		t.Error("a page grades its question itself")
	}

	site, c = published(t, worlds())
	const held = "stay stay stay stay stay stay stay stay stay "
	const right = held + "right forward forward left forward forward forward forward"
	for _, x := range []struct{ actions, success, want string }{
		{right, "1", ""},
		{right, "0", "not what its steps give"},
		{held + "left" + strings.Repeat(" stay", 50), "0", ""},
		{held + "left" + strings.Repeat(" stay", 50), "1", "not what its steps give"},
		{held, "0", "goes on"},
		{right + " stay", "1", "ended before"},
		{"fly", "1", "not an action"},
	} {
		g := study.NewGrading(c, site, nil)
		err := g.Add(io.Discard, strings.NewReader(row(c, "P1", 1, fmt.Sprintf(`"kind":"item","item":"i-0","success":%s,"actions":%q`, x.success, x.actions))))
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("success %s by %q: %v", x.success, x.actions, err)
		}
	}
}

// FuzzRows checks that nothing that a browser sends makes the log keep what it cannot read again.
func FuzzRows(f *testing.F) {
	c := study.Page{Study: "s", Order: []string{"i-0"}}
	f.Add(row(c, "P1", 1, `"kind":"item","item":"i-0"`) + "\r\n")
	f.Add(row(c, "P1", 1, `"kind":"event"`) + "\n{\"study\":\n")
	f.Fuzz(func(t *testing.T, text string) {
		d := &disk{}
		l, err := study.OpenLog(d, c.Study, c.Order)
		if err != nil {
			t.Fatal(err)
		}
		kept := l.Append([]byte(text))
		l.Close()
		again, err := study.OpenLog(&disk{data: bytes.Clone(d.data)}, c.Study, c.Order)
		if err != nil || kept != nil && len(d.data) > 0 {
			t.Fatalf("%q: %v; read again: %v", d.data, kept, err)
		}
		again.Close()
	})
}
