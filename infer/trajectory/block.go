package trajectory

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// inBlock returns what a subject without a lapse does in a trial of a block, given the latent variables. Where it goes depends on what it did
// before, so that the agent acts anew for each draw.
func inBlock(s *Scene, m *Abilities, p *Profile, h latent, r *rng.Rand) episode {
	q := policy.Perfect(policy.Reward)
	q.Visual, q.Exclude, q.Memory, q.Endurance = m.Visual+h.visual, (m.OP+h.op)/p.Place, m.Memory+h.memory, m.FlatNav+h.flatNav
	q.RightLeft, q.Effort = m.RightLeft, m.Effort
	q.Lava, q.Ramp, q.Edge = h.lacks&lacksLava == 0, h.lacks&lacksRamp == 0, h.lacks&lacksEdge == 0
	for i, x := range skillList() {
		x.set(&q, h.skills[i])
	}
	for _, x := range m.limits {
		if x.skill == choosing {
			q.Sharp = x.level
		}
	}
	u := r.Float64()
	q.Win, q.Loss, q.Rule, q.Span, q.Restraint, q.Fading = m.Win, m.Loss, m.Rule, m.Span, m.Restraint+num.Log(u/(1-u)), m.Fading
	c := s.acts(q, p.Past, r)
	return episode{c, c.ticks()}
}

// Tried returns what an episode in the scene with this path leaves for later trials of its block. Its round is 0.
func Tried(s *Scene, p Path) policy.Tried {
	t := policy.Tried{At: gridworld.Nowhere(), Forced: len(s.Places) == 1}
	sum := s.Summarise(p)
	n := len(sum.Searched)
	if n == 0 {
		return t
	}
	place := sum.Searched[n-1]
	if t.At, t.Found = s.Places[place], sum.Ending == Rewarded; !t.Found {
		k := kindOf(policy.Reward)
		k.pull = place
		if s.simulate(k); s.work.Gain() == 0 {
			t.Gone, t.After = s.agent.Missed(t.At)
		}
	}
	return t
}

// PastOf returns what a subject brings into the trial of response r, if earlier are its responses to earlier trials of the block, in each of
// which it did what tried returns.
func PastOf(b *record.Blocks, r record.Response, earlier []record.Response, tried func(record.Response) (policy.Tried, error)) (*policy.Past, error) {
	past := &policy.Past{Round: int(b.Round[r.Item])}
	for _, e := range earlier {
		t, err := tried(e)
		if err != nil {
			return nil, err
		}
		t.Round = int(b.Round[e.Item])
		past.Trials = append(past.Trials, t)
	}
	return past, nil
}
