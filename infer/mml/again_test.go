package mml

import (
	"math"
	"slices"
	"testing"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// retaken draws responses of subjects who take each item several times; alike is the share of cells whose responses are all the first one.
func retaken(seed uint64, m Model, subjects, items, categories, times int, alike float64) *Data {
	d, e := drawn(seed, m, subjects, items, categories)
	r := rng.Stream(seed, "again", string(m))
	for n, row := range d.Responses {
		theta := r.Norm()
		for i := range row {
			z := float64(e.items[i].slope[0] * theta)
			row[i] = e.items[i].draw(z, &r)
			same := r.Float64() < alike
			for range times - 1 {
				x := Again{Subject: int32(n), Item: int32(i), Category: row[i]}
				if !same {
					x.Category = e.items[i].draw(z, &r)
				}
				d.Again = append(d.Again, x)
			}
		}
	}
	return d
}

// TestAgainByQuadrature compares the log likelihood of repeated responses with a sum over nodes of binomial (and multinomial) probabilities that is
// written out here, without the number of orders, and the estimates with its maximum: no parameter moved by a little has a larger one.
func TestAgainByQuadrature(t *testing.T) {
	for _, c := range []struct {
		m Model
		k int
	}{{Rasch, 2}, {TwoPL, 2}, {Graded, 3}, {Partial, 3}} {
		d := retaken(7, c.m, 60, 4, c.k, 5, 0)
		f := estimated(t, d, Settings{Model: c.m})
		count := make([][][]float64, len(d.Responses)) // subject × item × category
		for n, row := range d.Responses {
			count[n] = make([][]float64, len(row))
			for i, y := range row {
				count[n][i] = make([]float64, c.k)
				count[n][i][y] = 1
			}
		}
		for _, x := range d.Again {
			count[x.Subject][x.Item][x.Category]++
		}
		logLik := func(items []Item) (sum float64) {
			for n := range count {
				p := 0.0
				const h = 0.05
				for theta := -7.0; theta <= 7; theta += h {
					l := -theta*theta/2 - num.LogSqrt2Pi
					for i, it := range items {
						for k, times := range count[n][i] {
							l += times * math.Log(chanceByHand(c.m, it, theta, k))
						}
					}
					p += h * math.Exp(l)
				}
				sum += math.Log(p)
			}
			return sum
		}
		best := logLik(f.Items)
		near(t, string(c.m)+": log likelihood", f.LogLik, best, 1e-5)
		for i := range f.Items {
			for _, by := range []float64{-0.03, 0.03} {
				for _, x := range []*float64{&f.Items[i].Slope[0], &f.Items[i].Intercept[0]} {
					if c.m.OneSlope() && x == &f.Items[i].Slope[0] {
						continue
					}
					was := *x
					*x += by
					if logLik(f.Items) > best {
						t.Errorf("%s, item %d: %g beside the estimate is likelier", c.m, i+1, by)
					}
					*x = was
				}
			}
		}
		if s := f.Scores(); s[0].Responses != 20 {
			t.Errorf("%d responses, want 20", s[0].Responses)
		}
	}
}

// chanceByHand returns the probability of a category by the formulas of the models.
func chanceByHand(m Model, it Item, theta float64, k int) float64 {
	if m != Partial {
		above := func(k int) float64 {
			if k == 0 {
				return 1
			}
			if k > len(it.Intercept) {
				return 0
			}
			return 1 / (1 + math.Exp(-it.Slope[0]*theta-it.Intercept[k-1]))
		}
		return above(k) - above(k+1)
	}
	weight, sum, own := 1.0, 1.0, 1.0
	for j, d := range it.Intercept {
		weight *= math.Exp(it.Slope[0]*theta + d)
		if sum += weight; j+1 == k {
			own = weight
		}
	}
	return own / sum
}

// TestAgainTimes checks that responses that are said to be so many are what as many are one by one, differential functioning included.
func TestAgainTimes(t *testing.T) {
	d := retaken(8, Rasch, 60, 4, 2, 5, 0.3)
	d.Alike = 0.3
	for n := range d.Responses {
		d.Group = append(d.Group, n%2)
	}
	short := *d
	short.Again = nil
	times := map[Again]int32{}
	for _, x := range d.Again {
		times[x]++
	}
	for x, n := range times {
		x.Times = n
		short.Again = append(short.Again, x)
	}
	want, got := estimated(t, d, Settings{Model: Rasch}), estimated(t, &short, Settings{Model: Rasch})
	near(t, "log likelihood", got.LogLik, want.LogLik, 1e-9)
	near(t, "spread", got.Spread, want.Spread, 1e-9)
	near(t, "likeness", got.Likeness().Correlation, want.Likeness().Correlation, 1e-12)
	if a, b := got.Scores()[0].Responses, want.Scores()[0].Responses; a != b || a != 20 {
		t.Errorf("%d and %d responses, want 20", a, b)
	}
	for i := range 4 {
		if a, b := d.untestable(i), short.untestable(i); a != b || a != "" {
			t.Errorf("item %d: %q, %q", i+1, a, b)
		}
	}
}

// TestAgainAllAlike checks that responses that are the same each time say what the first alone do, at the correlation of 1 that is found.
func TestAgainAllAlike(t *testing.T) {
	d := retaken(3, TwoPL, 80, 6, 2, 4, 1)
	first := estimated(t, &Data{Categories: d.Categories, Responses: d.Responses}, Settings{Model: TwoPL})
	d.Alike = 1
	f := estimated(t, d, Settings{Model: TwoPL})
	near(t, "log likelihood", f.LogLik, first.LogLik, 1e-9)
	near(t, "error of a slope", f.Items[2].SlopeSE[0], first.Items[2].SlopeSE[0], 1e-9)
	if l := f.Likeness(); !l.There() || math.Abs(l.Correlation-1) > 1e-12 || l.Cells != 480 {
		t.Errorf("%+v", l)
	}
}

// TestLikenessIsFound checks the correlation against cells of which some are all alike, on twenty seeds: the share of these is the correlation. Independent
// responses have one by two standard errors in at most three of twenty (.003 at a rate of .023).
func TestLikenessIsFound(t *testing.T) {
	for _, share := range []float64{0, 0.3, 0.7} {
		sum, found := 0.0, 0
		for seed := range uint64(20) {
			d := retaken(501+seed, Rasch, 40, 8, 2, 4, share)
			d.Alike = share
			l := estimated(t, d, Settings{Model: Rasch}).Likeness()
			sum += l.Correlation / 20
			if l.There() {
				found++
			}
		}
		near(t, "mean correlation", sum, share, 0.03)
		if share == 0 && found > 3 || share > 0 && found < 20 {
			t.Errorf("share %g: found in %d of 20", share, found)
		}
	}
}

// TestLikenessOfFew checks three subjects, of whom two give the same response to an item each time and one tosses a coin: that they differ makes the
// correlation uncertain, not that there is one. A cell of two responses that are equal by chance half the time has a sum of squares of 1/4 ± 1/4.
func TestLikenessOfFew(t *testing.T) {
	r := rng.Stream(501, "few")
	d := &Data{Categories: slices.Repeat([]int{2}, 40), Responses: make([][]int8, 3)}
	for s := range d.Responses {
		for i := range 40 {
			first := int8(r.IntN(2))
			d.Responses[s] = append(d.Responses[s], first)
			for range 4 {
				if s == 2 {
					first = int8(r.IntN(2))
				}
				d.Again = append(d.Again, Again{Subject: int32(s), Item: int32(i), Category: first, Times: 1})
			}
		}
	}
	slices.SortStableFunc(d.Again, func(a, b Again) int { return int(a.Item - b.Item) })
	if l := estimated(t, d, Settings{Model: Rasch}).Likeness(); !l.There() || l.Correlation < 2*l.Null || l.Correlation > 2*l.SE {
		t.Errorf("%+v", l)
	}
	it := item{slope: []float64{1}, d: []float64{0}}
	if second, fourth := it.central(0); math.Abs(second-1./4) > 1e-12 || math.Abs(fourth-1./16) > 1e-12 {
		t.Errorf("moments %v, %v of a coin", second, fourth)
	}
}

// TestAgainCovers counts how often intervals of two standard errors of the spread and of difficulties hold the truth, where a third of cells
// are all alike: were they independent, they would be too short.
func TestAgainCovers(t *testing.T) {
	in, of := 0, 0
	for seed := range uint64(30) {
		d := retaken(501+seed, Rasch, 60, 10, 2, 6, 0.33)
		d.Alike = 1
		d.Alike = estimated(t, d, Settings{Model: Rasch}).Likeness().Correlation
		f := estimated(t, d, Settings{Model: Rasch})
		_, truth := drawn(1, Rasch, 1, 10, 2)
		for i := range f.Items {
			of++
			if math.Abs(f.Items[i].Intercept[0]-truth.items[i].d[0]) < 1.96*f.Items[i].InterceptSE[0] {
				in++
			}
		}
	}
	t.Logf("%d of %d intervals of 95 %% hold the difficulty", in, of)
	if share := float64(in) / float64(of); share < 0.9 || share > 0.985 {
		t.Errorf("%d of %d intervals of 95 %% hold the difficulty", in, of)
	}
}

// TestAgainLevels counts how often tests of fit, which are of the first responses, find a fault where there is none: M2 more than 11 times in 100 at level .05
// has probability .005, the least p of eight items, corrected, below .05 too, though these err on the side of finding less.
func TestAgainLevels(t *testing.T) {
	m2, items := 0, 0
	for seed := range uint64(100) {
		f := estimated(t, retaken(501+seed, Rasch, 150, 8, 2, 4, 0), Settings{Model: Rasch})
		if f.Moments().P < 0.05 {
			m2++
		}
		var p []float64
		for _, x := range f.ItemFit() {
			p = append(p, x.P)
		}
		if slices.Min(num.Holm(p)) < 0.05 {
			items++
		}
	}
	t.Logf("of 100: M2 %d, items %d", m2, items)
	if m2 > 11 || items > 11 {
		t.Errorf("false alarms of 100: M2 %d, items %d", m2, items)
	}
}
