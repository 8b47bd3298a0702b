package num

// Decimals returns the number of decimals that show two significant digits of a standard deviation, but at most three; 0 for
// NaN.
func Decimals(sd float64) (n int) {
	for ; sd < 9.95 && n < 3; sd *= 10 {
		n++
	}
	return n
}
