package nuts

import (
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// An outcome says how the growth of a tree ended.
type outcome uint8

const (
	grown     outcome = iota // the tree has the wanted depth
	turning                  // the trajectory has a U-turn
	diverging                // the energy error is too large
	broken                   // the log density is +Inf: the chain must stop
)

// divergence is the energy error above which a trajectory counts as divergent (Betancourt 2017; Stan uses the same
// value).
const divergence = 1000

// A flow moves a state by one step along its trajectory. leapfrog returns false if the log density is +Inf, so that the
// chain must stop. The tree knows nothing else of target, metric and step size.
type flow interface {
	leapfrog(z *state, direction float64) bool
}

// A candidate is a state of the trajectory that may become the next draw.
type candidate struct {
	q, grad      []float64
	logp, energy float64
}

func (c *candidate) set(z *state, energy float64) {
	copy(c.q, z.q)
	copy(c.grad, z.grad)
	c.logp, c.energy = z.logp, energy
}

// A span is a part of a trajectory.
type span struct {
	first, last []float64 // momenta at its ends, in the order of integration
	total       []float64 // sum of the momenta of all its states
	logWeight   float64   // log of the sum of the weights of its states
	pick        candidate // a state drawn in proportion to the weights
}

func newSpan(dim int) span {
	vec := func() []float64 { return make([]float64, dim) }
	return span{first: vec(), last: vec(), total: vec(), pick: candidate{q: vec(), grad: vec()}}
}

func (s *span) setLeaf(z *state, energy, logWeight float64) {
	copy(s.first, z.p)
	copy(s.last, z.p)
	copy(s.total, z.p)
	s.logWeight = logWeight
	s.pick.set(z, energy)
}

func (s *span) reverse() { s.first, s.last = s.last, s.first }

// append adds to s the span next, which follows s in the order of integration. If take is true, the pick of next becomes
// the pick of s. append reports whether the joint span has no U-turn: neither over the whole span, nor over either half
// together with the neighbouring state of the other half. The latter two checks find a U-turn in a span of a full period,
// whose ends have equal momenta.
func (s *span) append(next *span, take bool) bool {
	if take {
		s.pick, next.pick = next.pick, s.pick
	}
	s.logWeight = num.LogAddExp(s.logWeight, next.logWeight)
	onward := movesOn(s.first, next.last, s.total, next.total) &&
		movesOn(s.first, next.first, s.total, next.first) &&
		movesOn(s.last, next.last, next.total, s.last)
	num.AddTo(s.total, 1, next.total)
	s.last, next.last = next.last, s.last
	return onward
}

// movesOn reports whether a span has no U-turn by the generalised criterion (Betancourt 2017, appendix A). a and b are
// the momenta at its ends, r + s is the sum of its momenta.
func movesOn(a, b, r, s []float64) bool {
	return dotSum(a, r, s) > 0 && dotSum(b, r, s) > 0
}

// A tree grows one trajectory after another in its own buffers.
type tree struct {
	flow  flow
	rng   *rng.Rand
	ends  [2]state // states at the ends of the trajectory, backwards and forwards in time
	whole span     // trajectory so far
	fresh span     // last extension of the trajectory
	later []span   // later[d] is the buffer for the second half of a span of 2^(d+1) states

	maxDepth int

	start     float64 // energy at the start
	leapfrogs int
	accepted  float64 // Σ min(1, e^(start − energy)) over the new states
}

func newTree(f flow, rng *rng.Rand, dim, maxDepth int) *tree {
	t := &tree{flow: f, rng: rng, ends: [2]state{newState(dim), newState(dim)}, whole: newSpan(dim), fresh: newSpan(dim), maxDepth: maxDepth}
	for range maxDepth - 1 {
		t.later = append(t.later, newSpan(dim))
	}
	return t
}

// grow builds the trajectory of z, whose momentum has just been drawn, by at most maxDepth doublings. Afterwards
// whole.pick is the next draw. It returns the number of doublings and how growth ended; grown means that there were
// maxDepth doublings.
func (t *tree) grow(z *state) (depth int, end outcome) {
	t.start, z.tilt, z.uneven = z.energy(), 0, false
	t.leapfrogs, t.accepted = 0, 0
	t.ends[0].set(z)
	t.ends[1].set(z)
	t.whole.setLeaf(z, t.start, 0)
	for depth = range t.maxDepth {
		side := int(t.rng.Uint64() >> 63)
		if end = t.build(&t.ends[side], float64(2*side-1), depth, &t.fresh); end != grown {
			return depth, end
		}
		if side == 0 {
			t.whole.reverse()
		}
		onward := t.whole.append(&t.fresh, t.bias(t.fresh.logWeight-t.whole.logWeight))
		if side == 0 {
			t.whole.reverse()
		}
		if !onward {
			return depth + 1, turning
		}
	}
	return t.maxDepth, grown
}

// bias returns true with probability min(1, e^logRatio).
func (t *tree) bias(logRatio float64) bool {
	return logRatio >= 0 || t.rng.Float64() < num.Exp(logRatio)
}

// build extends the trajectory from its end z by 2^depth states and sets s to the span of these states. It stops early
// if the outcome is not grown.
func (t *tree) build(z *state, direction float64, depth int, s *span) outcome {
	if depth == 0 {
		return t.leaf(z, direction, s)
	}
	if end := t.build(z, direction, depth-1, s); end != grown {
		return end
	}
	second := &t.later[depth-1]
	if end := t.build(z, direction, depth-1, second); end != grown {
		return end
	}
	take := t.bias(second.logWeight - num.LogAddExp(s.logWeight, second.logWeight))
	if !s.append(second, take) {
		return turning
	}
	return grown
}

// leaf moves z by one step and sets s to the span of the new state.
func (t *tree) leaf(z *state, direction float64, s *span) outcome {
	ok := t.flow.leapfrog(z, direction)
	t.leapfrogs++
	if !ok {
		return broken
	}
	energy := z.energy()
	gain := t.start - energy
	if math.IsNaN(gain) {
		gain = math.Inf(-1)
	}
	if accept := num.Exp(min(gain-z.excess, 0)); accept > 0 { // not NaN
		t.accepted += accept
	}
	if z.uneven {
		return turning
	}
	if gain < -divergence {
		return diverging
	}
	s.setLeaf(z, energy, gain+z.tilt)
	return grown
}
