package mml

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// patternsOf returns the responses of all patterns of 0 and 1 with their counts, in lexicographic order.
func patternsOf(items int, counts ...float64) *Data {
	d := &Data{Weight: counts}
	for range items {
		d.Categories = append(d.Categories, 2)
	}
	for n := range counts {
		row := make([]int8, items)
		for i := range row {
			row[i] = int8(n >> (items - 1 - i) & 1)
		}
		d.Responses = append(d.Responses, row)
	}
	return d
}

// lsat6 and lsat7 are sections 6 and 7 of the Law School Admission Test (Bock and Lieberman 1970), 1000 subjects and five items.
func lsat6() *Data {
	return patternsOf(5, 3, 6, 2, 11, 1, 1, 3, 4, 1, 8, 0, 16, 0, 3, 2, 15, 10, 29, 14, 81, 3, 28, 15, 80, 16, 56, 21, 173, 11, 61, 28, 298)
}

func lsat7() *Data {
	return patternsOf(5, 12, 19, 1, 7, 3, 19, 3, 17, 10, 5, 3, 7, 7, 23, 8, 28, 7, 39, 11, 34, 14, 51, 15, 90, 6, 25, 7, 35, 18, 136, 32, 308)
}

func estimated(t testing.TB, d *Data, s Settings) *Fit {
	t.Helper()
	f, err := Estimate(d, s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %.6g, want %.6g ± %g", what, got, want, within)
	}
}

func each(t *testing.T, what string, want []float64, within float64, got func(i int) float64) {
	t.Helper()
	for i := range want {
		near(t, fmt.Sprintf("%s of item %d", what, i+1), got(i), want[i], within)
	}
}

// TestLSAT6 compares with what ltm 1.1 prints of LSAT (rasch, ltm and their summaries) and with M2 of mirt's tests. ltm stops where the gradient
// is .024, so that slopes differ by up to .0006 and the difficulties, which divide by them, by more; the likelihood here is the larger one.
func TestLSAT6(t *testing.T) {
	f := estimated(t, lsat6(), Settings{Model: Rasch})
	near(t, "spread", f.Spread, 0.7551, 1e-4)
	near(t, "its error", f.SpreadSE, 0.0694, 1e-3)
	each(t, "easiness", []float64{2.730, 0.999, 0.240, 1.306, 2.099}, 1e-3, func(i int) float64 { return -f.Items[i].Difficulty[0] })
	near(t, "log likelihood", f.LogLik, -2466.938, 1e-3)
	m := f.Moments()
	near(t, "M2", m.M2, 5.292566, 2e-3)
	near(t, "its degrees of freedom", float64(m.DF), 9, 0)

	f = estimated(t, lsat6(), Settings{Model: TwoPL})
	near(t, "log likelihood", f.LogLik, -2466.653, 1e-3)
	near(t, "AIC", f.AIC, 4953.307, 1e-3)
	near(t, "BIC", f.BIC, 5002.384, 1e-3)
	each(t, "slope", []float64{0.8254, 0.7229, 0.8905, 0.6886, 0.6575}, 1e-3, func(i int) float64 { return f.Items[i].Slope[0] })
	each(t, "error of the slope", []float64{0.2581, 0.1867, 0.2326, 0.1852, 0.2100}, 1e-3, func(i int) float64 { return f.Items[i].SlopeSE[0] })
	each(t, "intercept", []float64{0.8253715 * 3.3597341, 0.7229499 * 1.3696497, 0.8904748 * 0.2798983, 0.6885502 * 1.8659189, 0.6574516 * 3.1235725}, 1e-3, func(i int) float64 { return f.Items[i].Intercept[0] })
	each(t, "difficulty", []float64{-3.3597, -1.3696, -0.2799, -1.8659, -3.1236}, 3e-3, func(i int) float64 { return f.Items[i].Difficulty[0] })
	each(t, "error of the difficulty", []float64{0.8669, 0.3073, 0.0997, 0.4341, 0.8700}, 2e-3, func(i int) float64 { return f.Items[i].DifficultySE[0] })
	m = f.Moments()
	near(t, "M2", m.M2, 4.737141, 2e-3)
	near(t, "p of S-X² of item 1", f.ItemFit()[0].P, 0.7984, 1e-3)
	// at the estimates that ltm prints the likelihood is no larger
	e := newEngine(lsat6(), &Settings{Model: TwoPL})
	for i, x := range [][2]float64{{0.8253715, 3.3597341}, {0.7229499, 1.3696497}, {0.8904748, 0.2798983}, {0.6885502, 1.8659189}, {0.6574516, 3.1235725}} {
		e.items[i].slope[0], e.items[i].d[0] = x[0], x[0]*x[1]
	}
	e.use(even(1, 121, 6))
	if printed := e.logLik(); printed > f.LogLik {
		t.Errorf("the printed estimates have log likelihood %.6f, ours %.6f", printed, f.LogLik)
	}
}

