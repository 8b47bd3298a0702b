package adaptive_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"achilles/infer/adaptive"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// byFour puts items into clusters of four.
func byFour(items int, rho float64) []adaptive.Clusters {
	c := adaptive.Clusters{Name: "passage", Correlation: rho}
	for i := range items {
		c.Of = append(c.Of, i/4)
	}
	return []adaptive.Clusters{c}
}

// TestClusters holds SDs of responses that are alike within clusters against those of independent ones: what the responses say is divided by their design
// effect. Of items 0, 1, 2, 4 and 5, six of 20 ordered pairs are of one cluster of the first three, two of the second: 1 + 8·0.3/5.
func TestClusters(t *testing.T) {
	if got := adaptive.EffectOfAll(byFour(12, 0.3), 12); math.Abs(got-1.9) > 1e-12 {
		t.Errorf("design effect of 12 items in fours %g, want 1.9", got)
	}
	two := append(byFour(8, 0.3), adaptive.Clusters{Of: []int{-1, -1, -1, 0, 0, -1, -1, -1}, Correlation: 0.5}, adaptive.Clusters{Of: []int{1, 1, 1, 1, 1, 1, 1, 1}, Correlation: 0.1})
	if got, want := adaptive.EffectOfAll(two, 8), 1+(24*0.3+2*0.5+30*0.1)/8; math.Abs(got-want) > 1e-12 {
		t.Errorf("design effect of two kinds of clusters %g, want %g", got, want)
	}
	items, f := fitted(t, 12)
	alike := *f
	alike.Within = byFour(12, 0.3)
	settings := adaptive.Settings{Items: 12, Order: adaptive.ByPrecision}
	var of [2]*adaptive.Chooser
	var err error
	for k, m := range []*adaptive.Fitted{f, &alike} {
		if of[k], err = adaptive.New([]adaptive.Model{{Fitted: m, Prior: 1}}, items, settings, "new"); err != nil {
			t.Fatal(err)
		}
	}
	if of[0].LargestSD() != of[1].LargestSD() {
		t.Error("before any response they differ")
	}
	for n, item := range []int{0, 1, 2, 4, 5} {
		for _, c := range of {
			if err := c.Record(context.Background(), item, []record.Response{{Item: int32(item), Value: float64(n % 2)}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	within := func(sd, effect float64) float64 {
		return 1 / math.Sqrt(1+(1/(sd*sd)-1)/effect) // as shares of the prior SD
	}
	if got, want := of[1].LargestSD(), within(of[0].LargestSD(), 1+8*0.3/5); math.Abs(got-want) > 1e-9 {
		t.Errorf("SD %.4f, want %.4f", got, want)
	}
	for _, c := range []struct {
		item   int
		effect float64
	}{{3, 1 + 14*0.3/6}, {8, 1 + 8*0.3/6}} {
		at := func(k int) float64 {
			best := of[k].Best(12)
			return best[slices.IndexFunc(best, func(x adaptive.Candidate) bool { return x.Item == c.item })].SD
		}
		if got, want := at(1), within(at(0), c.effect); math.Abs(got-want) > 0.002 { // a mean over two responses
			t.Errorf("after item %d %.4f, want %.4f", c.item, got, want)
		}
	}
	alike.Took, alike.Times = true, []float64{1.2, 1, 1}
	for k, theta := range alike.Draws {
		theta[0] = 0.4 * num.NormalQuantile((float64(k)+0.5)/float64(len(alike.Draws)))
	}
	alike.Given = []record.Response{{Item: 0, Value: 1}, {Item: 1, Value: 0}}
	c, err := adaptive.New([]adaptive.Model{{Fitted: &alike, Prior: 1}}, items, settings, "old")
	if err != nil {
		t.Fatal(err)
	}
	const width = spreadOf
	if got := c.LargestSD() * width; math.Abs(got/(1.2*0.4)-1) > 0.08 { // widths are of draws
		t.Errorf("a subject whose SD was 1.2 times 0.4 has %.3f", got)
	}
}

// TestFormOfClusters lets items of one cluster, which are the best one by one, not fill a form.
func TestFormOfClusters(t *testing.T) {
	items, f := fitted(t, 12)
	f.Within = byFour(12, 0.6)
	form, err := adaptive.Form(adaptive.Model{Fitted: f, Prior: 1}, items, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	clusters := map[int]bool{}
	for _, i := range form {
		clusters[i/4] = true
	}
	if len(clusters) != 3 {
		t.Errorf("form %v is of %d clusters, want 3", form, len(clusters))
	}
}

// TestErrorWithinClusters compares SDs with errors of simulated subjects who share an effect of each cluster (Bradlow, Wainer and Wang 1999): the SDs are
// right to 2 % (6,000 subjects and sums over abilities: 1.2 % too small), those of independent responses 15 % too small. A false alarm in a thousand.
func TestErrorWithinClusters(t *testing.T) {
	longtest.Only(t, "takes a minute")
	const n, subjects, own = 24, 2000, 1.0
	scale := 1 / math.Sqrt(1+own*own/2.89) // of abilities and difficulties without the effects (Zeger, Liang and Albert 1988)
	items, f := fitted(t, n)
	for _, theta := range f.Draws {
		for i := range n {
			theta[f.Joint.First(1)+i] = scale * (-2 + 4*float64(i*7%n)/(n-1))
		}
		theta[f.Joint.First(2)] = spreadOf * scale
	}
	r := rng.Stream(3400, "clusters")
	truth, given := make([]float64, subjects), make([][]record.Response, subjects)
	product, square := 0.0, 0.0
	for s := range truth {
		truth[s] = spreadOf * scale * r.Norm()
		effect, sum := 0.0, 0.0
		for i := range n {
			if i%4 == 0 {
				effect, sum = own*r.Norm(), 0
			}
			b := f.Draws[0][f.Joint.First(1)+i]
			y := record.Response{Item: int32(i)}
			if r.Bernoulli(num.Logistic((truth[s]-b)/scale + effect)) {
				y.Value = 1
			}
			e := y.Value - num.Logistic(truth[s]-b)
			product, square, sum = product+e*sum, square+e*e, sum+e
			given[s] = append(given[s], y)
		}
	}
	rho := product / (n / 4 * 6 * subjects) / (square / (n * subjects))
	f.Within = byFour(n, rho)
	squares, variances := make([]float64, subjects), 0.0
	for s := range truth {
		c, err := adaptive.New([]adaptive.Model{{Fitted: f, Prior: 1}}, items, adaptive.Settings{Items: n, Order: adaptive.Fixed}, "new")
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range given[s] {
			if err := c.Record(context.Background(), i, []record.Response{y}); err != nil {
				t.Fatal(err)
			}
		}
		d := c.Mean()[0] - truth[s]
		squares[s], variances = d*d, variances+c.SD()[0]*c.SD()[0]/subjects
	}
	mean, v := num.Moments(squares)
	ratio := math.Sqrt(mean / variances)
	mcse := ratio / 2 * math.Sqrt(v/subjects) / mean
	t.Logf("correlation %.3f: error %.3f, SD %.3f, ratio %.3f (MCSE %.3f)", rho, math.Sqrt(mean), math.Sqrt(variances), ratio, mcse)
	if math.Abs(ratio-1) > 0.02+3.3*mcse {
		t.Errorf("error is %.3f times the SD", ratio)
	}
}
