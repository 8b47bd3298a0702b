package trajectory

import (
	"context"
	"errors"
	"slices"

	"achilles/gridworld/policy"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Prediction is the posterior predictive distribution of a subject's path in a scene.
type Prediction struct {
	Fan     []Branch // distinct sampled paths, the most frequent first, ties in the order of sampling
	Samples int      // number of sampled paths
	Central int      // index in Fan of the medoid: the path with the least mean RMSE to all sampled paths
	Success float64  // posterior predictive probability of success: a mean over all draws, computed without sampling; in a block of trials, Sampled
	Sampled float64  // share of the sampled paths that succeed
}

// A Branch is a path that was sampled Count times. Successes is the number of those sampled episodes with this path that
// ended at the reward.
type Branch struct {
	Path             Path
	Count, Successes int
}

// Predict samples n paths of a profile, each from a random draw. It returns an error if n < 1, if p.Abilities returns
// one, or if ctx is cancelled before it starts.
func (s *Scene) Predict(ctx context.Context, p *Profile, n int, r rng.Rand) (*Prediction, error) {
	draws, err := p.Abilities()
	if err != nil {
		return nil, err
	}
	return s.predict(ctx, p, draws, n, r)
}

func (s *Scene) predict(ctx context.Context, p *Profile, draws []Abilities, n int, r rng.Rand) (*Prediction, error) {
	if n < 1 {
		return nil, errors.New("at least one path is to be sampled")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := &Prediction{Samples: n}
	at := num.Numbering[uint64]{}
	passed := 0
	for range n {
		m := &draws[r.IntN(len(draws))]
		h := m.draw(p, &r)
		e := s.episode(m, p, h)
		if p.Past != nil && !h.lapse {
			e = inBlock(s, m, p, h, &r)
		}
		i := at.Of(e.digest())
		if i == len(out.Fan) {
			out.Fan = append(out.Fan, Branch{Path: e.path()})
		}
		out.Fan[i].Count++
		if e.success() {
			out.Fan[i].Successes++
			passed++
		}
	}
	slices.SortStableFunc(out.Fan, func(a, b Branch) int { return b.Count - a.Count })
	out.Sampled = float64(passed) / float64(n)
	if out.Success = out.Sampled; p.Past == nil {
		out.Success = s.success(p, draws)
	}
	out.Central = s.medoid(out.Fan)
	return out, nil
}

// medoid returns the index of the branch with the least mean RMSE to all sampled paths. Of equal branches it returns the
// first.
func (s *Scene) medoid(fan []Branch) int {
	best, least := 0, -1.0
	cost := make([]float64, len(fan))
	for i := range fan {
		for j := range i {
			d := s.RMSE(fan[i].Path, fan[j].Path)
			cost[i] += float64(d * float64(fan[j].Count))
			cost[j] += float64(d * float64(fan[i].Count))
		}
	}
	for i, c := range cost {
		if least < 0 || c < least {
			best, least = i, c
		}
	}
	return best
}

// FanRMSE returns the mean RMSE between the sampled paths and the actual one.
func (s *Scene) FanRMSE(p *Prediction, actual Path) float64 {
	sum := 0.0
	for _, b := range p.Fan {
		sum += float64(float64(b.Count) * s.RMSE(b.Path, actual))
	}
	return sum / float64(p.Samples)
}

// success returns the probability that an episode ends at the reward, averaged over all draws. An episode in which the
// subject goes to a wrong place never ends at the reward.
func (s *Scene) success(p *Profile, draws []Abilities) float64 {
	sum := 0.0
	for i := range draws {
		sum += s.chance(&draws[i], p)
	}
	return sum / float64(len(draws))
}

// chance returns the probability of success with the abilities of one draw.
func (s *Scene) chance(m *Abilities, p *Profile) float64 {
	informed := 0.0
	if s.Rollout(policy.Oracle).Success {
		informed = p.Chance
	}
	q := num.Logistic(m.Visual - (s.units.Largest - s.size()))
	q *= s.reaches(m, p) * m.skilled(s)
	return float64((1-m.Noise)*q) + float64(m.Noise*informed)
}

// reaches returns the probability that a subject without a lapse, which sees the reward, reaches it.
func (s *Scene) reaches(m *Abilities, p *Profile) float64 {
	sum := 0.0
	for l := range grounds {
		if l&^s.ground != 0 {
			continue
		}
		c := s.rollout(lacking(l))
		if !c.Success {
			continue
		}
		sum += float64(m.lacking(l, s) * m.lasts(c, p, s))
	}
	return sum
}

// lacking returns the probability that a subject fails on exactly the kinds l of the scene's kinds of ground.
func (m *Abilities) lacking(l lacks, s *Scene) float64 {
	q := 1.0
	for i, level := range [...]float64{m.Lava, m.Ramp, m.Platform} {
		switch {
		case s.ground>>i&1 == 0:
		case l>>i&1 != 0:
			q *= 1 - level
		default:
			q *= level
		}
	}
	return q
}

// lasts returns the probability that a subject reaches the end of a rollout: that it has the endurance, finds the right
// place if the reward is hidden, and does not forget.
func (m *Abilities) lasts(c *Rollout, p *Profile, s *Scene) float64 {
	q := num.Logistic(m.FlatNav + float64(m.RightLeft*c.side) - float64(s.units.PerCell*float64(len(c.depart))))
	if c.hidden {
		q *= num.Logistic(m.OP - float64(p.Place*float64(len(c.others))))
	}
	if longest := c.longest(); longest > 0 {
		q *= num.Logistic(m.Memory + float64(m.Effort*float64(len(c.others))) - float64(longest)/s.units.TicksPerTime)
	}
	return q
}
