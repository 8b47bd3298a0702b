// Package num has the numerics that inference, worlds and random streams stand on: the exponential and the logarithm
// (exp.go), sums and links on their scale (logistic.go), special functions and distributions with their quantiles
// (normal.go, gamma.go, beta.go, student.go, quantile.go) and the Cholesky factorisation (cholesky.go).
//
// All of it is pure Go with one set of bits. The standard library computes Exp and Log in assembly whose last bits
// differ between processors; these give the same bits on every amd64 machine at the default GOAMD64, and products that a
// compiler could fuse with an addition are wrapped in float64() so that other settings stay within a few units in the
// last place.
package num
