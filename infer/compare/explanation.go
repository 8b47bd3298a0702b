package compare

import (
	"math"

	"achilles/infer/layout"
	"achilles/sim/num"
)

// setShares sets the prior probabilities of the rivals that are not left out, that of all composed explanations together, and
// sizes. If m rivals are components, the number of components of an explanation has the prior BetaBinomial(m; 1, m) (Scott and
// Berger 2010, Annals of Statistics 38): its mean is m/(m+1), and two components do not become more likely because there are
// more pairs that compose. All explanations with as many components, from two on, are equally likely. The priors in the bank are
// those of rivals alone: for the odds of two components against one, every component alone has the smallest of these priors, so
// that a component which is frequent alone, because it stands for many contrasts, is not more frequent beside others.
func (b *Bound) setShares() {
	var components []int
	least, single := math.Inf(1), 0.0
	for i := range b.Entries {
		e := &b.Entries[i]
		if e.Design == nil {
			continue
		}
		single += e.Prior
		if e.component() {
			components = append(components, i)
			least = min(least, e.Prior)
		}
	}
	m := float64(len(components))
	b.sizes = []float64{0, 0}
	total, mass := single, float64(m*least)
	for k := 1; k < b.Most; k++ {
		mass *= (m - float64(k)) / (2*m - float64(k) - 1) // ratio of the beta-binomial probabilities of k+1 and k components
		n := b.explanations(components, nil, k+1)
		if n == 0 {
			break
		}
		b.sizes = append(b.sizes, num.Log(mass/float64(n)))
		total += mass
	}
	for k := range b.sizes {
		b.sizes[k] -= num.Log(total)
	}
	b.Composed = 1 - single/total
	for i := range b.Entries {
		if e := &b.Entries[i]; e.Design != nil {
			e.Share = e.Prior / total
		}
	}
}

// explanations returns the number of sets of size components that compose. Every set has the chosen components, and others
// from components.
func (b *Bound) explanations(components, chosen []int, size int) (n int) {
	if len(chosen) == size {
		return 1
	}
	for k, i := range components {
		if next := append(chosen[:len(chosen):len(chosen)], i); composes(b.rivals(next)) {
			n += b.explanations(components[k+1:], next, size)
		}
	}
	return n
}

// rivals returns the rivals with these indices.
func (b *Bound) rivals(set []int) []*Rival {
	out := make([]*Rival, len(set))
	for k, i := range set {
		out[k] = b.Entries[i].Rival
	}
	return out
}

// logPrior returns the log prior probability of the explanation with these components, plus the log evidence of the subject's
// trajectories for its behaviour. A rival that is no component is a set by itself. If components may share a floor, that they do
// and that they do not is as likely as each other.
func (b *Bound) logPrior(set []int) float64 {
	l := b.sizes[len(set)] - b.forms(set)
	if len(set) == 1 {
		l += num.Log(b.Entries[set[0]].Prior)
	}
	if b.given != nil {
		l += b.given(composedBehaviour(b.rivals(set)))
	}
	return l
}

// forms returns the log of the number of explanations with these components: two if they may share a floor.
func (b *Bound) forms(set []int) float64 {
	if floors(b.rivals(set)) {
		return math.Ln2
	}
	return 0
}

// A boundRival is a composed explanation that is bound to the items. All subjects share it.
type boundRival struct {
	*Rival
	design *layout.Design
	rows   [][]int // see Entry.partRows
}

// explanation returns the entry of the explanation with these components, at least two, which must compose and, if floor is
// set, share a floor.
func (b *Bound) explanation(set []int, floor bool) (*Entry, error) {
	parts := b.rivals(set)
	name := explanationName(parts, floor)
	known, ok := b.composed.Load(name)
	if !ok {
		r := compose(parts, floor)
		d, err := r.Layout.Bind(b.items, b.measures)
		if err != nil {
			return nil, err
		}
		known, _ = b.composed.LoadOrStore(name, &boundRival{r, d, b.partRows(d, set)})
	}
	r := known.(*boundRival)
	e := &Entry{Rival: r.Rival, Design: r.design, Share: num.Exp(b.logPrior(set)), Observed: b.observed(r.Behaviour), partRows: r.rows}
	for _, i := range set {
		e.parts = append(e.parts, &b.Entries[i])
	}
	return e, nil
}

// partRows returns Entry.partRows of an explanation with the design d.
func (b *Bound) partRows(d *layout.Design, set []int) [][]int {
	out := make([][]int, len(set))
	for k, i := range set {
		out[k] = make([]int, d.Rows())
		for item := range b.items.Len() {
			out[k][d.Row(item)] = b.Entries[i].Design.Row(item)
		}
	}
	return out
}
