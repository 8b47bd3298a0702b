package contrast

import (
	"math"
	"slices"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Gap is the posterior of by how much A has more of a parameter than B; NaN, but for the names, where A or B has no draws.
type Gap struct {
	Parameter, A, B string
	Mean            float64
	Low, High       float64 // ends of the central 95 % interval
	Above           float64 // probability that A has more; draws that are equal count half
	P               float64 // twice the probability of the other sign
	Holm            float64 // P corrected for the number of gaps (Holm 1979)
}

// Sure returns 1 if A has more, −1 if B has, and 0 if the draws cannot tell: at level 0.05 for all gaps together.
func (g *Gap) Sure() int {
	switch {
	case !(g.Holm <= alpha):
		return 0
	case g.Above > 0.5:
		return 1
	}
	return -1
}

// seldom is the number of draws of the other sign below which their share is too uncertain: P is then that of a normal distribution, and at most
// what so many draws give.
const seldom = 10

// tail sets P by n draws of the difference.
func (g *Gap) tail(diff []float64) {
	n := float64(len(diff))
	g.P = 2 * min(g.Above, 1-g.Above)
	if few := 2 * seldom / n; g.P < few {
		mean, v := num.Moments(diff)
		if g.P = min(few, 2*num.NormalCDF(-math.Abs(mean)/math.Sqrt(v))); !(v > 0) {
			g.P = 0
			if mean == 0 {
				g.P = 1
			}
		}
	}
}

// Drawn are the posterior draws of some parameters of some subjects, by draw. Where subjects are fitted together, the same draw of all of them is of
// one posterior.
type Drawn struct {
	Parameters []string
	Subjects   []string
	Values     [][][]float64 // [subject][parameter][draw]
	Together   bool          // whether subjects were fitted together, so that what no response connects is compared by the prior alone
}

// Gaps compares all pairs of subjects of draws, parameter by parameter. Where they were fitted together, subjects of parts that no response connects are
// not compared; skipped is the number of these pairs.
func (r *Responses) Gaps(d *Drawn) (out []Gap, skipped int) {
	part := make([]int, len(d.Subjects))
	for i, s := range d.Subjects {
		if k := slices.Index(r.Subjects, s); k >= 0 {
			part[i] = r.part[k]
		}
	}
	for k, name := range d.Parameters {
		skipped = 0
		for i, a := range d.Subjects {
			for j := i + 1; j < len(d.Subjects); j++ {
				if d.Together && part[i] != part[j] {
					skipped++
					continue
				}
				out = append(out, gap(name, a, d.Subjects[j], d.Values[i][k], d.Values[j][k]))
			}
		}
	}
	p := make([]float64, len(out))
	for i := range out {
		p[i] = out[i].P
	}
	for i, x := range num.Holm(p) {
		out[i].Holm = x
	}
	return out, skipped
}

func gap(parameter, a, b string, x, y []float64) Gap {
	g := Gap{Parameter: parameter, A: a, B: b}
	n := min(len(x), len(y))
	diff := make([]float64, n)
	for i := range diff {
		diff[i] = x[i] - y[i]
		g.Mean += diff[i] / float64(n)
		switch {
		case diff[i] > 0:
			g.Above += 1 / float64(n)
		case diff[i] == 0:
			g.Above += 0.5 / float64(n)
		}
	}
	if math.IsNaN(g.Mean) {
		g.Low, g.High, g.Above, g.P = g.Mean, g.Mean, g.Mean, g.Mean
		return g
	}
	slices.Sort(diff)
	g.Low, g.High = num.SortedQuantile(diff, 0.025), num.SortedQuantile(diff, 0.975)
	g.Above = min(1, g.Above)
	g.tail(diff)
	return g
}

// ByGroup returns draws of the mean of each group, of which its subjects are a sample: by each draw of these, their mean and Student's t times its
// standard error, as of a normal distribution of unknown spread. The subjects of what it returns are the groups. Of subjects without draws or
// without a group nothing counts; a group of one subject has no draws (NaN), because nothing says how its subjects differ. A group of several
// parts counts as a part of its own.
func (r *Responses) ByGroup(d *Drawn) *Drawn {
	out := &Drawn{Parameters: d.Parameters}
	var members [][]int
	for i, s := range d.Subjects {
		k := slices.Index(r.Subjects, s)
		if k < 0 || r.group[k] == "" {
			continue
		}
		g := slices.Index(out.Subjects, r.group[k])
		if g < 0 {
			g = len(out.Subjects)
			out.Subjects, members = append(out.Subjects, r.group[k]), append(members, nil)
		}
		members[g] = append(members[g], i)
	}
	for g, list := range members {
		values, even := make([][]float64, len(d.Parameters)), []float64(nil)
		for p, name := range d.Parameters {
			draws := len(d.Values[list[0]][p])
			for _, i := range list {
				draws = min(draws, len(d.Values[i][p]))
			}
			if len(even) != draws {
				even = evenly(draws, len(list))
			}
			stream := rng.Stream(0, "contrast", out.Subjects[g], name)
			values[p] = sampled(d, list, p, even, stream.Perm(draws))
		}
		out.Values = append(out.Values, values)
	}
	return out
}

// evenly returns so many quantiles of Student's t for the mean of n, as even as they can be; of one, NaN.
func evenly(draws, n int) []float64 {
	out := make([]float64, draws)
	for k := range out {
		if out[k] = math.NaN(); n > 1 {
			out[k] = num.StudentTQuantile((float64(k)+0.5)/float64(draws), float64(n-1))
		}
	}
	return out
}

// sampled returns draws of the mean of a parameter in the population of some subjects, by quantiles of t in an order.
func sampled(d *Drawn, subjects []int, parameter int, t []float64, order []int) []float64 {
	out, x := make([]float64, len(t)), make([]float64, len(subjects))
	for k, at := range order {
		for i, s := range subjects {
			x[i] = d.Values[s][parameter][k]
		}
		mean, v := num.Moments(x)
		out[k] = mean + float64(t[at]*math.Sqrt(v/float64(len(x))))
	}
	return out
}

// Connected reports whether responses connect all subjects.
func (r *Responses) Connected() bool {
	first := 0
	for _, p := range r.part {
		if p > 0 && first == 0 {
			first = p
		}
		if p > 0 && p != first {
			return false
		}
	}
	return true
}
