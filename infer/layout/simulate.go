package layout

import (
	"math"

	"achilles/infer/loglik"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// spreadDraws is the number of prior draws from which the SD of a parameter is computed if its prior depends on others.
// The relative error of the SD is then about 0.003.
const spreadDraws = 1 << 16

// drawnSD returns the SD of each of n values over spreadDraws draws.
func drawnSD(n int, draw func(r *rng.Rand, theta []float64)) []float64 {
	r := rng.Stream(0, "prior sd")
	theta, mean, squares := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range spreadDraws {
		draw(&r, theta)
		for i, x := range theta { // Welford (1962)
			off := x - mean[i]
			mean[i] += off / float64(k+1)
			squares[i] += float64(off * (x - mean[i]))
		}
	}
	for i := range squares {
		squares[i] = math.Sqrt(squares[i] / (spreadDraws - 1))
	}
	return squares
}

// Simulate draws one response to every item and measure, item by item, from the layout with parameters theta. If an
// expression mentions mean(measure), Simulate uses the mean that the layout itself expects at theta. This mean is a fixed
// point: if it is put into the expressions, the expected responses have the same mean.
func (d *Design) Simulate(theta []float64, r *rng.Rand) []record.Response {
	t := d.expecting(theta)
	var out []record.Response
	for item, row := range d.rowOf {
		first := len(out)
		for m := range d.responses {
			b := &d.responses[m]
			v := b.draw(row, t.args(cellAt{measure: int32(m), row: int32(row)}), r)
			if b.measure == inChoices {
				d.choose(out[first:], int(v))
				continue
			}
			out = append(out, record.Response{Item: int32(item), Measure: uint8(b.measure), Value: v})
		}
	}
	return out
}

// expecting returns a target without responses, with its outputs at theta, where means of the responses are those that it expects.
func (d *Design) expecting(theta []float64) *Target {
	none := &Data{inputs: make([]float64, len(d.inputs))}
	for i, m := range d.inputs {
		if v := d.responses[m].family.values(); !math.IsInf(v.lo, 0) && !math.IsInf(v.hi, 0) { // else the search for this mean starts at 0
			none.inputs[i] = (v.lo + v.hi) / 2
		}
	}
	// Move halfway to the expected mean in each step. The expected mean is a function of the assumed mean. In a mixture with
	// noise the slope of this function lies between −1 and 1, so that half steps converge without overshooting.
	for i := 0; ; i++ {
		t := d.NewTarget(none.WithoutResponses(d))
		t.outputs(theta)
		change := 0.0
		for k, m := range d.inputs {
			step := 0.5 * (t.expectedMean(m) - none.inputs[k])
			none.inputs[k] += step
			change = math.Max(change, math.Abs(step))
		}
		if change < 1e-12 || i == 200 {
			return t
		}
	}
}

// expectedMean returns the mean of the expected responses of measure m, from the last call of outputs.
func (t *Target) expectedMean(m int) float64 {
	sum := 0.0
	for _, row := range t.design.rowOf {
		sum += t.design.responses[m].expected(row, t.args(cellAt{measure: int32(m), row: int32(row)}))
	}
	return sum / float64(len(t.design.rowOf))
}

// expected returns the expected response on a row. args are the arguments of its family.
func (b *boundResponse) expected(row int, args []float64) float64 {
	switch b.family {
	case Binomial:
		return float64(args[0] * b.trials[row])
	case ZeroOneInflatedBeta:
		return float64(args[2]*args[3]) + float64((1-args[2])*args[0])
	case Choice:
		e := 0.0
		for k := range args {
			e += float64(float64(k) * num.Exp(loglik.LogProb(loglik.Choice, args, float64(k), 1)))
		}
		return e
	}
	return args[0]
}

func (b *boundResponse) draw(row int, args []float64, r *rng.Rand) float64 {
	switch b.family {
	case Bernoulli:
		return successes(1, args[0], r)
	case Binomial:
		return successes(int(b.trials[row]), args[0], r)
	case Normal:
		return args[0] + float64(args[1]*r.Norm())
	case ZeroOneInflatedBeta:
		if r.Bernoulli(args[2]) {
			return successes(1, args[3], r)
		}
		return drawBeta(args, r)
	case Beta:
		return drawBeta(args, r)
	}
	u := r.Float64()
	for k := range args {
		u -= num.Exp(loglik.LogProb(loglik.Choice, args, float64(k), 1))
		if u < 0 {
			return float64(k)
		}
	}
	return float64(len(args) - 1)
}

// drawBeta draws from the beta distribution of a mean and a precision, the first two of args. The result is neither 0 nor 1.
func drawBeta(args []float64, r *rng.Rand) float64 {
	x := num.Logistic(num.LogitBetaQuantile(r.Float64(), float64(args[0]*args[1]), float64((1-args[0])*args[1])))
	return min(max(x, math.SmallestNonzeroFloat64), 1-0x1p-53)
}

func successes(n int, p float64, r *rng.Rand) float64 {
	k := 0
	for range n {
		if r.Bernoulli(p) {
			k++
		}
	}
	return float64(k)
}
