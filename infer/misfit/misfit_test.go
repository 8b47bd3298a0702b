package misfit_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"achilles/infer/misfit"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// battery returns n items with features of several kinds.
func battery(n int) *record.Items {
	r := rng.Stream(1, "battery")
	it := &record.Items{}
	number := func(name string, draw func() float64) {
		c := record.Column{Feature: record.Feature{Name: name, Kind: record.Number}}
		for range n {
			c.Number = append(c.Number, draw())
		}
		it.Columns = append(it.Columns, c)
	}
	for i := range n {
		it.ID, it.Suite = append(it.ID, "i"+strconv.Itoa(i)), append(it.Suite, "s")
		it.Paradigm, it.Task = append(it.Paradigm, []string{"cup", "grid", "cv"}[r.IntN(3)]), append(it.Task, "t")
	}
	for _, name := range []string{"lava", "ramp", "occluder"} {
		number(name, func() float64 { return float64(r.IntN(2)) })
	}
	number("side", func() float64 { return float64(r.IntN(3) - 1) })
	number("size", func() float64 { return float64(1 + r.IntN(5)) })
	number("time", func() float64 { return 4 * r.Float64() })
	return it
}

// A model gives every class of items a success rate. A subject's rates are drawn from the uniform prior.
type model struct {
	name  string
	class func(it *record.Items, i int) int // returns the class of item i; nil: one rate for all items, known and not fitted
	n     int
}

var models = []model{
	{"known", nil, 1},
	{"one rate", func(*record.Items, int) int { return 0 }, 1},
	{"a rate for each side and lava", func(it *record.Items, i int) int {
		return 2*int(it.Columns[3].Number[i]+1) + int(it.Columns[0].Number[i])
	}, 6},
	{"a rate for each size and paradigm", func(it *record.Items, i int) int {
		return 3*int(it.Columns[4].Number[i]-1) + map[string]int{"cup": 0, "grid": 1, "cv": 2}[it.Paradigm[i]]
	}, 15},
}

// subject returns responses of a subject whose rates come from the prior, and posterior draws of the rates (beta
// distributions). If pass is not nil, it returns the success probability of a response in place of p; at is the
// response's place in the order of presentation, in (0, 1).
func (m model) subject(it *record.Items, r *rng.Rand, pass func(p float64, item int, at float64) float64) *misfit.Data {
	d := &misfit.Data{Items: it}
	rate, wins, tries := make([]float64, m.n), make([]float64, m.n), make([]float64, m.n)
	for k := range rate {
		rate[k] = r.Float64()
	}
	place := make([]int32, it.Len())
	for i := range place {
		k := r.IntN(i + 1)
		place[i] = place[k]
		place[k] = int32(i + 1)
	}
	for i := range it.ID {
		k := 0
		if m.class != nil {
			k = m.class(it, i)
		}
		x := record.Response{Item: int32(i), Position: place[i]}
		p := rate[k]
		if pass != nil {
			p = pass(p, i, float64(place[i])/float64(it.Len()+1))
		}
		if r.Bernoulli(p) {
			x.Value = 1
		}
		wins[k], tries[k] = wins[k]+x.Value, tries[k]+1
		d.Responses, d.Class, d.Binary = append(d.Responses, x), append(d.Class, int32(k)), append(d.Binary, true)
	}
	var means [][]float64
	for range 2000 {
		mean := make([]float64, m.n)
		for k := range mean {
			mean[k] = rate[k]
			if m.class != nil {
				mean[k] = distuv.Beta{Alpha: wins[k] + 1, Beta: tries[k] - wins[k] + 1, Src: r}.Rand()
			}
		}
		means = append(means, mean)
	}
	expect(d, means)
	return d
}

// expect gives classes of binary responses these success probabilities [draw][class].
func expect(d *misfit.Data, p [][]float64) {
	d.Draws, d.Classes = len(p), len(p[0])
	d.Moments = func(draw int, mean, variance []float64) {
		copy(mean, p[draw])
		for k := range variance {
			variance[k] = mean[k] * (1 - mean[k])
		}
	}
}

// TestAlarmRate checks that the share of subjects from the model that are flagged is the alarm rate, whatever the number
// of rates that are fitted.
func TestAlarmRate(t *testing.T) {
	it := battery(300)
	seeds, first := 40, 0
	if longtest.On() {
		seeds, first = 1000, 50000
	}
	for _, m := range models {
		flagged := map[float64]int{0.1: 0, 0.01: 0}
		for s := range seeds {
			r := rng.Stream(uint64(first+s), "alarm", m.name)
			d := m.subject(it, &r, nil)
			for alarm := range flagged {
				r := rng.Stream(uint64(first+s), "alarm", m.name, fmt.Sprint(alarm))
				if len(misfit.Check(d, alarm, &r).Failed) > 0 {
					flagged[alarm]++
				}
			}
		}
		for alarm, k := range flagged {
			t.Logf("%s: %d of %d subjects flagged at %g", m.name, k, seeds, alarm)
			// |z| exceeds 5 with probability below 1e-6.
			if n := float64(seeds); math.Abs(float64(k)-n*alarm) > 1+5*math.Sqrt(n*alarm*(1-alarm)) {
				t.Errorf("%s: %d of %d subjects flagged at %g", m.name, k, seeds, alarm)
			}
		}
	}
}

