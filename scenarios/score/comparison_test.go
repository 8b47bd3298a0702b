package score_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"achilles/infer"
	"achilles/infer/infertest"
	"achilles/scenarios/score"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// square returns data of subjects × items with one binary response each, and the values.
func square(subjects, items int, value func(s, i int) float64, held func(s, i int) bool) *record.Dataset {
	d := &record.Dataset{Reasons: []string{""}}
	d.Manifest.Measures = []record.Measure{{Name: "success", Family: record.Binary}}
	for i := range items {
		d.Items.ID = append(d.Items.ID, fmt.Sprintf("i%02d", i))
	}
	var list []record.Response
	for s := range subjects {
		d.Subjects = append(d.Subjects, fmt.Sprintf("s%02d", s))
		for i := range items {
			r := record.Response{Subject: int32(s), Item: int32(i), Value: value(s, i)}
			if held(s, i) {
				r.Split = record.HeldOut
			}
			list = append(list, r)
		}
	}
	d.Responses = record.PackResponses(list)
	return d
}

// predicting returns a result that predicts every held-out response.
func predicting(d *record.Dataset, p func(s, i int) float64) *infer.Result {
	var all []infer.Prediction
	for _, r := range d.Responses.All() {
		if r.Split == record.HeldOut {
			all = append(all, infer.Prediction{Subject: d.Subjects[r.Subject], Item: d.Items.ID[r.Item], Measure: "success", P: p(int(r.Subject), int(r.Item))})
		}
	}
	return &infer.Result{Predictions: infertest.Predictions(all)}
}

