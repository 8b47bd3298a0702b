package trajectory

import (
	"fmt"
	"slices"
	"strings"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Mind is one draw of a profile, in the units of the demands.
type Mind struct {
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

// Minds returns the draws as minds. It refuses a profile without draws, or one that lacks a parameter.
func (p *Profile) Minds() ([]Mind, error) {
	var column [9]int
	for k, name := range Parameters() {
		if column[k] = slices.Index(p.Parameters, name); column[k] < 0 {
			return nil, fmt.Errorf("the profile has no parameter %q; paths need %s", name, strings.Join(Parameters(), ", "))
		}
	}
	if len(p.Draws) == 0 {
		return nil, fmt.Errorf("the profile has no draws")
	}
	minds := make([]Mind, len(p.Draws))
	for i, d := range p.Draws {
		if len(d) != len(p.Parameters) {
			return nil, fmt.Errorf("draw %d has %d values, not %d", i, len(d), len(p.Parameters))
		}
		at := func(k int) float64 { return d[column[k]] }
		minds[i] = Mind{Visual: at(0), OP: at(1), Memory: at(2), FlatNav: at(3), RightLeft: at(4), Lava: at(5), Ramp: at(6), Platform: at(7), Noise: at(8)}
	}
	return minds, nil
}

// luck has the hidden draws of one episode.
type luck struct {
	lapse, heads                bool
	visual, op, memory, flatNav float64 // what is added to each capability: standard logistic
	lava, ramp, platform        bool
	which                       float64 // of the places that it could mistake for the right one
}

func (m *Mind) luck(p *Profile, r *rng.Rand) luck {
	logistic := func() float64 {
		u := r.Float64()
		return num.Log(u / (1 - u))
	}
	return luck{
		lapse: r.Bernoulli(m.Noise), heads: r.Bernoulli(p.Chance),
		visual: logistic(), op: logistic(), memory: logistic(), flatNav: logistic(),
		lava: !r.Bernoulli(m.Lava), ramp: !r.Bernoulli(m.Ramp), platform: !r.Bernoulli(m.Platform), which: r.Float64(),
	}
}

// An episode is what a mind did: a course, as far as a tick.
type episode struct {
	course *Course
	stop   int
}

// episode is what a mind does in the scene by that luck.
func (s *Scene) episode(m *Mind, p *Profile, l luck) episode {
	switch {
	case l.lapse && l.heads:
		return s.whole(courseKey{walker: Informed, wrong: -1})
	case l.lapse, m.Visual+l.visual < s.Units.Largest-s.size():
		return s.whole(courseKey{walker: Still, wrong: -1})
	}
	k := courseKey{walker: Capable, wrong: -1, lava: l.lava && s.hasLava, ramp: l.ramp && s.hasRamp, platform: l.platform && s.hasLedge}
	c := s.course(k)
	if c.hidden && m.OP+l.op < p.Place*float64(len(c.others)) {
		if len(c.others) == 0 {
			return s.whole(courseKey{walker: Still, wrong: -1})
		}
		k.wrong = c.others[int(l.which*float64(len(c.others)))]
		c = s.course(k)
	}
	reach := m.FlatNav + l.flatNav + float64(m.RightLeft*c.side)
	return episode{c, min(c.tires(reach/s.Units.PerCell), c.forgets((m.Memory+l.memory)*s.Units.TicksPerTime))}
}

func (s *Scene) whole(k courseKey) episode {
	c := s.course(k)
	return episode{c, len(c.gap)}
}

// path is the path of the episode.
func (e episode) path() Path { return trimmed(e.course.Path[:min(e.stop+1, len(e.course.Path))]) }

// mark is a digest of the path.
func (e episode) mark() uint64 { return e.course.mark[min(e.stop, len(e.course.mark)-1)] }

// success says whether the episode ends at the reward.
func (e episode) success() bool { return e.course.Success && e.stop >= len(e.course.gap) }
