package misfit_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"achilles/infer/misfit"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A known subject of a curve: the success probability of each item at abilities on a grid, its responses in the order of items, and the order of presentation.
type known struct {
	p      [][]float64 // [item][node]
	passed []bool
	order  []int // items in the order of presentation
	late   []bool
}

// The grid of abilities. Noise of 1.2 or 2 times half a standard deviation is a number of its steps.
const (
	step        = 0.2
	from, to    = -7.0, 8.0
	beyond      = 40 // steps on either side, for noise of four standard deviations
	testletStep = 3
	noisyStep   = 5
)

func knownOf(d *misfit.Data) known {
	n := len(d.Responses)
	k := known{order: make([]int, n)}
	for i, y := range d.Responses {
		k.passed, k.late = append(k.passed, y.Value == 1), append(k.late, float64(y.Position)/float64(n) > 0.7)
		k.order[y.Position-1] = i
		var p []float64
		for a := from - step*beyond; a <= to+step*(beyond+0.5); a += step {
			p = append(p, num.Logistic(a-d.Items.Columns[0].Number[i]))
		}
		k.p = append(k.p, p)
	}
	return k
}

// of returns the likelihood of a response with success probability p.
func (k known) of(i int, p float64) float64 {
	if k.passed[i] {
		return p
	}
	return 1 - p
}

// noiseWeights has the normal distribution at −4, −3.5, … 4.
func noiseWeights() (w []float64) {
	sum := 0.0
	for e := -4.0; e <= 4; e += 0.5 {
		w = append(w, math.Exp(-e*e/2))
		sum += w[len(w)-1]
	}
	for q := range w {
		w[q] /= sum
	}
	return w
}

// given returns the log likelihood of all responses given the ability at a node, of a subject with a fault of curve.draw of which everything is known.
func (k known) given(a int, fault string, noise []float64) (sum float64) {
	n := len(k.p)
	switch fault {
	case "bursts": // the first trial is the second of the chain
		out, in := 59./60, 1./60
		for _, i := range k.order {
			p := k.p[i][a]
			out, in = out*59/60+in/12, out/60+in*11/12
			out, in = out*k.of(i, p), in*k.of(i, 0.1*p)
			sum += math.Log(out + in)
			out, in = out/(out+in), in/(out+in)
		}
	case "testlets":
		for first := 0; first < n; first += 5 {
			mean := 0.0
			for q, l := range noise {
				for i := first; i < min(first+5, n); i++ {
					l *= k.of(i, k.p[i][a+testletStep*(q-len(noise)/2)])
				}
				mean += l
			}
			sum += math.Log(mean)
		}
	default:
		product := 1.0
		for i := range n {
			p := k.p[i][a]
			switch {
			case fault == "noisy demands":
				p = 0
				for q, w := range noise {
					p += w * k.p[i][a+noisyStep*(q-len(noise)/2)]
				}
			case fault == "constant lapse":
				p *= 0.85
			case fault == "sudden fatigue" && k.late[i]:
				p *= 0.6
			}
			if product *= k.of(i, p); product < 1e-200 || i == n-1 {
				sum += math.Log(product)
				product = 1
			}
		}
	}
	return sum
}

// marginal returns the log of the likelihood with a fault, the ability integrated out over its prior by the trapezoidal rule.
func (k known) marginal(fault string, noise []float64) float64 {
	var logs []float64
	for q := 0; from+step*float64(q) < to+step/2; q++ {
		a := from + step*float64(q)
		logs = append(logs, k.given(beyond+q, fault, noise)-(a-0.5)*(a-0.5)/8)
	}
	return num.LogSumExp(logs)
}

// TestBestOfCurves logs how many subjects with a fault the most powerful test finds, at level .01 over 4000 subjects without one: of the fault alone, when
// everything but the ability is known of it (Neyman and Pearson 1933), and of all faults together, which no test whatever surpasses in the sum over
// faults. It is the measure of what checks can find that know nothing.
func TestBestOfCurves(t *testing.T) {
	longtest.Only(t, "takes minutes")
	faults := []string{"constant lapse", "bursts", "noisy demands", "testlets", "sudden fatigue"}
	const n, without, with, level = 300, 4000, 100, 0.01
	noise := noiseWeights()
	ratios := func(fault string, seed uint64) []float64 { // by fault, and of their mean
		r := rng.Stream(seed, "curves", fault, strconv.Itoa(n))
		k := knownOf(curve{n, fault}.respond(&r))
		none := k.marginal("", noise)
		var out []float64
		for _, f := range faults {
			out = append(out, k.marginal(f, noise)-none)
		}
		return append(out, num.LogSumExp(out))
	}
	null := make([][]float64, len(faults)+1) // [fault][subject]
	for s := range uint64(without) {
		for f, x := range ratios("", 100_000+s) {
			null[f] = append(null[f], x)
		}
	}
	for f := range null {
		slices.Sort(null[f])
	}
	at := without - int(without*level)
	for f, fault := range faults {
		alone, together := 0, 0
		for s := range uint64(with) {
			x := ratios(fault, 1750+s)
			if x[f] > null[f][at] {
				alone++
			}
			if x[len(faults)] > null[len(faults)][at] {
				together++
			}
		}
		t.Logf("%s: best alone %d, best of all together %d of %d", fault, alone, together, with)
		if together > alone+10 {
			t.Errorf("%s: what knows all faults finds more than what knows this", fault)
		}
	}
}