// TestPools checks that statistics from sums in pools are those from all residuals, that features of items are pooled, and that those by
// which responses differ, such as the position, are not.
func TestPools(t *testing.T) {
	for _, n := range []int{40, 700, 8000} {
		it := battery(n)
		r := rng.Stream(uint64(n), "pools")
		d := models[3].subject(it, &r, nil)
		residual := make([]float64, n)
		for i := range residual {
			residual[i] = r.Norm()
		}
		all, pools := misfit.WholeAndPooled(d, residual)
		pooled := map[string]bool{}
		for _, b := range all {
			pooled[b.Name] = b.Pools
			if !(math.Abs(b.Whole-b.Pooled) <= 1e-9*(1+b.Whole)) {
				t.Errorf("%d responses: %s is %g, in pools %g", n, b.Name, b.Whole, b.Pooled)
			}
		}
		if 2*pools > n {
			t.Errorf("%d responses have %d pools", n, pools)
		}
		if n == 8000 && !(pooled["lava"] && pooled["side × size"] && pooled["occluder with size"]) {
			t.Errorf("features of items are not pooled: %v", pooled)
		}
		if pooled["order of presentation, trend"] || pooled["trend with time"] {
			t.Errorf("%d responses: what differs between all of them is pooled", n)
		}
	}
}

// TestChecksKeepTheirAlarmRate checks that about 1 % of subjects fail any check if they respond with the probability that
// the model expects, for four such probabilities. If 1 % fail, 7 or more of 100 subjects fail with probability below 1e-4
// (binomial), and so do, with -long, 9 or more of 150.
func TestChecksKeepTheirAlarmRate(t *testing.T) {
	it := battery(500)
	subjects, most := 100, 6
	if longtest.On() {
		subjects, most = 150, 8
	}
	for _, rate := range []float64{0.5, 0.9, 0.995, 0.02} {
		failed := 0
		for s := range subjects {
			r := rng.Stream(uint64(s), "rates", fmt.Sprint(rate))
			d := &misfit.Data{Items: it}
			expect(d, [][]float64{{rate}})
			for i := range it.Len() {
				x := record.Response{Item: int32(i)}
				if r.Bernoulli(rate) {
					x.Value = 1
				}
				d.Responses, d.Class, d.Binary = append(d.Responses, x), append(d.Class, 0), append(d.Binary, true)
			}
			if res := misfit.Check(d, 0.01, &r); len(res.Failed) > 0 {
				failed++
			} else if res.Checks < 50 {
				t.Fatalf("%d checks", res.Checks)
			}
		}
		if failed > most {
			t.Errorf("rate %v: %d of %d fail a check that should alarm in 1 %%", rate, failed, subjects)
		}
	}
}

// TestCheckByHand checks sixteen responses that succeed with probability ½ under the model. All eight items with lava are
// successes: the sum of the residuals is 4, with variance 2, so that the standardised square is 8. Four of the eight
// items without lava are successes: the sum is 0. Over the two groups, the sum of the squares is 8, and so is the largest
// square.
func TestCheckByHand(t *testing.T) {
	it := &record.Items{Columns: []record.Column{{Feature: record.Feature{Name: "lava", Kind: record.Number}}}}
	d := &misfit.Data{Items: it}
	expect(d, [][]float64{{0.5}})
	for i := range 16 {
		it.ID, it.Suite, it.Paradigm, it.Task = append(it.ID, strconv.Itoa(i)), append(it.Suite, "s"), append(it.Paradigm, "p"), append(it.Task, "t")
		it.Columns[0].Number = append(it.Columns[0].Number, float64(i/8))
		r := record.Response{Item: int32(i)}
		if i >= 8 || i%2 == 0 {
			r.Value = 1
		}
		d.Responses, d.Class, d.Binary = append(d.Responses, r), append(d.Class, 0), append(d.Binary, true)
	}
	r := rng.Stream(1, "by hand")
	res := misfit.Check(d, 0.05, &r)
	if res.Checks != 2 || len(res.Failed) != 2 {
		t.Fatalf("%+v", res)
	}
	m := res.Failed[slices.IndexFunc(res.Failed, func(f misfit.Finding) bool { return f.Check == "lava" })]
	// Each square has mean 1 and variance 2 + (0.25·8·(1 − 6·0.25))/2² = 2 − 0.25 = 1.75. Their sum has mean 2 and variance
	// 3.5, as the gamma distribution of shape 4/3.5 and scale 3.5/2.
	if m.Statistic != 8 || math.Abs(m.P-0.014108) > 1e-6 {
		t.Errorf("%+v; want p = 0.014108", m)
	}
	if m.Statement != "where lava is 1, success rate 1.00 (n = 8), expected 0.50" || m.Material {
		t.Errorf("%+v", m)
	}
}

