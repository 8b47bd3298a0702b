package posterior_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"achilles/infer/diag"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestWrongLabels plants profiles of four abilities, and labels the demands of items, levels 0 to 5, wrongly in 5, 10 or 20 % of the
// cases, evenly among the other levels. A layout that takes labels for the truth finds the able less able and the others more: the slope of
// estimates on planted abilities falls. One that declares the judge has a slope of 1 again, up to what the prior takes, and 85 to 95 % of
// its 90 % intervals hold the planted ability. If they hold it with probability 0.9, fewer than 85 or more than 95 % of 400 do in one
// test of a thousand, for three tests together in one of 300 (binomial).
func TestWrongLabels(t *testing.T) {
	longtest.Only(t, "fits 600 subjects")
	for _, wrong := range []float64{0.05, 0.1, 0.2} {
		naive, declared := recoverLabelled(t, wrong, false, 501, 100), recoverLabelled(t, wrong, true, 501, 100)
		t.Logf("%2.0f %% wrong: the judge declared: %s; labels taken for the truth: %s", 100*wrong, declared, naive)
		if declared.covered < 0.85 || declared.covered > 0.95 || math.Abs(declared.slope-1) > 0.1 {
			t.Errorf("%g wrong: abilities are recovered with %s", wrong, declared)
		}
		if !(naive.slope < declared.slope-0.03) {
			t.Errorf("%g wrong: the judge makes no difference: %s, %s without", wrong, declared, naive)
		}
	}
}

// A recovery says how well planted abilities are found again.
type recovery struct {
	covered, slope, rmse float64 // share of 90 % intervals that hold the planted value; slope of estimates on planted values; error
}

func (r recovery) String() string {
	return fmt.Sprintf("%.1f %% of 90 %% intervals hold the planted ability, slope %.3f, RMSE %.3f", 100*r.covered, r.slope, r.rmse)
}

func recoverLabelled(t *testing.T, wrong float64, declared bool, first uint64, sets int) (out recovery) {
	var x, y []float64
	for seed := range uint64(sets) {
		planted, found := labelledFit(t, wrong, declared, first+seed)
		for k, s := range found {
			x, y = append(x, planted[k]), append(y, s.Mean)
			if s.Q5 <= planted[k] && planted[k] <= s.Q95 {
				out.covered++
			}
			out.rmse += (s.Mean - planted[k]) * (s.Mean - planted[k])
		}
	}
	n := float64(len(x))
	out.covered, out.rmse = out.covered/n, math.Sqrt(out.rmse/n)
	mx, my := num.Mean(x), num.Mean(y)
	xy, xx := 0.0, 0.0
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
	}
	out.slope = xy / xx
	return out
}

// labelledFit returns planted abilities of a subject and the summaries of their posteriors, from 400 items whose labels are wrong
// with this probability.
func labelledFit(t *testing.T, wrong float64, declared bool, seed uint64) (planted []float64, found []diag.Summary) {
	r := rng.Stream(seed, "labels")
	for range 4 {
		planted = append(planted, 0.5+4*r.Float64())
	}
	items := &record.Items{}
	columns := make([][]float64, len(planted))
	var responses []record.Response
	for i := range 400 {
		p := 1.0
		for k, ability := range planted {
			level := r.IntN(6) * r.IntN(2) // more than half of the items do not ask for it
			if level > 0 {
				p *= 1 / (1 + math.Exp(-2*(ability-float64(level))))
			}
			if r.Bernoulli(wrong) {
				level = (level + 1 + r.IntN(5)) % 6
			}
			columns[k] = append(columns[k], float64(level))
		}
		items.ID = append(items.ID, strconv.Itoa(i))
		x := record.Response{Item: int32(i)}
		if r.Bernoulli(0.95 * p) {
			x.Value = 1
		}
		responses = append(responses, x)
	}
	items.Suite, items.Paradigm, items.Task = make([]string, 400), make([]string, 400), make([]string, 400)
	judge := ""
	if declared {
		var rows []string
		for truth := range 6 {
			row := slices.Repeat([]string{fmt.Sprint(wrong / 5)}, 6)
			row[truth] = fmt.Sprint(1 - wrong)
			rows = append(rows, "["+strings.Join(row, ", ")+"]")
		}
		judge = ", judge = { confusion = [" + strings.Join(rows, ", ") + "] }"
	}
	for k, v := range columns {
		items.Columns = append(items.Columns, record.Column{Feature: record.Feature{Name: fmt.Sprint("d", k)}, Number: v})
	}
	l, err := layout.Parse("labels.toml", `name = "labels"
[metafeature]
demand = { columns = ["d0", "d1", "d2", "d3"], range = [0, 5]`+judge+` }
[capability]
ability = { prior = "uniform(-1, 7)", size = "demand" }
[robustness]
lapse = { prior = "beta(1, 19)" }
[response.success]
p = "mix(lapse, prod(present(logistic(2*(ability - demand)), demand > 0)), 0)"
`)
	if err != nil {
		t.Fatal(err)
	}
	d, err := l.Bind(items, []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := d.NewData(responses)
	if err != nil {
		t.Fatal(err)
	}
	c := posterior.Default()
	c.Draws, c.Warmup = 400, 300
	p, err := posterior.Fit(context.Background(), func() posterior.Problem { return d.NewTarget(data) }, []string{"a", "b", "c", "d", "lapse"}, c, seed)
	if err != nil {
		t.Fatal(err)
	}
	return planted, p.Summaries[:4]
}