func comparison(t *testing.T, d *record.Dataset, ps ...func(s, i int) float64) *score.Comparison {
	t.Helper()
	c, err := score.NewComparison(d, "success")
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range ps {
		if err := c.Add(fmt.Sprintf("layout%d", k+1), predicting(d, p)); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// TestComparisonByHand has two subjects with a response each to item 0 that is fitted and passed, and one to each of items 1 to 3 that is
// held out and failed, passed, passed. The success rate with half a success and failure is 1.5/2.
func TestComparisonByHand(t *testing.T) {
	d := square(2, 4, func(s, i int) float64 { return math.Min(1, float64(i%4)/2) * float64(min(1, i)) }, func(s, i int) bool { return i > 0 })
	list := d.Responses.List()
	for k := range list {
		list[k].Value = []float64{1, 0, 1, 1}[list[k].Item]
	}
	d.Responses = record.PackResponses(list)
	c := comparison(t, d, func(s, i int) float64 { return 0.5 })
	g := c.Better(1, 0)
	gains := [3]float64{math.Log(0.5) - math.Log(0.25), math.Log(0.5) - math.Log(0.75), math.Log(0.5) - math.Log(0.75)}
	mean := (gains[0] + gains[1] + gains[2]) / 3
	// Both subjects have the same responses: there is no difference between clusters.
	if g.Responses != 6 || g.By != "subject" || g.Clusters != 2 || math.Abs(g.Mean-mean) > 1e-12 || g.SE > 1e-12 || g.Claim() != 0 || !strings.Contains(g.Doubt, "6 responses held out, fewer than 20") {
		t.Errorf("%+v, want mean %g", g, mean)
	}
	table := c.Table()
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	if x, _ := table.Value(0, "squared_error").Number(); math.Abs(x-(0.5625+0.0625+0.0625)/3) > 1e-12 || len(table.Notes) != 1 || table.Notes[0].Column != "gain" {
		t.Errorf("squared error %v, notes %v", x, table.Notes)
	}
	// One subject: responses to items are what varies. The standard error of n independent values is that of their mean.
	d = square(1, 41, func(s, i int) float64 { return float64(i % 2) }, func(s, i int) bool { return i > 0 })
	p := func(s, i int) float64 { return 0.1 + 0.8*float64(i%2) }
	c = comparison(t, d, p)
	if g = c.Better(1, 0); g.By != "item" || g.Clusters != 40 || g.Claim() != 1 {
		t.Errorf("one subject: %+v", g)
	}
	var xs []float64
	sum := 0.0
	for i := 1; i <= 40; i++ {
		y, base := float64(i%2), 0.5/2
		loss := func(q float64) float64 { return -math.Log(y*q + (1-y)*(1-q)) }
		xs = append(xs, loss(base)-loss(p(0, i)))
		sum += xs[i-1] / 40
	}
	squares := 0.0
	for _, x := range xs {
		squares += (x - sum) * (x - sum)
	}
	if want := math.Sqrt(squares / 39 / 40); math.Abs(g.SE-want) > 1e-12 || math.Abs(g.Interval[1]-sum-num.StudentTQuantile(0.975, 39)*want) > 1e-12 {
		t.Errorf("standard error %g, want %g", g.SE, want)
	}
	if said := strings.Join(c.Verdict(), " "); !strings.Contains(said, "Layout layout1 predicts held-out responses better than each subject's own success rate (log loss less by ") || !strings.Contains(said, "over 40 items") {
		t.Errorf("it says %q", said)
	}
	// Nothing is claimed of one response, nor of responses that are all alike.
	for want, d := range map[string]*record.Dataset{
		"1 response held out, fewer than 20":      square(2, 3, func(s, i int) float64 { return 1 }, func(s, i int) bool { return s+i == 0 }),
		"no response is held out":                 square(2, 3, func(s, i int) float64 { return 1 }, func(s, i int) bool { return false }),
		"the held-out responses are all the same": square(9, 9, func(s, i int) float64 { return 1 }, func(s, i int) bool { return s%2 == 0 }),
		"fewer than 20, show nothing":             square(1, 9, func(s, i int) float64 { return float64(i % 2) }, func(s, i int) bool { return i > 1 }),
		"of one subject and one item":             nil,
	} {
		if d == nil {
			d = square(1, 1, func(s, i int) float64 { return 1 }, func(s, i int) bool { return true })
			list := d.Responses.List()
			for k := range 30 {
				list = append(list, record.Response{Repetition: int16(k + 1), Split: record.HeldOut, Value: float64(k % 2)})
			}
			d.Responses = record.PackResponses(list)
			c, _ := score.NewComparison(d, "success")
			var all []infer.Prediction
			for _, r := range d.Responses.All() {
				all = append(all, infer.Prediction{Subject: "s00", Item: "i00", Measure: "success", Repetition: int32(r.Repetition), P: 0.5})
			}
			if err := c.Add("x", &infer.Result{Predictions: infertest.Predictions(all)}); err != nil {
				t.Fatal(err)
			}
			if said := c.Verdict(); !strings.Contains(said[0], want) {
				t.Errorf("it says %q, want %q", said, want)
			}
			continue
		}
		c := comparison(t, d, func(s, i int) float64 { return 0.999 })
		if said := c.Verdict(); len(said) != 1 || !strings.Contains(said[0], want) || !strings.Contains(said[0], "is not known") {
			t.Errorf("it says %q, want %q", said, want)
		}
	}
	if err := c.Add("x", &infer.Result{Predictions: infertest.Predictions([]infer.Prediction{{Subject: "s00", Item: "i00", Measure: "success", P: 0.5}})}); err == nil {
		t.Error("a prediction of a fitted response is accepted")
	}
}

// TestLeaveOneOutIsDoubted adds up leave-one-out estimates of subjects, and says of how many responses they are not reliable.
func TestLeaveOneOutIsDoubted(t *testing.T) {
	d := square(2, 10, func(s, i int) float64 { return float64((s + i) % 2) }, func(_, i int) bool { return i > 7 })
	c, err := score.NewComparison(d, "success")
	if err != nil {
		t.Fatal(err)
	}
	number := func(x float64) *float64 { return &x }
	for _, bad := range []int{0, 2} {
		res := predicting(d, func(int, int) float64 { return 0.5 })
		for k, id := range d.Subjects {
			res.Diagnostics.Fits = append(res.Diagnostics.Fits, infer.Fit{Subject: id, Rows: infer.AllRows, LOO: &infer.LeaveOneOut{ELPD: number(-5 - float64(k)), SE: number(3 + float64(k)), BadK: bad}})
		}
		if err := c.Add(fmt.Sprintf("bad%d", bad), res); err != nil {
			t.Fatal(err)
		}
	}
	got := c.Table()
	var doubts []string
	for _, n := range got.Notes {
		if n.Column != "loo" {
			continue
		}
		doubts = append(doubts, got.Rows[n.Row][0].Text()+": "+n.Text)
		for k, column := range got.Columns {
			want, ok := map[string]float64{"loo": -11, "loo_se": 5}[column.Name]
			if x, _ := got.Rows[n.Row][k].Number(); ok && x != want {
				t.Errorf("%s of -5 and -6 with standard errors 3 and 4 is %g", column.Name, x)
			}
		}
	}
	if len(doubts) != 1 || doubts[0] != "bad2: LOO is not reliable for 4 responses (Pareto k above 0.7)" {
		t.Errorf("doubts %q", doubts)
	}
}

// TestComparisonClaims compares layouts of which neither is better, whose errors go together within an item. A claim is wrong in 5 % of
// data sets. More than 40 of 400 have probability 1e-4 then; with a standard error over responses there are more than 100.
func TestComparisonClaims(t *testing.T) {
	wrong, naive := 0, 0
	for seed := range uint64(400) {
		r := rng.Stream(500+seed, "comparison")
		pass, off := make([]float64, 8), make([]float64, 8)
		for i := range pass {
			pass[i], off[i] = num.Logistic(2*r.Norm()), 0.3*(2*r.Float64()-1)
		}
		d := square(25, 8, func(s, i int) float64 {
			if r.Float64() < pass[i] {
				return 1
			}
			return 0
		}, func(s, i int) bool { return s > 0 })
		c := comparison(t, d, func(s, i int) float64 { return 0.5 + off[i] }, func(s, i int) float64 { return 0.5 - off[i] })
		g := c.Better(1, 2)
		if g.By != "item" || g.Clusters != 8 {
			t.Fatalf("%+v", g)
		}
		if g.Claim() != 0 {
			wrong++
		}
		if math.Abs(g.Mean) > 2*0.8/math.Sqrt(192) {
			naive++
		}
	}
	if wrong > 40 || naive < 100 {
		t.Errorf("%d wrong claims of 400, %d by a standard error over responses", wrong, naive)
	}
}

// TestDecimals: numbers have three digits or more, and never more than four after the point.
func TestDecimals(t *testing.T) {
	for x, want := range map[float64]int{0: 4, 0.05: 4, -0.9: 4, 1: 4, 5: 3, 99: 2, 100: 2, 314155: 0, math.NaN(): 4, math.Inf(1): 4} {
		if got := score.Decimals(x); got != want {
			t.Errorf("%g: %d, want %d", x, got, want)
		}
	}
}
