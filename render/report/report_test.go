package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"achilles/render/figure"
	"achilles/render/rendertest"
	"achilles/render/report"
	"achilles/scenarios/score"
	"achilles/sim/record"
)

var update = flag.Bool("update", false, "rewrite the golden texts in testdata")

func encode(t testing.TB, p *report.Page) []byte {
	t.Helper()
	b, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func pages(t testing.TB) map[string][]byte {
	return map[string][]byte{"results": encode(t, report.Results(rendertest.Results(), "achilles view .")), "watched": encode(t, report.Results(rendertest.Watched(), "achilles view .")),
		"analysis": encode(t, report.Analysis(rendertest.Analysis())), "ctest": encode(t, report.Results(rendertest.CTest(), "achilles view ."))}
}

// words returns the texts of a page, one element on each line, without its figures, style and script.
func words(page []byte) string {
	s := string(page)
	for _, cut := range []string{`(?s)<style>.*?</style>`, `(?s)<script>.*?</script>`, `(?s)<svg.*?</svg>`} {
		s = regexp.MustCompile(cut).ReplaceAllString(s, "")
	}
	s = regexp.MustCompile(`</(th|td|dt|a)>`).ReplaceAllString(s, "\t")
	s = regexp.MustCompile(`<small>`).ReplaceAllString(s, " / ")
	s = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(s, "")
	s = regexp.MustCompile(`[ \t]*\n\s*`).ReplaceAllString(s, "\n")
	return strings.TrimSpace(s) + "\n"
}

// TestWords compares the texts of every kind of report, without figures, with golden files.
func TestWords(t *testing.T) {
	for name, page := range pages(t) {
		file := filepath.Join("testdata", name+".txt")
		got := words(page)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s says something else; -update rewrites it. It says:\n%s", file, got)
		}
	}
}

// TestSameBytes checks that the same material gives the same bytes.
func TestSameBytes(t *testing.T) {
	again := pages(t)
	for name, page := range pages(t) {
		if !bytes.Equal(page, again[name]) {
			t.Errorf("two reports of %s differ", name)
		}
	}
}

