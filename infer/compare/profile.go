package compare

import (
	"math"
	"slices"

	"achilles/infer/layout"
	"achilles/sim/expr"
	"achilles/sim/rng"
)

// A profileDraw is a draw of the reporting layout's parameters.
type profileDraw struct {
	theta []float64
	of    int // index of the explanation that it comes from
}

// stack returns profileDraws draws of the reporting layout's parameters, from each rival in proportion to its weight. A
// parameter for which Reported returns false is drawn from the reporting layout's prior. Values outside the range of this
// prior are moved to its bounds.
func (c *Case) stack(kept []*Fitted, readings []*Reading, rng *rng.Rand) []profileDraw {
	parameters := c.Report.Parameters()
	pool := make([]profileDraw, 0, profileDraws)
	total := weightOf(kept)
	due := 0.0 // number of draws due from the rivals so far; not rounded
	for i, f := range kept {
		due += float64(f.Weight / total * profileDraws)
		n := int(math.Round(due)) - len(pool)
		if n == 0 {
			continue
		}
		values := make([][]float64, len(parameters)) // [parameter][draw of the rival]; an element nil: draw from the prior
		for k, p := range parameters {
			x := make([]float64, len(f.Draws))
			if readings[i].Reported(p, rng, x) {
				values[k] = x
			}
		}
		for j := range n {
			theta := make([]float64, len(parameters))
			c.Report.DrawPrior(rng, theta)
			at := (2*j + 1) * len(f.Draws) / (2 * n)
			for k := range theta {
				if values[k] != nil {
					theta[k] = min(max(values[k][at], parameters[k].Range[0]), parameters[k].Range[1])
				}
			}
			pool = append(pool, profileDraw{theta, i})
		}
	}
	return pool
}

// shuffled returns draws [draw][parameter] in random order, the quantiles of each slab too, so that those of two subjects or of two capabilities
// stand beside each other by chance.
func shuffled(stacked []profileDraw, slabs []replaced, rng *rng.Rand) [][]float64 {
	for _, s := range slabs {
		values := make([]float64, len(s.draws))
		for i, at := range s.draws {
			values[i] = stacked[at].theta[s.parameter]
		}
		for i, from := range rng.Perm(len(values)) {
			stacked[s.draws[i]].theta[s.parameter] = values[from]
		}
	}
	out := make([][]float64, len(stacked))
	for i, at := range rng.Perm(len(stacked)) {
		out[i] = stacked[at].theta
	}
	return out
}

// Reported writes to out, for every draw, the value of a parameter of the reporting layout by the rival's section
// [classification.profile] or, without an entry there, the value of the rival's own parameter of this name. If the entry is a
// distribution, the value is drawn from it. For a composed explanation, Reported combines the values of the components: it
// takes the smallest value of a capability, and the sum of a bias. It returns false if a component has neither an entry nor a
// parameter of this name, or if the arguments of a distribution are impossible.
func (v *Reading) Reported(p layout.Parameter, rng *rng.Rand, out []float64) bool {
	for k, c := range v.components() {
		x := out
		if k > 0 {
			x = make([]float64, len(out))
		}
		if !c.reported(p, rng, x) {
			return false
		}
		for i := range out {
			switch {
			case k == 0:
			case p.Group == layout.Bias:
				out[i] += x[i]
			case p.Group == layout.Capability:
				out[i] = min(out[i], x[i])
			}
		}
	}
	return true
}

func (v *Reading) reported(p layout.Parameter, rng *rng.Rand, out []float64) bool {
	name := p.Name
	i := slices.IndexFunc(v.rival.profile, func(r reportedParameter) bool { return r.name == name })
	if i < 0 {
		if !slices.ContainsFunc(v.rival.Layout.Parameters, func(p layout.Parameter) bool { return p.Name == name }) {
			return false
		}
		copy(out, v.cols[name].Number)
		return true
	}
	return v.value(v.rival.profile[i], p.Range[1], rng, out)
}

// value writes to out, for every draw, what the rival reports: the value of an expression, in which most has the value highest,
// or a draw from a distribution. It returns false if the arguments of a distribution are impossible.
func (v *Reading) value(r reportedParameter, highest float64, rng *rng.Rand, out []float64) bool {
	v.cols[most] = expr.Column{Number: []float64{highest}}
	defer delete(v.cols, most)
	if r.value != nil {
		copy(out, v.column(r.value))
		return true
	}
	args := make([][]float64, len(r.args))
	for k, a := range r.args {
		args[k] = v.column(a)
	}
	at := make([]float64, len(args))
	for d := range out {
		for k := range args {
			at[k] = args[k][d]
		}
		out[d] = r.prior.Quantile(rng.Float64(), at)
		if math.IsNaN(out[d]) {
			return false
		}
	}
	return true
}
