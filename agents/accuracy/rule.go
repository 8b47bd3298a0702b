package accuracy

import (
	"math"
	"slices"

	"achilles/sim/rng"
)

// A Rule is a way to make one answer of a group from the answers of its members.
type Rule string

const (
	PluralityVote  Rule = "plurality" // the answer that most members give
	StrictMajority Rule = "majority"  // the answer that more than half of the members give; none if there is none
	WeightedVote   Rule = "weighted"  // the answer whose voters have more than half of all weight; none if there is none
	BestMember     Rule = "best"      // the answer of the member that is right most often
	BordaCount     Rule = "borda"     // the answer with most points: m − 1 for a first place, m − 2 for a second, … 0 for the last
	HarmonicCount  Rule = "harmonic"  // the answer with most points: 1 for a first place, 1/2 for a second, 1/3 for a third …
	Maximin        Rule = "maximin"   // score of an answer: least number of members who rank it before any one other; the largest wins
	Copeland       Rule = "copeland"  // the answer with most wins: an answer wins against another if more members rank it before than after; a tie is half a win
)

// Rules returns all rules, the default first. If several answers are equally good by a rule, one of them is drawn at
// random.
func Rules() []Rule {
	return []Rule{PluralityVote, StrictMajority, WeightedVote, BestMember, BordaCount, HarmonicCount, Maximin, Copeland}
}

// Ranks reports whether a rule needs each member's ranking of all answers.
func (r Rule) Ranks() bool {
	return slices.Contains([]Rule{BordaCount, HarmonicCount, Maximin, Copeland}, r)
}

// Exact returns the probability that a group is right. Its members are right with the probabilities p, independently of
// each other, and otherwise give each wrong answer with equal probability. weights has one weight per member, and only
// WeightedVote uses it. The second result is false for rules that need rankings, and if a sum has too many terms
// (MaxVoters, Weighted).
func (r Rule) Exact(p, weights []float64, answers int) (float64, bool) {
	switch r {
	case StrictMajority:
		return Majority(p), true
	case PluralityVote:
		if len(p) > MaxVoters {
			return 0, false
		}
		return Plurality(p, answers), true
	case WeightedVote:
		return Weighted(p, weights)
	case BestMember:
		return slices.Max(p), true
	}
	return 0, false
}

// Elect returns the answers, in ascending order, among which the group's answer is drawn: usually one, several after a
// tie, and none if the rule elects none. votes has the answer of each member, from 0 to m − 1, or −1 if it gives none.
// best is the member that BestMember follows.
//
// If the rule needs rankings, Elect completes each vote to a ranking: the member's answer comes first, and all other
// answers follow in random order. With other rules it draws nothing from random.
func (r Rule) Elect(votes []int, weights []float64, best, answers int, random *rng.Rand) []int {
	switch r {
	case BestMember:
		if votes[best] < 0 {
			return nil
		}
		return votes[best : best+1]
	case StrictMajority, PluralityVote, WeightedVote:
		count, all := make([]float64, answers), 0.0
		for i, v := range votes {
			w := 1.0
			if r == WeightedVote {
				w = weights[i]
			}
			if all += w; v >= 0 {
				count[v] += w
			}
		}
		if most := slices.Max(count); most == 0 || r != PluralityVote && most <= all/2*(1+1e-12) {
			return nil
		}
		return highest(count)
	}
	votes = slices.DeleteFunc(slices.Clone(votes), func(v int) bool { return v < 0 })
	if len(votes) == 0 {
		return nil
	}
	return r.electRanked(votes, answers, random)
}

// highest returns the indices of the elements that equal the largest one to 1e-9.
func highest(x []float64) (at []int) {
	most := slices.Max(x)
	for i, v := range x {
		if v >= most-1e-9 {
			at = append(at, i)
		}
	}
	return at
}

func (r Rule) electRanked(votes []int, answers int, random *rng.Rand) []int {
	rankings := make([][]int, len(votes))
	for i, v := range votes {
		rankings[i] = complete(v, answers, random)
	}
	return r.ElectRankings(rankings, answers)
}

// complete returns a ranking with the answer `first` in front and all others in random order.
func complete(first, answers int, random *rng.Rand) []int {
	ranking := append(make([]int, 0, answers), first)
	for _, i := range random.Perm(answers - 1) {
		if i >= first {
			i++
		}
		ranking = append(ranking, i)
	}
	return ranking
}

// Simulate returns the share of n simulated elections in which a group is right, and its standard error. Each member gives
// the right answer with its probability in p, and otherwise each wrong answer with equal probability. If several answers
// are elected, the right one counts with the probability that it is drawn.
func (r Rule) Simulate(p, weights []float64, answers, n int, random rng.Rand) (mean, se float64) {
	best := 0
	for i := range p {
		if p[i] > p[best] {
			best = i
		}
	}
	votes := make([]int, len(p))
	sum, square := 0.0, 0.0
	for range n {
		for i, x := range p {
			votes[i] = 0 // the right answer
			if !random.Bernoulli(x) {
				votes[i] = 1 + random.IntN(answers-1)
			}
		}
		x := Share(r.Elect(votes, weights, best, answers, &random), 0)
		sum += x
		square += float64(x * x)
	}
	mean = sum / float64(n)
	return mean, math.Sqrt(max(0, square/float64(n)-float64(mean*mean)) / float64(n))
}

// Share returns the probability that the draw among the elected answers gives `answer`.
func Share(elected []int, answer int) float64 {
	if slices.Contains(elected, answer) {
		return 1 / float64(len(elected))
	}
	return 0
}
