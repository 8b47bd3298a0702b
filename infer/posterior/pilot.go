package posterior

import (
	"context"
	"math"

	"achilles/infer/smc"
	"achilles/sim/seed"
)

// scout is what the pilots have found.
type scout struct {
	runs   []*smc.Population
	points [][]float64 // in the cube, of the runs believed
	steps  int         // consecutive points of one walker
	theta  [][]float64 // the same points as parameters
	q      [][]float64 // and unconstrained
	level  float64     // highest log evidence of a run, with its error
	error  float64
}

// believed is how far below the best run's log evidence another run may lie and still count. Estimates err low, by
// several nats where walkers move slowly; a run that missed the main mode lies tens of nats low.
const believed = 5

func (f *fitter) scout(ctx context.Context) (*scout, error) {
	s := &scout{runs: make([]*smc.Population, f.config.Pilots)}
	err := f.parallel(len(s.runs), func(i int, p Problem) error {
		var err error
		s.runs[i], err = smc.Run(ctx, p, f.config.Pilot, f.stream("pilot", i))
		return err
	})
	if err != nil {
		return nil, err
	}
	best := s.runs[0]
	for _, r := range s.runs {
		f.work.Likelihoods += r.Evaluations
		if r.LogEvidence > best.LogEvidence {
			best = r
		}
	}
	s.level, s.error = best.LogEvidence, best.LogEvidenceError
	s.steps = best.Steps
	for _, r := range s.runs {
		if r.LogEvidence >= best.LogEvidence-believed {
			s.points = append(s.points, r.Points...)
		}
	}
	s.q, s.theta = f.positions(s.points)
	return s, nil
}

// positions are points of the cube, unconstrained and as parameters.
func (f *fitter) positions(points [][]float64) (qs, thetas [][]float64) {
	p := f.problem()
	for _, u := range points {
		q, theta := make([]float64, p.Dim()), make([]float64, len(f.names))
		p.FromCube(u, q)
		p.Constrain(q, theta)
		qs, thetas = append(qs, q), append(thetas, theta)
	}
	return qs, thetas
}

// starts chooses indices of n points far apart: the first by chance, each further one with probability in proportion
// to its squared distance from the nearest chosen, in standard deviations on the unconstrained scale (Arthur and
// Vassilvitskii 2007). A mode far away gets a chain even if few points lie in it, and chains that start in different
// modes and stay there disagree.
func (s *scout) starts(n int, rng *seed.Rand) []int {
	scale := spread(s.q)
	nearest := make([]float64, len(s.q))
	for i := range nearest {
		nearest[i] = math.Inf(1)
	}
	chosen := []int{rng.IntN(len(s.q))}
	for len(chosen) < n {
		total := 0.0
		for i, q := range s.q {
			nearest[i] = min(nearest[i], distance(q, s.q[chosen[len(chosen)-1]], scale))
			total += nearest[i]
		}
		at := total * rng.Float64()
		next := 0
		for i, d := range nearest {
			if at -= d; at < 0 {
				next = i
				break
			}
		}
		chosen = append(chosen, next)
	}
	return chosen
}

func distance(a, b, scale []float64) float64 {
	d := 0.0
	for i, x := range a {
		z := (x - b[i]) / scale[i]
		d += float64(z * z)
	}
	return d
}

// spread has the standard deviation of every coordinate, 1 for a coordinate without.
func spread(qs [][]float64) []float64 {
	n := float64(len(qs))
	mean, sd := make([]float64, len(qs[0])), make([]float64, len(qs[0]))
	for _, q := range qs {
		for i, x := range q {
			mean[i] += x / n
		}
	}
	for _, q := range qs {
		for i, x := range q {
			sd[i] += float64((x-mean[i])*(x-mean[i])) / n
		}
	}
	for i, v := range sd {
		sd[i] = math.Sqrt(v)
		if !(sd[i] > 0) {
			sd[i] = 1
		}
	}
	return sd
}
