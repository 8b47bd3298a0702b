package adaptive

import (
	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// outcomes say where the probabilities of the responses to each measure stand: those of a binary measure are one block, of success, and those of
// ordered categories a block for each. A block has a value for each row of the candidates.
type outcomes struct {
	rows   int
	first  []int  // of each measure: its first block
	number []int  // of each measure: how many responses there can be
	binary []bool // of each block
}

func outcomesOf(j *layout.Joint, rows int) outcomes {
	o := outcomes{rows: rows}
	for _, r := range j.Layout().Responses {
		o.first = append(o.first, len(o.binary))
		if r.Family != layout.Choice {
			o.number, o.binary = append(o.number, 2), append(o.binary, true)
			continue
		}
		o.number = append(o.number, len(r.Args))
		for range r.Args {
			o.binary = append(o.binary, false)
		}
	}
	return o
}

// len returns the number of probabilities.
func (o *outcomes) len() int { return len(o.binary) * o.rows }

// chance returns the probability of a response.
func (o *outcomes) chance(p []float64, m, row, value int) float64 {
	at := o.first[m]*o.rows + row
	switch {
	case !o.binary[o.first[m]]:
		return p[at+value*o.rows]
	case value == 0:
		return 1 - p[at]
	}
	return p[at]
}

// entropy returns that of a response, in nats.
func (o *outcomes) entropy(p []float64, m, row int) float64 {
	if o.binary[o.first[m]] {
		return num.BinaryEntropy(p[o.first[m]*o.rows+row])
	}
	sum := 0.0
	for k := range o.number[m] {
		if x := o.chance(p, m, row, k); x > 0 {
			sum -= float64(x * num.Log(x))
		}
	}
	return sum
}

// moments returns the mean and the variance of a response.
func (o *outcomes) moments(p []float64, m, row int) (mean, variance float64) {
	if o.binary[o.first[m]] {
		x := p[o.first[m]*o.rows+row]
		return x, float64(x * (1 - x))
	}
	for k := range o.number[m] {
		mean += float64(float64(k) * o.chance(p, m, row, k))
	}
	for k := range o.number[m] {
		off := float64(k) - mean
		variance += float64(float64(off*off) * o.chance(p, m, row, k))
	}
	return mean, variance
}

// draw draws a response.
func (o *outcomes) draw(p []float64, m, row int, r *rng.Rand) float64 {
	if o.binary[o.first[m]] {
		if r.Bernoulli(o.chance(p, m, row, 1)) {
			return 1
		}
		return 0
	}
	u := r.Float64()
	for k := range o.number[m] {
		if u -= o.chance(p, m, row, k); u < 0 {
			return float64(k)
		}
	}
	return float64(o.number[m] - 1)
}

// share divides the square of a change of a probability by the variance that it has: one of the categories that there are, or the only one.
func (o *outcomes) share(block int, change, p float64) float64 {
	v := p
	if o.binary[block] {
		v = float64(p * (1 - p))
	}
	if !(v > 0) {
		return 0
	}
	return float64(change*change) / v
}
