package num

// Indices returns the numbers from 0 to n−1.
func Indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// Rows returns n slices of zeros of this width, which share one array.
func Rows(n, width int) [][]float64 {
	values := make([]float64, n*width)
	out := make([][]float64, n)
	for i := range out {
		out[i] = values[i*width : (i+1)*width : (i+1)*width]
	}
	return out
}
