// Package misfit checks the responses of one subject against a model that was fitted to them. It sums residuals over groups of
// items with the same features, or weighted by one numeric feature (a trend), by the product of two (an interaction) or by the
// order of presentation. All checks together have one false-alarm rate. docs/theory/misfit.md explains every number.
package misfit

import (
	"achilles/sim/record"
	"achilles/sim/rng"
)

// Data has the responses of one subject and the expectations of a model that was fitted to them.
type Data struct {
	Items     *record.Items
	Responses []record.Response // without unscored ones
	Class     []int32           // [response] index of its class; responses of a class have the same expectation in every draw
	Binary    []bool            // [response] whether the response can only be 0 or 1
	Classes   int               // number of classes
	Draws     int               // number of posterior draws, at least 1

	// Moments writes the expected response of each class in a posterior draw to mean and, unless variance is nil, the variance of a
	// response given the parameters to variance. It may be called again for the same draw.
	Moments func(draw int, mean, variance []float64)
}

// A Finding is a failed check.
type Finding struct {
	Check     string  `json:"check"`              // name of the check
	Statistic float64 `json:"statistic"`          // sum of squared standardised residuals, or the square of one
	P         float64 `json:"p"`                  // probability of a larger statistic under the model, for this check alone
	Material  bool    `json:"material,omitempty"` // in a group, the success rate is at least 0.2 from the expected rate
	Statement string  `json:"statement"`          // description of the largest residual
}

// A Result is the outcome of all checks of a subject.
type Result struct {
	Checks int       `json:"checks"`           // number of checks
	P      float64   `json:"p"`                // probability under the model that the smallest p-value is at most the observed one
	Failed []Finding `json:"failed,omitempty"` // failed checks, if P is at most the alarm rate; material ones first, then by their P
}

// mostNumbers is the largest number of numbers that are held for classes and draws: 128 MB.
const mostNumbers = 1 << 24

// mostFindings is the largest number of failed checks in a result.
const mostFindings = 5

// Check makes all checks. alarm, in (0, 1), is the probability that a subject whom the model describes has findings. P is
// exact for a normal posterior, up to the Monte Carlo error of the simulation, which takes up to 799 data sets for an alarm of
// .01.
func Check(d *Data, alarm float64, r *rng.Rand) Result { return checkWithin(d, alarm, r, mostNumbers) }

// checkWithin is Check with a limit to the numbers that are held for classes and draws together. Where the limit is reached,
// expectations are computed whenever they are wanted; nothing else depends on it, but the last digits may.
func checkWithin(d *Data, alarm float64, r *rng.Rand, most int) Result {
	if len(d.Responses) == 0 {
		return Result{P: 1}
	}
	res := newResiduals(d, most)
	checks := res.checks(d)
	out := Result{Checks: len(checks), P: 1}
	if len(checks) == 0 {
		return out
	}
	values := make([]value, len(checks))
	least := 1.0
	for i, c := range checks {
		values[i] = c.evaluate(res.observed)
		least = min(least, values[i].p/c.weight)
	}
	if out.P = res.familywise(checks, least, alarm, r); out.P > alarm {
		return out
	}
	limit := max(least, alarm/float64(len(checks))) * (1 + rounding)
	var last *groups // those of the finding before
	for i, c := range checks {
		v := values[i]
		if v.p/c.weight > limit {
			continue
		}
		f := Finding{Check: c.name, Statistic: v.statistic, P: v.p}
		if n := len(out.Failed); c.groups != nil && last == c.groups { // the two checks of one grouping
			f.Material, f.Statement = out.Failed[n-1].Material, out.Failed[n-1].Statement
		} else {
			f.Material, f.Statement = c.describe(v, res)
		}
		last, out.Failed = c.groups, append(out.Failed, f)
	}
	sortFindings(out.Failed)
	out.Failed = out.Failed[:min(len(out.Failed), mostFindings)]
	return out
}
