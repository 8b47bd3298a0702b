package accuracy

import (
	"slices"

	"achilles/sim/num"
)

// PoissonBinomial returns the distribution of the number of successes in independent trials with these chances: element
// k is the chance of exactly k, for k = 0 … len(p).
func PoissonBinomial(p []float64) []float64 {
	const nothing = 1e-290 // smaller chances become 0 before they are denormal, which is slow
	q := make([]float64, len(p)+1)
	q[0] = 1
	low, high := 0, 0 // what is not 0
	for _, x := range p {
		y := 1 - x
		high++
		for k := high; k > low; k-- {
			q[k] = float64(q[k]*y) + float64(q[k-1]*x)
		}
		q[low] *= y
		for ; low < high && q[low] < nothing; low++ {
			q[low] = 0
		}
		for ; high > low && q[high] < nothing; high-- {
			q[high] = 0
		}
	}
	return q
}

// Majority returns the chance that more than half of the voters are right. An even number may tie, which counts as
// failure. It does not depend on the number of answers.
func Majority(p []float64) float64 {
	q := PoissonBinomial(p)
	return sum(q[len(p)/2+1:])
}

// sum adds from the small end of a tail on.
func sum(tail []float64) float64 {
	total := 0.0
	for _, x := range slices.Backward(tail) {
		total += x
	}
	return total
}

// MaxVoters bounds Plurality, whose cost grows with the cube of the voters.
const MaxVoters = 200

// Plurality returns the chance that the right answer gets more votes than any other, or as many and is drawn among them.
//
// Of n voters k are right with the chance q of PoissonBinomial. The other w = n − k fall on m − 1 answers alike, and t of
// these get k votes as well, and none more, with the chance
//
//	C(m−1, t) w! [x^w] (x^k/k!)^t (Σ_{i<k} x^i/i!)^(m−1−t) / (m−1)^w,
//
// after which the draw succeeds with 1/(t+1).
func Plurality(p []float64, answers int) float64 {
	n := len(p)
	if n > MaxVoters || answers < 2 {
		panic("accuracy: plurality takes up to MaxVoters voters and at least two answers")
	}
	q := PoissonBinomial(p)
	total := 0.0
	for k := 1; k <= n; k++ {
		total += float64(q[k] * wins(k, n-k, answers-1))
	}
	return total
}

// wins returns the chance that k votes win, or tie and are drawn, when w others fall on so many wrong answers alike.
//
// The votes of the wrong answers are independent Poisson numbers of mean λ = w/wrong, given that their sum is w: so all
// terms are chances, and nothing over- or underflows.
func wins(k, w, wrong int) float64 {
	if w < k {
		return 1
	}
	lambda := float64(w) / float64(wrong)
	votes := poisson(lambda, max(k, w))
	below := votes[:k] // fewer than k votes, by number
	ties := min(wrong, w/k)
	// The chance that t named answers tie with the right one, times the ways to name them.
	named := make([]float64, ties+1)
	named[0] = 1
	for t := 1; t <= ties; t++ {
		named[t] = float64(named[t-1]*votes[k]) * float64(wrong-t+1) / float64(t)
	}
	others := power(below, wrong-ties, w) // of the answers that do not tie, by the sum of their votes
	total := 0.0
	for t := ties; t >= 0; t-- {
		if left := w - t*k; left < len(others) {
			total += float64(named[t]*others[left]) / float64(t+1)
		}
		others = convolve(others, below, w)
	}
	return total / poisson(float64(w), w)[w]
}

// poisson returns the chances of 0 … n under a Poisson distribution of mean λ.
func poisson(lambda float64, n int) []float64 {
	p := make([]float64, n+1)
	p[0] = num.Exp(-lambda)
	for k := 1; k <= n; k++ {
		p[k] = float64(p[k-1]*lambda) / float64(k)
	}
	return p
}

// power returns the distribution of the sum of n independent numbers, up to w.
func power(p []float64, n, w int) []float64 {
	out := []float64{1}
	for ; n > 0; n /= 2 {
		if n%2 == 1 {
			out = convolve(out, p, w)
		}
		p = convolve(p, p, w)
	}
	return out
}

// convolve returns the distribution of the sum of two independent numbers, up to w.
func convolve(a, b []float64, w int) []float64 {
	out := make([]float64, min(len(a)+len(b)-1, w+1))
	for i, x := range a {
		for j, y := range b[:max(0, min(len(b), len(out)-i))] {
			out[i+j] += float64(x * y)
		}
	}
	return out
}

// maxSums bounds the distinct weighted votes of Weighted.
const maxSums = 1 << 20

// Weighted returns the chance that the weights of those who are right add up to more than half of all. Weights are not
// negative. It returns false where there are too many different sums to add up, as 20 voters with weights of their own
// have at most.
func Weighted(p, weights []float64) (float64, bool) {
	// The lead of the right answer is the weight for it minus the weight against it.
	leads, chances := []float64{0}, []float64{1}
	scale := 0.0
	for i, w := range weights {
		scale += w
		if leads, chances = voteWith(leads, chances, w, p[i]); len(leads) > maxSums {
			return 0, false
		}
	}
	total := 0.0
	for i, lead := range slices.Backward(leads) {
		if lead <= 1e-12*scale {
			break
		}
		total += chances[i]
	}
	return total, true
}

// voteWith returns the leads, in ascending order, and their chances after one more vote.
func voteWith(leads, chances []float64, w, p float64) ([]float64, []float64) {
	if w == 0 {
		return leads, chances
	}
	n := len(leads)
	outLeads, outChances := make([]float64, 0, 2*n), make([]float64, 0, 2*n)
	add := func(lead, chance float64) {
		if last := len(outLeads) - 1; last >= 0 && outLeads[last] == lead {
			outChances[last] += chance
			return
		}
		outLeads, outChances = append(outLeads, lead), append(outChances, chance)
	}
	for up, down := 0, 0; up < n || down < n; {
		if down < n && leads[down]-w <= leads[up]+w {
			add(leads[down]-w, float64(chances[down]*(1-p)))
			down++
		} else {
			add(leads[up]+w, float64(chances[up]*p))
			up++
		}
	}
	return outLeads, outChances
}

// Optimal returns the weights with which members that need more than half of all weight are right most often (Nitzan and
// Paroush 1982): ln(p/(1 − p)), and 0 for those who are right less than half of the time. Where nobody is right more
// often than that, the best member decides alone. A voter who is always right outweighs all others.
//
// Where instead most weight among m answers wins, the best weights are ln(p (m − 1)/(1 − p)); for more than half of all
// weight those are worse than the best member alone when most are wrong most often.
func Optimal(p []float64) []float64 {
	weights, best := make([]float64, len(p)), 0
	some := false
	for i, x := range p {
		x = min(x, 1-1e-15)
		weights[i] = max(0, num.Log(x/(1-x)))
		some = some || weights[i] > 0
		if x > p[best] {
			best = i
		}
	}
	if !some {
		weights[best] = 1
	}
	return weights
}