// TestStandsAlone checks that a page loads nothing, and links only to its own parts.
func TestStandsAlone(t *testing.T) {
	for name, page := range pages(t) {
		s := strings.ReplaceAll(string(page), `xmlns="http://www.w3.org/2000/svg"`, "")
		for _, bad := range []string{"http:", "https:", "//cdn", "src=", "@import", "url(", "<link", "fetch(", "XMLHttp"} {
			if strings.Contains(s, bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
		for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(s, -1) {
			if !strings.HasPrefix(m[1], "#") {
				t.Errorf("%s links to %s", name, m[1])
			}
			if !strings.Contains(s, `id="`+m[1][1:]+`"`) {
				t.Errorf("%s has no part %s", name, m[1])
			}
		}
	}
}

// TestWellFormed checks that the page is valid XML, apart from void elements and the script, and that it contains no
// NaN and no id twice.
func TestWellFormed(t *testing.T) {
	for name, page := range pages(t) {
		s := string(page)
		d := xml.NewDecoder(strings.NewReader(regexp.MustCompile(`<(meta [^>]*|br)>`).ReplaceAllString(strings.TrimPrefix(regexp.MustCompile(`(?s)<script>.*?</script>`).ReplaceAllString(s, ""), "<!DOCTYPE html>\n"), "")))
		d.Entity = xml.HTMLEntity
		ids := map[string]bool{}
		for {
			tok, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := tok.(xml.StartElement); ok {
				for _, a := range e.Attr {
					if a.Name.Local == "id" && ids[a.Value] {
						t.Errorf("%s: two elements are called %s", name, a.Value)
					} else if a.Name.Local == "id" {
						ids[a.Value] = true
					}
				}
			}
		}
		if strings.Contains(s, "NaN") || strings.Contains(s, "ZgotmplZ") {
			t.Errorf("%s has what is no number, or what no browser may read", name)
		}
	}
}

// TestMarkupOfNames checks that markup in a subject's name is shown as text.
func TestMarkupOfNames(t *testing.T) {
	page := pages(t)["results"]
	if bytes.Contains(page, []byte("<b>agent-10")) || !bytes.Contains(page, []byte("&lt;b&gt;agent-10&lt;/b&gt;")) {
		t.Error("a name is taken for markup")
	}
}

// TestWarningsFirst checks that doubts stand before the numbers that they are about, and again as notes at the numbers.
func TestWarningsFirst(t *testing.T) {
	m := rendertest.Results()
	m.Scores.Unblinded = true
	s := words(encode(t, report.Results(m, "")))
	at := func(text string) int {
		k := strings.Index(s, text)
		if k < 0 {
			t.Errorf("the page does not say %q", text)
		}
		return k
	}
	order := []int{at("UNBLINDED: inferred after the seal was opened. Do not report this as blind recovery."), at("something is not graded"), at("R-hat of op is 1.02"), at("agent-2[2]"), at("What was run\nData")}
	for i := 1; i < len(order); i++ {
		if order[i] < order[i-1] {
			t.Errorf("part %d of the page comes too early", i)
		}
	}
}

// TestLittle checks the report of a directory in which nothing was inferred.
func TestLittle(t *testing.T) {
	m := rendertest.Results()
	s := words(encode(t, report.Results(&figure.Material{Dir: ".", Name: "Results", Public: m.Public}, "achilles infer .")))
	if !strings.Contains(s, "3 subjects took 12 items; not scored yet.") || strings.Contains(s, "Profiles") {
		t.Errorf("it says:\n%s", s)
	}
}

// TestPlay adds a player to the section of what is most wrong, and none to a page without one.
func TestPlay(t *testing.T) {
	m := rendertest.Results()
	truth := 0.5
	m.Scores.Misses = []score.Miss{{Subject: "agent-1", ID: "s-1", Item: "i-1", P: 0.1, Truth: &truth, Hurdle: "memory"}}
	for _, c := range []struct{ has, want bool }{{true, true}, {false, false}} {
		if !c.has {
			m.Scores.Misses = nil
		}
		p := report.Results(m, "")
		p.Play("<b>a player</b>")
		b, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(b), "<b>a player</b>") && strings.Contains(string(b), "Where the profiles are most wrong"); got != c.want {
			t.Errorf("with misses %v, the page has a player: %v", c.has, got)
		}
	}
}

// TestCrowdedPage checks that the page of more subjects than it shows is short, and has the most and the least able of them.
func TestCrowdedPage(t *testing.T) {
	m := rendertest.Results()
	first := m.Scores.Profiles[0]
	m.Scores.Profiles, m.Scores.Verdicts, m.Scores.Recovery, m.Result = nil, nil, nil, nil
	const n = 5000
	for i := range n {
		p := first
		p.Name, p.Subject, p.Stacked, p.Mean = fmt.Sprintf("crowd-%04d", i), "", nil, float64((i*7919)%n)
		m.Scores.Profiles = append(m.Scores.Profiles, p)
	}
	page := encode(t, report.Results(m, ""))
	if len(page) > 100_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
	rows := regexp.MustCompile(`(?s)<section id="profiles">.*?</table>`).Find(page)
	if got := len(regexp.MustCompile(`crowd-`).FindAll(rows, -1)); got != 20 {
		t.Errorf("the page has the profiles of %d subjects", got)
	}
	for i := range n {
		rank := (i * 7919) % n
		if name := fmt.Sprintf("crowd-%04d", i); bytes.Contains(rows, []byte(name)) != (rank < 10 || rank >= n-10) {
			t.Errorf("%s is the least able but %d: shown or not against the rule", name, rank)
		}
	}
}

// never implements figure.Chances: nothing ever succeeds.
type never struct{}

func (never) Row(r *record.Response) int     { return int(r.Item) }
func (never) Size() (draws, rows int)        { return 1, 12 }
func (never) Of(string) ([][]float64, error) { return [][]float64{make([]float64, 12)}, nil }

// TestMisfits wants the proportions outside of their intervals among the warnings and with the predictions, beside how many are expected.
func TestMisfits(t *testing.T) {
	m := rendertest.Results()
	m.Chances = never{}
	page := report.Results(m, "")
	if !slices.ContainsFunc(page.Doubts, func(d score.Doubt) bool {
		return regexp.MustCompile(`^\d+ of 14 proportions of successes lie outside their 90 % posterior predictive interval, 0 expected`).MatchString(d.Text)
	}) {
		t.Errorf("%+v", page.Doubts)
	}
	if html, err := page.Encode(); err != nil || strings.Count(string(html), "of 14 proportions of successes") != 2 {
		t.Errorf("the page says it elsewhere than twice: %v", err)
	}
}
