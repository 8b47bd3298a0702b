package adaptive_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/adaptive"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// TestForm checks that the first item of a form is the one that lowers the variance most, that one of two equal items is not worth as much beside
// the other as another, and that every label has its share.
func TestForm(t *testing.T) {
	const n = 31
	d := bind(t, single, candidates(n))
	m := adaptive.Model{Design: d, Prior: 1}
	form, err := adaptive.Form(m, candidates(n), 8, nil)
	if err != nil {
		t.Fatal(err)
	}
	if form[0] < n/2-2 || form[0] > n/2+2 {
		t.Errorf("the first item is %d of %d, not in the middle of the abilities", form[0], n)
	}
	low, high := slices.Min(form), slices.Max(form)
	if low > n/3 || high < 2*n/3 {
		t.Errorf("items %v: not spread over the abilities", form)
	}
	strata := make([]string, n)
	for i := range strata {
		strata[i] = fmt.Sprint(i * 3 / n) // 11, 10 and 10 items
		if i == n-1 {
			strata[i] = "rare"
		}
	}
	form, err = adaptive.Form(m, candidates(n), 12, strata)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, i := range form {
		count[strata[i]]++
	}
	if len(form) != 12 || count["rare"] != 1 || count["0"] < 3 || count["1"] < 3 || count["2"] < 3 {
		t.Errorf("a form of 12 with %v", count)
	}
	if all, err := adaptive.Form(m, candidates(n), 2*n, strata); err != nil || len(all) != n {
		t.Errorf("a form of all has %d items: %v", len(all), err)
	}
}

// TestStudy holds the SD of simulated subjects against what the information of the items gives, and the orders against each other.
func TestStudy(t *testing.T) {
	items, f := fitted(t, 24)
	m := adaptive.Model{Fitted: f, Prior: 1}
	form, err := adaptive.Form(m, items, 24, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := adaptive.Study{Models: []adaptive.Model{m}, Candidates: items, Settings: adaptive.Settings{Items: 24, Order: adaptive.ByPrecision}, Form: form, Subjects: 16, Root: 1, Jobs: 2}
	courses, err := s.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]*adaptive.Capability{}
	for i := range courses {
		at[courses[i].Order] = &courses[i].Capabilities[0]
	}
	chosen, of, random := at[adaptive.Chosen], at[adaptive.OfForm], at[adaptive.AtRandom]
	if chosen.SD[9] > random.SD[9]-2*random.Error[9] || of.SD[9] > random.SD[9]-random.Error[9] {
		t.Errorf("after 10 items SD %.3f chosen, %.3f form, %.3f ± %.3f at random", chosen.SD[9], of.SD[9], random.SD[9], random.Error[9])
	}
	// After all items the order does not matter, and the SD is that of a normal approximation with the information of the items.
	mean, r := 0.0, rng.Stream(5, "study")
	const draws = 2000
	for range draws {
		x := spreadOf * r.Norm()
		information := 1 / (spreadOf * spreadOf)
		for i := range 24 {
			p := num.Logistic(x + 2 - 4*float64(i)/23)
			information += p * (1 - p)
		}
		mean += 1 / math.Sqrt(information) / spreadOf / draws
	}
	for order, c := range at {
		if math.Abs(c.SD[23]/mean-1) > 0.1 {
			t.Errorf("%s: SD %.3f after all items, want %.3f", order, c.SD[23], mean)
		}
	}
	if n := courses[0].Reached(0.5); n < 5 || chosen.SD[n-1] > 0.5 || chosen.SD[n-2] <= 0.5 {
		t.Errorf("an SD of 0.5 is reached after %d", n)
	}
	s.Subjects = 3
	two, err := s.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s.Jobs = 1
	again, err := s.Run(context.Background())
	if err != nil || fmt.Sprint(again) != fmt.Sprint(two) {
		t.Errorf("one goroutine gives another result: %v", err)
	}
}

