package infer

import (
	"testing"

	"achilles/infer/diag"
	"achilles/infer/posterior"
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
