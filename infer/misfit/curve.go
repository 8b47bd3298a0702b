package misfit

import (
	"slices"

	"achilles/sim/num"
)

// leastChance is the least probability of success, and of failure, in the weights of curved: a response that is less likely would outweigh all others.
const leastChance = 0.05

// leastSpan is the least difference of expected success, from item to item, with which its shape is looked at.
const leastSpan = 0.2

// byExpected returns a weight of each response by its expected success.
func (r *residuals) byExpected(weight func(p float64) float64) *values {
	list := make([]float64, len(r.mean))
	for k, p := range r.mean {
		list[k] = weight(min(max(p, leastChance), 1-leastChance))
	}
	w := newValues(list, len(r.observed))
	for i, k := range r.data.Class {
		w.set(i, int(k))
	}
	return &w
}

// spans reports whether responses are passed or failed, and expected success differs from item to item.
func (r *residuals) spans() bool {
	return !slices.Contains(r.data.Binary, false) && slices.Max(r.mean)-slices.Min(r.mean) >= leastSpan
}

// passing returns the weight, by class, of Rao's score test of a rate of trials that are lost: 1/(1 − p).
func (r *residuals) passing() (out []float64) {
	for _, p := range r.mean {
		out = append(out, 1/(1-min(max(p, leastChance), 1-leastChance)))
	}
	return out
}

// curved returns the check of how success depends on what is expected: in log odds as steeply, and nearer to 0 and 1 no less. With p the
// expected success, weights are those of Rao's score tests of the factor of the log odds, and of a rate of failures and one of successes
// whatever p is: log p/(1 − p), 1/(1 − p) and 1/p.
func (r *residuals) curved() []check {
	if !r.spans() {
		return nil
	}
	c := check{name: "expected success"}
	for _, x := range []struct {
		up, down string
		weight   func(p float64) float64
	}{
		{"rises more from hard to easy items", "rises less from hard to easy items", func(p float64) float64 { return num.Log(p / (1 - p)) }},
		{"is higher where it is nearly certain", "is lower where it is nearly certain", func(p float64) float64 { return 1 / (1 - p) }},
		{"is higher where it is hardly possible", "is lower where it is hardly possible", func(p float64) float64 { return 1 / p }},
	} {
		if one, ok := r.newContrast(weights{a: r.byExpected(x.weight)}, x.up, x.down); ok {
			c.contrast = append(c.contrast, one)
		}
	}
	if c.contrast == nil {
		return nil
	}
	return []check{c}
}
