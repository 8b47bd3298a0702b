package accuracy

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Ballot has the answers of all members of a group to one item.
type Ballot struct {
	Votes          []int // by member, from 0 to Options − 1; −1: no answer, which is wrong
	Options, Right int
	Rankings       [][]int // by member: answers in its order, its vote first, answers that it does not rank left out; nil: votes alone
}

// An Estimate has an interval from a bootstrap over items. All three are NaN if the items do not determine the value.
type Estimate struct{ Value, Low, High float64 }

// An Agreement takes the accuracy of a vote apart. Independent is that of members who succeed on items drawn at random, each as often
// as it did, and whose wrong answers are drawn uniformly from the wrong options. Same is that of the same successes and failures on the
// same items, with wrong answers drawn anew; Actual that of the answers as they are, ties drawn. What the vote loses from Independent to
// Actual is lost because members fail on the same items (Items, a share of the loss) or because they give the same wrong answer
// (Answers, the rest). If the bootstrap does not exclude that nothing is lost, both shares are NaN.
type Agreement struct {
	N, Members               int
	Mean, Best               float64 // proportions of right answers: mean over members, and the best member's
	Independent, Same        Estimate
	Actual                   Estimate
	Items, Answers           Estimate
	SameWrong, SameWrongLuck Estimate // of two members who are both wrong, how often their answers are the same; and if wrong answers were drawn evenly
}

const bootstrapWork = 4e8 // members³ × replicates, at most

// Agree takes the accuracy of a group's vote apart, with intervals of a level from a bootstrap over the ballots, which takes up to 1000
// replicates. It fails for rules that need rankings, with fewer than two members or ballots, and with more than MaxVoters members.
func Agree(ballots []Ballot, rule Rule, weights []float64, level float64, root uint64) (*Agreement, error) {
	if rule.Ranks() || rule == BestMember {
		return nil, fmt.Errorf("rule %q: the anatomy of a vote is computed for %s, %s and %s", rule, PluralityVote, StrictMajority, WeightedVote)
	}
	if len(ballots) < 2 || len(ballots[0].Votes) < 2 {
		return nil, errors.New("the anatomy of a vote needs at least two items and two members")
	}
	a := &anatomy{ballots: ballots, rule: rule, weights: weights, count: slices.Repeat([]float64{1}, len(ballots))}
	for _, b := range ballots {
		same, ok := rule.Exact(b.successes(), weights, b.Options)
		if !ok || len(b.Votes) > MaxVoters {
			return nil, fmt.Errorf("rule %q: %d members are too many", rule, len(b.Votes))
		}
		a.same = append(a.same, same)
		var none rng.Rand // the rules draw nothing
		a.actual = append(a.actual, Share(rule.Elect(b.Votes, weights, 0, b.Options, &none), b.Right))
		alike, luck, both := b.alike()
		a.alike, a.luck, a.both = append(a.alike, alike), append(a.luck, luck), append(a.both, both)
	}
	point := a.parts()
	n := len(ballots[0].Votes)
	out := &Agreement{N: len(ballots), Members: n}
	for _, p := range a.rates() {
		out.Mean += p / float64(n)
		out.Best = max(out.Best, p)
	}
	replicates := int(min(1000, max(200, bootstrapWork/float64(n*n*n))))
	random := rng.Stream(root, "agreement")
	var drawn [parts][]float64
	for range replicates {
		clear(a.count)
		for range ballots {
			a.count[random.IntN(len(ballots))]++
		}
		for k, x := range a.parts() {
			drawn[k] = append(drawn[k], x)
		}
	}
	for k, to := range []*Estimate{&out.Independent, &out.Same, &out.Actual, &out.Items, &out.Answers, &out.SameWrong, &out.SameWrongLuck} {
		*to = estimate(point[k], drawn[k], level)
	}
	slices.Sort(drawn[lossPart])
	if num.SortedQuantile(drawn[lossPart], 0.5-level/2) <= 0 {
		unknown := Estimate{math.NaN(), math.NaN(), math.NaN()}
		out.Items, out.Answers = unknown, unknown
	}
	return out, nil
}

// The numbers that parts returns.
const (
	lossPart = 7 // Independent less Actual
	parts    = 8
)

// An anatomy has what does not depend on how often an item counts, by ballot: the chance that the same successes win, and that the
// answers do; of pairs of members who are both wrong, the number that agrees, the number expected, and their number.
type anatomy struct {
	ballots           []Ballot
	rule              Rule
	weights           []float64
	count             []float64 // how often each ballot counts
	same, actual      []float64
	alike, luck, both []float64
}

// rates returns each member's proportion of right answers.
func (a *anatomy) rates() []float64 {
	p, all := make([]float64, len(a.ballots[0].Votes)), 0.0
	for i, b := range a.ballots {
		w := a.count[i]
		all += w
		for k, v := range b.Votes {
			if v == b.Right {
				p[k] += w
			}
		}
	}
	for k := range p {
		p[k] = min(p[k]/all, 1)
	}
	return p
}

// parts returns the parts of an Agreement in the order of Agree.
func (a *anatomy) parts() (out [parts]float64) {
	rates, all := a.rates(), 0.0
	byOptions := map[int]float64{}
	var alike, luck, both float64
	for i, b := range a.ballots {
		w := a.count[i]
		if w == 0 {
			continue
		}
		x, ok := byOptions[b.Options]
		if !ok {
			x, _ = a.rule.Exact(rates, a.weights, b.Options)
			byOptions[b.Options] = x
		}
		all += w
		out[0] += float64(w * x)
		out[1] += float64(w * a.same[i])
		out[2] += float64(w * a.actual[i])
		alike, luck, both = alike+float64(a.count[i]*a.alike[i]), luck+float64(a.count[i]*a.luck[i]), both+float64(a.count[i]*a.both[i])
	}
	for k := range 3 {
		out[k] /= all
	}
	out[lossPart] = out[0] - out[2]
	out[3], out[4] = (out[0]-out[1])/out[lossPart], (out[1]-out[2])/out[lossPart]
	out[5], out[6] = alike/both, luck/both
	return out
}

// estimate returns a value with the interval of its replicates, as far as they are finite.
func estimate(value float64, drawn []float64, level float64) Estimate {
	finite := slices.DeleteFunc(slices.Clone(drawn), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
	if len(finite) == 0 || math.IsNaN(value) || math.IsInf(value, 0) {
		return Estimate{math.NaN(), math.NaN(), math.NaN()}
	}
	slices.Sort(finite)
	return Estimate{value, num.SortedQuantile(finite, 0.5-level/2), num.SortedQuantile(finite, 0.5+level/2)}
}

// successes returns 1 for each member who is right, and 0 for the others.
func (b Ballot) successes() []float64 {
	p := make([]float64, len(b.Votes))
	for k, v := range b.Votes {
		if v == b.Right {
			p[k] = 1
		}
	}
	return p
}

// alike returns the number of pairs of members who give the same wrong answer, the number expected if wrong answers were drawn evenly, and
// the number of pairs who are both wrong.
func (b Ballot) alike() (alike, luck, both float64) {
	count, wrong := make([]float64, b.Options), 0.0
	for _, v := range b.Votes {
		if v != b.Right && v >= 0 {
			wrong++
			alike += count[v]
			count[v]++
		}
	}
	both = wrong * (wrong - 1) / 2
	return alike, both / float64(b.Options-1), both
}
