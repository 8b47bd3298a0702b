package misfit_test

import (
	"flag"
	"fmt"
	"math"
	"strconv"
	"testing"

	"achilles/infer/misfit"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

var stat = flag.Bool("stat", false, "run the long statistical suites")

// battery has n items with features of several kinds.
func battery(n int) *record.Items {
	r := rng.Stream(1, "battery")
	it := &record.Items{}
	number := func(name string, draw func() float64) {
		c := record.Column{Feature: record.Feature{Name: name, Kind: record.Number}}
		for range n {
			c.Number = append(c.Number, draw())
		}
		it.Columns = append(it.Columns, c)
	}
	for i := range n {
		it.ID, it.Suite = append(it.ID, "i"+strconv.Itoa(i)), append(it.Suite, "s")
		it.Paradigm, it.Task = append(it.Paradigm, []string{"cup", "grid", "cv"}[r.IntN(3)]), append(it.Task, "t")
	}
	for _, name := range []string{"lava", "ramp", "occluder"} {
		number(name, func() float64 { return float64(r.IntN(2)) })
	}
	number("side", func() float64 { return float64(r.IntN(3) - 1) })
	number("size", func() float64 { return float64(1 + r.IntN(5)) })
	number("time", func() float64 { return 4 * r.Float64() })
	return it
}

// A model has its success probability of an item by a parameter, drawn from the prior or from the posterior given successes.
type model struct {
	name  string
	class func(it *record.Items, i int) int // each class has a rate of its own
	n     int
}

var models = []model{
	{"known", nil, 1},
	{"one rate", func(*record.Items, int) int { return 0 }, 1},
	{"a rate for each side and lava", func(it *record.Items, i int) int {
		return 2*int(it.Columns[3].Number[i]+1) + int(it.Columns[0].Number[i])
	}, 6},
	{"a rate for each size and paradigm", func(it *record.Items, i int) int {
		return 3*int(it.Columns[4].Number[i]-1) + map[string]int{"cup": 0, "grid": 1, "cv": 2}[it.Paradigm[i]]
	}, 15},
}

// subject has responses of a subject whose rates come from the prior, and posterior draws of them (beta distributions). pass
// changes the rate of a response.
func (m model) subject(it *record.Items, r *rng.Rand, pass func(p float64, item, n int) float64) *misfit.Data {
	d := &misfit.Data{Items: it, Variance: make([]float64, m.n)}
	rate, wins, tries := make([]float64, m.n), make([]float64, m.n), make([]float64, m.n)
	for k := range rate {
		rate[k] = r.Float64()
	}
	for i := range it.ID {
		k := 0
		if m.class != nil {
			k = m.class(it, i)
		}
		x := record.Response{Item: int32(i)}
		p := rate[k]
		if pass != nil {
			p = pass(p, i, it.Len())
		}
		if r.Bernoulli(p) {
			x.Value = 1
		}
		wins[k], tries[k] = wins[k]+x.Value, tries[k]+1
		d.Responses, d.Class, d.Binary = append(d.Responses, x), append(d.Class, k), append(d.Binary, true)
	}
	const draws = 2000
	for range draws {
		mean := make([]float64, m.n)
		for k := range mean {
			mean[k] = rate[k]
			if m.class != nil {
				mean[k] = num.Logistic(num.LogitBetaQuantile(r.Float64(), wins[k]+1, tries[k]-wins[k]+1))
			}
			d.Variance[k] += mean[k] * (1 - mean[k]) / draws
		}
		d.Mean = append(d.Mean, mean)
	}
	return d
}

// Of subjects from the model, as many are flagged as the alarm rate says, whatever the fit has taken up.
func TestAlarmRate(t *testing.T) {
	it := battery(400)
	seeds, first := 300, uint64(1)
	if *stat {
		seeds, first = 1500, 21
	}
	for _, m := range models {
		for _, alarm := range []float64{0.1} {
			flagged := 0
			for s := range seeds {
				r := rng.Stream(first+uint64(s/100), "alarm", m.name, fmt.Sprint(s))
				res := misfit.Check(m.subject(it, &r, nil), alarm, &r)
				if len(res.Failed) > 0 {
					flagged++
				}
			}
			t.Logf("%s: %d of %d subjects flagged at %g", m.name, flagged, seeds, alarm)
			// z of 5 has a chance below 1e-6.
			if n := float64(seeds); math.Abs(float64(flagged)-n*alarm) > 5*math.Sqrt(n*alarm*(1-alarm)) {
				t.Errorf("%s: %d of %d subjects flagged at %g", m.name, flagged, seeds, alarm)
			}
		}
	}
}
