package adaptive

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// Form returns the indices of n candidates that together say most about the capabilities of a subject of whom nothing is known, the most
// informative first: each lowers the sum of the variances of the capabilities most, as shares of their ranges or else of their prior variances,
// where they are predicted linearly from the responses to it and to those before it. With strata, a label of each candidate, every label has as
// many items as any other, or one less, or all that it has. Of equal candidates the first is taken. The error is that of Check.
func Form(m Model, candidates *record.Items, n int, strata []string) ([]int, error) {
	if err := Check([]Model{m}, Settings{Order: ByPrecision}); err != nil {
		return nil, err
	}
	q := &particles{items: candidates, design: m.Design, fitted: m.Fitted, outcomes: m.outcomes(candidates), config: population, stream: func(int) rng.Rand { return rng.Stream(0, "adaptive", "form") }}
	if q.byPosition() {
		return nil, ErrPosition(q.joint().Layout())
	}
	if err := q.start(1); err != nil {
		return nil, err
	}
	f := newLinear(q)
	if q.fitted != nil && len(q.fitted.Within) > 0 {
		f.alike = func(i, j int) float64 { // of one measure
			if i/q.rows != j/q.rows {
				return 0
			}
			return correlation(q.fitted.Within, i%q.rows, j%q.rows)
		}
	}
	left := quotas(strata, candidates.Len(), n)
	taken := make([]bool, candidates.Len())
	var out []int
	for range n {
		best, most := -1, 0.0
		for i := range taken {
			if taken[i] || !left.has(i) {
				continue
			}
			gain := 0.0 // as if the responses to an item's measures were independent
			for m := range q.measures() {
				gain += f.gain(m*q.rows + q.row(i))
			}
			if best < 0 || gain > most {
				best, most = i, gain
			}
		}
		if best < 0 {
			break
		}
		taken[best] = true
		left.take(best)
		out = append(out, best)
		for m := range q.measures() {
			f.observe(m*q.rows + q.row(best))
		}
	}
	return out, nil
}

// ErrPosition returns the error that a layout depends on the position of a response.
func ErrPosition(l *layout.Layout) error {
	return fmt.Errorf("layout %s depends on the position of a response, of which nothing is known before items are in an order", l.Name)
}

// linear has the variances that are left where capabilities and responses are predicted linearly from the responses observed.
type linear struct {
	rows       [][]float64            // by measure × row: the expected response at each draw less its mean
	noise      []float64              // variance of a response about what is expected
	variance   []float64              // of what is expected
	abilities  [][]float64            // by capability: its value at each draw less its mean, as a share of its width
	covariance [][]float64            // by capability and row
	seen       [][]float64            // by observation and row: covariance with it, in standard deviations of the response
	alike      func(i, j int) float64 // correlation of two rows' responses about what is expected; nil: none
}

func newLinear(q *particles) *linear {
	f := &linear{}
	n := float64(len(q.draws))
	for i := range q.rows * q.measures() {
		row := make([]float64, len(q.draws))
		mean, left := 0.0, 0.0
		for k := range row {
			p, v := q.moments(q.p[k], i/q.rows, i%q.rows)
			row[k] = p
			mean, left = mean+p/n, left+v/n
		}
		for k := range row {
			row[k] -= mean
		}
		f.rows, f.noise = append(f.rows, row), append(f.noise, left)
	}
	for _, j := range q.capabilities() {
		x := make([]float64, len(q.draws))
		mean := q.mean(j)
		for k := range x {
			x[k] = (q.draws[k][q.at(j)] - mean) / q.widths[j]
		}
		f.abilities = append(f.abilities, x)
	}
	f.complete()
	return f
}

// complete sets the variances and covariances that follow from the other fields.
func (f *linear) complete() {
	for _, row := range f.rows {
		f.variance = append(f.variance, covariance(row, row))
	}
	for _, x := range f.abilities {
		of := make([]float64, len(f.rows))
		for i, row := range f.rows {
			of[i] = covariance(x, row)
		}
		f.covariance = append(f.covariance, of)
	}
}

// Likely returns the indices of n items that together say most about a quantity, the most informative first, chosen as by Form but from
// what is known of others in place of draws: rows has their responses by item, of has the quantity, both less their means, and noise is
// added to the variance of every response. Of equal items the first is taken.
func Likely(rows [][]float64, of []float64, noise float64, n int) []int {
	f := &linear{rows: rows, noise: slices.Repeat([]float64{noise}, len(rows)), abilities: [][]float64{of}}
	f.complete()
	taken := make([]bool, len(rows))
	var out []int
	for range min(n, len(rows)) {
		best, most := -1, 0.0
		for i := range taken {
			if gain := f.gain(i); !taken[i] && (best < 0 || gain > most) {
				best, most = i, gain
			}
		}
		taken[best] = true
		out = append(out, best)
		f.observe(best)
	}
	return out
}

// covariance returns the covariance of numbers whose means are 0.
func covariance(x, y []float64) float64 { return num.Dot(x, y) / float64(len(x)) }

// gain returns by how much the response in a row lowers the variances.
func (f *linear) gain(at int) (sum float64) {
	if v := f.variance[at] + f.noise[at]; v > 0 {
		for _, c := range f.covariance {
			sum += float64(c[at]*c[at]) / v
		}
	}
	return sum
}

// observe takes a response in a row as known.
func (f *linear) observe(at int) {
	v := f.variance[at] + f.noise[at]
	if !(v > 0) {
		return
	}
	w := make([]float64, len(f.rows))
	for i, row := range f.rows {
		w[i] = covariance(row, f.rows[at])
		if f.alike != nil && i != at {
			w[i] += float64(f.alike(i, at) * math.Sqrt(float64(f.noise[i]*f.noise[at])))
		}
	}
	for _, old := range f.seen {
		num.AddTo(w, -old[at], old)
	}
	root := math.Sqrt(v)
	for i := range w {
		w[i] /= root
		f.variance[i] = max(-f.noise[i], f.variance[i]-float64(w[i]*w[i]))
	}
	for _, c := range f.covariance {
		num.AddTo(c, -c[at]/root, w)
	}
	f.seen = append(f.seen, w)
}

// A quota has how many items of each label may still be taken.
type quota struct {
	of    []int // label of each item
	left  []int // at least to be taken of each label
	extra int   // further ones, of labels that have a further one
	more  []int
}

// quotas deals n items out to the labels of candidates.
func quotas(strata []string, candidates, n int) *quota {
	q := &quota{of: make([]int, candidates)}
	number := num.Numbering[string]{}
	var size []int
	for i := range q.of {
		label := ""
		if strata != nil {
			label = strata[i]
		}
		k := number.Of(label)
		if k == len(size) {
			size = append(size, 0)
		}
		q.of[i] = k
		size[k]++
	}
	q.left, q.more = make([]int, len(size)), make([]int, len(size))
	for q.extra = min(n, candidates); ; {
		var open []int
		for k := range size {
			if q.left[k] < size[k] {
				open = append(open, k)
			}
		}
		if len(open) == 0 || q.extra < len(open) {
			for _, k := range open {
				q.more[k] = 1
			}
			return q
		}
		for _, k := range open {
			q.left[k]++
		}
		q.extra -= len(open)
	}
}

func (q *quota) has(item int) bool {
	k := q.of[item]
	return q.left[k] > 0 || q.extra > 0 && q.more[k] > 0
}

func (q *quota) take(item int) {
	k := q.of[item]
	if q.left[k] > 0 {
		q.left[k]--
		return
	}
	q.extra--
	q.more[k]--
}