// TestFindable simulates pairs of subjects whose difference is the one that is said to be found with probability 0.8: of 400 pairs, 0.8 ± 0.06 are three
// standard errors. The posterior of either is taken as normal.
func TestFindable(t *testing.T) {
	const n, pairs = 40, 400
	// SD of an ability after n items of difficulty 0 with slope 1, and normal abilities of SD 1.5: of the normal approximation at 0.
	sd := 1 / math.Sqrt(1/(spreadOf*spreadOf)+n*0.25)
	c := adaptive.Capability{Width: spreadOf, Prior: spreadOf, SD: []float64{sd / spreadOf}}
	d := c.Findable(1) * spreadOf
	r := rng.Stream(7, "findable")
	found := 0
	for range pairs {
		var mean, v [2]float64
		for k := range mean {
			x := d * (float64(k) - 0.5)
			right := 0.0
			for range n {
				if r.Bernoulli(num.Logistic(x)) {
					right++
				}
			}
			total, first, second := 0.0, 0.0, 0.0
			for i := range 401 {
				z := float64(i)/50 - 4
				w := math.Exp(-z*z/2/spreadOf/spreadOf + right*num.LogLogistic(z) + (n-right)*num.LogLogistic(-z))
				total, first, second = total+w, first+w*z, second+w*z*z
			}
			mean[k], v[k] = first/total, second/total-first/total*first/total
		}
		if (mean[1]-mean[0])/math.Sqrt(v[0]+v[1]) >= num.NormalQuantile(0.975) {
			found++
		}
	}
	if p := float64(found) / pairs; math.Abs(p-0.8) > 0.06 {
		t.Errorf("a difference of %.2f is found in %.3f of pairs", d, p)
	}
	// Two groups: abilities and errors are normal.
	m := c.PerGroup(1, 0.5)
	groups, hits := 600, 0
	se := sd / math.Sqrt(1-sd*sd/spreadOf/spreadOf)
	for range groups {
		var mean, v [2]float64
		for k := range mean {
			var x []float64
			for range m {
				x = append(x, 0.5*spreadOf*float64(k)+spreadOf*r.Norm()+se*r.Norm())
			}
			mean[k], v[k] = num.Moments(x)
		}
		if (mean[1]-mean[0])/math.Sqrt((v[0]+v[1])/float64(m)) >= num.StudentTQuantile(0.975, float64(2*m-2)) {
			hits++
		}
	}
	if p := float64(hits) / float64(groups); math.Abs(p-0.8) > 0.05 {
		t.Errorf("%d subjects per group find the difference in %.3f", m, p)
	}
}

// TestUnboundedSD lets a subject stop by the share of the prior SD of a capability without bounds.
func TestUnboundedSD(t *testing.T) {
	d := bind(t, `name = "open"
[metafeature]
demand = { column = "demand", range = [0, 10] }
[capability]
ability = { prior = "normal(5, 2)" }
[response.success]
p = "logistic(ability - demand)"
`, candidates(60))
	c := start(t, d, 60, adaptive.Settings{Items: 60, SD: 0.3, Order: adaptive.ByPrecision}, "s")
	order := take(t, c, func(item int) bool { return item < 25 }, nil)
	if n := len(order); n < 5 || n > 40 || c.LargestSD() > 0.3 || math.Abs(c.SD()[0]/2-c.LargestSD()) > 0.02 {
		t.Errorf("%d items, SD %v, as a share %v", n, c.SD(), c.LargestSD())
	}
}

// TestLike works out by hand how many items like those of a course it takes, and says it where the course does not reach what is asked for.
func TestLike(t *testing.T) {
	x := adaptive.Capability{Name: "a", Width: 1, Prior: 1, SD: []float64{0.9, 0.8}, Most: 3.6, Error: []float64{0, 0}}
	course := func(order string, all ...adaptive.Capability) adaptive.Course {
		return adaptive.Course{Order: order, Items: 2, Capabilities: all}
	}
	half := func(_ *adaptive.Capability, sd float64) bool { return sd <= 0.5 }
	c := course(adaptive.AtRandom, x)
	if n := c.Like(half); n != 11 { // two items add 1/0.64 − 1 = 0.5625 to 1, and 4 takes 3 more: 10.67 items
		t.Errorf("%d items, want 11", n)
	}
	dull := adaptive.Capability{Name: "b", Width: 1, Prior: 1, SD: []float64{1, 1}}
	for _, c := range []adaptive.Course{course(adaptive.AtRandom, x, dull), course(adaptive.AtRandom, adaptive.Capability{Width: 1, Prior: 1, SD: []float64{1, 0.9999}})} {
		if n := c.Like(half); n != 0 {
			t.Errorf("%d items where nothing is known, or too many are needed", n)
		}
	}
	said := adaptive.Answers([]adaptive.Course{course(adaptive.Chosen, x), course(adaptive.OfForm, x), c}, 0.5, 1)
	for k, want := range []string{"or more than 2 items at random; about 11 items like these would do.", "; about 59 items like these would do."} {
		if !strings.HasSuffix(said[k], want) {
			t.Errorf("%q, want %q", said[k], want)
		}
	}
	if said := adaptive.Answers([]adaptive.Course{course(adaptive.Chosen, x), course(adaptive.OfForm, x), c}, 0.85, 0); !strings.HasSuffix(said[0], "or 2 items at random.") {
		t.Errorf("%q", said)
	}
}
