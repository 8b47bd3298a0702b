package adaptive_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/adaptive"
	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// rasch infers the difficulties of items.
const rasch = `name = "rasch"
[capability]
ability = { prior = "normal(0, spread)" }
[item]
difficulty = { prior = "normal(0, 2)" }
[shared]
spread = { prior = "halfnormal(2)" }
[response.success]
p = "logistic(ability - difficulty)"
`

const spreadOf = 1.5

// fitted returns 200 draws of items whose difficulties are from −2 to 2, with an error of 0.3.
func fitted(t testing.TB, items int) (*record.Items, *adaptive.Fitted) {
	t.Helper()
	l, err := layout.Parse("rasch.toml", rasch)
	if err != nil {
		t.Fatal(err)
	}
	candidates := candidates(items)
	j, err := l.BindJoint(candidates, []string{""}, nil, []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(1, "fitted")
	f := &adaptive.Fitted{Joint: j}
	for range 200 {
		theta := make([]float64, j.Len())
		for i := range items {
			theta[j.First(1)+i] = -2 + 4*float64(i)/float64(items-1) + 0.3*r.Norm()
		}
		theta[j.First(2)] = spreadOf
		f.Draws = append(f.Draws, theta)
	}
	return candidates, f
}

// exact returns mean and SD of the ability given responses, by a sum over abilities and draws of the items.
func exact(f *adaptive.Fitted, given []record.Response) (mean, sd float64) {
	total, first, second := 0.0, 0.0, 0.0
	for k := range 161 {
		x := float64(k)/20*2 - 8
		sum := 0.0
		for _, theta := range f.Draws {
			l := -x * x / 2 / spreadOf / spreadOf
			for _, y := range given {
				z := x - theta[f.Joint.First(1)+int(y.Item)]
				if y.Value == 0 {
					z = -z
				}
				l += num.LogLogistic(z)
			}
			sum += math.Exp(l)
		}
		total, first, second = total+sum, first+sum*x, second+sum*x*x
	}
	mean = first / total
	return mean, math.Sqrt(second/total - mean*mean)
}

// TestFitted holds what is inferred of a new subject by items with errors against sums over ability and draws: nothing else is known of it.
func TestFitted(t *testing.T) {
	items, f := fitted(t, 30)
	c, err := adaptive.New([]adaptive.Model{{Fitted: f, Prior: 1}}, items, adaptive.Settings{Items: 25, Order: adaptive.ByPrecision}, "new")
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(2, "fitted")
	var given []record.Response
	for n := 1; ; n++ {
		expected := c.Best(1)[0].SD
		item, ok := c.Next()
		if !ok {
			break
		}
		if n < 8 && expected >= c.LargestSD() {
			t.Errorf("item %d: an SD of %.3f is expected after it, %.3f before", n, expected, c.LargestSD())
		}
		y := record.Response{Item: int32(item)}
		if r.Bernoulli(num.Logistic(1.5 + 2 - 4*float64(item)/29)) {
			y.Value = 1
		}
		if err := c.Record(context.Background(), item, []record.Response{y}); err != nil {
			t.Fatal(err)
		}
		given = append(given, y)
		mean, sd := exact(f, given)
		if math.Abs(c.Mean()[0]-mean) > 0.15*sd || math.Abs(c.SD()[0]/sd-1) > 0.12 {
			t.Errorf("after %d: %.3f ± %.3f, want %.3f ± %.3f", n, c.Mean()[0], c.SD()[0], mean, sd)
		}
	}
	if len(given) != 25 || c.Enough() != adaptive.Took {
		t.Errorf("%d items, enough by %q", len(given), c.Enough())
	}
	if share := c.SD()[0] / spreadOf; math.Abs(c.LargestSD()/share-1) > 0.06 {
		t.Errorf("largest SD %.3f, want about %.3f of the SD of subjects", c.LargestSD(), share)
	}
}

// TestTook goes on with a subject who was fitted: its draws know its responses, and no item that it took comes again.
func TestTook(t *testing.T) {
	items, f := fitted(t, 12)
	for i := range 6 {
		f.Given = append(f.Given, record.Response{Item: int32(i), Value: float64((i + 1) % 2)})
	}
	// Draws of the ability given the items of each draw, by their distribution function on a grid.
	r := rng.Stream(3, "fitted")
	for _, theta := range f.Draws {
		var weight []float64
		total := 0.0
		one := &adaptive.Fitted{Joint: f.Joint, Draws: [][]float64{theta}}
		mean, sd := exact(one, f.Given)
		for k := range 601 {
			x := mean + sd*(float64(k)/100-3)
			l := -x * x / 2 / spreadOf / spreadOf
			for _, y := range f.Given {
				z := x - theta[f.Joint.First(1)+int(y.Item)]
				if y.Value == 0 {
					z = -z
				}
				l += num.LogLogistic(z)
			}
			total += math.Exp(l)
			weight = append(weight, total)
		}
		u, k := r.Float64()*total, 0
		for weight[k] < u {
			k++
		}
		theta[0] = mean + sd*(float64(k)/100-3)
	}
	f.Took = true
	c, err := adaptive.New([]adaptive.Model{{Fitted: f, Prior: 1}}, items, adaptive.Settings{Items: 100}, "old")
	if err != nil {
		t.Fatal(err)
	}
	given := f.Given
	for {
		mean, sd := exact(f, given)
		if math.Abs(c.Mean()[0]-mean) > 0.2*sd || math.Abs(c.SD()[0]/sd-1) > 0.15 {
			t.Errorf("after %d: %.3f ± %.3f, want %.3f ± %.3f", len(given), c.Mean()[0], c.SD()[0], mean, sd)
		}
		item, ok := c.Next()
		if !ok {
			break
		}
		if item < 6 {
			t.Fatalf("item %d was taken before", item)
		}
		y := record.Response{Item: int32(item), Value: 1}
		if err := c.Record(context.Background(), item, []record.Response{y}); err != nil {
			t.Fatal(err)
		}
		given = append(given, y)
	}
	if len(given) != 12 || c.Enough() != adaptive.AllGone {
		t.Errorf("%d responses, enough by %q", len(given), c.Enough())
	}
}

// sameAsForm checks that a form, of whose items alone outcomes are predicted, says what the same items say one by one.
func sameAsForm(t *testing.T, m adaptive.Model, items *record.Items) {
	t.Helper()
	study := adaptive.Study{Models: []adaptive.Model{m}, Candidates: items, Settings: adaptive.Settings{Items: 3, Order: adaptive.Fixed}, Form: []int{0, 1, 2}, Subjects: 2, Root: 1, Jobs: 1}
	courses, err := study.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if a, b := courses[0].Capabilities[0].SD, courses[1].Capabilities[0].SD; !slices.Equal(a, b) {
		t.Errorf("after three items %.4f one by one, %.4f as a form", a, b)
	}
}

// TestCounts checks that of counts of successes, each of which says among how many trials, an item is chosen for one trial, as of successes and failures:
// with the same choices and numbers, after responses to several trials, too.
func TestCounts(t *testing.T) {
	items, single := fitted(t, 12)
	l, err := layout.Parse("counts.toml", strings.Replace(rasch, "\np =", "\nfamily = \"binomial\"\np =", 1))
	if err != nil {
		t.Fatal(err)
	}
	j, err := l.BindJoint(items, []string{""}, nil, []record.Measure{{Name: "success", Family: record.Count}})
	if err != nil {
		t.Fatal(err)
	}
	counts := &adaptive.Fitted{Joint: j, Draws: single.Draws}
	settings := adaptive.Settings{Items: 12, Order: adaptive.ByPrecision}
	var of [2]*adaptive.Chooser
	for k, f := range []*adaptive.Fitted{single, counts} {
		m := adaptive.Model{Fitted: f, Prior: 1}
		if of[k], err = adaptive.New([]adaptive.Model{m}, items, settings, "new"); err != nil {
			t.Fatal(err)
		}
		sameAsForm(t, m, items)
	}
	for n := range 10 {
		if a, b := of[0].Best(3), of[1].Best(3); !slices.Equal(a, b) {
			t.Fatalf("after %d: %+v, of counts %+v", n, a, b)
		}
		item, _ := of[0].Next()
		for _, c := range of {
			if err := c.Record(context.Background(), item, []record.Response{{Item: int32(item), Value: float64(n % 2)}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if adaptive.ByTrial(single.Joint.Layout()) || !adaptive.ByTrial(l) {
		t.Error("by trial")
	}
	counts.Took, counts.Given = true, []record.Response{{Item: 3, Value: 5, Trials: 8}, {Item: 4, Value: 2, Trials: 3}}
	c, err := adaptive.New([]adaptive.Model{{Fitted: counts, Prior: 1}}, items, settings, "old")
	if err != nil {
		t.Fatal(err)
	}
	for n := range 8 {
		item, _ := c.Next()
		if item == 3 || item == 4 {
			t.Errorf("item %d, which was taken", item)
		}
		if err := c.Record(context.Background(), item, []record.Response{{Item: int32(item), Value: float64(n % 2)}}); err != nil {
			t.Fatal(err)
		}
	}
}
