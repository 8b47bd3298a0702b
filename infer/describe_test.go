package infer

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"achilles/infer/diag"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/rng"
)

// TestWarnings checks two things. Draws of the tempered engine that are short of the usual limits (op: R-hat 1.012;
// memory: tail ESS 300) carry a warning that names the parameter. A doubt about NUTS is a reason for replacing its
// chains, but a warning if NUTS is the only engine.
func TestWarnings(t *testing.T) {
	post := &posterior.Posterior{Parameters: []string{"op", "memory"}, Engine: posterior.Tempered, Draws: [][][]float64{{{1, 2}}},
		Summaries: []diag.Summary{{RHat: 1.012, ESSBulk: 470, ESSTail: 500}, {RHat: 1.001, ESSBulk: 900, ESSTail: 300}},
		Doubts:    []posterior.Doubt{{Kind: posterior.RHat, Parameter: "op", Value: 1.5, Limit: 1.01}}}
	r := &run{}
	f := r.describe("s", AllRows, post)
	if len(f.Warnings) != 2 || f.Warnings[0].Parameter != "op" || f.Warnings[1].Parameter != "memory" || len(f.Replaced) != 1 {
		t.Errorf("warnings %+v, replaced %v", f.Warnings, f.Replaced)
	}
	post.Engine = posterior.NUTS
	if f := r.describe("s", AllRows, post); len(f.Warnings) != 1 || len(f.Replaced) != 0 {
		t.Errorf("NUTS alone: warnings %+v, replaced %v", f.Warnings, f.Replaced)
	}
	for _, w := range r.describe("s", AllRows, &posterior.Posterior{Parameters: []string{"op"}, Draws: post.Draws, Engine: posterior.Tempered, Summaries: []diag.Summary{{RHat: 1, ESSBulk: 1000, ESSTail: 1000}}}).Warnings {
		t.Errorf("a sound fit has the warning %+v", w)
	}
}

// TestHeavyTails checks that a posterior without a mean, that of a half Cauchy prior, has a warning, which names the worst parameter, and a normal
// one has none.
func TestHeavyTails(t *testing.T) {
	r := rng.Stream(1, "tails")
	var draws [][]float64
	for range 4000 {
		u := math.Tan(math.Pi / 2 * r.Float64())
		draws = append(draws, []float64{r.Norm(), u, u * u})
	}
	post := &posterior.Posterior{Parameters: []string{"a", "b", "c"}, Draws: [][][]float64{draws}}
	if w := heavyTails(post, []int{0}); w != nil {
		t.Errorf("a normal posterior has the warning %v", w)
	}
	w := heavyTails(post, nil)
	if len(w) != 1 || w[0].Kind != posterior.HeavyTails || w[0].Parameter != "c" || !strings.Contains(w[0].Message, "of c (and 1 more) has") {
		t.Errorf("of b and c, whose shapes are 1 and 2, the warning is %v", w)
	}
}

// TestWithoutResponse checks that a subject without the responses that a layout needs gets a warning in place of a result, and
// that other errors are none.
func TestWithoutResponse(t *testing.T) {
	none := fmt.Errorf("data: %w", &layout.NoResponse{Layout: "op", Measure: "success"})
	for rows, want := range map[string]string{AllRows: "without a success response", FitRows: "without a success response that is not held out"} {
		f, ok := unresolved("s", rows, none)
		if !ok || f.Engine != "none" || len(f.Warnings) != 1 || f.Warnings[0].Kind != posterior.NoResult || !strings.HasSuffix(f.Warnings[0].Message, want) {
			t.Errorf("%s: %+v, %v", rows, f, ok)
		}
	}
	for _, err := range []error{nil, errors.New("layout op: value 2 of success")} {
		if _, ok := unresolved("s", AllRows, err); ok {
			t.Errorf("%v passes for a subject without result", err)
		}
	}
}

// TestDescribeLaplace checks that independent draws from an approximation claim neither R-hat nor effective sample sizes, and keep
// their warning alone.
func TestDescribeLaplace(t *testing.T) {
	nan := math.NaN()
	post := &posterior.Posterior{Parameters: []string{"ability"}, Engine: posterior.Laplace, Draws: [][][]float64{{{1}, {2}}},
		Summaries: []diag.Summary{{Mean: 1.5, RHat: nan, ESSBulk: nan, ESSTail: nan}}, LogEvidence: nan, LogEvidenceError: nan,
		Warnings: []posterior.Warning{{Kind: posterior.Approximate, Message: "approximation"}}}
	r := &run{}
	f := r.describe(Everybody, AllRows, post)
	if f.Engine != "laplace" || f.WorstRHat != nil || f.MinESSBulk != nil || f.MinESSTail != nil || f.LogEvidence != nil {
		t.Errorf("described as %+v", f)
	}
	if len(f.Warnings) != 1 || f.Warnings[0].Kind != posterior.Approximate {
		t.Errorf("warnings %v", f.Warnings)
	}
}
