package mml

import (
	"fmt"
	"math"
	"testing"

	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// rate counts how often something holds.
type rate struct{ n, of float64 }

func (r *rate) add(holds bool) {
	if r.of++; holds {
		r.n++
	}
}

func (r *rate) share() float64 { return r.n / max(r.of, 1) }

// TestCoverage draws 200 tables of each model and counts how often the 95 % intervals of slopes and intercepts hold the truth. Each rate is of
// 2000 intervals or more, ten or more of which are of one table: a rate of .95 is outside of .935 … .965 once in 500 times, were they independent.
func TestCoverage(t *testing.T) {
	longtest.Only(t, "takes minutes")
	for _, c := range []struct {
		m    Model
		n, k int
	}{{Rasch, 300, 2}, {TwoPL, 1000, 2}, {Graded, 500, 4}, {Partial, 300, 3}, {General, 500, 3}} {
		var slope, intercept rate
		bias := 0.0
		for seed := range uint64(200) {
			d, truth := drawn(501+seed, c.m, c.n, 10, c.k)
			f := estimated(t, d, Settings{Model: c.m})
			if !f.Converged {
				t.Errorf("%s, seed %d: a further step would add %g", c.m, 501+seed, f.Gain)
			}
			for i := range f.Items {
				it, of := &f.Items[i], &truth.items[i]
				if i == 0 || !c.m.OneSlope() {
					slope.add(math.Abs(it.Slope[0]-of.slope[0]) < 1.959964*it.SlopeSE[0])
				}
				for j := range of.d {
					intercept.add(math.Abs(it.Intercept[j]-of.d[j]) < 1.959964*it.InterceptSE[j])
					bias += (it.Intercept[j] - of.d[j]) / float64(200*10*len(of.d))
				}
			}
		}
		t.Logf("%s, %d subjects: slopes %.3f of %g, intercepts %.3f of %g, mean error of intercepts %.4f", c.m, c.n, slope.share(), slope.of, intercept.share(), intercept.of, bias)
		by := 0.015
		if c.m.OneSlope() {
			by = 0.05 // of 200
		}
		near(t, string(c.m)+": slopes", slope.share(), 0.95, by)
		near(t, string(c.m)+": intercepts", intercept.share(), 0.95, 0.015)
		near(t, string(c.m)+": mean error of intercepts", bias, 0, 0.03)
	}
}

// TestNull draws 200 tables of each model in which nothing is wrong and counts how often tests at 5 % say that something is. A rate of 5 % of 200
// tables is above 10 % once in 500 times; those of 1000 tests or more are above 7 % more rarely.
func TestNull(t *testing.T) {
	longtest.Only(t, "takes minutes")
	for _, c := range []struct {
		m               Model
		n, items, k     int
		dif             bool
		moments, others float64 // largest rates; of pairs in five items, of whose residuals little is left, the former
	}{
		{Rasch, 60, 10, 2, false, 0.10, 0.08}, {Rasch, 1000, 10, 2, true, 0.10, 0.07}, {TwoPL, 200, 10, 2, false, 0.10, 0.08}, {TwoPL, 1000, 5, 2, false, 0.10, 0.07}, {TwoPL, 1000, 20, 2, true, 0.10, 0.07},
		{Graded, 500, 8, 4, true, 0.10, 0.08}, {Partial, 300, 8, 3, false, 0.10, 0.08},
	} {
		var m2, fit, pair, person, dif rate
		for seed := range uint64(200) {
			d, _ := drawn(701+seed, c.m, c.n, c.items, c.k)
			f := estimated(t, d, Settings{Model: c.m})
			m := f.Moments()
			if m.Impossible == "" {
				m2.add(m.P < 0.05)
			}
			for _, x := range f.ItemFit() {
				if x.DF > 0 {
					fit.add(x.P < 0.05)
				}
			}
			s := f.Scores()
			r := rng.Stream(seed, "null")
			f.PersonFit(s, 2000, &r)
			for _, x := range s {
				if !math.IsNaN(x.P) {
					person.add(x.P < 0.05)
				}
			}
			for _, x := range f.Pairs(s, m.Residual) {
				if !math.IsNaN(x.P) {
					pair.add(x.P < 0.05)
				}
			}
			if c.dif && seed < 20 {
				for n := range d.Responses {
					d.Group = append(d.Group, n%2)
				}
				base := estimated(t, d, Settings{Model: c.m})
				list, err := Differences(d, Settings{Model: c.m}, base, 0.05, num.Holm)
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range list {
					if x.Impossible == "" {
						dif.add(x.P < 0.05)
					}
				}
			}
		}
		t.Logf("%s, %d × %d, %d categories: M2 %.3f of %g, S-X² %.3f of %g, pairs %.3f of %g, subjects %.3f of %g, groups %.3f of %g", c.m, c.n, c.items, c.k,
			m2.share(), m2.of, fit.share(), fit.of, pair.share(), pair.of, person.share(), person.of, dif.share(), dif.of)
		for what, x := range map[string]*rate{"S-X²": &fit, "pairs": &pair, "subjects": &person, "groups": &dif} {
			if most := c.others; x.share() > most && !(what == "pairs" && c.items == 5 && x.share() <= c.moments) {
				t.Errorf("%s, %d subjects: %s: %.3f of null tests at 5 %% say that something is wrong", c.m, c.n, what, x.share())
			}
		}
		if m2.share() > c.moments {
			t.Errorf("%s, %d subjects: M2: %.3f of null tests at 5 %%", c.m, c.n, m2.share())
		}
	}
}

// TestEquating draws 400 times two forms of 15 items, five of them common, for 300 subjects each, of whom those of the second have a mean of 0.7 on the
// scale of the first, and counts how often the 95 % interval of that mean holds it. A rate of .95 of 400 is outside of .92 … .98 once in 200 times.
func TestEquating(t *testing.T) {
	longtest.Only(t, "takes minutes")
	const each, truth = 300, 0.7
	for _, m := range []Model{Rasch, TwoPL} {
		var held rate
		mean, square, se := 0.0, 0.0, 0.0
		for k := range uint64(400) {
			r := rng.Stream(2418, "equating", fmt.Sprint(k))
			d := &Data{}
			slope := make([]float64, 25)
			for i := range slope {
				d.Categories = append(d.Categories, 2)
				if slope[i] = 1; m == TwoPL {
					slope[i] = math.Exp(0.3 * r.Norm())
				}
			}
			for n := range 2 * each {
				form := n / each
				ability := r.Norm() + truth*float64(form)
				row := make([]int8, 25)
				for i := range row {
					row[i] = -1
					if i >= 10*form && i < 10*form+15 {
						row[i] = 0
						if r.Float64() < 1/(1+math.Exp(-slope[i]*(ability+2-float64(i*7%25)/6))) {
							row[i] = 1
						}
					}
				}
				d.Responses, d.Group = append(d.Responses, row), append(d.Group, form)
			}
			g := estimated(t, d, Settings{Model: m}).Groups[1]
			held.add(math.Abs(g.Mean-truth) < 1.959964*g.MeanSE)
			mean, square, se = mean+g.Mean/400, square+g.Mean*g.Mean/400, se+g.MeanSE/400
		}
		sd := math.Sqrt(square - mean*mean)
		t.Logf("%s: mean %.4f, its SD %.4f, mean standard error %.4f; intervals %.3f", m, mean, sd, se, held.share())
		near(t, string(m)+": mean of the second form", mean, truth, 3*sd/20)
		near(t, string(m)+": intervals", held.share(), 0.95, 0.03)
	}
}
