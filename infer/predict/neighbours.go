package predict

import (
	"context"
	"math/bits"

	"achilles/infer/table"
	"achilles/sim/num"
)

// Neighbours predicts the value of a response from the responses of other subjects to the same item or, with Items,
// from the responses of the same subject to other items. A neighbour's responses count with the
// weight exp(−(d n + ½)/((n + 1) Width)), where n is the number of items to which both neighbours responded (or of subjects who
// responded to both items), and d the mean absolute difference of these responses. A pair with few responses in common is
// therefore taken to differ by about a half. If no neighbour has a response, the prediction is the mean of all
// rows.
type Neighbours struct {
	ID
	Items bool    // whether neighbours are items, not subjects
	Width float64 // mean difference at which the weight has fallen to 1/e
}

// Fit computes the weights of all pairs. It fails when ctx is done.
func (o Neighbours) Fit(ctx context.Context, train *table.Table, _ uint64) (Model, error) {
	m := &neighbourModel{items: o.Items, mean: rate(train), columns: len(train.Items)}
	rows, row, column := len(train.Subjects), train.Subject, train.Item
	if o.Items {
		rows, m.columns, row, column = len(train.Items), len(train.Subjects), train.Item, train.Subject
	}
	m.sum, m.count = make([]float64, rows*m.columns), make([]float64, rows*m.columns)
	for i, v := range train.Value {
		at := int(row[i])*m.columns + int(column[i])
		m.count[at]++
		m.sum[at] += (v - m.sum[at]) / m.count[at] // mean of the values if a pair has several responses
	}
	for at := range m.count {
		m.count[at] = min(m.count[at], 1)
		m.sum[at] = float64(m.sum[at] * m.count[at])
	}
	binary := m.bits(rows)
	m.weight = make([][]float64, rows)
	for a := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.weight[a] = make([]float64, rows)
		for b := range a {
			var difference, n float64
			if binary != nil {
				difference, n = binary[a].apart(binary[b])
			} else {
				difference, n = apart(m.row(m.sum, a), m.row(m.count, a), m.row(m.sum, b), m.row(m.count, b))
			}
			m.weight[a][b] = num.Exp(-(difference + 0.5) / float64((n+1)*o.Width))
			m.weight[b][a] = m.weight[a][b]
		}
	}
	m.sum, m.count = transposed(m.sum, rows), transposed(m.count, rows)
	return m, nil
}

// apart returns the sum of the absolute differences of two rows where both have a response, and the number of these.
func apart(x, hasX, y, hasY []float64) (difference, n float64) {
	for k, h := range hasX {
		if h > 0 && hasY[k] > 0 {
			n++
			difference += max(x[k]-y[k], y[k]-x[k])
		}
	}
	return difference, n
}

// A bitRow has the responses of a row, all 0 or 1: by word and bit, whether there is one, and whether it is 1.
type bitRow struct{ has, one []uint64 }

// apart returns what the function apart does.
func (x bitRow) apart(y bitRow) (difference, n float64) {
	d, k := 0, 0
	for i, h := range x.has {
		both := h & y.has[i]
		k += bits.OnesCount64(both)
		d += bits.OnesCount64(both & (x.one[i] ^ y.one[i]))
	}
	return float64(d), float64(k)
}

// bits returns the rows as bits, or nil if a value is neither 0 nor 1.
func (m *neighbourModel) bits(rows int) []bitRow {
	out, words := make([]bitRow, rows), (m.columns+63)/64
	for a := range out {
		out[a] = bitRow{make([]uint64, words), make([]uint64, words)}
		value, count := m.row(m.sum, a), m.row(m.count, a)
		for c, v := range value {
			if v != 0 && v != 1 {
				return nil
			}
			if count[c] > 0 {
				out[a].has[c/64] |= 1 << (c % 64)
				out[a].one[c/64] |= uint64(v) << (c % 64)
			}
		}
	}
	return out
}

// transposed returns a matrix of so many rows column by column, for Predict, which goes down the columns.
func transposed(x []float64, rows int) []float64 {
	out, columns := make([]float64, len(x)), len(x)/max(rows, 1)
	for i, v := range x {
		out[i%columns*rows+i/columns] = v
	}
	return out
}

// A neighbourModel has the responses as a matrix whose rows are subjects or items, and the weights of all pairs of rows.
type neighbourModel struct {
	items      bool
	columns    int
	mean       float64
	sum, count []float64   // by cell: value and 1, or 0 and 0 if it has no response; column by column once it is fitted
	weight     [][]float64 // 0 of a row for itself
}

func (m *neighbourModel) row(x []float64, a int) []float64 {
	return x[a*m.columns : (a+1)*m.columns]
}

// Predict averages the values of all neighbours that have a response, by their weights.
func (m *neighbourModel) Predict(subject, item []int32, p []float64) {
	const own = 1e-9 // weight of the mean of all rows; a nearest neighbour has 1
	rows := len(m.weight)
	for i := range p {
		a, c := int(subject[i]), int(item[i])
		if m.items {
			a, c = c, a
		}
		value, count := m.sum[c*rows:(c+1)*rows], m.count[c*rows:(c+1)*rows]
		sum, n := own*m.mean, own
		for b, w := range m.weight[a] { // no branch: which neighbours have a response is as good as random
			sum += float64(w * value[b])
			n += float64(w * count[b])
		}
		p[i] = min(max(sum/n, 0), 1)
	}
}
