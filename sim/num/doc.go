// Package num has the numerics for inference, worlds and random streams: the exponential and the logarithm (exp.go),
// sums and links on the log scale (logistic.go), special functions and distributions with their quantiles (normal.go,
// gamma.go, beta.go, student.go, quantile.go) and the Cholesky factorisation (cholesky.go).
//
// All of it is pure Go. The standard library computes Exp and Log in assembly, whose last bits differ between
// processors; the functions here give the same bits on every amd64 machine at the default GOAMD64. Products that a
// compiler could fuse with an addition are wrapped in float64(), so that other settings differ by a few units in the
// last place only.
package num
