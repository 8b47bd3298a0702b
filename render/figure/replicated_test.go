package figure_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"achilles/infer"
	"achilles/render/figure"
	"achilles/render/rendertest"
	"achilles/scenarios/score"
	"achilles/sim/record"
	"achilles/sim/rng"
)

func svg(t *testing.T, m *figure.Material, name string) string {
	t.Helper()
	e, err := m.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(e.Make().SVG(e.Title))
}

// outside is the SVG attribute of an observed rate outside the band. It also occurs once in the legend.
const outside = `stroke='#d55e00'`

// change changes every response.
func change(m *figure.Material, f func(i int, r *record.Response)) {
	list := m.Public.Responses.List()
	for i := range list {
		f(i, &list[i])
	}
	m.Public.Responses = record.PackResponses(list)
}

// TestReplicatedBand checks that about one in ten rates lies outside the band if responses were drawn from the model's
// probabilities, and nearly all of them if the responses are inverted.
func TestReplicatedBand(t *testing.T) {
	m := drawn(3)
	if n := strings.Count(svg(t, m, "predictive"), outside) - 1; n > 5 {
		t.Errorf("%d of 14 rates lie outside the band", n)
	}
	change(m, func(_ int, r *record.Response) { r.Value = 1 - r.Value })
	if n := strings.Count(svg(t, m, "predictive"), outside) - 1; n < 8 {
		t.Errorf("of opposite responses only %d of 14 rates lie outside the band", n)
	}
}

// drawn returns responses of forty subjects to twelve items that are drawn from manyDraws.
func drawn(seed uint64) *figure.Material {
	m := rendertest.Results()
	r := rng.Stream(seed, "figure", "replicated")
	m.Public.Subjects = nil
	var list []record.Response
	for s := range int32(40) {
		m.Public.Subjects = append(m.Public.Subjects, fmt.Sprintf("s%02d", s))
		for i := range int32(12) {
			x := record.Response{Subject: s, Item: i}
			if r.Bernoulli(1 - float64(i)/12) {
				x.Value = 1
			}
			list = append(list, x)
		}
	}
	m.Public.Responses = record.PackResponses(list)
	m.Chances = manyDraws{}
	return m
}

// TestOutside checks that as many proportions lie outside as are expected, on average, and that they are called too many in one in a hundred data sets
// from the model: in more than nine of 200 with probability 2e-4.
func TestOutside(t *testing.T) {
	rare, n, expected, of := 0, 0, 0.0, 0
	const sets = 200
	for seed := range uint64(sets) {
		x, ok := drawn(1 + seed).Outside()
		if !ok {
			t.Fatal("nothing is replicated")
		}
		if n, expected, of = n+x.N, expected+x.Expected, of+x.Of; x.Rare {
			rare++
		}
	}
	if rare > 9 {
		t.Errorf("too many in %d of %d data sets", rare, sets)
	}
	if mean, want := float64(n)/sets, expected/sets; math.Abs(mean-want) > 0.5 || want < 0.02*float64(of)/sets {
		t.Errorf("%.2f of %d are outside, %.2f expected", mean, of/sets, want)
	}
	m := drawn(3)
	change(m, func(_ int, r *record.Response) { r.Value = 1 - r.Value })
	if x, _ := m.Outside(); !x.Rare || x.N < 8 {
		t.Errorf("opposite responses: %+v", x)
	}
}

// manyDraws implements figure.Chances with a hundred equal draws.
type manyDraws struct{}

func (manyDraws) Row(r *record.Response) int { return int(r.Item) }

func (manyDraws) Size() (draws, rows int) { return 100, 12 }

func (manyDraws) Of(string) (out [][]float64, err error) {
	for range 100 {
		p := make([]float64, 12)
		for i := range p {
			p[i] = 1 - float64(i)/12
		}
		out = append(out, p)
	}
	return out, nil
}

// TestFailingChances checks that draws which cannot be read are an error of the figures, and responses that the layout cannot
// explain are not.
func TestFailingChances(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct{ of, want error }{
		{broken, broken},
		{fmt.Errorf("figure: %w", &score.UnexplainedError{Subject: "s00", Err: broken}), nil},
	} {
		m := rendertest.Results()
		m.Chances = failing{c.of}
		e, err := m.Find("predictive")
		if err != nil {
			t.Fatal(err)
		}
		e.Make()
		if got := m.Err(); got != c.want {
			t.Errorf("%v: the figures have the error %v, want %v", c.of, got, c.want)
		}
	}
}

