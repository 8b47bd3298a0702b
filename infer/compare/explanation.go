package compare

import (
	"achilles/infer/layout"
	"achilles/sim/num"
)

// setShares sets the prior probabilities of the rivals that are not left out, that of all composed explanations together, and
// sizes. If m rivals are components, the number of components of an explanation has the prior BetaBinomial(m; 1, m) (Scott and
// Berger 2010, Annals of Statistics 38): its mean is m/(m+1), and two components do not become more likely because there are
// more pairs that compose. The probability of each number of components is divided among the explanations with so many
// components in proportion to the products of their components' priors.
func (b *Bound) setShares() {
	var components []int
	alone, total := 0.0, 0.0
	for i := range b.Entries {
		e := &b.Entries[i]
		if e.Design == nil {
			continue
		}
		total += e.Prior
		if e.component() {
			components = append(components, i)
			alone += e.Prior
		}
	}
	m := float64(len(components))
	b.sizes = []float64{0, 0}
	single, mass := total, alone
	for k := 1; k < b.Most; k++ {
		mass *= (m - float64(k)) / (2*m - float64(k) - 1) // ratio of the beta-binomial probabilities of k+1 and k components
		products := b.products(components, nil, k+1)
		if !(mass > 0 && products > 0) {
			break
		}
		b.sizes = append(b.sizes, num.Log(mass/products))
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

// products returns the sum of the products of priors over all sets of size components that compose. Every set has the chosen
// components, and others from components.
func (b *Bound) products(components, chosen []int, size int) float64 {
	if len(chosen) == size {
		return b.product(chosen)
	}
	sum := 0.0
	for k, i := range components {
		if next := append(chosen[:len(chosen):len(chosen)], i); composes(b.rivals(next)) {
			sum += b.products(components[k+1:], next, size)
		}
	}
	return sum
}

func (b *Bound) product(set []int) float64 {
	p := 1.0
	for _, i := range set {
		p *= b.Entries[i].Prior
	}
	return p
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
// trajectories for its behaviour. A rival that is no component is a set by itself.
func (b *Bound) logPrior(set []int) float64 {
	l := num.Log(b.product(set)) + b.sizes[len(set)]
	if b.given != nil {
		l += b.given(composedBehaviour(b.rivals(set)))
	}
	return l
}

// A boundRival is a composed explanation that is bound to the items. All subjects share it.
type boundRival struct {
	*Rival
	design *layout.Design
}

// explanation returns the entry of the explanation with these components, at least two, which must compose.
func (b *Bound) explanation(set []int) (*Entry, error) {
	parts := b.rivals(set)
	name := composedName(parts)
	known, ok := b.composed.Load(name)
	if !ok {
		r := compose(parts)
		d, err := r.Layout.Bind(b.items, b.measures)
		if err != nil {
			return nil, err
		}
		known, _ = b.composed.LoadOrStore(name, &boundRival{r, d})
	}
	r := known.(*boundRival)
	e := &Entry{Rival: r.Rival, Design: r.design, Share: num.Exp(b.logPrior(set))}
	for _, i := range set {
		e.parts = append(e.parts, &b.Entries[i])
	}
	return e, nil
}
