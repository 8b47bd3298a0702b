package adaptive

import (
	"achilles/infer/table"
	"achilles/sim/num"
)

// A matrix has the responses of some subjects to all items. The mean of an item replaces its missing responses.
type matrix struct {
	x     [][]float64 // by subject and item
	known [][]bool    // by subject and item: whether there is a response
	mean  []float64   // by item: mean over the subjects with a response
}

// newMatrix returns the matrix of some subjects, given by their indices in t. Several responses of a subject to an item are
// averaged. The mean of an item to which none of these subjects responded is the mean of all their responses.
func newMatrix(t *table.Table, subjects []int) *matrix {
	items := len(t.Items)
	m := &matrix{mean: make([]float64, items)}
	all, n := 0.0, 0.0
	bounds, answered := t.Bounds(), make([]float64, items)
	for _, s := range subjects {
		row, count := make([]float64, items), make([]float64, items)
		for i := bounds[s]; i < bounds[s+1]; i++ {
			j := t.Item[i]
			count[j]++
			row[j] += (t.Value[i] - row[j]) / count[j]
		}
		known := make([]bool, items)
		for j := range row {
			if known[j] = count[j] > 0; known[j] {
				answered[j]++
				m.mean[j] += row[j]
				all, n = all+row[j], n+1
			}
		}
		m.x, m.known = append(m.x, row), append(m.known, known)
	}
	for j := range m.mean {
		if answered[j] > 0 {
			m.mean[j] /= answered[j]
		} else {
			m.mean[j] = all / max(n, 1)
		}
	}
	for s, row := range m.x {
		for j := range row {
			if !m.known[s][j] {
				row[j] = m.mean[j]
			}
		}
	}
	return m
}

// without returns the matrix of the subjects that are not in a fold, with means of its own, and that of those who are, without means.
func (m *matrix) without(folds []int, fold int) (in, out *matrix) {
	in, out = &matrix{mean: make([]float64, len(m.mean))}, &matrix{}
	for s, row := range m.x {
		if folds[s] == fold {
			out.x, out.known = append(out.x, row), append(out.known, m.known[s])
			continue
		}
		in.x = append(in.x, row)
		num.AddTo(in.mean, 1, row)
	}
	for j := range in.mean {
		in.mean[j] /= float64(max(len(in.x), 1))
	}
	return in, out
}

// noise is added to the sample variance of every item, as the variance that the item does not share with others. Without it,
// an item on which nearly all subjects respond alike could be chosen because of a single response.
const noise = 0.02

// choose returns n items, the most informative first: those from whose responses the total is predicted best, if responses are normal
// with the covariance of the matrix.
func choose(m *matrix, n int) []int {
	rows, total := make([][]float64, len(m.mean)), make([]float64, len(m.x))
	for j := range rows {
		rows[j] = make([]float64, len(m.x))
		for s, row := range m.x {
			rows[j][s] = row[j] - m.mean[j]
			total[s] += rows[j][s]
		}
	}
	k := float64(len(m.x))
	return Likely(rows, total, noise*max(k-1, 1)/max(k, 1), n)
}