// TestLSAT7 compares with the values in the tests of mirt 1.41 (tests/testthat/test-01-mirtOne.R and test-15-IRTpars.R).
func TestLSAT7(t *testing.T) {
	f := estimated(t, lsat7(), Settings{Model: TwoPL})
	each(t, "slope", []float64{0.988, 1.081, 1.706, 0.7651, 0.7358}, 2e-3, func(i int) float64 { return f.Items[i].Slope[0] })
	each(t, "intercept", []float64{1.8561, 0.808, 1.8043, 0.486, 1.8545}, 1e-3, func(i int) float64 { return f.Items[i].Intercept[0] })
	// half the intervals that mirt prints with errors by Richardson's extrapolation
	each(t, "error of the slope", []float64{0.3474, 0.3309, 0.628, 0.2629, 0.2963}, 5e-3, func(i int) float64 { return 1.959964 * f.Items[i].SlopeSE[0] })
	m := f.Moments()
	near(t, "M2", m.M2, 11.93841, 1e-3)
	near(t, "its degrees of freedom", float64(m.DF), 5, 0)
	fit := f.ItemFit()
	each(t, "S-X²", []float64{4.749440, 14.451071, 1.270381, 5.237400, 0.941125}, 5e-3, func(i int) float64 { return fit[i].X2 })
	each(t, "its degrees of freedom", []float64{2, 2, 2, 2, 2}, 0, func(i int) float64 { return float64(fit[i].DF) })
	s := f.Scores()
	for n, want := range []float64{-1.8665957, -1.5266920, -1.5134024, -1.1852276, -1.0946830, -0.7666992} { // patterns 00000 to 00101
		near(t, "ability", s[n].Mean[0], want, 5e-3)
	}

	f = estimated(t, lsat7(), Settings{Model: Rasch})
	each(t, "easiness", []float64{1.868, 0.791, 1.461, 0.521, 1.993}, 1e-3, func(i int) float64 { return f.Items[i].Intercept[0] })
	each(t, "error of the easiness", []float64{0.100416}, 1e-4, func(i int) float64 { return f.Items[i].InterceptSE[0] })
	near(t, "spread", f.Spread, 1.011, 1e-3)

	f = estimated(t, lsat7(), Settings{Model: ThreePL}) // without a prior
	each(t, "intercept", []float64{1.86562047, 0.09404091, 1.78051762, 0.48189021, 1.86845282}, 0.02, func(i int) float64 { return f.Items[i].Intercept[0] })
	near(t, "guessing parameter of item 2", f.Items[1].Guess, 0.2950545, 5e-3)
	near(t, "its error", f.Items[1].GuessSE, 0.1398565, 5e-3)
	if f.Items[0].Bound == "" || f.Items[1].Bound != "" {
		t.Errorf("guessing parameters of 0 and .3 have bounds %q and %q", f.Items[0].Bound, f.Items[1].Bound)
	}
}

