package nuts

import "achilles/sim/rng"

// Begin returns a chain at start that moves by Move alone. It panics and returns errors as Start does.
func Begin(target Target, start []float64, c Config, rng rng.Rand) (*Sampler, error) {
	c.check()
	return newSampler(target, start, c, rng)
}

// Move moves q by one trajectory, and leaves the target's distribution as it is. Other moves of the same values, and a target that is
// a distribution of some values given others that have moved, may come between two calls. The first Config.Warmup calls adapt step size
// and metric. Where the log density is not finite at q, which rounding may cause, q stays. Move returns an error if the log density is
// +Inf anywhere on the way.
func (s *Sampler) Move(q []float64) (Stat, error) {
	copy(s.z.q, q)
	if !s.ham.evaluate(&s.z) {
		return Stat{}, s.fault()
	}
	if outside(s.z.logp) {
		return Stat{}, nil
	}
	stat, err := s.next()
	if err != nil {
		return stat, err
	}
	copy(q, s.z.q)
	if s.learnt < s.config.Warmup {
		s.learn(stat)
		if s.learnt == s.config.Warmup {
			s.settle()
		}
	}
	return stat, nil
}

// Gradients returns the number of gradients so far, those of the warm-up included.
func (s *Sampler) Gradients() int { return s.ham.gradients }
