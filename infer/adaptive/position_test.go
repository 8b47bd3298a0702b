package adaptive_test

import (
	"context"
	"math"
	"testing"

	"achilles/infer/adaptive"
	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
)

// practice has one capability: how much a subject gains from trial to trial. P(success) = logistic(gain·(trial − 1) − demand).
const practice = `name = "practice"
[metafeature]
demand = { column = "demand", range = [0, 10] }
trial = { column = "position", range = [1, 100] }
[capability]
gain = { prior = "uniform(0, 1)" }
[response.success]
p = "logistic(gain*(trial - 1) - demand)"
`

// TestNextPosition lets a subject that learns take items by a layout that names the position of a response. On the first trial nobody
// has gained anything, so that no item says anything; from then on an item must be predicted at the next position, and the posterior
// must be that of all responses at the positions at which they were given, which is integrated here.
func TestNextPosition(t *testing.T) {
	const gain = 0.3
	items := candidates(21)
	l, err := layout.Parse("practice.toml", practice)
	if err != nil {
		t.Fatal(err)
	}
	d, err := l.Bind(adaptive.At(items, 1), []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := adaptive.New([]adaptive.Model{{Design: d, Prior: 1}}, items, adaptive.Settings{Items: 20}, "s")
	if err != nil {
		t.Fatal(err)
	}
	grid := make([]float64, 2001) // log likelihood by gain, from 0 to 1
	for trial := 1; ; trial++ {
		w, mean, sd := moments(grid)
		if math.Abs(c.Mean()[0]-mean) > 0.3*sd+0.01 || math.Abs(c.SD()[0]/sd-1) > 0.3 {
			t.Errorf("trial %d: gain %.3f ± %.3f, want %.3f ± %.3f", trial, c.Mean()[0], c.SD()[0], mean, sd)
		}
		expected, entropy := 0.0, 0.0
		const item = 8 // demand 4
		for k := range grid {
			p := num.Logistic(float64(k)/2000*float64(trial-1) - 4)
			expected, entropy = expected+w[k]*p, entropy+w[k]*num.BinaryEntropy(p)
		}
		if got, want := c.Information()[item], num.BinaryEntropy(expected)-entropy; math.Abs(got-want) > 0.02+0.3*want {
			t.Errorf("trial %d: the item says %.3f nats, want %.3f", trial, got, want)
		}
		next, ok := c.Next()
		if !ok {
			return
		}
		demand := float64(next) / 2
		pass := gain*float64(trial-1) > demand
		for k := range grid {
			x := float64(k)/2000*float64(trial-1) - demand
			if !pass {
				x = -x
			}
			grid[k] += math.Log(num.Logistic(x))
		}
		r := record.Response{Item: int32(next)}
		if pass {
			r.Value = 1
		}
		if err := c.Record(context.Background(), next, []record.Response{r}); err != nil {
			t.Fatal(err)
		}
	}
}

// moments returns the weights of the points of a grid on 0 to 1, by their log likelihood, and the mean and SD.
func moments(grid []float64) (w []float64, mean, sd float64) {
	total := num.LogSumExp(grid)
	for _, l := range grid {
		w = append(w, math.Exp(l-total))
	}
	for k, x := range w {
		mean += x * float64(k) / 2000
	}
	for k, x := range w {
		sd += x * (float64(k)/2000 - mean) * (float64(k)/2000 - mean)
	}
	return w, mean, math.Sqrt(sd)
}
