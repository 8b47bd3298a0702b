package chart

// MostPoints is the largest number of points in a figure that has one for each subject.
const MostPoints = 1000

// spaced returns the indices of at most MostPoints of n points, evenly spaced.
func spaced(n int) []int {
	most := min(n, MostPoints)
	out := make([]int, most)
	for i := range out {
		out[i] = (2*i + 1) * n / (2 * most)
	}
	return out
}
