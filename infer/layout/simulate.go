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
	s := d.simulator(theta)
	var out []record.Response
	for item, row := range d.rowOf {
		first := len(out)
		for m, b := range d.responses {
			for k := range b.args {
				s.args[k] = s.out[m][k][row]
			}
			v := d.draw(m, row, s.args[:b.args], r)
			if b.measure == inChoices {
				d.choose(out[first:], int(v))
				continue
			}
			out = append(out, record.Response{Item: int32(item), Measure: uint8(b.measure), Value: v})
		}
	}
	return out
}

// A simulator has the arguments of every response's family on every row.
type simulator struct {
	out  [][][]float64 // [measure][argument][row]
	args []float64
}

func (d *Design) simulator(theta []float64) *simulator {
	s := &simulator{}
	for _, b := range d.responses {
		arg := make([][]float64, b.args)
		for k := range arg {
			arg[k] = make([]float64, d.rows)
		}
		s.out = append(s.out, arg)
		s.args = append(s.args, make([]float64, b.args)...)
	}
	means := make([]float64, len(d.inputs))
	for i, m := range d.inputs {
		v := d.responses[m].family.values()
		if math.IsInf(v.lo, 0) || math.IsInf(v.hi, 0) {
			continue // the search for this mean starts at 0
		}
		means[i] = (v.lo + v.hi) / 2
	}
	s.evaluate(d, theta, means)
	// Move halfway to the expected mean in each step. The expected mean is a function of the assumed mean. In a mixture with
	// noise the slope of this function lies between −1 and 1, so that half steps converge without overshooting.
	for range 200 {
		change := 0.0
		for i, m := range d.inputs {
			step := 0.5 * (s.expectedMean(d, m) - means[i])
			means[i] += step
			change = math.Max(change, math.Abs(step))
		}
		if change < 1e-12 {
			break
		}
		s.evaluate(d, theta, means)
	}
	return s
}

func (s *simulator) evaluate(d *Design, theta, means []float64) {
	w, err := d.plan.NewWorkspace(means, make([][]loglik.Observation, len(d.responses)))
	if err != nil {
		panic("layout: workspace without observations")
	}
	w.Evaluate(theta)
	for m, args := range s.out {
		for k := range args {
			w.Output(m, k, args[k])
		}
	}
}

func (s *simulator) expectedMean(d *Design, m int) float64 {
	sum := 0.0
	for _, row := range d.rowOf {
		args := s.args[:d.responses[m].args]
		for k := range args {
			args[k] = s.out[m][k][row]
		}
		sum += d.expected(m, row, args)
	}
	return sum / float64(len(d.rowOf))
}

// expected returns the expected response of measure m on a row. args are the arguments of its family.
func (d *Design) expected(m, row int, args []float64) float64 {
	switch b := d.responses[m]; b.family {
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

func (d *Design) draw(m, row int, args []float64, r *rng.Rand) float64 {
	switch b := d.responses[m]; b.family {
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
