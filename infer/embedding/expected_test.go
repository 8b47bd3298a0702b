package embedding_test

import (
	"fmt"
	"math"
	"testing"

	"achilles/infer/embedding"
	"achilles/infer/table"
	"achilles/sim/num"
)

// TestExpectedByWeights compares the expected success rates by several weights of the items at once, and their intervals, with dense
// matrices of numeric derivatives: the variance is gᵀH⁻¹g, where g is the gradient of the rate and H the second derivatives of −log
// posterior, by the parameters of the subject, and of each item. Weights are fractions, above 1, 0 at an item between others, and the same
// twice. With h = 1e-4, second differences of numbers of size 10 are wrong by some 1e-7 by rounding.
func TestExpectedByWeights(t *testing.T) {
	full, _ := simulated(31, 5, 6)
	var rows []int32
	for i := range int32(full.Rows()) {
		if i%7 != 3 {
			rows = append(rows, i)
		}
	}
	tb := full.Subset(rows)
	weights := [][]float64{{0.3, 0, 2, 1.5, 0, 0.25}, {1, 1, 1, 1, 1, 1}, {0, 0, 0, 0.25, 0, 0}, {0.3, 0, 2, 1.5, 0, 0.25}}
	const level = 0.9
	for _, kind := range []embedding.Kind{embedding.MIRT, embedding.CamillaBase} {
		p := quick(embedding.Converged(kind, skills))
		p.Starts, p.Candidates = 1, []embedding.Candidate{{Dimensions: 2, Slope: 2}}
		m := fitted(t, p, tb).(*embedding.Model)
		got := m.Expected(weights, level)
		for q, w := range weights {
			for s := range tb.Subjects {
				value, variance := denseRate(m, tb, s, w)
				half := num.NormalQuantile(0.5+level/2) * math.Sqrt(variance) / (value * (1 - value))
				odds := math.Log(value / (1 - value))
				a, name := got[q][s], fmt.Sprintf("%s, weights %d, subject %d", kind, q, s)
				for _, x := range []struct{ got, want float64 }{{a.Value, value}, {a.Low, num.Logistic(odds - half)}, {a.High, num.Logistic(odds + half)}} {
					if !(math.Abs(x.got-x.want) < 1e-5) {
						t.Errorf("%s: %v, want %.6f [%.6f, %.6f]", name, a, value, num.Logistic(odds-half), num.Logistic(odds+half))
						break
					}
				}
			}
		}
	}
}

// denseRate returns the expected success rate of subject s on items with the weights w, and its variance, by differences of the predictions.
func denseRate(m *embedding.Model, tb *table.Table, s int, w []float64) (value, variance float64) {
	const h = 1e-4
	f, items := m.First(), len(tb.Items)
	rate := func() float64 {
		sum, all, p := 0.0, 0.0, make([]float64, 1)
		for j := range items {
			m.Predict([]int32{int32(s)}, []int32{int32(j)}, p)
			sum, all = sum+w[j]*p[0], all+w[j]
		}
		return sum / all
	}
	loss := func() (sum float64) { // of all responses
		p := make([]float64, tb.Rows())
		m.Predict(tb.Subject, tb.Item, p)
		for i, y := range tb.Value {
			sum -= y*math.Log(p[i]) + (1-y)*math.Log(1-p[i])
		}
		return sum
	}
	part := func(from int, precision []float64) float64 {
		n := len(precision)
		x := f.Parameters[from : from+n]
		at := func(of func() float64, a, b int, da, db float64) float64 {
			x[a] += da
			x[b] += db
			v := of()
			x[a] -= da
			x[b] -= db
			return v
		}
		system := make([][]float64, n) // H, then g in the last column
		for a := range system {
			system[a] = make([]float64, n+1)
			for b := range n {
				system[a][b] = (at(loss, a, b, h, h) - at(loss, a, b, h, -h) - at(loss, a, b, -h, h) + at(loss, a, b, -h, -h)) / (4 * h * h)
			}
			system[a][a] += precision[a]
			system[a][n] = (at(rate, a, a, h, 0) - at(rate, a, a, -h, 0)) / (2 * h)
		}
		g := make([]float64, n)
		for a := range g {
			g[a] = system[a][n]
		}
		for a := range n { // Gauss and Jordan; H is positive definite
			for b := range n {
				if q := system[b][a] / system[a][a]; b != a {
					for c := a; c <= n; c++ {
						system[b][c] -= q * system[a][c]
					}
				}
			}
		}
		sum := 0.0
		for a := range g {
			sum += g[a] * system[a][n] / system[a][a]
		}
		return sum
	}
	variance = part(s*len(f.Subject), f.Subject)
	for j := range items {
		variance += part(len(tb.Subjects)*len(f.Subject)+j*len(f.Item), f.Item)
	}
	return rate(), variance
}
