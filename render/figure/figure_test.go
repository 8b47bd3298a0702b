package figure_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"achilles/infer"
	"achilles/render/figure"
	"achilles/render/figure/chart"
	"achilles/render/rendertest"
	"achilles/sim/part"
	"achilles/sim/record"
)

func names(m *figure.Material) (shown, all []string) {
	for _, e := range m.Entries() {
		all = append(all, e.Name)
		if e.Section != "" {
			shown = append(shown, e.Name)
		}
	}
	return shown, all
}

// TestEverythingIsDrawn makes every figure of every kind of material. No figure may be empty, and names must be unique.
func TestEverythingIsDrawn(t *testing.T) {
	for kind, m := range map[string]*figure.Material{"results": rendertest.Results(), "watched": rendertest.Watched(), "analysis": rendertest.Analysis(), "ctest": rendertest.CTest()} {
		_, all := names(m)
		if len(all) == 0 {
			t.Errorf("%s has no figures", kind)
		}
		for i, e := range m.Entries() {
			if slices.Contains(all[:i], e.Name) {
				t.Errorf("%s: two figures are called %s", kind, e.Name)
			}
			f := e.Make()
			if f.Empty() {
				t.Errorf("%s: %s is empty", kind, e.Name)
				continue
			}
			if b := f.SVG(e.Title); bytes.Contains(b, []byte("NaN")) || bytes.Contains(b, []byte("Inf")) {
				t.Errorf("%s: %s has numbers that are none", kind, e.Name)
			}
			if !strings.HasSuffix(e.Caption, ".") || e.Title == "" {
				t.Errorf("%s: %s is called %q and says %q", kind, e.Name, e.Title, e.Caption)
			}
		}
	}
}

func TestNames(t *testing.T) {
	shown, _ := names(rendertest.Results())
	want := []string{"profiles", "posteriors", "correlations", "recovery", "classifications", "confusion", "reliability", "reliabilities", "brier", "predictive", "items", "paths", "trace-agent-2", "ranks-agent-2", "pairs-agent-2"}
	if !slices.Equal(shown, want) {
		t.Errorf("figures of the results are %q, want %q", shown, want)
	}
	shown, _ = names(rendertest.Analysis())
	want = []string{"curves", "curves-first", "matrix", "grids", "grids-first", "grids-pair", "models", "shift-size", "abilities-irt", "parameters-irt", "abilities-camilla_base", "parameters-camilla_base", "skills-camilla_base", "wright", "icc"}
	if !slices.Equal(shown, want) {
		t.Errorf("figures of the analysis are %q, want %q", shown, want)
	}
	shown, _ = names(rendertest.CTest())
	want = []string{"profiles", "posteriors", "ctest-1", "ctest-2", "ctest-4", "ctest-5"}
	if !slices.Equal(shown, want) {
		t.Errorf("figures of a C-test are %q, want %q", shown, want)
	}
	if shown, _ = names(rendertest.Watched()); !slices.Equal(shown, []string{"observers", "surprises"}) {
		t.Errorf("figures of episodes are %q", shown)
	}
}

// TestCTestFigures checks that figure 1 lists neither members of populations nor groups, and that figures 2, 4 and 5
// have both the paper's values and ours.
func TestCTestFigures(t *testing.T) {
	m := rendertest.CTest()
	svg := map[string]string{}
	for _, e := range m.Entries() {
		svg[e.Name] = string(e.Make().SVG(e.Title))
	}
	for name, words := range map[string][]string{
		"ctest-1": {">pattern-1<", ">random<", ">published: ability 11.28<"},
		"ctest-2": {">26<", ">40 bits<", ">0.55<"}, // 0.55: at 8 bits and 4 answers, for the ability of pattern-1
		"ctest-4": {">chance 0.5<", ">difficulty, bits<"},
		"ctest-5": {">majority, 3 answers<", ">plurality, 26 answers<", ">a member of alike<"},
	} {
		for _, w := range words {
			if !strings.Contains(svg[name], w) {
				t.Errorf("%s does not say %s", name, w)
			}
		}
	}
	for _, w := range []string{">able-001<", ">alike<"} {
		if strings.Contains(svg["ctest-1"], w) {
			t.Errorf("figure 1 says %s", w)
		}
	}
	with := strings.Count(svg["ctest-5"], "<circle") + strings.Count(svg["ctest-5"], "<path") + strings.Count(svg["ctest-5"], "<polygon")
	for name, r := range m.Scores.CTest.Subjects {
		r.Rates = nil
		m.Scores.CTest.Subjects[name] = r
	}
	e, err := m.Find("ctest-5")
	if err != nil {
		t.Fatal(err)
	}
	bare := string(e.Make().SVG(e.Title))
	if without := strings.Count(bare, "<circle") + strings.Count(bare, "<path") + strings.Count(bare, "<polygon"); without >= with {
		t.Errorf("figure 5 has %d marks with shares of right answers, %d without", with, without)
	}
}

