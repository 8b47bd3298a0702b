package num

import "math"

// ExpEach replaces every x by e^x. It is faster than Exp for each, because it does not divide: it multiplies an entry of a table of
// 2^(i/128) by a polynomial (Tang 1989, ACM TOMS 15(2)). Its last digit may differ from that of Exp. Edges and relative error are those
// of Exp.
func ExpEach(xs []float64) {
	const c2, c3, c4, c5 = 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120 // of Taylor's series; the next term is below 1e-18 for |r| ≤ ln2/256
	for i, x := range xs {
		if !(x > -700 && x < 700) {
			xs[i] = expEdge(x)
			continue
		}
		t := float64(x*(128*log2e)) + round
		k := t - round
		r := (x - float64(k*(ln2Hi/128))) - float64(k*(ln2Lo/128))
		square := float64(r * r)
		p := r + (float64(square*(c2+float64(r*c3))) + float64(float64(square*square)*(c4+float64(r*c5))))
		bits := math.Float64bits(t) // its low bits have k: seven for the table, and above them the power of two
		power := math.Float64frombits(powersOfTwo[bits&127] + bits>>7<<52)
		xs[i] = power + float64(power*p)
	}
}

// LogProduct returns the logarithm of the product of all xs: the sum of their logarithms. It takes one logarithm for all whole blocks of
// eight. The product cannot underflow or overflow, because its power of two is taken out after every block. The xs must all lie in [0, 1],
// or all be at least 1: among others, part of a block's product may lose digits to underflow where the whole does not show it.
func LogProduct(xs []float64) float64 {
	const (
		tiny     = 0x1p-960 // a smaller product may have lost digits to underflow
		fraction = 1<<52 - 1
		bias     = 1023
	)
	rest, product, power := 0.0, 1.0, 0
	for ; len(xs) >= 8; xs = xs[8:] {
		x := (*[8]float64)(xs)
		p := float64(float64(x[0]*x[1])*float64(x[2]*x[3])) * float64(float64(x[4]*x[5])*float64(x[6]*x[7]))
		if !(p >= tiny && p <= 1/tiny) {
			for _, v := range x {
				rest += Log(v)
			}
			continue
		}
		bits := math.Float64bits(float64(product * p))
		power += int(bits>>52) - bias
		product = math.Float64frombits(bits&fraction | bias<<52) // from 1 to 2
	}
	for _, v := range xs {
		rest += Log(v)
	}
	return rest + Log(product) + float64(float64(power)*math.Ln2)
}
