package misfit_test

import (
	"math"
	"strconv"
	"testing"

	"achilles/infer/misfit"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A curve is a subject that passes an item with probability logistic(ability − demand), unless it has a fault. Of the items, tests, of which five have
// a common text, and the demand are known.
type curve struct {
	trials int
	fault  string
}

var curveFaults = []string{"", "constant lapse", "bursts", "noisy demands", "testlets", "sudden fatigue", "flat"}

// respond returns responses with a fault.
func (c curve) respond(r *rng.Rand) *misfit.Data {
	it := &record.Items{}
	demand := record.Column{Feature: record.Feature{Name: "demand", Kind: record.Number}}
	lava := record.Column{Feature: record.Feature{Name: "lava", Kind: record.Number}}
	side := record.Column{Feature: record.Feature{Name: "side", Kind: record.Text}}
	text := record.Column{Feature: record.Feature{Name: "text", Kind: record.Text}}
	ability := 2*r.Norm() + 0.5
	noise, burst := 0.0, false
	d := &misfit.Data{Items: it}
	place := make([]int32, c.trials)
	for i := range place {
		k := r.IntN(i + 1)
		place[i] = place[k]
		place[k] = int32(i + 1)
	}
	inBurst := make([]bool, c.trials+1)
	for t := range inBurst {
		if burst = burst && !r.Bernoulli(1.0/12) || !burst && r.Bernoulli(1.0/60); burst {
			inBurst[t] = true
		}
	}
	for i := range c.trials {
		if i%5 == 0 {
			noise = r.Norm()
		}
		x := 2 * r.Norm()
		it.ID, it.Suite, it.Paradigm, it.Task = append(it.ID, strconv.Itoa(i)), append(it.Suite, "s"), append(it.Paradigm, "p"), append(it.Task, "t")
		demand.Number, lava.Number = append(demand.Number, x), append(lava.Number, float64(r.IntN(2)))
		side.Text, text.Text = append(side.Text, []string{"left", "right", "middle"}[r.IntN(3)]), append(text.Text, strconv.Itoa(i/5))
		logit := ability - x
		switch c.fault {
		case "noisy demands":
			logit += 2 * r.Norm()
		case "testlets":
			logit += 1.2 * noise
		case "flat":
			logit *= 0.5
		}
		p := 1 / (1 + math.Exp(-logit))
		switch late := float64(place[i]) / float64(c.trials); {
		case c.fault == "constant lapse":
			p *= 0.85
		case c.fault == "bursts" && inBurst[place[i]]:
			p *= 0.1
		case c.fault == "sudden fatigue" && late > 0.7:
			p *= 0.6
		}
		y := record.Response{Item: int32(i), Position: place[i]}
		if r.Bernoulli(p) {
			y.Value = 1
		}
		d.Responses, d.Class, d.Binary = append(d.Responses, y), append(d.Class, int32(i)), append(d.Binary, true)
	}
	it.Columns = []record.Column{demand, lava, side, text}
	return d
}

// draw returns responses with a fault, and draws of the posterior of the ability, by a grid.
func (c curve) draw(r *rng.Rand) *misfit.Data {
	d := c.respond(r)
	demand := d.Items.Columns[0].Number
	const n = 400
	var grid, sum [n]float64
	total, most := 0.0, math.Inf(-1)
	for k := range grid {
		a := -6 + 13*float64(k)/n
		grid[k] = a
		sum[k] = -(a - 0.5) * (a - 0.5) / 8
		for i, y := range d.Responses {
			z := a - demand[i]
			if y.Value == 0 {
				z = -z
			}
			sum[k] -= math.Log1p(math.Exp(-z))
		}
		most = max(most, sum[k])
	}
	for k := range sum {
		total += math.Exp(sum[k] - most)
	}
	var means [][]float64
	for range 500 {
		u, k := r.Float64()*total, 0
		for ; k < n-1; k++ {
			if u -= math.Exp(sum[k] - most); u < 0 {
				break
			}
		}
		var p []float64
		for _, x := range demand {
			p = append(p, 1/(1+math.Exp(x-grid[k])))
		}
		means = append(means, p)
	}
	expect(d, means)
	return d
}

// TestPowerOfCurves counts who is flagged at the level of .01, of subjects with and without a fault. Without, more than 6 of 100 have a probability below 1e-4;
// texts of 300 trials are found in 47 of 60 on seeds of tuning, by the check in clusters; by groups, which are too small, in one of seven.
func TestPowerOfCurves(t *testing.T) {
	shapes, seeds, first := []int{300}, 6, 1
	if longtest.On() {
		shapes, seeds, first = []int{120, 300, 800}, 100, 661
	}
	for _, n := range shapes {
		for _, fault := range curveFaults {
			if !longtest.On() && fault != "" && fault != "testlets" {
				continue
			}
			flagged, by := 0, map[string]int{}
			for s := range seeds {
				r := rng.Stream(uint64(s+first), "curves", fault, strconv.Itoa(n))
				res := misfit.Check(curve{n, fault}.draw(&r), 0.01, &r)
				if len(res.Failed) > 0 {
					flagged++
				}
				for _, f := range res.Failed {
					by[f.Check]++
				}
			}
			t.Logf("%d trials, %s: %d of %d flagged; alike within text in %d", n, fault, flagged, seeds, by["alike within text"])
			if fault == "" && flagged > 1+seeds/20 || fault == "testlets" && n >= 300 && by["alike within text"] < seeds/2 {
				t.Errorf("%d trials, %s: %d of %d flagged %v", n, fault, flagged, seeds, by)
			}
		}
	}
}

// TestAlikeWithinByHand checks 400 responses of success probability ½ that are all alike within pairs: each sum is 1 or −1, its square 1 where ½ is
// expected, so that the statistic is twice its mean.
func TestAlikeWithinByHand(t *testing.T) {
	it := &record.Items{Columns: []record.Column{{Feature: record.Feature{Name: "text", Kind: record.Text}}}}
	d := &misfit.Data{Items: it}
	expect(d, [][]float64{{0.5}})
	for i := range 400 {
		it.ID, it.Suite, it.Paradigm, it.Task = append(it.ID, strconv.Itoa(i)), append(it.Suite, "s"), append(it.Paradigm, "p"), append(it.Task, "t")
		it.Columns[0].Text = append(it.Columns[0].Text, strconv.Itoa(i/2))
		d.Responses = append(d.Responses, record.Response{Item: int32(i), Value: float64(i / 2 % 2)})
		d.Class, d.Binary = append(d.Class, 0), append(d.Binary, true)
	}
	r := rng.Stream(1, "by hand")
	res := misfit.Check(d, 0.05, &r)
	if len(res.Failed) != 1 || res.Failed[0].Check != "alike within text" || math.Abs(res.Failed[0].Statistic-200) > 1e-9 ||
		res.Failed[0].Statement != "responses to items with one value of text are alike beyond the layout: sums of residuals vary 2.0 times as much as expected" {
		t.Errorf("%+v", res)
	}
}

// TestFailingWhenNearByHand checks 240 responses, half with success probability ½ and half with .9, of which twelve one after another fail and all others
// pass as often as expected: residuals are divided by the probability of a failure, and summed over each twelve trials.
func TestFailingWhenNearByHand(t *testing.T) {
	it := &record.Items{}
	d := &misfit.Data{Items: it}
	expect(d, [][]float64{{0.5, 0.9}})
	want, sum := 0.0, 0.0
	for i := range 240 {
		it.ID, it.Suite, it.Paradigm, it.Task = append(it.ID, strconv.Itoa(i)), append(it.Suite, "s"), append(it.Paradigm, "p"), append(it.Task, "t")
		hard, y := i%2 == 0, 1.0
		if i >= 120 && i < 132 || hard && i%4 == 0 || !hard && i%20 == 1 {
			y = 0
		}
		d.Responses = append(d.Responses, record.Response{Item: int32(i), Position: int32(i + 1), Value: y})
		d.Binary = append(d.Binary, true)
		if hard {
			d.Class = append(d.Class, 0)
			sum += (y - 0.5) / 0.5
		} else {
			d.Class = append(d.Class, 1)
			sum += (y - 0.9) / 0.1
		}
		if i%12 == 11 {
			want, sum = want+sum*sum, 0
		}
	}
	r := rng.Stream(1, "by hand")
	for _, f := range misfit.Check(d, 0.05, &r).Failed {
		if f.Check == "order of presentation, failing when near" {
			if math.Abs(f.Statistic-want) > 1e-9*want || f.P > 1e-4 {
				t.Errorf("%+v, want %g", f, want)
			}
			return
		}
	}
	t.Error("twelve failures one after another were not found")
}
