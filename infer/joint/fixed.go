package joint

import (
	"math"
	"slices"

	"achilles/infer/layout"
	"achilles/sim/num"
)

// A fixed says which parameters maximum likelihood leaves out, because they are in the priors of items alone, and of which values the prior counts,
// because the responses alone would have them infinite.
type fixed struct {
	without []bool         // by parameter
	prior   map[int]string // value of cells → why its prior counts
}

// mesh returns the mesh to begin with: of three parameters, nodes half a standard deviation of the prior apart.
func (f *fixed) mesh(l *layout.Layout) mesh {
	m := firstMesh()
	if unit, _ := layout.SummableTogether(l); len(unit) > mostWithPriors {
		for k := range m {
			m[k] = spacing{bend: 20, step: 0.5 / 20, reach: 5}
		}
	}
	return m
}

// leaves reports whether parameter i is left out; none is where all priors count.
func (f *fixed) leaves(i int) bool { return f != nil && f.without[i] }

// flatten gives what is kept the coordinates of the values themselves, and lets no prior of it count but those of f.prior.
func (f *fixed) flatten(g *integral) {
	j := g.at.Joint()
	g.flat = make([]bool, j.Len())
	for i := range j.Layout().Parameters {
		for at := j.First(i); f.without[i] && at < j.First(i)+j.Units(i); at++ {
			g.flat[at] = true
		}
	}
	for i, at := range g.here {
		g.shares[at] = 1
		g.flat[at] = f.prior[g.keep[i]] == ""
	}
}

// itemsAlike notes the values of items of which all responses are the same, or that have none: their likelihood rises without end.
func (f *fixed) itemsAlike(cells *layout.Cells) {
	first, differ := map[int]float64{}, map[int]bool{}
	for _, k := range cells.Used() {
		x := cells.Responses()[k]
		v, ok := first[int(x.Item)]
		if !ok {
			first[int(x.Item)] = x.Value
		}
		differ[int(x.Item)] = differ[int(x.Item)] || ok && v != x.Value || x.Trials > 1
	}
	j := cells.Joint()
	_, items := cells.Size()
	for i := range items {
		if _, ok := first[i]; !ok {
			f.note(j, i, "nobody responded to it")
		} else if !differ[i] {
			f.note(j, i, "all responses to it are the same")
		}
	}
}

// note lets the priors of an item's values count.
func (f *fixed) note(j *layout.Joint, item int, why string) {
	for i, p := range j.Layout().Parameters {
		if ofItem(&p) {
			f.prior[j.First(i)+item] = why
		}
	}
}

// alike is a difference of log likelihoods that tells two values as little apart as 0.14 standard errors do.
const alike = 0.01

// atZero notes SDs of priors, such as that of abilities, that are 0 as likely as at a maximum q: there is no maximum above 0. It reports whether there
// are any.
func (f *fixed) atZero(g *integral, q []float64) bool {
	const nothing = -30 // the logarithm of a SD
	t, j := g.density(), g.cells.Joint()
	top, found, kept := t.value(q), false, make([]float64, len(q))
	for i, is := range j.Spreads() {
		for k, at := range g.keep {
			if !is || at < j.First(i) || at >= j.First(i)+j.Units(i) || !g.flat[g.here[k]] {
				continue
			}
			low := slices.Clone(q)
			low[k] = nothing
			t.Constrain(low, kept)
			if 0 <= kept[k] && kept[k] < 1e-9 && t.value(low) > top-alike {
				f.prior[at], found = "its likelihood is highest at 0: units do not differ", true
			}
		}
	}
	return found
}

// farthest is the distance of a value from the middle of its prior, in the standard deviations that this has where what it depends on is at 0, beyond
// which it counts as infinite, and steep that where no grid is fine enough for it (a discrimination of 12, beyond which irt does not climb either, if its
// logarithm has a standard deviation of 1); and leastInformation is the information about it, in 1 over their squares, below which nothing is known of it.
const (
	farthest         = 8
	steep            = 2.5
	leastInformation = 0.01
)

// astray notes values that the climb took too far, or of which minus the curvature, bend, knows nothing. It reports whether there are any.
func (f *fixed) astray(g *integral, q []float64, bend num.Lower, farthest float64) bool {
	t := g.density()
	j := g.at.Joint()
	middle, spread := make([]float64, j.Len()), make([]float64, j.Len())
	t.target.Constrain(t.q, t.theta)
	for i := range j.Layout().Parameters {
		copy(spread[j.First(i):], t.target.PriorSpread(t.q, i))
		for u := range j.Units(i) {
			middle[j.First(i)+u] = t.q[j.First(i)+u]
		}
	}
	found := false
	for i, at := range g.here {
		if !g.flat[at] {
			continue
		}
		why := ""
		switch s := spread[at]; {
		case !(math.Abs(q[i]-middle[at]) <= float64(farthest*s)):
			why = "the likelihood rises without end"
		case !(float64(bend.Row(i)[i]*float64(s*s)) > leastInformation):
			why = "the responses say nothing about it"
		default:
			continue
		}
		found = true
		f.prior[g.keep[i]] = why
	}
	return found
}

// ofItem reports whether each item has a value of a parameter.
func ofItem(p *layout.Parameter) bool { return p.Group == layout.Item && p.Per == "" }
