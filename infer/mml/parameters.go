package mml

import (
	"slices"

	"achilles/sim/num"
)

// The parameters of a model are those of its items, and of the distribution of abilities in each group. They know of no response and of no
// node.
type parameters struct {
	model     Model
	items     []item
	groups    []group
	abilities int
	corr      num.Lower // correlations of abilities
	corrAt    []int     // index of each correlation below the diagonal in the parameters, −1: not estimated; row by row
	params    int
	prior     struct{ a, b float64 } // of a guessing parameter: a·log c + b·log(1−c)
}

// Bounds of parameters, beyond which no response tells one value from another.
const (
	mostSlope     = 12
	mostIntercept = 60
	leastGuess    = -9.2 // log odds; a guessing parameter of 0.0001
	mostGuess     = 2.2  // 0.9
)

// newParameters returns the parameters that settings estimate, without values to begin at.
func newParameters(d *Data, s *Settings) parameters {
	p := parameters{model: s.Model, abilities: 1}
	if s.Loads != nil {
		p.abilities = len(s.Loads[0])
	}
	if s.GuessWeight > 0 && s.Model == ThreePL {
		p.prior.a, p.prior.b = s.Guess*s.GuessWeight, (1-s.Guess)*s.GuessWeight
	}
	next := func() int { p.params++; return p.params - 1 }
	common := make([]int, p.abilities)
	for m := range common {
		common[m] = -1
	}
	known := func(i int) *Item {
		if s.Known == nil {
			return nil
		}
		return s.Known[i]
	}
	anchored := slices.ContainsFunc(s.Known, func(k *Item) bool { return k != nil })
	simple := p.abilities > 1
	for i, k := range d.Categories {
		it := item{shape: s.Model.shape(), slope: make([]float64, p.abilities), d: make([]float64, k-1)}
		loads := 0
		for m := range it.slope {
			at := -1
			if s.Loads == nil || s.Loads[i][m] {
				loads++
				switch {
				case known(i) != nil:
					it.slope[m] = known(i).Slope[m]
				case s.Model.OneSlope() && anchored: // the slope is that of the known items
					for j := range s.Known {
						if k := known(j); k != nil {
							it.slope[m] = k.Slope[m]
						}
					}
				case s.Model.OneSlope():
					if common[m] < 0 {
						common[m] = next()
					}
					at = common[m]
				default:
					at = next()
				}
			}
			it.at = append(it.at, at)
		}
		simple = simple && loads == 1
		for j := range it.d {
			if k := known(i); k != nil {
				it.d[j] = k.Intercept[j]
				it.at = append(it.at, -1)
				continue
			}
			it.at = append(it.at, next())
		}
		if it.shape == guessing {
			at := -1
			if k := known(i); k != nil {
				it.g = logit(k.Guess)
			} else {
				at = next()
			}
			it.at = append(it.at, at)
		}
		p.items = append(p.items, it)
	}
	for g := range d.groups() {
		x := group{sd: 1, at: [2]int{-1, -1}}
		if g > 0 || anchored {
			x.at = [2]int{next(), next()}
		}
		p.groups = append(p.groups, x)
	}
	p.corr = num.NewLower(p.abilities)
	for m := range p.abilities {
		row := p.corr.Row(m)
		row[m] = 1
		for range m {
			at := -1
			if simple {
				at = next()
			}
			p.corrAt = append(p.corrAt, at)
		}
	}
	return p
}

func logit(p float64) float64 { return num.Log(p) - num.Log(1-p) }

// each calls f for each parameter where it stands, with its bounds. A slope of all items stands in each of them.
func (p *parameters) each(f func(at int, v *float64, low, high float64)) {
	for i := range p.items {
		it := &p.items[i]
		for j, at := range it.at {
			if at < 0 {
				continue
			}
			switch m := len(it.slope); {
			case j < m:
				f(at, &it.slope[j], -mostSlope, mostSlope)
			case j < m+len(it.d):
				f(at, &it.d[j-m], -mostIntercept, mostIntercept)
			default:
				f(at, &it.g, leastGuess, mostGuess)
			}
		}
	}
	for g := range p.groups {
		if x := &p.groups[g]; x.at[0] >= 0 {
			f(x.at[0], &x.mean, -mostMean, mostMean)
			f(x.at[1], &x.sd, leastSD, mostSD)
		}
	}
	k := 0
	for m := range p.abilities {
		row := p.corr.Row(m)
		for j := range m {
			if at := p.corrAt[k]; at >= 0 {
				f(at, &row[j], -0.999, 0.999)
			}
			k++
		}
	}
}

// get returns the parameters.
func (p *parameters) get() []float64 {
	x := make([]float64, p.params)
	p.each(func(at int, v *float64, _, _ float64) { x[at] = *v })
	return x
}

// put sets the parameters, within their bounds.
func (p *parameters) put(x []float64) {
	p.each(func(at int, v *float64, low, high float64) { *v = min(max(x[at], low), high) })
}

// stuck returns which parameters are at a bound, beyond which the gradient points.
func (p *parameters) stuck(x, gradient []float64) []bool {
	out := make([]bool, len(x))
	p.each(func(at int, _ *float64, low, high float64) {
		v := x[at]
		out[at] = v >= high && gradient[at] >= 0 || v <= low && gradient[at] <= 0
	})
	return out
}

// penalty returns the log prior of the parameters.
func (p *parameters) penalty() float64 {
	sum := 0.0
	if p.prior.a+p.prior.b > 0 {
		for i := range p.items {
			if it := &p.items[i]; it.shape == guessing && it.at[len(it.at)-1] >= 0 {
				sum += float64(p.prior.a*num.LogLogistic(it.g)) + float64(p.prior.b*num.LogLogistic(-it.g))
			}
		}
	}
	return sum
}
