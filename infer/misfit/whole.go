package misfit

import (
	"math"
	"slices"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Whole has the responses of all subjects to all items, and what a model that was fitted to them together expects.
type Whole struct {
	Subjects, Items []string // names
	Subject, Item   []int32  // [response]
	Value           []float64
	Expected        []float64 // [response] posterior mean
	Variance        []float64 // [response] of a response given the parameters
	Labels          []Labels  // that group items or subjects

	// ItemFree and SlopeFree say that each item has a parameter of its own, for how hard it is, and another for how it depends on ability.
	ItemFree, SlopeFree bool

	// Replicate draws a response in place of each, from one posterior draw after the other.
	Replicate func(out []float64)
}

// Labels group items or subjects by the values of a column of text.
type Labels struct {
	Name    string
	OfItems bool     // else of subjects
	Of      []int32  // [item or subject] its group; −1: none
	Groups  []string // their names
}

const (
	calibrated  = 400  // replicates that give each statistic its mean, SD and skewness
	replicates  = 1199 // replicates with which the responses are compared, at most
	leastWhole  = 4    // items below which a table is not checked
	mostPairs   = 1 << 22
	mostChecked = 1 << 16 // responses up to which a table is checked, some seconds
)

// Checked reports whether a table of this size is checked.
func (d *Whole) Checked() bool {
	return len(d.Subjects) >= 2 && len(d.Items) >= leastWhole && len(d.Value) <= mostChecked
}

// looks are the numbers of replicates after which it is seen whether more could make a finding (Besag and Clifford 1991, Biometrika 78).
var looks = [...]int{49, 99, 199, 399, replicates}

// hopeless reports whether so many of n replicates are as extreme as the responses that their p-value is above alarm: more than two and four standard deviations above
// what is expected at alarm, which has a probability below 1e-4 at each look.
func hopeless(extreme, n int, alarm float64) bool {
	mean := alarm * float64(n)
	return float64(extreme) > mean+4*math.Sqrt(mean)+2
}

// CheckWhole makes all checks of a table by posterior prediction (families). alarm, in (0, 1), is the probability that a table which the
// model describes has findings.
//
// Replicates are drawn from the posterior. To each, and to the responses alike, abilities, and what items have parameters for, are fitted
// again (refit): a parametric bootstrap with a quick fit. What was fitted to the responses alone would leave smaller residuals in them than
// in replicates, and the checks would find too little. The level is shared among families by their weights: the smallest weighted p-value
// is compared with that of each replicate.
func CheckWhole(d *Whole, alarm float64, random *rng.Rand) Result {
	if !d.Checked() {
		return Result{P: 1}
	}
	w := newWhole(d, random)
	value := make([]float64, len(d.Value))
	for range calibrated {
		d.Replicate(value)
		w.fit(value)
		w.calibrate()
	}
	w.settle()
	families := w.families()
	w.fit(d.Value)
	observed := w.measure()
	out := Result{Checks: w.statistics()}
	sizes := make([][]float64, len(families)) // of the largest statistic in each replicate
	var p [][]float64
	var smallest []float64
	for _, n := range looks {
		for len(sizes[0]) < n {
			d.Replicate(value)
			w.fit(value)
			for f, x := range w.measure() {
				sizes[f] = append(sizes[f], x.size)
			}
		}
		p, smallest = weighted(families, sizes, observed)
		extreme := 0
		for _, q := range smallest {
			if q <= smallest[n]*(1+rounding) {
				extreme++
			}
		}
		if out.P = float64(extreme) / float64(n+1); hopeless(extreme, n, alarm) {
			break
		}
	}
	if out.P > alarm {
		return out
	}
	w.fit(d.Value) // what findings say of it
	least := smallest[replicates]
	slices.Sort(smallest)
	limit := max(smallest[max(0, int(alarm*(replicates+1))-1)], least) * (1 + rounding)
	for f, x := range observed {
		if q := p[f][replicates]; q/families[f].weight <= limit {
			out.Failed = append(out.Failed, Finding{Check: families[f].name, Statistic: x.size, P: q, Statement: families[f].say(x)})
		}
	}
	sortFindings(out.Failed)
	out.Failed = out.Failed[:min(len(out.Failed), mostFindings)]
	return out
}

// weighted returns the p-value of each family, and the smallest of all by their weights, for each replicate and last for the responses.
func weighted(families []family, sizes [][]float64, observed []extreme) (p [][]float64, smallest []float64) {
	smallest = slices.Repeat([]float64{math.Inf(1)}, len(sizes[0])+1)
	for f, x := range observed {
		p = append(p, tails(append(slices.Clone(sizes[f]), x.size)))
		for k, q := range p[f] {
			smallest[k] = min(smallest[k], q/families[f].weight)
		}
	}
	return p, smallest
}

// rounding is a relative difference of weighted p-values that counts for nothing.
const rounding = 1e-9

// upper is the proportion of numbers from which the tail of a statistic is taken to fall exponentially.
const upper = 0.1

// tails returns, for each of some numbers, the proportion that are as large. How far the largest is beyond all others lowers its own, by the mean
// of what exceeds the upper tenth of the others: the largest of a thousand may be much less probable than one in a thousand.
func tails(x []float64) []float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	n := len(x)
	out := make([]float64, n)
	for k, v := range x {
		below, _ := slices.BinarySearch(sorted, v)
		out[k] = float64(n-below) / float64(n)
		if below < n-1 {
			continue
		}
		others := sorted[:n-1]
		above := others[n-1-max(1, int(upper*float64(n))):]
		mean := 0.0
		for _, o := range above {
			mean += (o - above[0]) / float64(len(above))
		}
		if mean > 0 {
			out[k] *= num.Exp(-(v - others[n-2]) / mean)
		}
	}
	return out
}
