package trajectory

import (
	"fmt"
	"slices"
	"strings"

	"achilles/gridworld/policy"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// Abilities has the parameters of one draw of a profile.
type Abilities struct {
	Visual, OP, Memory, FlatNav, RightLeft float64 // in the units of the demands
	Lava, Ramp, Platform, Noise            float64 // probabilities
}

// A Profile has the posterior draws of one subject, and constants of the model from which they were drawn.
type Profile struct {
	Parameters []string
	Draws      [][]float64 // [draw][parameter]
	Place      float64     // demand on ability OP for each wrong place where a hidden reward could be
	Chance     float64     // probability that a subject in a lapse walks to the reward instead of staying
}

// Parameters returns the names of the parameters that a profile must have.
func Parameters() []string {
	return []string{"visual", "op", "memory", "flatNav", "rightLeft", "lava", "ramp", "platform", "noise"}
}

// Abilities returns the draws as abilities. It returns an error if the profile has no draws or lacks a parameter, or if
// a draw has the wrong length.
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

// latent has the latent variables of one episode.
type latent struct {
	lapse, informed             bool    // lapse: the subject walks to the reward (if informed) or stays
	visual, op, memory, flatNav float64 // standard logistic, added to each ability
	lacks                       lacks   // kinds of ground on which the subject fails
	which                       float64 // uniform in [0, 1): selects the place that is mistaken for the right one
}

// draw draws the latent variables of an episode.
func (m *Abilities) draw(p *Profile, r *rng.Rand) latent {
	logistic := func() float64 {
		u := r.Float64()
		return num.Log(u / (1 - u))
	}
	h := latent{
		lapse: r.Bernoulli(m.Noise), informed: r.Bernoulli(p.Chance),
		visual: logistic(), op: logistic(), memory: logistic(), flatNav: logistic(),
	}
	for i, copes := range [...]float64{m.Lava, m.Ramp, m.Platform} {
		if !r.Bernoulli(copes) {
			h.lacks |= 1 << i
		}
	}
	h.which = r.Float64()
	return h
}

// An episode is a rollout that ends at tick stop.
type episode struct {
	*Rollout
	stop int
}

// episode returns what a subject with these abilities does in the scene, given the latent variables.
func (s *Scene) episode(m *Abilities, p *Profile, h latent) episode {
	switch {
	case h.lapse && h.informed:
		return s.fullEpisode(policy.Oracle)
	case h.lapse, m.Visual+h.visual < s.units.Largest-s.size():
		return s.fullEpisode(policy.Nothing)
	}
	k := lacking(h.lacks & s.ground)
	c := s.rollout(k)
	if c.hidden && m.OP+h.op < p.Place*float64(len(c.others)) {
		if len(c.others) == 0 {
			return s.fullEpisode(policy.Nothing)
		}
		k.wrong = c.others[int(h.which*float64(len(c.others)))]
		c = s.rollout(k)
	}
	reach := m.FlatNav + h.flatNav + float64(m.RightLeft*c.side)
	return episode{c, min(c.tires(reach/s.units.PerCell), c.forgets((m.Memory+h.memory)*s.units.TicksPerTime))}
}

// fullEpisode returns the whole rollout of an agent with unlimited abilities that pursues a goal.
func (s *Scene) fullEpisode(goal policy.Goal) episode {
	c := s.Rollout(goal)
	return episode{c, c.ticks()}
}

// path returns the path of the episode.
func (e episode) path() Path { return trimmed(e.Path[:min(e.stop+1, len(e.Path))]) }

// digest returns the digest of the path.
func (e episode) digest() uint64 { return e.mark[min(e.stop, len(e.mark)-1)] }

// success reports whether the episode ends at the reward.
func (e episode) success() bool { return e.Success && e.stop >= e.ticks() }
