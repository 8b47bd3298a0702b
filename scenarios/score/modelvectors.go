package score

import (
	"maps"
	"math"
	"slices"

	"achilles/infer/analysis"
	"achilles/infer/chargrid"
	"achilles/sim/num"
)

// vectors grades a model's vectors of subjects against all parameters of subjects, if there are several: which of them a dimension
// is, a model without given skills cannot know.
func (g *modelGrader) vectors(t *analysis.Tables, model string) {
	drawn := g.of(g.in.Public.Subjects)
	at := map[string]int{}
	for i, id := range g.in.Public.Subjects {
		at[id] = i
	}
	var names []string
	var x [][]float64 // by dimension and subject
	for _, r := range t.Vectors {
		i, ok := at[r.Subject]
		if r.Model != model || !ok {
			continue
		}
		k := slices.Index(names, r.Dimension)
		if k < 0 {
			k, names, x = len(names), append(names, r.Dimension), append(x, make([]float64, len(at)))
		}
		x[k][i] = r.Value
	}
	if len(drawn) < 2 || len(x) == 0 || len(at) < 3 {
		return
	}
	y := make([][]float64, len(drawn))
	for k, p := range drawn {
		for _, id := range g.in.Public.Subjects {
			y[k] = append(y[k], g.in.Sealed.Parameters[p][id])
		}
	}
	correlation, rmse, spread := procrustean(x, y)
	g.rows = append(g.rows, ModelRecovery{Model: model, Estimate: "vector", Truth: trueVector, Alignment: procrustes, N: len(at),
		Pearson: num.Finite(correlation), RMSE: rmse, Spread: num.Finite(spread)})
}

// procrustean returns Procrustes' correlation of two sets of points, given by dimension, which may differ in their numbers of
// dimensions; and the root mean square, over points and dimensions of y, of what remains of y after the best shift, rotation,
// reflection and scale of x, and without x. With centred X and Y and the singular values σ of XᵀY these are Σσ/(‖X‖‖Y‖), and
// ‖Y‖² − (Σσ)²/‖X‖² (Gower and Dijksterhuis 2004). The correlation is NaN if all points of one set are the same.
func procrustean(x, y [][]float64) (correlation, rmse, spread float64) {
	x, y = centred(x), centred(y)
	square := func(v [][]float64) (sum float64) {
		for _, c := range v {
			sum += num.Dot(c, c)
		}
		return sum
	}
	cross := make([][]float64, len(x)) // XᵀY
	for i := range x {
		for k := range y {
			cross[i] = append(cross[i], num.Dot(x[i], y[k]))
		}
	}
	inner := make([][]float64, len(y)) // its transpose times itself
	for i := range y {
		inner[i] = make([]float64, len(y))
		for k := range y {
			for l := range x {
				inner[i][k] += float64(cross[l][i] * cross[l][k])
			}
		}
	}
	sum := 0.0
	squares, _ := num.Eigen(inner)
	for _, v := range squares {
		sum += math.Sqrt(max(v, 0))
	}
	xx, yy, n := square(x), square(y), float64(len(y)*len(y[0]))
	left := yy
	if xx > 0 {
		left = max(yy-float64(sum*sum)/xx, 0)
	}
	return sum / math.Sqrt(float64(xx*yy)), math.Sqrt(left / n), math.Sqrt(yy / n)
}

// centred returns the points with mean 0 in every dimension.
func centred(v [][]float64) [][]float64 {
	out := make([][]float64, len(v))
	for k, c := range v {
		m := num.Mean(c)
		for _, x := range c {
			out[k] = append(out[k], x-m)
		}
	}
	return out
}

// masks grades learnt skills of items against the columns of items that the layout's skills are named by. Each true skill is matched to a
// learnt one such that the sum of their covariances is greatest. Models that were given these columns are not graded.
func (g *modelGrader) masks(t *analysis.Tables, model string) {
	at := map[string]int{}
	for i, id := range g.in.Public.Items.ID {
		at[id] = i
	}
	var skills []string
	var learnt [][]float64
	for _, r := range t.Masks {
		i, ok := at[r.Item]
		if r.Model != model || !ok {
			continue
		}
		k := slices.Index(skills, r.Skill)
		if k < 0 {
			k, skills, learnt = len(skills), append(skills, r.Skill), append(learnt, make([]float64, len(at)))
		}
		learnt[k][i] = r.Weight
	}
	var truths [][]float64
	for _, p := range g.of(g.in.Public.Subjects) {
		c, ok := g.in.Public.Items.Column(component(p))
		if !ok || len(c.Number) != len(at) {
			continue
		}
		if slices.Contains(skills, component(p)) {
			return // given, not learnt
		}
		truths = append(truths, c.Number)
	}
	if len(truths) == 0 || len(learnt) < len(truths) || len(learnt) > mostMatched {
		return
	}
	matching := match(centred(learnt), centred(truths))
	var x, y []float64
	for d, truth := range truths {
		x, y = append(x, learnt[matching[d]]...), append(y, truth...)
	}
	a, b := line(x, y)
	var squared []float64
	for i := range x {
		e := a + float64(b*x[i]) - y[i]
		squared = append(squared, float64(e*e))
	}
	_, variance := num.Moments(y)
	g.rows = append(g.rows, ModelRecovery{Model: model, Estimate: "mask", Truth: trueMask, Alignment: matched, N: len(x), RMSE: math.Sqrt(num.Mean(squared)),
		Spearman: num.Finite(chargrid.Spearman(x, y, nil)), Pearson: num.Finite(chargrid.Pearson(x, y, nil)), Spread: num.Finite(math.Sqrt(variance))})
}

// match returns a different row of x for every row of y, such that the sum of their products is greatest.
func match(x, y [][]float64) []int {
	type choice struct {
		sum  float64
		rows []int
	}
	best := map[uint]choice{0: {}} // set of used rows → the best choice for the rows of y so far
	for _, truth := range y {
		next := map[uint]choice{}
		for _, used := range slices.Sorted(maps.Keys(best)) {
			for k := range x {
				if used>>k&1 == 1 {
					continue
				}
				c, set := best[used], used|1<<k
				if sum := c.sum + num.Dot(x[k], truth); next[set].rows == nil || sum > next[set].sum {
					next[set] = choice{sum, append(slices.Clone(c.rows), k)}
				}
			}
		}
		best = next
	}
	var out choice
	for _, set := range slices.Sorted(maps.Keys(best)) {
		if c := best[set]; out.rows == nil || c.sum > out.sum {
			out = c
		}
	}
	return out.rows
}
