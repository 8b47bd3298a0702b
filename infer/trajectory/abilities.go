package trajectory

import (
	"fmt"
	"slices"
	"strings"

	"achilles/gridworld/policy"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// Abilities are one draw of a profile, in the units of the demands.
type Abilities struct {
	Visual, OP, Memory, FlatNav, RightLeft float64
	Lava, Ramp, Platform, Noise            float64 // probabilities
}

// A Profile is draws from the posterior of one subject, all in the order of Parameters, and how they are read.
type Profile struct {
	Parameters []string
	Draws      [][]float64
	Place      float64 // what another place asks of op: 1 where op counts places, 4 where it counts 4 a place
	Chance     float64 // rate at which the coin of a lapse comes up for walking to the reward
}

// Parameters are those that a profile must have.
func Parameters() []string {
	return []string{"visual", "op", "memory", "flatNav", "rightLeft", "lava", "ramp", "platform", "noise"}
}

// Abilities returns the draws as abilities. It refuses a profile without draws, or one that lacks a parameter.
func (p *Profile) Abilities() ([]Abilities, error) {
	var column [9]int
	for k, name := range Parameters() {
		if column[k] = slices.Index(p.Parameters, name); column[k] < 0 {
			return nil, fmt.Errorf("the profile has no parameter %q; paths need %s", name, strings.Join(Parameters(), ", "))
		}
	}
	if len(p.Draws) == 0 {
		return nil, fmt.Errorf("the profile has no draws")
	}
	list := make([]Abilities, len(p.Draws))
	for i, d := range p.Draws {
		if len(d) != len(p.Parameters) {
			return nil, fmt.Errorf("draw %d has %d values, not %d", i, len(d), len(p.Parameters))
		}
		at := func(k int) float64 { return d[column[k]] }
		list[i] = Abilities{Visual: at(0), OP: at(1), Memory: at(2), FlatNav: at(3), RightLeft: at(4), Lava: at(5), Ramp: at(6), Platform: at(7), Noise: at(8)}
	}
	return list, nil
}

// hidden has the hidden draws of one episode.
type hidden struct {
	lapse, heads                bool
	visual, op, memory, flatNav float64 // what is added to each ability: standard logistic
	lacks                       lacks
	which                       float64 // of the places that it could mistake for the right one
}

func (m *Abilities) draw(p *Profile, r *rng.Rand) hidden {
	logistic := func() float64 {
		u := r.Float64()
		return num.Log(u / (1 - u))
	}
	h := hidden{
		lapse: r.Bernoulli(m.Noise), heads: r.Bernoulli(p.Chance),
		visual: logistic(), op: logistic(), memory: logistic(), flatNav: logistic(),
	}
	for i, masters := range [...]float64{m.Lava, m.Ramp, m.Platform} {
		if !r.Bernoulli(masters) {
			h.lacks |= 1 << i
		}
	}
	h.which = r.Float64()
	return h
}

// An episode is what somebody did: a rollout, as far as a tick.
type episode struct {
	*Rollout
	stop int
}

// episode is what somebody with these abilities does in the scene, given the hidden draws.
func (s *Scene) episode(m *Abilities, p *Profile, h hidden) episode {
	switch {
	case h.lapse && h.heads:
		return s.whole(policy.Oracle)
	case h.lapse, m.Visual+h.visual < s.units.Largest-s.size():
		return s.whole(policy.Nothing)
	}
	k := kind{goal: policy.Reward, lacks: h.lacks & s.ground, wrong: policy.NoPlace, pull: policy.NoPlace}
	c := s.rollout(k)
	if c.hidden && m.OP+h.op < p.Place*float64(len(c.others)) {
		if len(c.others) == 0 {
			return s.whole(policy.Nothing)
		}
		k.wrong = c.others[int(h.which*float64(len(c.others)))]
		c = s.rollout(k)
	}
	reach := m.FlatNav + h.flatNav + float64(m.RightLeft*c.side)
	return episode{c, min(c.tires(reach/s.units.PerCell), c.forgets((m.Memory+h.memory)*s.units.TicksPerTime))}
}

func (s *Scene) whole(goal policy.Goal) episode {
	c := s.Rollout(goal)
	return episode{c, c.ticks()}
}

// path is the path of the episode.
func (e episode) path() Path { return trimmed(e.Path[:min(e.stop+1, len(e.Path))]) }

// digest is that of the path.
func (e episode) digest() uint64 { return e.mark[min(e.stop, len(e.mark)-1)] }

// success says whether the episode ends at the reward.
func (e episode) success() bool { return e.Success && e.stop >= e.ticks() }
