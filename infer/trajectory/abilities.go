package trajectory

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"achilles/gridworld/policy"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// Abilities has the parameters of one draw of a profile.
type Abilities struct {
	Visual, OP, Memory, FlatNav, RightLeft float64 // in the units of the demands
	Lava, Ramp, Platform, Noise            float64 // probabilities
	Effort                                 float64 // added to Memory for every other place in which a hidden reward could be

	Win, Loss, Rule, Span, Restraint, Fading float64 // how earlier trials of a block count (policy.Parameters)

	limits []limit // levels of the skills that the profile limits, in the order of skillList
}

// unlimited returns abilities that are enough for everything.
func unlimited() Abilities {
	inf := math.Inf(1)
	return Abilities{Visual: inf, OP: inf, Memory: inf, FlatNav: inf, Lava: 1, Ramp: 1, Platform: 1, Win: 1, Loss: 1, Rule: 1, Span: 1, Restraint: inf}
}

// A Profile has the posterior draws of one subject's traits, and constants of the model from which they were drawn. A trait that it does
// not have is no limit.
type Profile struct {
	Traits []string    // names, as section [walking] of a layout has them
	Draws  [][]float64 // [draw][trait]
	Place  float64     // demand on ability OP for each wrong place where a hidden reward could be
	Chance float64     // probability that a subject in a lapse walks to the reward instead of staying

	Past *policy.Past // what the subject did in the trials before this one of a block; nil: the trial stands alone
}

// set sets the trait of this name. It returns false if there is no such trait.
func (m *Abilities) set(name string, x float64) bool {
	for _, t := range [...]struct {
		name string
		at   *float64
	}{
		{"visual", &m.Visual}, {"op", &m.OP}, {"memory", &m.Memory}, {"flatNav", &m.FlatNav}, {"rightLeft", &m.RightLeft},
		{"lava", &m.Lava}, {"ramp", &m.Ramp}, {"platform", &m.Platform}, {"noise", &m.Noise}, {"effort", &m.Effort},
		{"winRate", &m.Win}, {"lossRate", &m.Loss}, {"ruleRate", &m.Rule}, {"spanRate", &m.Span}, {"restraint", &m.Restraint}, {"fading", &m.Fading},
	} {
		if t.name == name {
			*t.at = x
			return true
		}
	}
	for i, t := range skillList() {
		if t.trait == name {
			m.limits = append(m.limits, limit{i, x})
			return true
		}
	}
	return false
}

// Abilities returns the draws as abilities. It returns an error if the profile has no draws or an unknown trait, or if a draw has the wrong
// length or is not a number.
func (p *Profile) Abilities() ([]Abilities, error) {
	if len(p.Draws) == 0 {
		return nil, errors.New("the profile has no draws")
	}
	list := make([]Abilities, len(p.Draws))
	for i, d := range p.Draws {
		if len(d) != len(p.Traits) {
			return nil, fmt.Errorf("draw %d has %d values, not %d", i, len(d), len(p.Traits))
		}
		list[i] = unlimited()
		for k, name := range p.Traits {
			if math.IsNaN(d[k]) {
				return nil, fmt.Errorf("draw %d: %s is not a number", i, name)
			}
			if !list[i].set(name, d[k]) {
				return nil, fmt.Errorf("the profile has the trait %q, which does not affect walking", name)
			}
		}
		slices.SortFunc(list[i].limits, func(a, b limit) int { return a.skill - b.skill })
	}
	return list, nil
}

// latent has the latent variables of one episode.
type latent struct {
	lapse, informed             bool    // lapse: the subject walks to the reward (if informed) or stays
	visual, op, memory, flatNav float64 // standard logistic, added to each ability
	lacks                       lacks   // kinds of ground on which the subject fails
	which                       float64 // uniform in [0, 1): selects the place that is mistaken for the right one
	skills                      [skills]float64
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
	h.skills = m.drawSkills(r)
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
	effort := float64(m.Effort * float64(len(c.others)))
	if k.lost = m.lost(s, &h.skills); k.lost != (lost{}) {
		if k.wrong != policy.NoPlace { // it goes there whatever else it lacks, as far as it dares to
			k.lost = lost{retreating: k.lost[retreating]}
		}
		if k.lost.random() {
			list := k.picks(s)
			k.pick = list[int(h.which*float64(len(list)))]
		}
		c = s.rollout(k)
	}
	reach := m.FlatNav + h.flatNav + float64(m.RightLeft*c.side)
	return episode{c, min(c.tires(reach/s.units.PerCell), c.forgets((m.Memory+h.memory+effort)*s.units.TicksPerTime))}
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