func TestFind(t *testing.T) {
	m := rendertest.Results()
	if e, err := m.Find("trace-agent-1"); err != nil || e.Make().Empty() {
		t.Errorf("a figure of a subject that no report shows: %v", err)
	}
	if _, err := m.Find("nonsense"); err == nil || !strings.Contains(err.Error(), `no figure "nonsense"; it has profiles, posteriors`) {
		t.Errorf("an unknown figure: %v", err)
	}
	for kind, c := range map[string]struct {
		m    *figure.Material
		asks string
		want string
	}{
		"results":  {rendertest.Results(), "nonsense", "and forest-PARAMETER, profile-SUBJECT, plane-PARAMETER-PARAMETER, success-PARAMETER, reliability-SUBJECT, predictive-SUBJECT, trace-SUBJECT, ranks-SUBJECT, pairs-SUBJECT"},
		"a typo":   {rendertest.Results(), "profile-agnet-1", "did you mean profile-agent-1?"},
		"episodes": {rendertest.Watched(), "nonsense", `no figure "nonsense"; it has observers, surprises`},
		"analysis": {rendertest.Analysis(), "nonsense", "and grid-SUBJECT"},
	} {
		_, err := c.m.Find(c.asks)
		if err == nil || !strings.HasSuffix(err.Error(), c.want) && !strings.Contains(err.Error(), c.want+" It has ") && !strings.Contains(err.Error(), c.want+", ") {
			t.Errorf("%s: %v, want %q", kind, err, c.want)
		}
	}
	if _, err := (&figure.Material{Dir: "d"}).Find("x"); !errors.Is(err, figure.ErrNoFigures) {
		t.Errorf("nothing: %v", err)
	}
}

// TestWorstFit checks that the report shows the trace of the fit with the largest R-hat.
func TestWorstFit(t *testing.T) {
	m := rendertest.Results()
	for i := range m.Result.Diagnostics.Fits {
		f := &m.Result.Diagnostics.Fits[i]
		if f.Rows == infer.AllRows && f.Subject == "0a" {
			*f.WorstRHat = 1.5
		}
	}
	if shown, _ := names(m); !slices.Contains(shown, "trace-agent-1") || slices.Contains(shown, "trace-agent-2") {
		t.Errorf("shown: %q", shown)
	}
}

func TestSize(t *testing.T) {
	m := rendertest.Results()
	f, err := figure.Size([]*figure.Material{m, m})
	if err != nil || f.Empty() {
		t.Errorf("size: %v", err)
	}
	if _, err := figure.Size([]*figure.Material{m, {Dir: "other"}}); err == nil || !strings.Contains(err.Error(), "other has no recovery") {
		t.Errorf("results without recovery: %v", err)
	}
}

// TestOrders checks that results in one folder are one line, and that those of a subject that took all items are the level
// line.
func TestOrders(t *testing.T) {
	all, few := rendertest.Results(), rendertest.Results()
	all.Dir, few.Dir = "all/1", "chosen/1"
	few.Public.Responses = record.PackResponses(few.Public.Responses.List()[:1])
	f, err := figure.Orders([]*figure.Material{few, all})
	if err != nil {
		t.Fatal(err)
	}
	text := string(f.SVG("orders"))
	for _, want := range []string{">chosen<", ">all items<"} {
		if !strings.Contains(text, want) {
			t.Errorf("the figure has no %s", want)
		}
	}
	if strings.Contains(text, ">all<") {
		t.Error("the results of all items are an order too")
	}
	if _, err := figure.Orders([]*figure.Material{all, {Dir: "other"}}); err == nil || !strings.Contains(err.Error(), "other has no recovery") {
		t.Errorf("results without recovery: %v", err)
	}
}

