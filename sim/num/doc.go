// Package num has the numerics for inference, worlds and random streams: the exponential and the logarithm (exp.go),
// sums and links on the log scale (logistic.go), special functions and distributions with their quantiles (normal.go,
// gamma.go, beta.go, student.go, quantile.go) and the Cholesky factorisation (cholesky.go).
//
// All of it is pure Go. The standard library computes Exp and Log in assembly, whose last bits differ between
// processors; the functions here give the same bits on every machine. A compiler may fuse a product with an addition
// into one instruction that rounds once; a product wrapped in float64() is rounded before it is added.
package num
