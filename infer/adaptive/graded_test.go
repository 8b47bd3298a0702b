package adaptive_test

import (
	"context"
	"math"
	"testing"

	"achilles/infer/adaptive"
	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// partialCredit has three ordered categories.
const partialCredit = `name = "pcm"
[capability]
ability = { prior = "normal(0, spread)" }
[item]
step1 = { prior = "normal(0, 2)" }
step2 = { prior = "normal(0, 2)" }
[shared]
spread = { prior = "halfnormal(2)" }
[response.success]
family = "choice"
utility = ["0", "ability - step1", "2*ability - step1 - step2"]
`

// graded returns 100 draws of items, of which steps have errors of that size.
func graded(t *testing.T, items int, errors float64) (*record.Items, *adaptive.Fitted) {
	t.Helper()
	l, err := layout.Parse("pcm.toml", partialCredit)
	if err != nil {
		t.Fatal(err)
	}
	candidates := candidates(items)
	j, err := l.BindJoint(candidates, []string{""}, nil, []record.Measure{{Name: "success", Family: record.Choice}})
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(1, "graded")
	f := &adaptive.Fitted{Joint: j}
	for range 100 {
		theta := make([]float64, j.Len())
		for i := range items {
			first := -2 + 3*float64(i)/float64(items-1)
			theta[j.First(1)+i], theta[j.First(2)+i] = first+errors*r.Norm(), first+1+errors*r.Norm()
		}
		theta[j.First(3)] = spreadOf
		f.Draws = append(f.Draws, theta)
	}
	return candidates, f
}

// credit returns the probabilities of the categories of an item at a draw of the items.
func credit(f *adaptive.Fitted, theta []float64, item int, ability float64) (p [3]float64) {
	one := ability - theta[f.Joint.First(1)+item]
	two := one + ability - theta[f.Joint.First(2)+item]
	total := 1 + math.Exp(one) + math.Exp(two)
	return [3]float64{1 / total, math.Exp(one) / total, math.Exp(two) / total}
}

// posteriorOf returns mean and SD of the ability given responses, by a sum over abilities and draws of the items, and the probability of the responses.
func posteriorOf(f *adaptive.Fitted, given []record.Response) (mean, sd, all float64) {
	total, first, second, prior := 0.0, 0.0, 0.0, 0.0
	for k := range 161 {
		x := float64(k)/20*2 - 8
		for _, theta := range f.Draws {
			w := math.Exp(-x * x / 2 / spreadOf / spreadOf)
			prior += w
			for _, y := range given {
				w *= credit(f, theta, int(y.Item), x)[int(y.Value)]
			}
			total, first, second = total+w, first+w*x, second+w*x*x
		}
	}
	mean = first / total
	return mean, math.Sqrt(second/total - mean*mean), total / prior
}

// TestGraded holds what ordered categories say of a new subject against sums over ability and draws of the items: before any response what is expected
// of an item, its information and the SD after it; then the posterior of six responses.
func TestGraded(t *testing.T) {
	items, f := graded(t, 12, 0.3)
	c, err := adaptive.New([]adaptive.Model{{Fitted: f, Prior: 1}}, items, adaptive.Settings{Items: 12, Order: adaptive.ByPrecision}, "new")
	if err != nil {
		t.Fatal(err)
	}
	best := c.Best(1)[0]
	expected, after, entropy := 0.0, 0.0, 0.0
	for k := range 3 {
		_, sd, p := posteriorOf(f, []record.Response{{Item: int32(best.Item), Value: float64(k)}})
		expected, after, entropy = expected+float64(k)*p, after+sd/spreadOf*p, entropy-p*math.Log(p)
	}
	left, weight := 0.0, 0.0
	for k := range 161 {
		x := float64(k)/20*2 - 8
		w := math.Exp(-x * x / 2 / spreadOf / spreadOf)
		for _, theta := range f.Draws {
			for _, p := range credit(f, theta, best.Item, x) {
				left -= w * p * math.Log(p)
			}
			weight += w
		}
	}
	if math.Abs(best.P-expected) > 0.06 || math.Abs(best.SD-after) > 0.03 || math.Abs(best.Information-(entropy-left/weight)) > 0.03 {
		t.Errorf("%+v: want %.3f expected, %.3f after it, %.3f nats", best, expected, after, entropy-left/weight)
	}
	var given []record.Response
	for n, y := range []float64{2, 1, 2, 2, 0, 1} {
		item, _ := c.Next()
		given = append(given, record.Response{Item: int32(item), Value: y})
		if err := c.Record(context.Background(), item, given[n:]); err != nil {
			t.Fatal(err)
		}
		mean, sd, _ := posteriorOf(f, given)
		if math.Abs(c.Mean()[0]-mean) > 0.15*sd || math.Abs(c.SD()[0]/sd-1) > 0.12 {
			t.Errorf("after %d: %.3f ± %.3f, want %.3f ± %.3f", n+1, c.Mean()[0], c.SD()[0], mean, sd)
		}
	}
}

// TestGradedInformation holds that of the partial credit model: the variance of the response (Masters 1982). A form of known items is that which has most.
func TestGradedInformation(t *testing.T) {
	items, f := graded(t, 4, 0)
	m := adaptive.Model{Fitted: f, Prior: 1}
	curves, err := adaptive.Curves(m, items)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range curves {
		for i := range 4 {
			p := credit(f, f.Draws[0], i, c.At)
			mean := p[1] + 2*p[2]
			if want := p[1] + 4*p[2] - mean*mean; math.Abs(c.Information[i]-want) > 1e-4 || math.Abs(c.Expected[i]-mean) > 1e-9 {
				t.Fatalf("item %d at %.2f: expected %.4f, information %.4f; want %.4f and %.4f", i, c.At, c.Expected[i], c.Information[i], mean, want)
			}
		}
	}
	form, err := adaptive.Form(m, items, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := func(i int) (gain float64) { // −SD² after it
		for k := range 3 {
			_, sd, p := posteriorOf(f, []record.Response{{Item: int32(i), Value: float64(k)}})
			gain -= p * sd * sd
		}
		return gain
	}
	for i := range 4 {
		if at(i) > at(form[0])+0.02 {
			t.Errorf("item %d leaves %.3f, %d of the form %.3f", i, -at(i), form[0], -at(form[0]))
		}
	}
	study := adaptive.Study{Models: []adaptive.Model{m}, Candidates: items, Settings: adaptive.Settings{Items: 4, Order: adaptive.ByPrecision}, Form: form, Subjects: 40, Root: 1, Jobs: 1}
	courses, err := study.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	sameAsForm(t, m, items)
	if got, want := courses[0].Capabilities[0].SD[0], math.Sqrt(-at(form[0]))/spreadOf; math.Abs(got-want) > 0.05 {
		t.Errorf("after one item %.3f, want %.3f", got, want)
	}
}