// drawn returns responses to items of a model: slopes about 1, difficulties from −1.5 to 1.5.
func drawn(seed uint64, m Model, subjects, items, categories int) (*Data, *engine) {
	r := rng.Stream(seed, "mml", string(m))
	d := &Data{}
	for range items {
		d.Categories = append(d.Categories, categories)
	}
	d.Responses = make([][]int8, subjects)
	for n := range d.Responses {
		d.Responses[n] = make([]int8, items)
	}
	d.Responses[0][0] = 0
	e := newEngine(&Data{Categories: d.Categories, Responses: d.Responses}, &Settings{Model: m})
	for i := range e.items {
		it := &e.items[i]
		it.slope[0] = 1.2
		if !m.OneSlope() {
			it.slope[0] = 0.7 + 0.3*float64(i%4)
		}
		b := -1.5 + 3*float64(i)/float64(max(items-1, 1))
		for k := range it.d {
			step := float64(k) - float64(len(it.d)-1)/2
			it.d[k] = -it.slope[0] * (b + step)
		}
		it.g = logit(0.2)
	}
	for n := range d.Responses {
		theta := r.Norm()
		for i := range e.items {
			d.Responses[n][i] = e.items[i].draw(e.items[i].slope[0]*theta, &r)
		}
	}
	return d, e
}

// TestDerivatives compares gradient and observed information with differences, in every model, with groups, with several abilities that
// correlate, with missing responses and with a prior.
func TestDerivatives(t *testing.T) {
	for _, c := range []struct {
		name string
		m    Model
		k    int
		set  func(d *Data, s *Settings)
	}{
		{"rasch", Rasch, 2, nil}, {"2pl", TwoPL, 2, nil}, {"grm", Graded, 4, nil}, {"pcm", Partial, 3, nil}, {"gpcm", General, 4, nil},
		{"3pl", ThreePL, 2, func(_ *Data, s *Settings) { s.Guess, s.GuessWeight = 0.25, 20 }},
		{"groups", TwoPL, 2, func(d *Data, _ *Settings) {
			for n := range d.Responses {
				d.Group = append(d.Group, n%3)
			}
		}},
		{"missing", Graded, 3, func(d *Data, _ *Settings) {
			for n := range d.Responses {
				d.Responses[n][n%5] = -1
			}
		}},
		{"again", Graded, 3, func(d *Data, _ *Settings) {
			d.Alike = 0.3
			for n := range d.Responses {
				d.Again = append(d.Again, Again{int32(n), int32(n % 6), int8(n % 3), 1}, Again{int32(n), int32(n % 6), int8(n % 2), 1})
			}
		}},
		{"abilities", TwoPL, 2, func(_ *Data, s *Settings) {
			s.Loads = [][]bool{{true, false, false}, {true, false, false}, {false, true, false}, {false, true, false}, {false, false, true}, {false, false, true}}
		}},
		{"known", TwoPL, 2, func(_ *Data, s *Settings) {
			s.Known = []*Item{nil, {Slope: []float64{1.1}, Intercept: []float64{0.3}}, nil, nil, {Slope: []float64{0.8}, Intercept: []float64{-0.3}}, nil}
		}},
	} {
		d, _ := drawn(3, c.m, 40, 6, c.k)
		s := Settings{Model: c.m}
		if c.set != nil {
			c.set(d, &s)
		}
		e := newEngine(d, &s)
		e.begin(d, nil)
		x := e.get()
		r := rng.Stream(1, "derivatives")
		for a := range x {
			x[a] += 0.05 * r.Norm() // categories keep their order
		}
		each := 61
		if e.abilities > 1 {
			each = 13
		}
		e.use(even(e.abilities, each, 6))
		at := func(x []float64) *climb {
			e.put(x)
			if !e.update() {
				t.Fatalf("%s: no correlations", c.name)
			}
			return e.differentiate()
		}
		now := at(x)
		const h = 1e-4
		for a := range x {
			y := slices.Clone(x)
			y[a] = x[a] + h
			up := at(y)
			y[a] = x[a] - h
			down := at(y)
			near(t, fmt.Sprintf("%s: gradient %d", c.name, a), now.gradient[a], (up.value-down.value)/(2*h), 1e-5*(1+math.Abs(now.gradient[a])))
			for b := range x {
				i, j := max(a, b), min(a, b)
				near(t, fmt.Sprintf("%s: information %d %d", c.name, a, b), now.info.Row(i)[j], -(up.gradient[b]-down.gradient[b])/(2*h), 1e-4*(1+math.Abs(now.info.Row(i)[j])))
			}
		}
	}
}

