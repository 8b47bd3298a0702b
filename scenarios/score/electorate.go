package score

import (
	"math"
	"slices"
	"strconv"

	"achilles/agents/accuracy"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// An electorate has the members of a group, with the chances of success that their posteriors give them.
type electorate struct {
	id      string // opaque id of the group
	rule    accuracy.Rule
	weights []float64
	best    int // index of the member with the largest share of right answers; the rule accuracy.BestMember follows this member

	ballots []ballot
	weight  float64       // sum of the weights of all responses
	draws   [][][]float64 // draw → ballot → member → chance; only one draw, the posterior mean, if more would take too long
}

// A ballot represents all items that have the same row of the layout's design, so that a member has the same chance on
// each, and the same number of options.
type ballot struct {
	row, options int

	weight, square float64 // sums of the weights of its responses, and of their squares
}

const (
	// budget is the largest work on one group: members³ × ballots × draws. Work of this size takes a few seconds.
	budget = 2e9
	// fewDraws is the least number of draws for an interval.
	fewDraws = 40
	// elections is the number of simulated elections for each ballot if the rule has no formula.
	elections = 2000
)

// list adds the ballots of the group's responses, which are own, in the order of their first responses.
func (e *electorate) list(c *Chances, own answers, options []int) {
	at := map[[2]int]int{}
	for j, item := range own.items {
		kind := [2]int{c.design.Row(int(item)), options[item]}
		i, ok := at[kind]
		if !ok {
			i = len(e.ballots)
			at[kind] = i
			e.ballots = append(e.ballots, ballot{row: kind[0], options: kind[1]})
		}
		w := own.weights[j]
		e.ballots[i].weight += w
		e.ballots[i].square += float64(w * w)
		e.weight += w
	}
}

// ask sets the ballots and the members' chances of success. members are the opaque ids of the members, own are the
// responses of the group. It returns false if the chances of a member are not known.
func (e *electorate) ask(c *Chances, members []string, own answers, options []int) (bool, error) {
	e.list(c, own, options)
	chance, n := make([][][]float64, len(members)), chanceDraws
	for i, id := range members {
		p, err := c.Of(id)
		if err != nil || len(p) == 0 {
			return false, err
		}
		chance[i], n = p, min(n, len(p))
	}
	size := float64(len(members))
	if n = int(min(float64(n), budget/(size*size*size*float64(len(e.ballots))))); n < fewDraws {
		n = 1
		for i, p := range chance {
			chance[i] = [][]float64{averaged(p)}
		}
	}
	for d := range n {
		votes := make([][]float64, len(e.ballots))
		for k, b := range e.ballots {
			for i := range chance {
				votes[k] = append(votes[k], chance[i][d][b.row])
			}
		}
		e.draws = append(e.draws, votes)
	}
	return true, nil
}

// averaged returns the mean of rows of equal length, element by element.
func averaged(rows [][]float64) []float64 {
	out := make([]float64, len(rows[0]))
	for _, row := range rows {
		for k, x := range row {
			out[k] += x / float64(len(rows))
		}
	}
	return out
}

// independent computes how often the group would be right if its members erred independently, and compares it with
// the actual share.
func (e *electorate) independent(actual float64) *Independent {
	out := &Independent{}
	chance, shares, ok := e.shares(e.rule)
	if ok {
		out.Share = num.Mean(shares)
		if len(shares) >= fewDraws {
			sorted := slices.Sorted(slices.Values(shares))
			out.Interval = &Interval{num.SortedQuantile(sorted, 0.025), num.SortedQuantile(sorted, 0.975)}
		}
	} else {
		var se float64
		chance, out.Share, se = e.simulate()
		out.SE = &se
	}
	// The variance of the share has two parts: that of responses with known chances, and that of the chances over the
	// posterior.
	variance := 0.0
	for k, b := range e.ballots {
		variance += float64(b.square*chance[k]*(1-chance[k])) / float64(e.weight*e.weight)
	}
	for _, x := range shares {
		variance += float64((x-out.Share)*(x-out.Share)) / float64(len(shares))
	}
	if variance > 0 {
		z := (actual - out.Share) / math.Sqrt(variance)
		out.Z = &z
	}
	_, shares, _ = e.shares(accuracy.StrictMajority)
	out.Majority = num.Mean(shares)
	if _, shares, ok = e.shares(accuracy.PluralityVote); ok {
		x := num.Mean(shares)
		out.Plurality = &x
	}
	return out
}

// shares returns the group's chance of a right decision on each ballot, averaged over draws, and its expected share of
// right answers for each draw. It returns false if the rule has no formula.
func (e *electorate) shares(rule accuracy.Rule) (chance, share []float64, ok bool) {
	chance, share = make([]float64, len(e.ballots)), make([]float64, len(e.draws))
	for d, votes := range e.draws {
		for k, b := range e.ballots {
			x := votes[k][e.best]
			if rule != accuracy.BestMember {
				if x, ok = rule.Exact(votes[k], e.weights, b.options); !ok {
					return nil, nil, false
				}
			}
			chance[k] += x / float64(len(e.draws))
			share[d] += float64(b.weight*x) / e.weight
		}
	}
	return chance, share, true
}

// simulate simulates elections with the members' mean chances. It returns the chance of a right decision on each ballot,
// the share of right answers over all ballots, and the standard error of the share.
func (e *electorate) simulate() (chance []float64, share, se float64) {
	variance := 0.0
	for k, b := range e.ballots {
		votes := make([][]float64, len(e.draws))
		for d := range e.draws {
			votes[d] = e.draws[d][k]
		}
		random := rng.Stream(0, "score", "collective", e.id, strconv.Itoa(b.row), strconv.Itoa(b.options))
		x, own := e.rule.Simulate(averaged(votes), e.weights, b.options, elections, random)
		weight := b.weight / e.weight
		chance = append(chance, x)
		share += float64(weight * x)
		variance += float64(weight * own * weight * own)
	}
	return chance, share, math.Sqrt(variance)
}

// Independent says how often a group would be right if its members erred independently.
type Independent struct {
	Share     float64   `json:"independent"`
	Interval  *Interval `json:"interval,omitempty"`  // 95 % interval of Share over draws; absent for fewer than fewDraws draws or if Share is simulated
	SE        *float64  `json:"se,omitempty"`        // standard error of Share; only if Share is simulated because the rule has no formula
	Z         *float64  `json:"z,omitempty"`         // Actual − Share, divided by its standard deviation; absent if that is 0
	Majority  float64   `json:"majority"`            // like Share, if more than half of the members had to be right
	Plurality *float64  `json:"plurality,omitempty"` // like Share, if the option with most votes won; absent for more than accuracy.MaxVoters members
}
