package sbc

// Band is the range of the share of ranks below i, for i from 1 to draws, outside of which the statistic is at most critical.
func (t *Test) Band(critical float64) (lower, upper []float64) {
	for _, row := range t.tail {
		lo, hi := 0, t.n
		for lo < t.n && row[lo] <= critical {
			lo++
		}
		for hi > lo && row[hi] <= critical {
			hi--
		}
		lower, upper = append(lower, float64(lo)/float64(t.n)), append(upper, float64(hi)/float64(t.n))
	}
	return lower, upper
}