// marginalByHand returns the log likelihood of a fit of one ability by an integral over 2001 nodes, from the formulas of the models.
func marginalByHand(f *Fit, d *Data) float64 {
	sum := 0.0
	for n, row := range d.Responses {
		w, g := 1.0, f.Groups[0]
		if d.Weight != nil {
			w = d.Weight[n]
		}
		if d.Group != nil {
			g = f.Groups[d.Group[n]]
		}
		p, some := 0.0, false
		for q := -1000; q <= 1000; q++ {
			z := float64(q) / 100
			theta := g.Mean + g.SD*z
			l := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) / 100
			for i, y := range row {
				if y < 0 {
					continue
				}
				some = true
				it := &f.Items[i]
				a, k := it.Slope[0], int(y)
				logistic := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
				switch f.Model {
				case Partial, General:
					total, now, own := 1.0, 0.0, 1.0
					for c, b := range it.Intercept {
						now += a*theta + b
						total += math.Exp(now)
						if c+1 == k {
							own = math.Exp(now)
						}
					}
					l *= own / total
				default:
					above, from := 1.0, 0.0
					if k > 0 {
						above = logistic(a*theta + it.Intercept[k-1])
					}
					if k < len(it.Intercept) {
						from = logistic(a*theta + it.Intercept[k])
					}
					if f.Model == ThreePL {
						if k == 1 {
							above = it.Guess + (1-it.Guess)*above
						} else {
							from = it.Guess + (1-it.Guess)*from
						}
					}
					l *= above - from
				}
			}
			p += l
		}
		if some {
			sum += w * math.Log(p)
		}
	}
	return sum
}

// TestLikelihood compares the log likelihood with an integral by hand, with missing responses, weights and groups.
func TestLikelihood(t *testing.T) {
	for _, m := range Models() {
		k := 2
		if m.Ordered() {
			k = 4
		}
		d, _ := drawn(4, m, 120, 8, k)
		for n := range d.Responses {
			d.Responses[n][n%8] = -1
			d.Group = append(d.Group, n%2)
			d.Weight = append(d.Weight, float64(1+n%3))
		}
		f := estimated(t, d, Settings{Model: m, Guess: 0.2, GuessWeight: 20})
		near(t, string(m), f.LogLik, marginalByHand(f, d), 2e-3)
		if !f.Converged {
			t.Errorf("%s: a further step would add %g", m, f.Gain)
		}
	}
}

// TestInvariance checks that estimates depend on the order of neither items nor subjects, that equal rows may be one with a weight, and that
// responses coded the other way round have the mirrored parameters.
func TestInvariance(t *testing.T) {
	for _, m := range []Model{TwoPL, Graded, Partial} {
		k := 2
		if m.Ordered() {
			k = 3
		}
		d, _ := drawn(5, m, 300, 6, k)
		f := estimated(t, d, Settings{Model: m})
		other := &Data{Categories: d.Categories, Responses: slices.Clone(d.Responses)}
		slices.Reverse(other.Responses)
		if g := estimated(t, other, Settings{Model: m}); g.LogLik != f.LogLik || !slices.Equal(g.Items[2].Intercept, f.Items[2].Intercept) {
			t.Errorf("%s: estimates depend on the order of subjects", m)
		}
		mirrored, turned := &Data{Categories: d.Categories}, &Data{Categories: d.Categories}
		for _, row := range d.Responses {
			x, y := slices.Clone(row), slices.Clone(row)
			slices.Reverse(x)
			for i := range y {
				y[i] = int8(k-1) - y[i]
			}
			mirrored.Responses, turned.Responses = append(mirrored.Responses, x), append(turned.Responses, y)
		}
		g, h := estimated(t, mirrored, Settings{Model: m}), estimated(t, turned, Settings{Model: m})
		for i := range f.Items {
			a, b, c := &f.Items[i], &g.Items[5-i], &h.Items[i]
			near(t, "slope in another order", b.Slope[0], a.Slope[0], 2e-5)
			near(t, "slope of turned items", c.Slope[0], a.Slope[0], 2e-5)
			for j := range a.Intercept {
				near(t, "intercept in another order", b.Intercept[j], a.Intercept[j], 2e-5)
				near(t, "intercept of turned items", c.Intercept[k-2-j], -a.Intercept[j], 2e-5)
			}
			near(t, "error of turned items", c.SlopeSE[0], a.SlopeSE[0], 2e-5)
		}
	}
	d := lsat6()
	one := &Data{Categories: d.Categories}
	for n, row := range d.Responses {
		for range int(d.Weight[n]) {
			one.Responses = append(one.Responses, row)
		}
	}
	if f, g := estimated(t, d, Settings{Model: TwoPL}), estimated(t, one, Settings{Model: TwoPL}); f.LogLik != g.LogLik || f.BIC != g.BIC || g.Patterns != 30 {
		t.Errorf("1000 rows are not their 30 patterns with counts: %v and %v, %d patterns", f.LogLik, g.LogLik, g.Patterns)
	}
}

