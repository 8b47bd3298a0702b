package mml

import (
	"math"

	"achilles/sim/num"
)

// A maximisation is the second half of a step: it moves parameters by the expected counts at the nodes, and sees no response.
type maximisation struct {
	*parameters
	grid   *grid
	counts *counts
}

// maximise moves the parameters to where the expected log likelihood is largest, or nearer, and rescales abilities: their mean and
// standard deviation are estimated too, and then taken into slopes and intercepts, which speeds the climb (Liu, Rubin and Wu 1998).
func (up *maximisation) maximise(steps int) {
	c := up.counts
	for i := range up.items {
		up.climbItem(i, steps)
	}
	for m := range up.abilities {
		up.climbCommon(m)
	}
	if up.abilities == 1 && up.groups[0].at[0] < 0 || up.abilities > 1 {
		up.rescale()
	}
	for g := range up.groups {
		if x := &up.groups[g]; x.at[0] >= 0 && up.groups[0].at[0] >= 0 {
			s := &c.group[g]
			x.mean = s.sum[0] / s.n
			x.sd = math.Sqrt(max(s.square[0]/s.n-float64(x.mean*x.mean), leastSD*leastSD))
		}
	}
	up.put(up.get())
}

// rescale takes the mean and the standard deviation of abilities in the first group into the items, unless a bound is in the way.
func (up *maximisation) rescale() {
	c := up.counts
	s := &c.group[0]
	mean, sd := make([]float64, up.abilities), make([]float64, up.abilities)
	for m := range mean {
		mean[m] = s.sum[m] / s.n
		sd[m] = math.Sqrt(s.square.Row(m)[m]/s.n - float64(mean[m]*mean[m]))
		if !(sd[m] > leastSD) {
			return
		}
	}
	for g := 1; g < len(up.groups); g++ {
		x, s := &up.groups[g], &c.group[g]
		was := s.sum[0] / s.n
		x.sd = math.Sqrt(max(s.square[0]/s.n-float64(was*was), leastSD*leastSD)) / sd[0]
		x.mean = (was - mean[0]) / sd[0]
	}
	k := 0
	for m := range up.abilities {
		row := up.corr.Row(m)
		for j := range m {
			if up.corrAt[k] >= 0 {
				row[j] = (s.square.Row(m)[j]/s.n - float64(mean[m]*mean[j])) / float64(sd[m]*sd[j])
			}
			k++
		}
	}
	for i := range up.items {
		it := &up.items[i]
		shift := it.predictor(mean)
		for m := range it.slope {
			it.slope[m] *= sd[m]
		}
		for j := range it.d {
			it.d[j] += shift
		}
	}
}

// climbItem takes steps of Newton's method to the maximum of the expected log likelihood of an item, over its own parameters.
func (up *maximisation) climbItem(i, steps int) {
	it, r := &up.items[i], up.counts.item[i]
	nodes := len(up.grid.theta)
	var own []int // slots of parameters of its own
	for j, at := range it.at {
		if at >= 0 && !(j < len(it.slope) && up.model.OneSlope()) {
			own = append(own, j)
		}
	}
	if len(own) == 0 {
		return
	}
	value := func() float64 {
		sum := 0.0
		p := make([]float64, len(it.d)+1)
		for q, theta := range up.grid.theta {
			it.logP(it.predictor(theta), p)
			for k, l := range p {
				if x := r[k*nodes+q]; x > 0 {
					sum += float64(x * l)
				}
			}
		}
		if it.shape == guessing {
			sum += float64(up.prior.a*num.LogLogistic(it.g)) + float64(up.prior.b*num.LogLogistic(-it.g))
		}
		return sum
	}
	n := it.core()
	s, h := make([]float64, n), make([]float64, n*n)
	all := len(it.at)
	full := make([]float64, all)
	now := value()
	for range steps {
		gradient, info := make([]float64, len(own)), num.NewLower(len(own))
		for q, theta := range up.grid.theta {
			z := it.predictor(theta)
			for k := 0; k <= len(it.d); k++ {
				x := r[k*nodes+q]
				if x < 1e-12 {
					continue
				}
				it.derive(z, k, s, h)
				for a, j := range own {
					cj, fj := it.slot(j, theta)
					gradient[a] += float64(x * fj * s[cj])
					row := info.Row(a)
					for b := range row {
						cb, fb := it.slot(own[b], theta)
						row[b] -= float64(x * fj * fb * h[cj*n+cb])
					}
				}
			}
		}
		if it.shape == guessing {
			last := len(own) - 1
			c := num.Logistic(it.g)
			gradient[last] += float64(up.prior.a*(1-c)) - float64(up.prior.b*c)
			info.Row(last)[last] += float64((up.prior.a + up.prior.b) * c * (1 - c))
		}
		step := solve(info, gradient)
		before := append([]float64{}, it.values(full)...)
		moved := false
		for scale := limit(step, 2); scale > 1e-6; scale /= 2 {
			for a, j := range own {
				it.set(j, before[j]+float64(scale*step[a]))
			}
			if next := value(); next >= now {
				moved = next > now+1e-10*math.Abs(now)
				now = next
				break
			}
			for _, j := range own {
				it.set(j, before[j])
			}
		}
		if !moved {
			return
		}
	}
}

