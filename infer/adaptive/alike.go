package adaptive

import "math"

// Clusters are items of one kind, such as those of one passage, to which a subject's responses are alike beyond the layout.
type Clusters struct {
	Name        string
	Of          []int   // of each candidate: its cluster; negative: none
	Correlation float64 // of two responses of a cluster, beyond the layout; above 0
}

// A likeness has the sum of the correlations of all ordered pairs of some items.
type likeness struct {
	by    []Clusters
	items []int
	sum   float64
}

// correlation returns that of the responses to two items beyond the layout: of the kinds of clusters that have both, the largest.
func correlation(by []Clusters, i, j int) (most float64) {
	for _, c := range by {
		if c.Of[i] >= 0 && c.Of[i] == c.Of[j] {
			most = max(most, c.Correlation)
		}
	}
	return most
}

// with returns the likeness of one item more.
func (l likeness) with(item int) likeness {
	if len(l.by) == 0 {
		return l
	}
	for _, j := range l.items {
		l.sum += 2 * correlation(l.by, item, j)
	}
	l.items = append(l.items[:len(l.items):len(l.items)], item)
	return l
}

// effect returns the design effect, by which the error variance of a mean of responses to these items grows, 1 + (m − 1)·ρ of clusters of m each
// (Kish 1965, Survey Sampling, section 5.4).
func (l likeness) effect() float64 { return 1 + l.sum/float64(max(1, len(l.items))) }

// EffectOfAll returns the design effect of responses to all of so many candidates.
func EffectOfAll(by []Clusters, candidates int) float64 {
	l := likeness{by: by}
	for i := range candidates {
		l = l.with(i)
	}
	return l.effect()
}

// wider returns the SD of a capability, parameter i, where its draws have sd: they take responses to one cluster for independent, which say as much as
// 1/effect times as many that are.
func (q *particles) wider(i int, sd float64) float64 {
	if q.fitted == nil || !(sd > 0) {
		return sd
	}
	precision := func(sd float64) float64 { return 1 / float64(sd*sd) }
	before, effect := precision(q.prior[i]), q.effect
	if q.fitted.Took && q.fitted.Times != nil { // what its responses before said was found by the fit
		first := precision(q.first[i])
		if wide := first/float64(q.fitted.Times[i]*q.fitted.Times[i]) - before; wide > 0 {
			effect *= (first - before) / wide
		}
	}
	said := precision(sd) - before
	if !(said > 0) || !(effect > 1) {
		return sd
	}
	return max(sd, 1/math.Sqrt(before+said/effect))
}
