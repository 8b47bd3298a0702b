package mml

import (
	"math"
	"testing"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// twoAbilities draws responses of subjects to 40 items, of which every other measures the second of two abilities that correlate by rho.
// The first subjects fail what they should pass and pass what they should fail.
func twoAbilities(seed uint64, subjects, upsideDown int, rho float64) (*Data, Settings) {
	r := rng.Stream(seed, "two abilities")
	const items = 40
	d, s := &Data{}, Settings{Model: TwoPL}
	for i := range items {
		d.Categories = append(d.Categories, 2)
		s.Loads = append(s.Loads, []bool{i%2 == 0, i%2 == 1})
	}
	for n := range subjects {
		x := r.Norm()
		theta := [2]float64{x, float64(rho*x) + float64(math.Sqrt(1-rho*rho)*r.Norm())}
		row := make([]int8, items)
		for i := range row {
			z := 1.5 * (theta[i%2] - (float64(i/2)-9.5)/5)
			if n < upsideDown {
				z = -z
			}
			if r.Bernoulli(num.Logistic(z)) {
				row[i] = 1
			}
		}
		d.Responses = append(d.Responses, row)
	}
	return d, s
}

// TestPersonFitOfParts: of two abilities that do not correlate, deviation and variance are the sums of those of either alone; and a subject who
// took items of one ability alone is judged by these.
func TestPersonFitOfParts(t *testing.T) {
	d, s := twoAbilities(1, 40, 0, 0)
	for i := range d.Responses[0] {
		if i%2 == 1 {
			d.Responses[0][i] = -1
		}
	}
	both := newEngine(d, &s)
	set := func(e *engine, at func(i int) int) {
		for i := range e.items {
			it := &e.items[i]
			it.slope[at(i)%len(it.slope)] = 0.8 + 0.1*float64(at(i)%5)
			it.d[0] = 1 - 0.1*float64(at(i)%20)
		}
	}
	set(both, func(i int) int { return i })
	var alone [2]*engine
	for m := range alone {
		part := &Data{}
		for i := m; i < len(d.Categories); i += 2 {
			part.Categories = append(part.Categories, 2)
		}
		for _, row := range d.Responses {
			var y []int8
			for i := m; i < len(row); i += 2 {
				y = append(y, row[i])
			}
			part.Responses = append(part.Responses, y)
		}
		alone[m] = newEngine(part, &Settings{Model: TwoPL})
		set(alone[m], func(i int) int { return 2*i + m })
	}
	for n := range d.Responses {
		got, variance := both.deviation(&both.patterns[both.of[n]], []float64{0, 0})
		want, of := 0.0, 0.0
		for _, e := range alone {
			if u := e.of[n]; u >= 0 {
				a, v := e.deviation(&e.patterns[u], []float64{0})
				want, of = want+a, of+v
			}
		}
		near(t, "deviation", got, want, 1e-9)
		near(t, "variance", variance, of, 1e-9)
	}
}

// TestPersonFitOfAbilities: of subjects with two abilities 5 % have p below .05 where the model is true (50 of 1,000 are expected; 24 or fewer, or
// 80 or more, would come once in 10,000 times), and subjects whose responses are upside down are found.
func TestPersonFitOfAbilities(t *testing.T) {
	low := func(seed uint64, subjects, upsideDown int, level float64) (first, others int) {
		d, s := twoAbilities(seed, subjects, upsideDown, 0.6)
		f := estimated(t, d, s)
		scores := f.Scores()
		r := rng.Stream(seed, "person fit")
		f.PersonFit(scores, 2000, &r)
		for n, x := range scores {
			if x.P < level {
				if n < upsideDown {
					first++
				} else {
					others++
				}
			}
		}
		return first, others
	}
	if _, n := low(501, 1000, 0, 0.05); n <= 24 || n >= 80 {
		t.Errorf("%d of 1,000 subjects of the model have p < .05", n)
	}
	if n, _ := low(502, 300, 5, 0.002); n < 5 {
		t.Errorf("%d of 5 subjects whose responses are upside down are found", n)
	}
}

// TestMostProbable: no abilities nearby are more probable, and the gradient of the prior is that of its density.
func TestMostProbable(t *testing.T) {
	d, s := twoAbilities(3, 30, 3, 0.6)
	e := newEngine(d, &s)
	for i := range e.items {
		e.items[i].slope[i%2], e.items[i].d[0] = 1.2, 1-0.1*float64(i%20)
	}
	e.corr.Row(1)[0] = 0.6
	density := e.normal()
	posterior := func(p *pattern, theta []float64) float64 {
		x := density(0, theta)
		out := make([]float64, 2)
		for _, i := range p.items {
			e.items[i].logP(e.items[i].predictor(theta), out)
			x += out[p.y[i]]
		}
		return x
	}
	for u := range e.patterns {
		p := &e.patterns[u]
		theta, prior := e.mostProbable(p, []float64{0, 0})
		for m := range theta {
			const h = 1e-4
			for _, sign := range []float64{-1, 1} {
				moved := []float64{theta[0], theta[1]}
				moved[m] += sign * h
				if posterior(p, moved) >= posterior(p, theta) {
					t.Errorf("pattern %d: %v is more probable than %v", u, moved, theta)
				}
			}
			up, down := []float64{theta[0], theta[1]}, []float64{theta[0], theta[1]}
			up[m] += h
			down[m] -= h
			near(t, "gradient of the prior", prior[m], (density(0, up)-density(0, down))/(2*h), 1e-6)
		}
	}
}

// TestPersonFitIsStandard: at given abilities l_z* has mean 0 and standard deviation 1 in a test of 40 items, and without its correction less. Of
// 4,000 draws the Monte-Carlo errors are .016 and .011.
func TestPersonFitIsStandard(t *testing.T) {
	d, s := twoAbilities(4, 5, 0, 0.6)
	e := newEngine(d, &s)
	for i := range e.items {
		e.items[i].slope[i%2], e.items[i].d[0] = 1.5, 1.5*(1-0.1*float64(i%20))
	}
	e.corr.Row(1)[0] = 0.6
	r := rng.Stream(4, "standard")
	p := e.patterns[0]
	const n = 4000
	sum, square := 0.0, 0.0
	for range n {
		theta := []float64{0.5, -0.3}
		p.y = make([]int8, len(e.items))
		for _, i := range p.items {
			p.y[i] = e.items[i].draw(e.items[i].predictor(theta), &r)
		}
		v := e.personFit(&p, theta)
		sum, square = sum+v, square+float64(v*v)
	}
	mean := sum / n
	near(t, "mean", mean, 0, 0.15)
	near(t, "standard deviation", math.Sqrt(square/n-float64(mean*mean)), 1, 0.04)
}

// TestEnoughDraws: a subject so unlikely that the least number of draws has none like it is compared with more; a table without one is not.
func TestEnoughDraws(t *testing.T) {
	for _, c := range []struct{ upsideDown, draws int }{{0, 1000}, {2, 100 * 200}} {
		d, s := twoAbilities(5, 200, c.upsideDown, 0.6)
		f := estimated(t, d, s)
		scores := f.Scores()
		r := rng.Stream(5, "person fit")
		if n := f.PersonFit(scores, 1000, &r); n != c.draws {
			t.Errorf("%d upside down: %d draws", c.upsideDown, n)
		}
	}
}
