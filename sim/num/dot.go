package num

// Dot returns Σ a[i]·b[i], summed in this order. b must be at least as long as a.
func Dot(a, b []float64) float64 {
	s := 0.0
	for i, x := range a {
		s += float64(x * b[i])
	}
	return s
}

// DotInFour returns Σ a[i]·b[i], summed in four parts, which is faster for long vectors than Dot and rounds otherwise. b must be at
// least as long as a.
func DotInFour(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	for len(a) >= 4 {
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
		a, b = a[4:], b[4:]
	}
	for k, x := range a {
		s0 += float64(x * b[k])
	}
	return (s0 + s1) + (s2 + s3)
}

// AddTo adds by·x to sum.
func AddTo(sum []float64, by float64, x []float64) {
	sum = sum[:len(x)]
	for i, v := range x {
		sum[i] += float64(by * v)
	}
}
