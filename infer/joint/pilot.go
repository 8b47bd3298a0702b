package joint

import (
	"math"
	"slices"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/rng"
)

// pilotDraws is the number of prior draws at which the pilot looks.
const pilotDraws = 3

// pilot says for every parameter whether a sampler should move the parameter itself rather than its score under the prior,
// and gives a rough posterior spread of every coordinate. The responses tell much of a unit if information·spread² exceeds 1,
// where spread is the standard deviation of the prior; the parameter itself is then nearly independent of the prior's
// arguments, and otherwise its score is (Papaspiliopoulos, Roberts and Sköld 2007). The information is the mean over prior
// draws of −∂²l/∂x² on the unconstrained scale x of the centred parameter.
func pilot(cells *layout.Cells, c posterior.Config, r *rng.Rand) (centred []bool, scale []float64) {
	j := cells.Joint()
	parameters := j.Layout().Parameters
	information, spread := inspect(cells.NewTarget(allCentred(j), c.Jobs), j, pilotDraws, r)
	centred = make([]bool, len(parameters))
	scale = make([]float64, j.Len())
	for i, p := range parameters {
		from, to := j.First(i), j.First(i)+j.Units(i)
		var told []float64
		for u := from; u < to; u++ {
			told = append(told, float64(information[u]*float64(spread[u]*spread[u])))
		}
		slices.Sort(told)
		switch {
		case !j.HasScores(i):
			centred[i] = true
		case p.Centred != nil:
			centred[i] = *p.Centred
		default:
			centred[i] = told[len(told)/2] > 1
		}
		for u := from; u < to; u++ {
			scale[u] = deviation(information[u], spread[u])
			if !centred[i] {
				scale[u] /= spread[u]
			}
		}
	}
	return centred, scale
}

// inspect returns, for every value, the mean over prior draws of the information of the responses and of the standard deviation
// of the prior, on the unconstrained scale of t, which is centred.
func inspect(t *layout.JointTarget, j *layout.Joint, draws int, r *rng.Rand) (information, spread []float64) {
	information, spread = make([]float64, j.Len()), make([]float64, j.Len())
	for range draws {
		q := make([]float64, j.Len())
		j.DrawNear(r, 0.5, q)
		t.Unconstrain(q, q)
		for i := range j.Layout().Parameters {
			inform(t, j, i, draws, q, information, spread)
		}
	}
	return information, spread
}

// deviation returns the standard deviation of a value with this information and prior standard deviation.
func deviation(information, spread float64) float64 {
	return 1 / math.Sqrt(1/float64(spread*spread)+max(information, 0))
}

// allCentred says that all parameters of a layout are centred.
func allCentred(j *layout.Joint) []bool {
	return slices.Repeat([]bool{true}, len(j.Layout().Parameters))
}

// inform adds to information −∂²l/∂x² for every unit of parameter i at q, over the number of draws, and to spread the
// rough prior standard deviation of x. Responses depend on one unit of a parameter only, so that one step of all units together
// gives every second derivative.
func inform(t *layout.JointTarget, j *layout.Joint, i, draws int, q, information, spread []float64) {
	const step = 1e-3
	n := j.Len()
	theta, grad := make([]float64, n), make([]float64, n)
	slope := func(by float64) []float64 {
		x := slices.Clone(q)
		for u := j.First(i); u < j.First(i)+j.Units(i); u++ {
			x[u] += by
		}
		return t.LikelihoodSlopes(x, theta, grad, i)
	}
	up, down := slope(step), slope(-step)
	for u, s := range t.PriorSpread(q, i) {
		at := j.First(i) + u
		if h := (down[u] - up[u]) / (2 * step); !math.IsNaN(h) && !math.IsInf(h, 0) {
			information[at] += h / float64(draws)
		}
		spread[at] += s / float64(draws)
	}
}
