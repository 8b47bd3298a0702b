package mml

import (
	"math"

	"achilles/sim/num"
)

// tail returns the probability that a chi-squared variable with df degrees of freedom is x or more; NaN without a degree of freedom.
func tail(x, df float64) float64 {
	if !(df > 0) {
		return math.NaN()
	}
	_, q := num.GammaTails(df/2, max(x, 0)/2)
	return q
}

// belowNoncentral returns the probability that a noncentral chi-squared variable is below x: a Poisson mixture of central ones.
func belowNoncentral(x, df, lambda float64) float64 {
	sum, logWeight := 0.0, -lambda/2
	for j := 0.0; j < 100_000; j++ {
		if j > 0 {
			logWeight += num.Log(lambda/2) - num.Log(j)
		}
		p, _ := num.GammaTails(df/2+j, x/2)
		w := num.Exp(logWeight)
		sum += float64(w * p)
		if j > lambda/2 && w < 1e-12 || lambda == 0 {
			break
		}
	}
	return sum
}

// noncentrality returns the noncentrality under which a chi-squared variable is below x with probability p; 0 if no other is as likely.
func noncentrality(x, df, p float64) float64 {
	if belowNoncentral(x, df, 0) < p {
		return 0
	}
	low, high := 0.0, 1.0
	for belowNoncentral(x, df, high) > p && high < 1e6 {
		low, high = high, 2*high
	}
	for range 60 {
		if mid := (low + high) / 2; belowNoncentral(x, df, mid) > p {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}
