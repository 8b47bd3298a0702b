package adaptive_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"achilles/infer/adaptive"
	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
)

// candidates returns n items with a demand, equally spaced from 0 to 10.
func candidates(n int) *record.Items {
	items := &record.Items{}
	c := record.Column{Feature: record.Feature{Name: "demand", Kind: record.Number}}
	for i := range n {
		items.ID = append(items.ID, fmt.Sprintf("i-%04d", i))
		items.Suite, items.Paradigm, items.Task = append(items.Suite, "s"), append(items.Paradigm, "p"), append(items.Task, "t")
		c.Number = append(c.Number, 10*float64(i)/float64(n-1))
	}
	items.Columns = []record.Column{c}
	return items
}

// single has one capability and no noise: P(success) = logistic(ability − demand).
const single = `name = "single"
[metafeature]
demand = { column = "demand", range = [0, 10] }
[capability]
ability = { prior = "uniform(0, 10)" }
[response.success]
p = "logistic(ability - demand)"
`

func bind(t testing.TB, text string, items *record.Items) *layout.Design {
	t.Helper()
	l, err := layout.Parse("test.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	d, err := l.Bind(items, []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// take lets a subject take items until the chooser has enough, and returns the items in order. pass says whether the
// subject passes an item.
func take(t testing.TB, c *adaptive.Chooser, pass func(item int) bool, after func(n int)) (order []int) {
	t.Helper()
	for {
		item, ok := c.Next()
		if !ok {
			return order
		}
		r := record.Response{Item: int32(item)}
		if pass(item) {
			r.Value = 1
		}
		if err := c.Record(context.Background(), item, []record.Response{r}); err != nil {
			t.Fatal(err)
		}
		order = append(order, item)
		if after != nil {
			after(len(order))
		}
	}
}

func start(t testing.TB, d *layout.Design, items int, s adaptive.Settings, subject string) *adaptive.Chooser {
	t.Helper()
	c, err := adaptive.New([]adaptive.Model{{Design: d, Prior: 1}}, candidates(items), s, subject)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestInformationByHand compares the expected information of three items under the prior with the integrals over it. For
// ability uniform on 0 … 10 the mean success probability at demand b is (softplus(10 − b) − softplus(−b))/10.
func TestInformationByHand(t *testing.T) {
	d := bind(t, single, candidates(3))
	got := start(t, d, 3, adaptive.Settings{Items: 1}, "s").Information()
	h := func(p float64) float64 { return -p*math.Log(p) - (1-p)*math.Log1p(-p) }
	for i, b := range []float64{0, 5, 10} {
		mean := (num.Softplus(10-b) - num.Softplus(-b)) / 10
		left := 0.0
		for k := range 10000 {
			left += h(num.Logistic((float64(k)+0.5)/1000-b)) / 10000
		}
		if want := h(mean) - left; math.Abs(got[i]-want) > 0.03 {
			t.Errorf("demand %v: %v nats, want %v", b, got[i], want)
		}
	}
}

// TestChecksAreDrawn checks that with Checks 0.2 every fifth item is drawn at random, and all others are those that say most.
func TestChecksAreDrawn(t *testing.T) {
	const n = 200
	d := bind(t, single, candidates(n))
	c := start(t, d, n, adaptive.Settings{Items: 40, Checks: 0.2}, "s")
	most := func() int {
		taken := c.Information()
		return slices.Index(taken, slices.Max(taken))
	}
	informative := 0
	for k := 1; ; k++ {
		want := most()
		item, ok := c.Next()
		if !ok {
			break
		}
		if k%5 == 0 && c.Information()[item] > 0.8*c.Information()[want] {
			informative++
		}
		if k%5 != 0 && c.Information()[item] < 0.5*c.Information()[want] {
			t.Errorf("item %d of the order says %v, and another %v", k, c.Information()[item], c.Information()[want])
		}
		r := record.Response{Item: int32(item)}
		if 10*float64(item)/(n-1) < 7.3 {
			r.Value = 1
		}
		if err := c.Record(context.Background(), item, []record.Response{r}); err != nil {
			t.Fatal(err)
		}
	}
	if informative > 6 {
		t.Errorf("%d of 8 items that are drawn at random say nearly as much as any", informative)
	}
}

// TestChoosesNearTheAbility checks that, for a subject that passes the demands below 7.3 and no others, the items come to
// lie near 7.3, that none is taken twice, and that the posterior SD is less than with half as many random items again.
func TestChoosesNearTheAbility(t *testing.T) {
	const n = 200
	d := bind(t, single, candidates(n))
	pass := func(item int) bool { return 10*float64(item)/(n-1) < 7.3 }
	c := start(t, d, n, adaptive.Settings{Items: 24}, "s")
	seen := map[int]bool{}
	for k, item := range take(t, c, pass, nil) {
		if b := 10 * float64(item) / (n - 1); seen[item] || k > 12 && math.Abs(b-7.3) > 2 {
			t.Errorf("item %d, number %d of the order: demand %v", item, k, b)
		}
		seen[item] = true
	}
	r := start(t, d, n, adaptive.Settings{Items: 36, Order: adaptive.AtRandom}, "s")
	take(t, r, pass, nil)
	if c.SD()[0] > r.SD()[0] {
		t.Errorf("sd %v after 24 chosen items, %v after 36 random ones", c.SD()[0], r.SD()[0])
	}
}

// TestStops checks when a subject has taken enough: all candidates, the stated number, or the stated SD; and that a
// subject that fails or passes everything is measured too.
func TestStops(t *testing.T) {
	d := bind(t, single, candidates(30))
	for _, x := range []struct {
		s    adaptive.Settings
		pass bool
		want func(n int) bool
	}{
		{adaptive.Settings{Items: 100}, false, func(n int) bool { return n == 30 }},
		{adaptive.Settings{Items: 7}, true, func(n int) bool { return n == 7 }},
		{adaptive.Settings{Items: 30, SD: 0.12}, true, func(n int) bool { return n > 1 && n < 30 }},
		{adaptive.Settings{Items: 30, SD: 0.0001}, false, func(n int) bool { return n == 30 }},
		{adaptive.Settings{Items: 100, Order: adaptive.AtRandom}, true, func(n int) bool { return n == 30 }},
		{adaptive.Settings{Items: 7, Order: adaptive.Fixed}, true, func(n int) bool { return n == 7 }},
	} {
		c := start(t, d, 30, x.s, "s")
		if order := take(t, c, func(int) bool { return x.pass }, nil); !x.want(len(order)) {
			t.Errorf("%+v: %d items taken", x.s, len(order))
		}
	}
}

// TestRefuses checks that a layout whose chance rate is the mean of the responses is refused.
func TestRefuses(t *testing.T) {
	d := bind(t, `name = "mean"
[capability]
ability = { prior = "uniform(0, 1)" }
[response.success]
p = "mix(ability, mean(success), 0.5)"
`, candidates(3))
	if _, err := adaptive.New([]adaptive.Model{{Design: d, Prior: 1}}, candidates(3), adaptive.Settings{Items: 1}, "s"); err == nil {
		t.Error("no error")
	}
}

// TestTellsModelsApart checks a bank of two models that differ only above demand 5: a subject that the second describes takes
// its items there, and they raise the weight of the second model. That an item is informative although each model by itself
// expects nothing of it shows that information about the model counts.
func TestTellsModelsApart(t *testing.T) {
	const constant = `name = "constant"
[capability]
rate = { prior = "uniform(0.89, 0.9)" }
[response.success]
p = "rate"
`
	const weak = `name = "weak"
[metafeature]
demand = { column = "demand", range = [0, 10] }
[capability]
rate = { prior = "uniform(0.89, 0.9)" }
[performance]
step = "logistic(1000*(demand - 5))"
[response.success]
p = "rate*(1 - 0.9*step)"
`
	items := candidates(40)
	c, err := adaptive.New([]adaptive.Model{{Design: bind(t, constant, items), Prior: 1}, {Design: bind(t, weak, items), Prior: 1}}, items, adaptive.Settings{Items: 3}, "s")
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Information(); got[10] > 1e-3 || got[30] < 0.2 {
		t.Errorf("%v nats below demand 5, %v above", got[10], got[30])
	}
	for _, item := range take(t, c, func(item int) bool { return item < 20 }, nil) {
		if item < 20 {
			t.Errorf("item %d says nothing about the model", item)
		}
	}
}

// TestPrecisionByHand offers two items. One tells whether an ability, uniform on 0 to 10, is above 9, and hardly ever is it: 0.26
// nats, but the variance falls by (0.1·0.45)²/0.09 = 0.0225 of the squared range. The other is passed with probability courage, uniform
// on 0 to 1: 0.19 nats, and (1/12)²/(1/4) = 0.028.
func TestPrecisionByHand(t *testing.T) {
	items := candidates(2) // with demands 0 and 10
	d := bind(t, `name = "both"
[metafeature]
demand = { column = "demand", range = [0, 10] }
[capability]
ability = { prior = "uniform(0, 10)" }
courage = { prior = "uniform(0, 1)" }
[response.success]
p = "mix(demand/10, courage, logistic(5*(ability - 9)))"
`, items)
	for order, want := range map[string]int{adaptive.ByInformation: 1, adaptive.ByPrecision: 0} {
		for _, subject := range []string{"a", "b", "c"} {
			if got, _ := start(t, d, 2, adaptive.Settings{Items: 1, Order: order}, subject).Next(); got != want {
				t.Errorf("%s, subject %s: item %d, want %d", order, subject, got, want)
			}
		}
	}
}

// TestPrecisionNeedsSD checks that an order by shares of ranges or SDs is refused for a capability that has neither.
func TestPrecisionNeedsSD(t *testing.T) {
	d := bind(t, `name = "unbounded"
[capability]
ability = { prior = "halfcauchy(1)" }
[response.success]
p = "logistic(ability - 1)"
`, candidates(2))
	if _, err := adaptive.New([]adaptive.Model{{Design: d, Prior: 1}}, candidates(2), adaptive.Settings{Items: 1, Order: adaptive.ByPrecision}, "s"); err == nil {
		t.Error("no error")
	}
}
