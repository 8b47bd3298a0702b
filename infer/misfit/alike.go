package misfit

import (
	"cmp"
	"math"
	"slices"

	"achilles/sim/num"
)

// Answers are the binary responses of one subject, with what a model that was fitted to them expects.
type Answers struct {
	Subject string
	Key     []int     // [response] what was responded to, such as an item: rising, none twice
	Passed  []bool    // [response]
	P       []float64 // [response] expected success probability
	Failed  bool      // whether the subject fails a fit check: what the model expects then is not to be trusted
}

// A Pair is two subjects whose responses agree beyond chance: more often than the model of each and the difficulty of the items
// explain. One copied the other, both copied a third, or they have something in common that no model has.
type Pair struct {
	Subject  string  `json:"subject"`
	Other    string  `json:"other"`
	Agree    int     `json:"agree"`    // number of items to which both responded alike
	Of       int     `json:"of"`       // number of items to which both responded
	Expected float64 `json:"expected"` // expected number of items to which both respond alike
	P        float64 `json:"p"`        // probability of so many or more, for this pair alone
}

const (
	leastCommon = 20   // least number of items that two subjects have both taken, if they are compared
	promising   = 3    // least standardised agreement, without regard to the difficulty of items, of a pair that is looked at closely
	stillSo     = 2    // the same with the difficulties, by a rough expectation: the limit of many pairs is beyond 4
	manyPairs   = 1000 // number of pairs from which they are looked at roughly before: no two subjects then set a difficulty
	almostAll   = 0.95 // share of the items on which subjects that fail a fit check must agree
	mostAlike   = 20   // largest number of pairs that are named
	leastShared = 0.1  // share of the items to which both would respond unlike by chance, that they must respond to alike: with thousands of items less is found, and says nothing

	fewestWitnesses = 3 // subjects: two alone agree where items differ in difficulty, and nobody says which do
)

// Alike returns the pairs of subjects whose responses agree beyond chance, the least probable first: at most mostAlike. alarm is the
// probability that any pair is named if all respond independently, by the ω index (Wollack 1997, Applied Psychological Measurement
// 21) with an exact tail and Bonferroni's limit. The difficulty of an item beyond what the model expects is inferred from all other
// subjects. The time is proportional to the number of subjects times that of responses.
func Alike(all []Answers, alarm float64) (pairs []Pair) {
	var close []twin
	compared := 0
	for i := range all {
		for k := range i {
			if min(len(all[i].Key), len(all[k].Key)) < leastCommon {
				continue
			}
			t := join(&all[k], &all[i])
			if len(t.a) < leastCommon {
				continue
			}
			compared++
			if t.standardised(all[k].P, all[i].P) > promising {
				t.of = [2]int{k, i}
				close = append(close, t)
			}
		}
	}
	if len(close) == 0 || len(all) < fewestWitnesses {
		return nil
	}
	h, node := hardnessOf(all), nodes()
	var rough [][]float64 // [subject][response] mean success probability over the difficulty
	if compared >= manyPairs {
		for s := range all {
			p := make([]float64, len(all[s].P))
			for i, k := range all[s].Key {
				p[i] = h.expected(s, i, k, node)
			}
			rough = append(rough, p)
		}
	}
	for _, t := range close {
		a, b := &all[t.of[0]], &all[t.of[1]]
		if rough != nil && t.standardised(rough[t.of[0]], rough[t.of[1]]) < stillSo {
			continue
		}
		var q []float64
		expected := 0.0
		for j := range t.a {
			q = append(q, h.alike(all, t.of[0], t.a[j], t.of[1], t.b[j], node))
			expected += q[j]
		}
		if (a.Failed || b.Failed) && float64(t.agree) < almostAll*float64(len(q)) {
			continue
		}
		if float64(t.agree)-expected < leastShared*(float64(len(q))-expected) {
			continue
		}
		if p := atMostApart(q, len(q)-t.agree); float64(p*float64(compared)) <= alarm {
			pairs = append(pairs, Pair{a.Subject, b.Subject, t.agree, len(q), expected, p})
		}
	}
	slices.SortStableFunc(pairs, func(x, y Pair) int { return cmp.Compare(x.P, y.P) })
	return pairs[:min(len(pairs), mostAlike)]
}

// A twin has the responses of two subjects to the same items.
type twin struct {
	of    [2]int
	a, b  []int // [item] index of the response of either
	agree int
}

func join(a, b *Answers) (t twin) {
	for i, j := 0, 0; i < len(a.Key) && j < len(b.Key); {
		switch {
		case a.Key[i] < b.Key[j]:
			i++
		case a.Key[i] > b.Key[j]:
			j++
		default:
			t.a, t.b = append(t.a, i), append(t.b, j)
			if a.Passed[i] == b.Passed[j] {
				t.agree++
			}
			i, j = i+1, j+1
		}
	}
	return t
}

// standardised returns by how many SDs the pair agrees more often than success probabilities of independent responses make expect.
func (t *twin) standardised(p, other []float64) float64 {
	expected, variance := 0.0, 0.0
	for j := range t.a {
		q := alike(p[t.a[j]], other[t.b[j]])
		expected += q
		variance += float64(q * (1 - q))
	}
	return (float64(t.agree) - expected) / math.Sqrt(variance)
}

// alike returns the probability that two independent responses are equal.
func alike(p, q float64) float64 { return float64(p*q) + float64((1-p)*(1-q)) }

// atMostApart returns the probability that at most n of independent pairs of responses differ, given the probabilities that they are
// equal.
func atMostApart(equal []float64, n int) float64 {
	p := make([]float64, n+1) // [number that differ]
	p[0] = 1
	for _, q := range equal {
		for k := n; k > 0; k-- {
			p[k] = float64(p[k]*q) + float64(p[k-1]*(1-q))
		}
		p[0] *= q
	}
	return min(num.Sum(p), 1)
}
