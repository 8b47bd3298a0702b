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

// A known subject of a curve: its responses in the order of items, and their places in the order of presentation, from 0.
type known struct {
	demand []float64
	passed []bool
	place  []int
	order  []int // items in the order of presentation
}

func knownOf(d *misfit.Data) known {
	k := known{demand: d.Items.Columns[0].Number, order: make([]int, len(d.Responses))}
	for i, y := range d.Responses {
		k.passed, k.place = append(k.passed, y.Value == 1), append(k.place, int(y.Position)-1)
		k.order[k.place[i]] = i
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

// A normal distribution of noise by nodes and weights.
var noiseNodes, noiseWeights = func() (x, w []float64) {
	sum := 0.0
	for e := -4.0; e <= 4; e += 0.5 {
		x, w = append(x, e), append(w, math.Exp(-e*e/2))
		sum += w[len(w)-1]
	}
	for q := range w {
		w[q] /= sum
	}
	return x, w
}()

// given returns the log likelihood of all responses given the ability, of a subject with a fault of curve.draw of which everything is known.
func (k known) given(ability float64, fault string) (sum float64) {
	n := len(k.demand)
	switch fault {
	case "bursts": // the first trial is the second of the chain
		out, in := 59./60, 1./60
		for _, i := range k.order {
			p := num.Logistic(ability - k.demand[i])
			out, in = out*59/60+in/12, out/60+in*11/12
			out, in = out*k.of(i, p), in*k.of(i, 0.1*p)
			sum += math.Log(out + in)
			out, in = out/(out+in), in/(out+in)
		}
	case "testlets":
		for from := 0; from < n; from += 5 {
			mean := 0.0
			for q, e := range noiseNodes {
				l := noiseWeights[q]
				for i := from; i < min(from+5, n); i++ {
					l *= k.of(i, num.Logistic(ability-k.demand[i]+1.2*e))
				}
				mean += l
			}
			sum += math.Log(mean)
		}
	default:
		for i, x := range k.demand {
			p := 0.0
			switch {
			case fault == "noisy demands":
				for q, e := range noiseNodes {
					p += noiseWeights[q] * num.Logistic(ability-x+2*e)
				}
			case fault == "constant lapse":
				p = 0.85 * num.Logistic(ability-x)
			case fault == "sudden fatigue" && float64(k.place[i]+1)/float64(n) > 0.7:
				p = 0.6 * num.Logistic(ability-x)
			default:
				p = num.Logistic(ability - x)
			}
			sum += math.Log(k.of(i, p))
		}
	}
	return sum
}

// marginal returns the log of the likelihood with a fault, the ability integrated out over its prior by the trapezoidal rule.
func (k known) marginal(fault string) float64 {
	var logs []float64
	for a := -7.0; a <= 8; a += 0.15 {
		logs = append(logs, k.given(a, fault)-(a-0.5)*(a-0.5)/8)
	}
	return num.LogSumExp(logs)
}

// TestBestOfCurves logs how many subjects with a fault the most powerful test finds, at level .01 over 4000 subjects without one: of the fault alone, when
// everything but the ability is known of it (Neyman and Pearson 1933), and of all faults together, which no test whatever surpasses in the sum over
// faults. It is the measure of what checks can find that know nothing.
func TestBestOfCurves(t *testing.T) {
	longtest.Only(t, "takes ten minutes")
	faults := []string{"constant lapse", "bursts", "noisy demands", "testlets", "sudden fatigue"}
	const n, without, with, level = 300, 4000, 100, 0.01
	ratios := func(fault string, seed uint64) []float64 { // by fault, and of their mean
		r := rng.Stream(seed, "curves", fault, strconv.Itoa(n))
		k := knownOf(curve{n, fault}.draw(&r))
		none := k.marginal("")
		var out []float64
		for _, f := range faults {
			out = append(out, k.marginal(f)-none)
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
