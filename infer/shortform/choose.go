// Package shortform predicts the total score of a new subject from its responses to a few items, and chooses these items: the
// short form of a test. The items are known from other subjects.
package shortform

import (
	"math"

	"achilles/infer/table"
)

// A matrix has the responses of some subjects, a row each, to all items. A missing response has the item's mean.
type matrix struct {
	x     [][]float64
	known [][]bool
	mean  []float64 // of every item, over the subjects
}

// newMatrix makes the matrix of the subjects with these numbers; several responses to an item are averaged. Items without a
// response of theirs have the mean of all of their responses.
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

// noise is the variance of a response that is not shared with other items, added to the sample variance of every item: with
// it a rare response decides nothing.
const noise = 0.02

// choose returns n items, the most telling first: each is expected to take most off the variance of the total, given those
// before it, where responses are normal with the covariance of the matrix. Of equal items the first is taken.
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
		known := append([]float64(nil), c[best]...) // what is left, given the response to best
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

// covariance is the sample covariance of the items.
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
