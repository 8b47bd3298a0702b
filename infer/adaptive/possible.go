package adaptive

import (
	"math"
	"slices"
	"strconv"

	"achilles/infer/smc"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// scoresDrawn is the number of responses whose mean stands for what is expected of all scores that there may be. They are those of draws at equal
// distances, by weight, so that few tell it.
const scoresDrawn = 128

// after returns the expected response to an item by its first measure, of a binary one the probability of success, and the largest SD of a
// capability, as a share of its width, that is expected after responses to all its measures.
func (q *particles) after(item int) (p, sd float64) {
	old := slices.Clone(q.weight)
	total := q.total()
	for _, responses := range q.possible(item) {
		copy(q.weight, old)
		for m, y := range responses.value {
			q.weigh(m, q.row(item), y)
		}
		share := responses.share
		if share == 0 {
			share = q.total() / total
		}
		p += float64(responses.value[0] * share)
		if most := q.largest(); share > 0 {
			sd += float64(share * most)
		}
	}
	q.weight = old
	return p, sd
}

// weigh multiplies the weight of every draw by the probability of a response or, where it is a score, by its density as a share of the greatest: densities
// near 0 and 1 may be larger than any number.
func (q *particles) weigh(m, row int, value float64) {
	if q.number[m] > 0 {
		for k := range q.weight {
			q.weight[k] *= q.chance(q.p[k], m, row, value)
		}
		return
	}
	logs, most := make([]float64, len(q.p)), math.Inf(-1)
	for k, p := range q.p {
		logs[k] = q.family[m].LogDensity(q.arguments(p, m, row), value)
		most = max(most, logs[k])
	}
	for k, l := range logs {
		if math.IsInf(l, -1) {
			q.weight[k] = 0
		} else {
			q.weight[k] *= num.Exp(l - most)
		}
	}
}

// A possibility is a response to each measure of an item.
type possibility struct {
	value []float64
	share float64 // how often it is; 0: as its probability says
}

// possible returns all responses that there can be to the measures of an item or, where a measure has scores, a sample of them.
func (q *particles) possible(item int) (out []possibility) {
	if slices.Contains(q.number, 0) {
		r := rng.Stream(0, "adaptive", "scores", strconv.Itoa(item))
		for _, k := range smc.Resample(q.weight, scoresDrawn, &r) {
			x := possibility{share: 1. / scoresDrawn}
			for m := range q.number {
				x.value = append(x.value, q.draw(q.p[k], m, q.row(item), &r))
			}
			out = append(out, x)
		}
		return out
	}
	out = []possibility{{}}
	for _, n := range q.number {
		var longer []possibility
		for k := range n {
			for _, x := range out {
				longer = append(longer, possibility{value: append(slices.Clone(x.value), float64(k))})
			}
		}
		out = longer
	}
	return out
}