// TestReliabilityBins checks that the reliability diagram depends on held-out responses and on no others.
func TestReliabilityBins(t *testing.T) {
	m := rendertest.Results()
	e, err := m.Find("reliability")
	if err != nil {
		t.Fatal(err)
	}
	before := e.Make()
	change(m, func(i int, r *record.Response) {
		if i == 1 { // which is not held out
			r.Value = 1 - r.Value
		}
	})
	if !same(before, e.Make()) {
		t.Error("a response that is not held out changes the figure")
	}
	change(m, func(_ int, r *record.Response) { r.Value = 1 })
	if same(before, e.Make()) {
		t.Error("the outcomes of held-out responses change nothing")
	}
}

func same(a, b chart.Figure) bool { return bytes.Equal(a.SVG("x"), b.SVG("x")) }

// TestCrowd checks that, of more than fifty subjects, figures show the first fifty, or those at both ends, and say so, and that the page
// has histograms of all.
func TestCrowd(t *testing.T) {
	m := rendertest.Results()
	one := m.Scores.Profiles[:3]
	for i := range 150 {
		for _, p := range one {
			p.Name = fmt.Sprintf("crowd-%03d", i)
			if p.Stacked = nil; i == 77 {
				p.Mean *= 1.1
			}
			m.Scores.Profiles = append(m.Scores.Profiles, p)
		}
	}
	for name, ends := range map[string]bool{"profiles": false, "forest-op": true, "posteriors": true} {
		e, err := m.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		b, caption, has, lacks := e.Make().SVG("x"), " The first 50 of 153 subjects.", "crowd-046", "crowd-047"
		if ends {
			caption, has, lacks = " The 10 lowest and the 10 highest of 153 subjects.", "crowd-077", "crowd-070"
		}
		if !strings.HasSuffix(e.Caption, caption) || !bytes.Contains(b, []byte(has)) || bytes.Contains(b, []byte(lacks)) {
			t.Errorf("%s shows others than %s, or says %q", name, has, e.Caption)
		}
	}
	for _, e := range m.Entries() {
		if each := slices.Contains([]string{"profiles", "classifications", "reliabilities", "brier"}, e.Name); each && e.Section != "" || e.Name == "histograms" && e.Section == "" {
			t.Errorf("%s is in section %q of the page of a crowd", e.Name, e.Section)
		}
	}
	var leading []string
	for _, e := range m.Leading() {
		leading = append(leading, e.Name)
	}
	if want := []string{"confusion", "recovery"}; !slices.Equal(leading, want) {
		t.Errorf("of a crowd %q lead, want %q", leading, want)
	}
	m.Scores.Verdicts, m.Scores.Recovery = nil, nil
	if e := m.Leading(); len(e) != 2 || e[0].Name != "histograms" || e[1].Name != "posteriors" {
		t.Errorf("of a crowd without truth %v lead", e)
	}
}

// TestWatchRows checks the commands that show episodes: for each paradigm, the episode whose path was predicted worst;
// for each task, one about which the observer achilles was wrong. There are no commands if the manifest lists no
// episodes.
func TestWatchRows(t *testing.T) {
	m, w := rendertest.Results(), rendertest.Watched()
	m.Result.Paths = []infer.PathPrediction{{Subject: "0a", Item: "i00", RMSE: 1}, {Subject: "1b", Item: "i02", RMSE: 3}, {Subject: "0a", Item: "i01", RMSE: 2}}
	w.Scores.Seen[2].Right["achilles"] = 0
	if m.WatchParadigms() != nil || w.WatchTasks() != nil {
		t.Error("there are commands for episodes that are not there")
	}
	m.Public.Manifest.Files = []part.File{{Path: "trajectories/000000.parquet"}}
	w.Public.Manifest.Files = []part.File{{Path: "scenes/000000.jsonl.gz"}}
	want := map[string]string{"paradigm-0": "achilles view . --subject agent-2 --item i02", "paradigm-1": "achilles view . --subject agent-1 --item i01"}
	if got := m.WatchParadigms(); !maps.Equal(got, want) {
		t.Errorf("of paradigms: %q", got)
	}
	if got := w.WatchTasks(); got["preference"] != "achilles view . --item i02" {
		t.Errorf("of tasks: %q", got)
	}
}
