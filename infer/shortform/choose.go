// Package shortform chooses the short form of a test: a few items from which the total score of a new subject is predicted. It
// learns from other subjects, who have responded to all items.
package shortform

import (
	"math"

	"achilles/infer/table"
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

// noise is added to the sample variance of every item, as the variance that the item does not share with others. Without it,
// an item on which nearly all subjects respond alike could be chosen because of a single response.
const noise = 0.02

// choose returns n items, the most informative first. Each is the item that reduces the variance of the total most, given the
// responses to the items before it, if responses are normal with the covariance of the matrix. Of equal items the first is
// taken.
func choose(m *matrix, n int) []int {
	items := len(m.mean)
	n = min(n, items)
	c := covariance(m)
	with := make([]float64, items) // covariance of each item with the total
	for j, row := range c {
		for _, v := range row {
			with[j] += v
		}
	}
	var chosen []int
	taken := make([]bool, items)
	for range n {
		best, gain := -1, math.Inf(-1)
		for j := range items {
			if g := float64(with[j]*with[j]) / (c[j][j] + noise); !taken[j] && g > gain {
				best, gain = j, g
			}
		}
		taken[best] = true
		chosen = append(chosen, best)
		known := append([]float64(nil), c[best]...) // given the response to best, this part of the covariance is removed
		v, w := known[best]+noise, with[best]
		for i, row := range c {
			f := known[i] / v
			if f == 0 {
				continue
			}
			for j := range row {
				row[j] -= float64(f * known[j])
			}
			with[i] -= float64(f * w)
		}
	}
	return chosen
}

// covariance returns the sample covariance matrix of the items.
func covariance(m *matrix) [][]float64 {
	items, n := len(m.mean), float64(max(len(m.x)-1, 1))
	c := make([][]float64, items)
	for j := range c {
		c[j] = make([]float64, items)
	}
	d := make([]float64, items)
	for _, row := range m.x {
		for j, v := range row {
			d[j] = v - m.mean[j]
		}
		for i, a := range d {
			if a == 0 {
				continue
			}
			for j, b := range d[:i+1] {
				c[i][j] += float64(a * b)
			}
		}
	}
	for i := range c {
		for j := range i + 1 {
			c[i][j] /= n
			c[j][i] = c[i][j]
		}
	}
	return c
}
