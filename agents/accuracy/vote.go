package accuracy

import (
	"slices"

	"achilles/sim/num"
)

// PoissonBinomial returns the distribution of the number of successes in independent trials that succeed with the
// probabilities p: element k is the probability of exactly k successes, for k = 0 … len(p).
func PoissonBinomial(p []float64) []float64 {
	const nothing = 1e-290 // smaller probabilities become 0, because denormal numbers are slow
	q := make([]float64, len(p)+1)
	q[0] = 1
	low, high := 0, 0 // the elements of q outside low … high are 0
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

// Majority returns the probability that more than half of the voters are right. A tie counts as a failure. The result does
// not depend on the number of answers.
func Majority(p []float64) float64 {
	q := PoissonBinomial(p)
	return sum(q[len(p)/2+1:])
}

// sum returns the sum of the elements. It begins with the last, which is the smallest, so that rounding loses least.
func sum(tail []float64) float64 {
	total := 0.0
	for _, x := range slices.Backward(tail) {
		total += x
	}
	return total
}

// MaxVoters is the largest number of voters that Plurality accepts. The cost of Plurality grows with the cube of the
// number.
const MaxVoters = 200

// Plurality returns the probability that the right answer gets more votes than any other, or ties for most and is then
// drawn. It panics with more than MaxVoters voters or fewer than two answers.
//
// Exactly k of n voters are right with the probability q[k] of PoissonBinomial. The other w = n − k votes fall on each of
// the m − 1 wrong answers with equal probability. The probability that t wrong answers get k votes as well, and none gets
// more, is
//
//	C(m−1, t) w! [x^w] (x^k/k!)^t (Σ_{i<k} x^i/i!)^(m−1−t) / (m−1)^w,
//
// after which the right answer is drawn with probability 1/(t+1).
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

// wins returns the probability that the right answer wins with k votes, or ties and is drawn, if each of w further votes
// falls on one of `wrong` wrong answers with equal probability.
//
// The votes of the wrong answers are independent Poisson variables of mean λ = w/wrong, conditional on their sum w. So
// all terms are probabilities, and nothing over- or underflows.
func wins(k, w, wrong int) float64 {
	if w < k {
		return 1
	}
	lambda := float64(w) / float64(wrong)
	votes := poisson(lambda, max(k, w))
	below := votes[:k] // probabilities of 0 … k−1 votes
	ties := min(wrong, w/k)
	// named[t] is the probability that t given answers tie with the right one, times the number of ways to choose them.
	named := make([]float64, ties+1)
	named[0] = 1
	for t := 1; t <= ties; t++ {
		named[t] = float64(named[t-1]*votes[k]) * float64(wrong-t+1) / float64(t)
	}
	others := power(below, wrong-ties, w) // distribution of the sum of the votes of answers that do not tie
	total := 0.0
	for t := ties; t >= 0; t-- {
		if left := w - t*k; left < len(others) {
			total += float64(named[t]*others[left]) / float64(t+1)
		}
		others = convolve(others, below, w)
	}
	return total / poisson(float64(w), w)[w]
}

// poisson returns the probabilities of 0 … n under a Poisson distribution of mean λ.
func poisson(lambda float64, n int) []float64 {
	p := make([]float64, n+1)
	p[0] = num.Exp(-lambda)
	for k := 1; k <= n; k++ {
		p[k] = float64(p[k-1]*lambda) / float64(k)
	}
	return p
}

// power returns the distribution of the sum of n independent variables, each with distribution p, for sums up to w.
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

// convolve returns the distribution of the sum of two independent variables with distributions a and b, for sums up to w.
func convolve(a, b []float64, w int) []float64 {
	out := make([]float64, min(len(a)+len(b)-1, w+1))
	for i, x := range a {
		for j, y := range b[:max(0, min(len(b), len(out)-i))] {
			out[i+j] += float64(x * y)
		}
	}
	return out
}

// maxSums is the largest number of different sums of weights that Weighted adds up.
const maxSums = 1 << 20

// Weighted returns the probability that the voters who are right have more than half of all weight. Weights must not be
// negative. The second result is false if there are more than maxSums different sums; 20 voters never have more.
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

// voteWith returns the leads, ascending, and their probabilities after one more vote of weight w that is right with
// probability p.
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

// Optimal returns the weights with which the rule WeightedVote, by which an answer needs more than half of all weight, is
// right most often (Nitzan and Paroush 1982): ln(p/(1 − p)), and 0 for members that are right less than half of the time.
// If all members are right less than half of the time, the best one gets all the weight. A member that is always right
// outweighs all others.
//
// Under a rule by which the answer with most weight among m answers wins, even with less than half of all weight, the best
// weights would be ln(p (m − 1)/(1 − p)). With these weights WeightedVote is right less often than the best member alone
// if most members are usually wrong.
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
