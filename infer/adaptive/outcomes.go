package adaptive

import (
	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// outcomes say where what is expected of the responses to each measure stands, in blocks that have a value for each row of the candidates: of a binary
// measure the probability of success; of ordered categories that of each; of scores, which may be any number, the arguments of their family, and then
// the mean of a response and that of its square.
type outcomes struct {
	rows   int
	first  []int           // of each measure: its first block
	number []int           // of each measure: how many responses there can be; 0: scores
	family []layout.Family // of each measure
	kind   []kind          // of each block
}

// A kind says what a block has.
type kind uint8

const (
	ofSuccess  kind = iota // probability of one of two responses
	ofCategory             // probability of one of several
	ofArgument             // of a family
	ofMean                 // mean of a response; the next block has that of its square
	ofSquare
)

func outcomesOf(j *layout.Joint, rows int) outcomes {
	o := outcomes{rows: rows}
	add := func(k kind, n int) {
		for range n {
			o.kind = append(o.kind, k)
		}
	}
	for _, r := range j.Layout().Responses {
		o.first, o.family = append(o.first, len(o.kind)), append(o.family, r.Family)
		number := 2
		switch {
		case r.Family == layout.Choice:
			number = len(r.Args)
			add(ofCategory, number)
		case r.Family.Continuous():
			number = 0
			add(ofArgument, len(r.Args))
			add(ofMean, 1)
			add(ofSquare, 1)
		default:
			add(ofSuccess, 1)
		}
		o.number = append(o.number, number)
	}
	return o
}

// len returns the number of values.
func (o *outcomes) len() int { return len(o.kind) * o.rows }

// end returns the block after the last of a measure.
func (o *outcomes) end(m int) int {
	if m+1 < len(o.first) {
		return o.first[m+1]
	}
	return len(o.kind)
}

// arguments returns those of the family of a measure of scores.
func (o *outcomes) arguments(p []float64, m, row int) (out []float64) {
	for block := o.first[m]; o.kind[block] == ofArgument; block++ {
		out = append(out, p[block*o.rows+row])
	}
	return out
}

// chance returns the probability of a response to a measure other than of scores.
func (o *outcomes) chance(p []float64, m, row int, value float64) float64 {
	at := o.first[m]*o.rows + row
	switch {
	case o.kind[o.first[m]] == ofCategory:
		return p[at+int(value)*o.rows]
	case value == 0:
		return 1 - p[at]
	}
	return p[at]
}

// entropy returns that of a response, in nats; of a score that of a normal one of its variance.
func (o *outcomes) entropy(p []float64, m, row int) float64 {
	switch {
	case o.number[m] == 0:
		_, v := o.moments(p, m, row)
		return (num.Log(max(v, 1e-300))+1)/2 + num.LogSqrt2Pi
	case o.kind[o.first[m]] == ofSuccess:
		return num.BinaryEntropy(p[o.first[m]*o.rows+row])
	}
	sum := 0.0
	for k := range o.number[m] {
		if x := o.chance(p, m, row, float64(k)); x > 0 {
			sum -= float64(x * num.Log(x))
		}
	}
	return sum
}

// moments returns the mean and the variance of a response.
func (o *outcomes) moments(p []float64, m, row int) (mean, variance float64) {
	switch {
	case o.number[m] == 0:
		at := (o.end(m)-2)*o.rows + row
		return p[at], o.variance(p, o.end(m)-2, row)
	case o.kind[o.first[m]] == ofSuccess:
		x := p[o.first[m]*o.rows+row]
		return x, float64(x * (1 - x))
	}
	for k := range o.number[m] {
		mean += float64(float64(k) * o.chance(p, m, row, float64(k)))
	}
	for k := range o.number[m] {
		off := float64(k) - mean
		variance += float64(float64(off*off) * o.chance(p, m, row, float64(k)))
	}
	return mean, variance
}

// draw draws a response.
func (o *outcomes) draw(p []float64, m, row int, r *rng.Rand) float64 {
	switch {
	case o.number[m] == 0:
		return o.family[m].Draw(o.arguments(p, m, row), r)
	case o.kind[o.first[m]] == ofSuccess:
		if r.Bernoulli(o.chance(p, m, row, 1)) {
			return 1
		}
		return 0
	}
	u := r.Float64()
	for k := range o.number[m] {
		if u -= o.chance(p, m, row, float64(k)); u < 0 {
			return float64(k)
		}
	}
	return float64(o.number[m] - 1)
}

// variance returns that of what a block expects: of success, of one of the categories that there are, or of a score. It is 0 of a block of which another
// has it.
func (o *outcomes) variance(p []float64, block, row int) float64 {
	x := p[block*o.rows+row]
	switch o.kind[block] {
	case ofSuccess:
		return float64(x * (1 - x))
	case ofCategory:
		return x
	case ofMean:
		return max(0, p[(block+1)*o.rows+row]-float64(x*x))
	}
	return 0
}

// share divides the square of a change of what a block expects by its variance.
func (o *outcomes) share(p []float64, block, row int, change float64) float64 {
	v := o.variance(p, block, row)
	if !(v > 0) {
		return 0
	}
	return float64(change*change) / v
}

// information returns Fisher's information of a response about a parameter, given what is expected where it is and at two values that are a step apart.
func (o *outcomes) information(p, above, below []float64, step float64, m, row int) (sum float64) {
	if o.number[m] == 0 {
		args, change := o.arguments(p, m, row), o.arguments(above, m, row)
		for k, x := range o.arguments(below, m, row) {
			change[k] = (change[k] - x) / step
		}
		return o.family[m].Information(args, change)
	}
	for block := o.first[m]; block < o.end(m); block++ {
		sum += o.share(p, block, row, (above[block*o.rows+row]-below[block*o.rows+row])/step)
	}
	return sum
}

// values returns what a response to a measure may be; of scores nil.
func (o *outcomes) values(m int) (out []float64) {
	if o.kind[o.first[m]] == ofSuccess {
		return []float64{1}
	}
	for k := range o.number[m] {
		out = append(out, float64(k))
	}
	return out
}
