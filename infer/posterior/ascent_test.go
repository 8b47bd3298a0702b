package posterior_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/optimize"

	"achilles/infer/nuts"
	"achilles/infer/posterior"
	"achilles/sim/rng"
)

// minimize climbs by optimize.Minimize, with the limits of an ascent.
func minimize(target nuts.Target, q []float64) (top []float64, logp float64) {
	unused := make([]float64, len(q))
	r, _ := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { return -target.LogDensity(x, unused) },
		Grad: func(to, x []float64) {
			target.LogDensity(x, to)
			for i := range to {
				to[i] = -to[i]
			}
		},
	}, q, &optimize.Settings{MajorIterations: 60, FuncEvaluations: 100, Converger: &optimize.FunctionConverge{Absolute: 0.01, Iterations: 3}},
		&optimize.LBFGS{Store: 6})
	return r.X, -r.F
}

// TestAscend climbs posteriors of agents from draws of the prior, to exactly where optimize.Minimize gets.
func TestAscend(t *testing.T) {
	table := readOP(t)
	for _, agent := range []string{"Agent4", "Agent9", "Agent26"} {
		o := table.Target(agent, readings["asrun"])
		for i := range uint64(20) {
			r := rng.Stream(i, "ascend", agent)
			q := posterior.PriorDraw(o, &r)
			top, logp, calls := posterior.Ascend(o, q)
			want, high := minimize(o, q)
			if !slices.Equal(top, want) || logp != high {
				t.Errorf("%s, %d: %g at %g after %d gradients, want %g at %g", agent, i, logp, top, calls, high, want)
			}
		}
	}
	if _, logp, _ := posterior.Ascend(nowhere{}, []float64{0}); !math.IsInf(logp, -1) {
		t.Errorf("log density %g where there is none", logp)
	}
}

// nowhere is a density that is 0.
type nowhere struct{}

func (nowhere) Dim() int                             { return 1 }
func (nowhere) LogDensity(_, grad []float64) float64 { grad[0] = 0; return math.Inf(-1) }
