package misfit

// near is how many items apart neighbours in the table are at most: items of one passage, which often has three to five, stand beside each other.
const near = 3

// neighbours returns the sum of the products of the scaled residuals of neighbouring items, over subjects. Pairs that no column names are many,
// and few subjects do not show each by itself.
func (w *whole) neighbours() (sum float64) {
	row := make([]float64, len(w.Items))
	for from := 0; from < len(w.subject); {
		to := from
		for ; to < len(w.subject) && w.subject[to] == w.subject[from]; to++ {
			row[w.item[to]] += w.scaled[to]
		}
		of := 0.0
		for i := from; i < to; i++ {
			u := int(w.item[i])
			for _, x := range row[max(0, u-near):u] {
				of += float64(w.scaled[i] * x)
			}
		}
		sum += float64(w.times[from] * of)
		for _, u := range w.item[from:to] {
			row[u] = 0
		}
		from = to
	}
	return sum
}
