package adaptive_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"achilles/infer/adaptive"
	"achilles/infer/layout"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// Layouts of scores: of any number, and of those from 0 to 1, some of which are 0 or 1.
const (
	normalScores = `name = "normal"
[capability]
ability = { prior = "normal(0, spread)" }
[item]
difficulty = { prior = "normal(0, 2)" }
[shared]
spread = { prior = "halfnormal(2)" }
[response.success]
family = "normal"
mean = "ability - difficulty"
sd = "2"
`
	unitScores = `name = "unit"
[capability]
ability = { prior = "normal(0, spread)" }
[item]
difficulty = { prior = "normal(0, 2)" }
[shared]
spread = { prior = "halfnormal(2)" }
[response.success]
family = "zero_one_inflated_beta"
mean = "logistic(ability - difficulty)"
precision = "6"
inflation = "0.1"
ones = "logistic(ability - difficulty)"
`
)

// scored returns draws of items whose difficulties are known, from −2 to 2.
func scored(t *testing.T, text string, family record.Family, items int) (*record.Items, *adaptive.Fitted) {
	t.Helper()
	l, err := layout.Parse("scores.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	candidates := candidates(items)
	j, err := l.BindJoint(candidates, []string{""}, nil, []record.Measure{{Name: "success", Family: family}})
	if err != nil {
		t.Fatal(err)
	}
	theta := make([]float64, j.Len())
	for i := range items {
		theta[j.First(1)+i] = -2 + 4*float64(i)/float64(items-1)
	}
	theta[j.First(2)] = spreadOf
	return candidates, &adaptive.Fitted{Joint: j, Draws: [][]float64{theta}}
}

// TestNormalScores works out what n scores with an SD of 2 say of an ability whose SD is 1.5: an SD of 1/√(1/1.5² + n/2²), by ½·ln(1 + 1.5²/2²) nats
// the first, and information of 1/2² each.
func TestNormalScores(t *testing.T) {
	items, f := scored(t, normalScores, record.Real, 8)
	m := adaptive.Model{Fitted: f, Prior: 1}
	curves, err := adaptive.Curves(m, items)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range curves {
		if math.Abs(c.Information[3]-0.25) > 1e-9 || math.Abs(c.Expected[3]-(c.At+2-12./7)) > 1e-9 {
			t.Fatalf("at %.2f: information %.6f, expected %.4f", c.At, c.Information[3], c.Expected[3])
		}
	}
	c, err := adaptive.New([]adaptive.Model{m}, items, adaptive.Settings{Items: 8, Order: adaptive.ByPrecision}, "new")
	if err != nil {
		t.Fatal(err)
	}
	sd := func(n int) float64 { return 1 / math.Sqrt(1+float64(n)*2.25/4) } // as a share of 1.5
	if best := c.Best(1)[0]; math.Abs(best.Information-0.5*math.Log(1+2.25/4)) > 0.02 || math.Abs(best.SD-sd(1)) > 0.02 {
		t.Errorf("%+v: want %.3f nats and an SD of %.3f", best, 0.5*math.Log(1+2.25/4), sd(1))
	}
	sum := 0.0
	for n, y := range []float64{1.2, -0.4, 2.5, 3, 0.1, 1} {
		item, _ := c.Next()
		sum += y + f.Draws[0][f.Joint.First(1)+item]
		if err := c.Record(context.Background(), item, []record.Response{{Item: int32(item), Value: y}}); err != nil {
			t.Fatal(err)
		}
		mean := sum / 4 / (1/2.25 + float64(n+1)/4)
		if math.Abs(c.LargestSD()/sd(n+1)-1) > 0.1 || math.Abs(c.Mean()[0]-mean) > 0.15 {
			t.Errorf("after %d: %.3f ± %.3f, want %.3f ± %.3f", n+1, c.Mean()[0], c.LargestSD(), mean, sd(n+1))
		}
	}
}

// givenScores returns mean and SD of the ability given scores, by a sum over abilities.
func givenScores(f *adaptive.Fitted, given []record.Response) (mean, sd float64) {
	total, first, second := 0.0, 0.0, 0.0
	for k := range 161 {
		x := float64(k)/10 - 8
		l := -x * x / 2 / spreadOf / spreadOf
		for _, y := range given {
			p := num.Logistic(x - f.Draws[0][f.Joint.First(1)+int(y.Item)])
			l += layout.ZeroOneInflatedBeta.LogDensity([]float64{p, 6, 0.1, p}, y.Value)
		}
		w := math.Exp(l)
		total, first, second = total+w, first+w*x, second+w*x*x
	}
	mean = first / total
	return mean, math.Sqrt(second/total - mean*mean)
}

// TestUnitScores holds the posterior of scores from 0 to 1, 0 and 1 among them, against sums over abilities, and what is expected after one more against
// draws of it.
func TestUnitScores(t *testing.T) {
	items, f := scored(t, unitScores, record.Unit, 12)
	c, err := adaptive.New([]adaptive.Model{{Fitted: f, Prior: 1}}, items, adaptive.Settings{Items: 12, Order: adaptive.ByPrecision}, "new")
	if err != nil {
		t.Fatal(err)
	}
	var given []record.Response
	r := rng.Stream(1, "unit scores")
	for n, y := range []float64{0.7, 1, 0.31, 0.85, 0, 0.999} {
		best := c.Best(1)[0]
		expected, after := 0.0, 0.0
		mean, sd := givenScores(f, given)
		const drawn = 500
		for range drawn { // as if the ability were normal
			p := num.Logistic(mean + sd*r.Norm() - f.Draws[0][f.Joint.First(1)+best.Item])
			x := layout.ZeroOneInflatedBeta.Draw([]float64{p, 6, 0.1, p}, &r)
			_, s := givenScores(f, append(slices.Clone(given), record.Response{Item: int32(best.Item), Value: x}))
			expected, after = expected+x/drawn, after+s/spreadOf/drawn
		}
		if math.Abs(best.P-expected) > 0.08 || math.Abs(best.SD/after-1) > 0.08 {
			t.Errorf("%d: %+v, want %.3f expected, an SD of %.3f", n, best, expected, after)
		}
		given = append(given, record.Response{Item: int32(best.Item), Value: y})
		if err := c.Record(context.Background(), best.Item, given[n:]); err != nil {
			t.Fatal(err)
		}
		mean, sd = givenScores(f, given)
		if math.Abs(c.Mean()[0]-mean) > 0.2*sd || math.Abs(c.SD()[0]/sd-1) > 0.12 {
			t.Errorf("after %d: %.3f ± %.3f, want %.3f ± %.3f", n+1, c.Mean()[0], c.SD()[0], mean, sd)
		}
	}
	sameAsForm(t, adaptive.Model{Fitted: f, Prior: 1}, items)
}

// TestErrorOfScores compares the SDs that a course prints with the errors of other simulated subjects, after a form of 6 of 12 items: the ratio of the mean
// squared error to the mean squared SD is 1, with a false alarm in a thousand.
func TestErrorOfScores(t *testing.T) {
	longtest.Only(t, "takes some seconds")
	items, f := scored(t, unitScores, record.Unit, 12)
	m := adaptive.Model{Fitted: f, Prior: 1}
	form, err := adaptive.Form(m, items, 6, nil)
	if err != nil {
		t.Fatal(err)
	}
	study := adaptive.Study{Models: []adaptive.Model{m}, Candidates: items, Settings: adaptive.Settings{Items: 6, Order: adaptive.ByPrecision}, Form: form, Subjects: 24, Root: 3403, Jobs: 2}
	courses, err := study.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(3404, "scores")
	const subjects = 2000
	squares := make([]float64, subjects)
	for s := range squares {
		ability := spreadOf * r.Norm()
		var given []record.Response
		for _, i := range form {
			p := num.Logistic(ability - f.Draws[0][f.Joint.First(1)+i])
			given = append(given, record.Response{Item: int32(i), Value: layout.ZeroOneInflatedBeta.Draw([]float64{p, 6, 0.1, p}, &r)})
		}
		mean, _ := givenScores(f, given)
		squares[s] = (mean - ability) * (mean - ability)
	}
	mean, v := num.Moments(squares)
	rmse, mcse := math.Sqrt(mean)/spreadOf, math.Sqrt(v/subjects)/2/math.Sqrt(mean)/spreadOf
	x := courses[1].Capabilities[0]
	t.Logf("error %.4f (MCSE %.4f), printed %.4f (SE %.4f)", rmse, mcse, x.SD[5], x.Error[5])
	if math.Abs(rmse-x.SD[5]) > 0.015+3.3*math.Hypot(mcse, x.Error[5]) { // the mean of SDs is a little less than the root of that of variances
		t.Errorf("error %.4f, SD %.4f", rmse, x.SD[5])
	}
}