// TestPower checks that subjects are flagged who learn, tire, change at one place, or depend on features in a way that
// the model does not know, and that the check whose name contains c.check finds them. Six rates are fitted to 300 trials of
// 15 subjects; -long takes 100.
func TestPower(t *testing.T) {
	it := battery(300)
	m := models[2]
	seeds := 15
	if longtest.On() {
		seeds = 100
	}
	for _, c := range []struct {
		name, check string
		pass        func(p float64, item int, at float64) float64
		least       int // smallest number of flagged subjects, of a hundred
	}{
		{"nothing", "", nil, 0},
		{"learns", "order of presentation", func(p float64, _ int, at float64) float64 { return 0.4 + 0.5*at }, 85},
		{"learns early", "order of presentation", func(p float64, _ int, at float64) float64 { return 0.9 * (1 - math.Exp(-8*at)) }, 90},
		{"tires", "order of presentation", func(p float64, _ int, at float64) float64 { return 0.9 - 0.5*at }, 85},
		{"changes", "order of presentation", func(p float64, _ int, at float64) float64 { return map[bool]float64{true: 0.9, false: 0.5}[at < 0.6] }, 85},
		{"time with size", "size with time", func(_ float64, i int, _ float64) float64 {
			return 0.5 + 0.35*math.Tanh((it.Columns[4].Number[i]-3)*(it.Columns[5].Number[i]-2)/1.5)
		}, 90},
		{"size", "size", func(_ float64, i int, _ float64) float64 { return 0.2 + 0.12*it.Columns[4].Number[i] }, 90},
		{"one task", "largest", func(p float64, i int, _ float64) float64 {
			if it.Paradigm[i] == "cv" && it.Columns[4].Number[i] == 3 {
				return 0.05
			}
			return 0.8
		}, 90},
	} {
		flagged, named := 0, 0
		for s := range seeds {
			r := rng.Stream(uint64(s+501), "power", c.name)
			res := misfit.Check(m.subject(it, &r, c.pass), 0.01, &r)
			if len(res.Failed) > 0 {
				flagged++
			}
			if slices.ContainsFunc(res.Failed, func(f misfit.Finding) bool { return strings.Contains(f.Check, c.check) }) {
				named++
			}
		}
		t.Logf("%s: %d of %d flagged, in %d by a check of it", c.name, flagged, seeds, named)
		if least := c.least * seeds / 100; flagged < least || named < least*9/10 {
			t.Errorf("%s: %d of %d flagged, in %d by a check of it", c.name, flagged, seeds, named)
		}
	}
}

// TestTheTrialBefore checks that subjects whose success depends on how the trial before went are flagged by the check of it: 0.9 after a passed trial,
// 0.5 after a failed one, one rate fitted to 300 trials of 20 subjects. Of a subject whose trials depend on nothing before it says nothing.
func TestTheTrialBefore(t *testing.T) {
	it := battery(300)
	m := models[1]
	for _, c := range []struct {
		after [2]float64
		least int
		most  int
	}{{[2]float64{0.5, 0.9}, 18, 20}, {[2]float64{0.8, 0.8}, 0, 2}} {
		named := 0
		for s := range 20 {
			r := rng.Stream(uint64(s+501), "the trial before")
			d := m.subject(it, &r, func(float64, int, float64) float64 { return 0 })
			order := slices.Clone(d.Responses)
			slices.SortFunc(order, func(a, b record.Response) int { return int(a.Position - b.Position) })
			wins, before := 0.0, 1
			for _, x := range order {
				y := 0
				if r.Bernoulli(c.after[before]) {
					y = 1
				}
				d.Responses[x.Item].Value, before = float64(y), y
				wins += float64(y)
			}
			var rates [][]float64
			for range 2000 {
				rates = append(rates, []float64{distuv.Beta{Alpha: wins + 1, Beta: 301 - wins, Src: &r}.Rand()})
			}
			expect(d, rates)
			for _, f := range misfit.Check(d, 0.01, &r).Failed {
				if f.Check == "order of presentation, the trial before" {
					named++
					if !strings.HasPrefix(f.Statement, "where the trial before was failed, success rate 0.") || !f.Material {
						t.Errorf("%+v", f)
					}
				}
			}
		}
		t.Logf("%v: %d of 20", c.after, named)
		if named < c.least || named > c.most {
			t.Errorf("%v: %d of 20 flagged", c.after, named)
		}
	}
}
