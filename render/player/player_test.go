package player_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"achilles/render/canvas"
	"achilles/render/picture"
	"achilles/render/player"
	"achilles/render/rendertest"
	"achilles/render/replay"
	"achilles/scenarios/score"
)

func open(t *testing.T, dir string) *replay.Archive {
	t.Helper()
	a, err := replay.Open(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

func page(t *testing.T, a *replay.Archive, rows []int) string {
	t.Helper()
	p := &player.Player{Title: "test & more"}
	for _, row := range rows {
		e, err := a.Episode(row)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	b, err := p.Page()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// data is what the script reads.
type data struct {
	Words    [][2]string
	Elements []string
	Frames   [][]int
}

var script = regexp.MustCompile(`(?s)<script type="application/json">(.*?)</script>`)

// TestEveryTickIsThere plays what the script reads, as the script does, and compares each frame with the picture of its tick.
func TestEveryTickIsThere(t *testing.T) {
	a := open(t, "../replay/testdata/embodied")
	rows, _ := player.MostWrong(a, 2)
	html := page(t, a, rows)
	all := script.FindAllStringSubmatch(html, -1)
	if len(all) != len(rows) {
		t.Fatalf("%d episodes, not %d", len(all), len(rows))
	}
	for k, m := range all {
		var d data
		if err := json.Unmarshal([]byte(m[1]), &d); err != nil {
			t.Fatal(err)
		}
		var pairs []string
		for _, w := range d.Words {
			pairs = append(pairs, w[0], w[1])
		}
		long := strings.NewReplacer(pairs...)
		e, err := a.Episode(rows[k])
		if err != nil {
			t.Fatal(err)
		}
		var view [2]float32
		box := regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)" role="img"`).FindAllStringSubmatch(html, -1)[k]
		for i := range view {
			for _, c := range box[i+1] {
				view[i] = 10*view[i] + float32(c-'0')
			}
		}
		var frame []int
		same := 0
		for tick, f := range d.Frames {
			if len(f) > 0 {
				frame = slices.Concat(frame[:f[0]], f[2:], frame[len(frame)-f[1]:])
			}
			c := canvas.New(view[0], view[1])
			picture.Moment{Episode: e, Tick: tick, Show: picture.All()}.Draw(c, c.Bounds())
			var got []string
			for _, i := range frame {
				got = append(got, long.Replace(d.Elements[i]))
			}
			if slices.Equal(got, canvas.SVG(c)) {
				same++
			}
		}
		if len(d.Frames) != e.Last+1 || same < len(d.Frames) {
			t.Errorf("%d of %d frames are those of the %d ticks", same, len(d.Frames), e.Last+1)
		}
	}
}

// TestPage checks that a page loads nothing, is small, is the same every time, escapes names, and has what there is to say.
func TestPage(t *testing.T) {
	for dir, want := range map[string][]string{
		"../replay/testdata/embodied": {"No hurdles: ", "Predicted without this response: p = ", `type="range"`, `aria-live="polite"`},
		"../replay/testdata/bib":      {"The world of "},
	} {
		a := open(t, dir)
		rows, wrong := player.MostWrong(a, player.Episodes)
		html := page(t, a, rows)
		if wrong {
			t.Errorf("%s: something is wrong, without a truth and a layout", dir)
		}
		if !strings.HasSuffix(dir, "bib") && html != page(t, a, rows) {
			t.Errorf("%s: two pages differ", dir)
		}
		if len(html) > 300_000 {
			t.Errorf("%s: %d bytes", dir, len(html))
		}
		for _, w := range append(want, "<title>test &amp; more</title>", "default-src 'none'") {
			if !strings.Contains(html, w) {
				t.Errorf("%s: no %q", dir, w)
			}
		}
		if regexp.MustCompile(`(?i)(src|href)=|url\(|@import`).MatchString(html) {
			t.Errorf("%s: the page loads something", dir)
		}
	}
}

// TestHurdles wants a row of the table for each hurdle that an item asks for, and the sentences below it.
func TestHurdles(t *testing.T) {
	a := open(t, "../replay/testdata/embodied")
	e, err := a.Episode(0)
	if err != nil {
		t.Fatal(err)
	}
	truth := 0.8
	e.Why = &score.Explanation{P: 0.2, Truth: &truth, Lapse: &score.Lapse{Floor: 0.05, Ceiling: 0.95, Lapses: true}, Turn: &score.Turn{Parameter: "memory", From: 0.8, To: 2.1, P: 0.61},
		Hurdles: []score.Cleared{{Name: "memory", Demands: []score.Demand{{Name: "time", Value: "4"}}, Asked: true, Mean: 0.25, Low: 0.1, High: 0.4, Truth: &truth}, {Name: "lava", Mean: 1}},
		Apart:   &score.Apart{Hurdle: "memory", Parameter: "memory", P: 0.79}}
	p := &player.Player{Title: "hurdles"}
	if err := p.Add(e); err != nil {
		t.Fatal(err)
	}
	got := p.Episodes[0]
	if got.Question != "Why p = 0.20?" || len(got.Hurdles) != 2 || got.Hurdles[0].Demand != "time 4" || got.Hurdles[0].Interval != "0.10–0.40" || got.Hurdles[1].Name != "all, and a lapse" || got.Hurdles[1].Truth != "0.80" {
		t.Errorf("%q, %+v", got.Question, got.Hurdles)
	}
	want := []string{"Not asked here: lava.", "Smallest change that turns it: with memory 2.1 instead of 0.8, p = 0.61.", "p differs from the truth by −0.60, most by memory: with its true value p = 0.79."}
	if sentences := got.Sentences[len(got.Sentences)-3:]; !slices.Equal(sentences, want) {
		t.Errorf("%q", sentences)
	}
	for turn, want := range map[score.Turn]string{
		{Parameter: "memory", From: 0.8, To: 0.801, P: 0.204}: "p is so near 0.5 that any small change turns it.",
		{Parameter: "memory", From: 0.8, To: 0.8, P: 0.61}:    "The uncertainty about memory decides: at its mean, 0.80, p = 0.61.",
	} {
		e.Why.Turn = &turn
		last := &player.Player{}
		if err := last.Add(e); err != nil || !slices.Contains(last.Episodes[0].Sentences, want) {
			t.Errorf("%v, %q, want %q", err, last.Episodes[0].Sentences, want)
		}
	}
	e.Why = &score.Explanation{P: 0.2, Hurdles: []score.Cleared{ // two learners' hurdles that are called by their parameters
		{Name: "rate, rationality", Parameters: []string{"rate", "rationality"}, Asked: true}, {Name: "visits", Parameters: []string{"visits"}},
		{Name: "winRate, rationality", Parameters: []string{"winRate", "rationality"}}, {Name: "winRate, visits", Parameters: []string{"winRate", "visits"}}}}
	if err := p.Add(e); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.Episodes[1].Sentences, " "); !strings.Contains(got, "Not asked here: visits, winRate. No change of one parameter, lapses apart,") {
		t.Errorf("names that stand twice: %q", got)
	}
}

// TestMostWrongOfManySubjects wants one episode of each subject before a second one of any.
func TestMostWrongOfManySubjects(t *testing.T) {
	a := &replay.Archive{}
	for i, subject := range []string{"a", "a", "b", "c"} {
		a.Rows = append(a.Rows, replay.Row{Subject: subject, HeldOut: &replay.HeldOut{P: 0.9 - 0.2*float64(i)}})
	}
	if rows, wrong := player.MostWrong(a, 3); !wrong || !slices.Equal(rows, []int{0, 2, 3}) {
		t.Errorf("rows %v", rows)
	}
	if rows, _ := player.MostWrong(a, 9); !slices.Equal(rows, []int{0, 2, 3, 1}) {
		t.Errorf("rows %v", rows)
	}
}

// TestBrowser plays a page in a browser by keys alone, and looks at it by the rules of axe-core, light and dark, at the widths of a desk and of a
// telephone.
func TestBrowser(t *testing.T) {
	browser := rendertest.Browser(t)
	a := open(t, "../replay/testdata/embodied")
	rows, _ := player.MostWrong(a, player.Episodes)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page(t, a, rows))) // an error means that the browser has ended
	}))
	defer server.Close()
	c := rendertest.Browse(t, browser, server.URL)
	c.Until("the page is there", "document.querySelectorAll('input[type=range]').length > 1")
	for _, width := range []int{1280, 400} {
		for _, scheme := range []string{"light", "dark"} {
			c.Resize(width, 800, 1)
			c.Call(nil, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}})
			c.Axe(fmt.Sprintf("%s, %d pixels wide", scheme, width))
			if wide := c.Eval("document.documentElement.scrollWidth > innerWidth"); wide != "false" {
				t.Errorf("at %d pixels the page is wider than the window", width)
			}
		}
	}
	for i := 0; c.Eval("document.activeElement.type") != "range"; i++ {
		if i == 20 {
			t.Fatal("no slider is reached by tab")
		}
		c.Press("Tab", "Tab", "")
	}
	c.Press("End", "End", "")
	c.Until("the slider says that it is at the end", "document.activeElement.value > 0 && document.activeElement.getAttribute('aria-valuetext').startsWith(`tick ${document.activeElement.max} of ${document.activeElement.max}`)")
}
