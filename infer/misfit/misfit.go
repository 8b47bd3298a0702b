// Package misfit checks the responses of one subject against a model that was fitted to them: residuals by every feature of
// the items, by pairs and triples of features, trends, interactions and the order of presentation, all held to one
// false-alarm rate together. docs/theory/misfit.md explains every number.
package misfit

import (
	"achilles/sim/record"
	"achilles/sim/rng"
)

// Data are the responses of one subject and what a model fitted to them expects.
type Data struct {
	Items     *record.Items
	Responses []record.Response // scored ones only
	Class     []int             // [response] responses of a class have one expectation in every draw
	Binary    []bool            // [response] the response is 0 or 1
	Mean      [][]float64       // [posterior draw][class] expected response
	Variance  []float64         // [class] of a response given the parameters, the mean over draws
}

// A Finding is a check that the responses failed.
type Finding struct {
	Check     string  `json:"check"`              // what the residuals were summed by
	Statistic float64 `json:"statistic"`          // sum of squared standardised residuals, or the square of one
	P         float64 `json:"p"`                  // chance of a larger one under the model, for this check alone
	Material  bool    `json:"material,omitempty"` // some group is off by a fifth of its responses or more
	Statement string  `json:"statement"`          // where it is worst, in words
}

// A Result is the outcome of all checks of a subject.
type Result struct {
	Checks int       `json:"checks"`           // how many were made
	P      float64   `json:"p"`                // chance under the model that any check is failed as clearly as the one failed most clearly
	Failed []Finding `json:"failed,omitempty"` // where P is at most the alarm rate: material ones first, then by P, mostFindings of them
}

// mostFindings bounds the failed checks that are reported.
const mostFindings = 5

// Check makes every check. alarm is the chance that a subject whom the model describes is reported at all, in (0, 1). The
// chance P is exact where the posterior is normal, up to the Monte Carlo error of a test by simulation: at alarm .01 it takes
// 799 data sets.
func Check(d *Data, alarm float64, r *rng.Rand) Result {
	if len(d.Responses) == 0 {
		return Result{P: 1}
	}
	res := newResiduals(d)
	checks := res.checks(d)
	out := Result{Checks: len(checks), P: 1}
	if len(checks) == 0 {
		return out
	}
	values := make([]value, len(checks))
	least := 1.0
	for i, c := range checks {
		values[i] = c.evaluate(res.observed)
		least = min(least, values[i].p)
	}
	if out.P = res.familywise(checks, least, alarm, r); out.P > alarm {
		return out
	}
	limit := max(least, alarm/float64(len(checks)))
	for i, c := range checks {
		if v := values[i]; v.p <= limit {
			out.Failed = append(out.Failed, c.finding(v, res))
		}
	}
	sortFindings(out.Failed)
	out.Failed = out.Failed[:min(len(out.Failed), mostFindings)]
	return out
}
