package trajectory

import (
	"context"
	"errors"
	"slices"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Prediction is what a profile makes us expect in a scene.
type Prediction struct {
	Fan     []Branch // the distinct sampled paths, the most frequent first; of equally frequent ones the one sampled first
	Samples int      // how many were sampled
	Likely  int      // index in Fan of the most likely path: the most frequent one, so 0
	Central int      // index in Fan of the medoid: the path with the least mean RMSE to all sampled ones
	Success float64  // posterior predictive probability of success, summed up over all draws without sampling
	Sampled float64  // share of the sampled paths that succeed
}

// A Branch is a path that was sampled Count times, Successes of which ended at the reward.
type Branch struct {
	Path             Path
	Count, Successes int
}

// Predict samples n paths of a profile, each from a draw of its own, from the stream r.
func (s *Scene) Predict(ctx context.Context, p *Profile, n int, r rng.Rand) (*Prediction, error) {
	minds, err := p.Minds()
	if err != nil {
		return nil, err
	}
	return s.predict(ctx, p, minds, n, r)
}

func (s *Scene) predict(ctx context.Context, p *Profile, minds []Mind, n int, r rng.Rand) (*Prediction, error) {
	if n < 1 {
		return nil, errors.New("at least one path is to be sampled")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := &Prediction{Samples: n}
	at := map[uint64]int{}
	passed := 0
	for range n {
		m := &minds[r.IntN(len(minds))]
		e := s.episode(m, p, m.luck(p, &r))
		i, ok := at[e.mark()]
		if !ok {
			i = len(out.Fan)
			at[e.mark()] = i
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
	out.Success = s.success(p, minds)
	out.Central = s.medoid(out.Fan)
	return out, nil
}

// medoid is the branch with the least mean RMSE to all sampled paths; of equally good ones the first.
func (s *Scene) medoid(fan []Branch) int {
	best, least := 0, -1.0
	cost := make([]float64, len(fan))
	for i := range fan {
		for j := range i {
			d := s.RMSE(fan[i].Path, fan[j].Path)
			cost[i] += d * float64(fan[j].Count)
			cost[j] += d * float64(fan[i].Count)
		}
	}
	for i, c := range cost {
		if least < 0 || c < least {
			best, least = i, c
		}
	}
	return best
}

// FanRMSE is the mean RMSE between a path and the sampled ones.
func (s *Scene) FanRMSE(p *Prediction, actual Path) float64 {
	sum := 0.0
	for _, b := range p.Fan {
		sum += float64(float64(b.Count) * s.RMSE(b.Path, actual))
	}
	return sum / float64(p.Samples)
}

// success is the mean over all minds of the probability that an episode of theirs ends at the reward. Only who goes
// where the reward must be, and masters what is on the way, comes to it; a wrong place is never the right one.
func (s *Scene) success(p *Profile, minds []Mind) float64 {
	sum := 0.0
	for i := range minds {
		sum += s.chance(&minds[i], p)
	}
	return sum / float64(len(minds))
}

func (s *Scene) chance(m *Mind, p *Profile) float64 {
	informed := 0.0
	if s.Course(Informed).Success {
		informed = p.Chance
	}
	q := num.Logistic(m.Visual - (s.Units.Largest - s.size()))
	q *= s.masters(m, p)
	return float64((1-m.Noise)*q) + float64(m.Noise*informed)
}

// masters is the probability that a mind which sees the reward comes to it.
func (s *Scene) masters(m *Mind, p *Profile) float64 {
	sum := 0.0
	for code := range 8 {
		k := courseKey{walker: Capable, wrong: -1, lava: code&1 != 0, ramp: code&2 != 0, platform: code&4 != 0}
		if k.lava && !s.hasLava || k.ramp && !s.hasRamp || k.platform && !s.hasLedge {
			continue
		}
		c := s.course(k)
		if !c.Success {
			continue
		}
		sum += float64(m.ground(k, s) * m.lasts(c, p, s))
	}
	return sum
}

// ground is the probability that a mind masters just what a course says.
func (m *Mind) ground(k courseKey, s *Scene) float64 {
	q := 1.0
	for _, g := range []struct {
		there, fails bool
		level        float64
	}{{s.hasLava, k.lava, m.Lava}, {s.hasRamp, k.ramp, m.Ramp}, {s.hasLedge, k.platform, m.Platform}} {
		switch {
		case !g.there:
		case g.fails:
			q *= 1 - g.level
		default:
			q *= g.level
		}
	}
	return q
}

// lasts is the probability that a mind goes a course to its end: it knows the place, and neither forgets nor tires.
func (m *Mind) lasts(c *Course, p *Profile, s *Scene) float64 {
	q := num.Logistic(m.FlatNav + float64(m.RightLeft*c.side) - float64(s.Units.PerCell*float64(len(c.depart))))
	if c.hidden {
		q *= num.Logistic(m.OP - float64(p.Place*float64(len(c.others))))
	}
	if longest := c.gap[len(c.gap)-1]; longest > 0 {
		q *= num.Logistic(m.Memory - float64(longest)/s.Units.TicksPerTime)
	}
	return q
}