// TestAbilities recovers the correlation of two abilities, and compares the likelihood on the patterns' own nodes with that on many of all.
func TestAbilities(t *testing.T) {
	r := rng.Stream(7, "abilities")
	d, s := &Data{}, Settings{Model: TwoPL}
	const rho = 0.6
	for i := range 12 {
		d.Categories = append(d.Categories, 2)
		s.Loads = append(s.Loads, []bool{i < 6, i >= 6})
	}
	for range 600 {
		x := r.Norm()
		y := rho*x + math.Sqrt(1-rho*rho)*r.Norm()
		var row []int8
		for i := range 12 {
			theta := x
			if i >= 6 {
				theta = y
			}
			row = append(row, int8(map[bool]int{true: 1}[r.Bernoulli(num.Logistic(1.3*theta+float64(i%3)-1))]))
		}
		d.Responses = append(d.Responses, row)
	}
	f := estimated(t, d, s)
	near(t, "correlation", f.Correlations[0][1], rho, 0.2)
	if !f.Converged {
		t.Errorf("a further step would add %g", f.Gain)
	}
	// Errors are of the whole information where the climb ended by it, which is on few nodes of each pattern's own: the sums of scores on those of
	// all say nothing of these.
	if want := float64(len(f.e.patterns) * 81 * f.e.params * f.e.params); f.e.work() != want || f.Blocks {
		t.Errorf("work of %g on nodes of each pattern, want %g; errors by item: %v", f.e.work(), want, f.Blocks)
	}
	f.e.use(even(2, 61, 6))
	near(t, "log likelihood", f.LogLik, f.e.logLik(), 2e-3)
}

// TestChi checks corrections of p-values by hand (Benjamini and Hochberg 1995 have the last), tails against tables, and the noncentral distribution.
func TestChi(t *testing.T) {
	near(t, "95 % of one degree of freedom", tail(3.841459, 1), 0.05, 1e-7)
	near(t, "99 % of ten degrees of freedom", tail(23.20925, 10), 0.01, 1e-7)
	below := 0.0 // the sum of a central variable of three degrees of freedom and the square of a normal one with mean √2
	for q := -8000; q <= 8000; q++ {
		z := float64(q) / 1000
		if rest := 5 - (z+math.Sqrt2)*(z+math.Sqrt2); rest > 0 {
			below += math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) / 1000 * (1 - tail(rest, 3))
		}
	}
	near(t, "noncentral", belowNoncentral(5, 4, 2), below, 1e-5)
	near(t, "noncentrality back", belowNoncentral(9, 4, noncentrality(9, 4, 0.3)), 0.3, 1e-6)
	p := []float64{0.01, math.NaN(), 0.04, 0.03}
	for i, want := range []float64{0.03, math.NaN(), 0.06, 0.06} {
		if got := num.Holm(p)[i]; math.Abs(got-want) > 1e-12 || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("Holm %d: %g, want %g", i, got, want)
		}
	}
	for i, want := range []float64{0.03, math.NaN(), 0.04, 0.04} {
		if got := num.BenjaminiHochberg(p)[i]; math.Abs(got-want) > 1e-12 || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("Benjamini and Hochberg %d: %g, want %g", i, got, want)
		}
	}
}