// failing implements figure.Chances with an error in place of draws.
type failing struct{ err error }

func (failing) Row(*record.Response) int { return 0 }

func (failing) Size() (draws, rows int) { return 0, 0 }

func (f failing) Of(string) ([][]float64, error) { return nil, f.err }

// TestWithoutChances checks that no figure of replicated responses exists if the layout of a result is not known.
func TestWithoutChances(t *testing.T) {
	m := rendertest.Results()
	m.Chances = nil
	for _, name := range []string{"predictive", "items", "predictive-agent-1"} {
		if _, err := m.Find(name); err == nil {
			t.Errorf("there is a figure %s", name)
		}
	}
}

// TestItemMap checks that responses change the observed rates of the item map, and not the expected ones.
func TestItemMap(t *testing.T) {
	m := rendertest.Results()
	before := svg(t, m, "items")
	change(m, func(_ int, r *record.Response) { r.Value = 1 })
	after := svg(t, m, "items")
	if before == after {
		t.Error("responses change nothing")
	}
	rings := func(s string) int { return strings.Count(s, `stroke='#d55e00'`) }
	if rings(before) != rings(after) || rings(before) < 13 {
		t.Errorf("%d and %d rings, want one an item and one in the legend", rings(before), rings(after))
	}
}

// TestDivergentDraws checks that every divergent draw is a cross in every scatter plot.
func TestDivergentDraws(t *testing.T) {
	m := rendertest.Results()
	none := strings.Count(svg(t, m, "pairs-agent-1"), outside)
	for i := range m.Result.Diagnostics.Fits {
		if f := &m.Result.Diagnostics.Fits[i]; f.Subject == "0a" && f.Rows == infer.AllRows {
			f.Divergent = [][]int{{7}, {}, {1, 2}, {}}
		}
	}
	const strokes, plots = 2, 3
	if n := strings.Count(svg(t, m, "pairs-agent-1"), outside); n != none+3*strokes*plots {
		t.Errorf("%d strokes of crosses, want %d", n, none+3*strokes*plots)
	}
}

// TestReliabilityOfSubjects checks that the reliability diagram of a subject depends on the subject's own responses
// alone.
func TestReliabilityOfSubjects(t *testing.T) {
	m := rendertest.Results()
	one, other := svg(t, m, "reliability-agent-1"), svg(t, m, "reliability-agent-2")
	change(m, func(_ int, r *record.Response) {
		if r.Subject == 1 {
			r.Value = 1 - r.Value
		}
	})
	if svg(t, m, "reliability-agent-1") != one || svg(t, m, "reliability-agent-2") == other {
		t.Error("responses of one subject change the diagram of the other, or not their own")
	}
	if e, err := m.Find("reliabilities"); err != nil || !bytes.Contains(e.Make().SVG("x"), []byte("agent-2")) {
		t.Errorf("all subjects: %v", err)
	}
}

// TestBinomialBand checks intervals by hand. Of ten trials with probability ½, 2 to 8 succeed in the central 95 % (R:
// qbinom(c(.025, .975), 10, .5)). Trials that cannot fail all succeed.
func TestBinomialBand(t *testing.T) {
	for _, c := range []struct {
		n         int
		p         float64
		low, high float64
	}{{10, 0.5, 0.2, 0.8}, {20, 0.1, 0, 0.25}, {7, 1, 1, 1}, {7, 0, 0, 0}} {
		if low, high := figure.BinomialBand(c.n, c.p, 0.95); low != c.low || high != c.high {
			t.Errorf("%d trials of %g: %g to %g, want %g to %g", c.n, c.p, low, high, c.low, c.high)
		}
	}
}

// TestUpperEnds checks that a few values each have a bin, and that many values are divided into bins of about equal
// numbers.
func TestUpperEnds(t *testing.T) {
	if got := figure.UpperEnds([]float64{1, 1, 2, 5}); len(got) != 3 || got[2] != 5 {
		t.Errorf("levels %v", got)
	}
	var many []float64
	for i := range 120 {
		many = append(many, float64(i))
	}
	got := figure.UpperEnds(many)
	if len(got) != 12 || got[0] != 9 || got[11] != 119 {
		t.Errorf("bins end at %v", got)
	}
}