// climbCommon takes a step to the maximum over the slope that items have in common on an ability.
func (up *maximisation) climbCommon(m int) {
	if !up.model.OneSlope() {
		return
	}
	nodes := len(up.grid.theta)
	gradient, info, at := 0.0, 0.0, -1
	for i := range up.items {
		it := &up.items[i]
		if it.at[m] < 0 {
			continue
		}
		at = it.at[m]
		n := it.core()
		s, h := make([]float64, n), make([]float64, n*n)
		for q, theta := range up.grid.theta {
			z := it.predictor(theta)
			for k := 0; k <= len(it.d); k++ {
				if x := up.counts.item[i][k*nodes+q]; x >= 1e-12 {
					it.derive(z, k, s, h)
					gradient += float64(x * theta[m] * s[0])
					info -= float64(x * theta[m] * theta[m] * h[0])
				}
			}
		}
	}
	if at < 0 || !(info > 0) {
		return
	}
	step := min(max(gradient/info, -0.5), 0.5)
	for i := range up.items {
		if it := &up.items[i]; it.at[m] == at {
			it.slope[m] += step
		}
	}
}

// limit returns the largest factor up to 1 by which no element of a step is beyond most.
func limit(step []float64, most float64) float64 {
	largest := most
	for _, x := range step {
		largest = max(largest, math.Abs(x))
	}
	return most / largest
}

// slot returns the variable of the curves that a slot of the parameters moves, and by how much.
func (it *item) slot(j int, theta []float64) (core int, factor float64) {
	if m := len(it.slope); j >= m {
		return j - m + 1, 1
	}
	return 0, theta[j]
}

// values writes the values of all slots.
func (it *item) values(out []float64) []float64 {
	m := len(it.slope)
	copy(out, it.slope)
	copy(out[m:], it.d)
	if it.shape == guessing {
		out[len(out)-1] = it.g
	}
	return out
}

// set sets the value of a slot, within its bounds.
func (it *item) set(j int, x float64) {
	switch m := len(it.slope); {
	case j < m:
		it.slope[j] = min(max(x, -mostSlope), mostSlope)
	case j < m+len(it.d):
		it.d[j-m] = min(max(x, -mostIntercept), mostIntercept)
	default:
		it.g = min(max(x, leastGuess), mostGuess)
	}
}

// solve returns info⁻¹·gradient. Where info is not positive definite, its diagonal is raised until it is.
func solve(info num.Lower, gradient []float64) []float64 {
	n := len(gradient)
	for ridge := 0.0; ; ridge = max(10*ridge, 1e-3) {
		l := append(num.Lower{}, info...)
		for a := range n {
			row := l.Row(a)
			row[a] += float64(ridge*math.Abs(row[a])) + ridge*1e-3
		}
		if !l.Cholesky() && ridge < 1e12 {
			continue
		}
		x := append([]float64{}, gradient...)
		l.SolveBoth(x)
		return x
	}
}
