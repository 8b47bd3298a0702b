package smc

import (
	"context"
	"errors"
	"fmt"
	"math"

	"achilles/infer/mixture"
	"achilles/sim/rng"
)

// A Chain has the draws of Walk.
type Chain struct {
	Draws       [][]float64 // [draw][coordinate]
	Evaluations int         // number of evaluations of the likelihood
}

// Walking has the settings of Walk.
type Walking struct {
	Warmup int // number of moves before the first draw, at least 0
	Draws  int // number of draws, at least 1
	Thin   int // number of moves from one draw to the next, at least 1

	Centres [][]float64 // centres of the modes, where the fit of the mixture for leaps starts; nil: one component
}

func (c *Walking) check() {
	if c.Warmup < 0 || c.Draws < 1 || c.Thin < 1 {
		panic("smc: a chain needs draws, and moves between them")
	}
}

// mostGuides is the largest number of points in a chain's guide, because every jump evaluates a kernel at each point.
const mostGuides = 400

// Walk draws a chain at power 1 that begins at start. Its guide, and the mixture for leaps, are made from the points
// others, which come from one or more populations and should lie in all modes. Walk panics if the configuration is out
// of range or if others has fewer than two points. It returns an error if the likelihood is zero at start, if it meets a
// likelihood of +Inf, or if ctx is cancelled.
func Walk(ctx context.Context, target Target, start []float64, others [][]float64, c Walking, rng rng.Rand) (*Chain, error) {
	c.check()
	if len(others) < 2 {
		panic("smc: a chain needs at least two other points to move by")
	}
	w := newWalker(target, rng)
	var points []point
	for i := range min(len(others), mostGuides) {
		points = append(points, point{z: others[i*len(others)/min(len(others), mostGuides)]})
	}
	w.follow(newGuide(points))
	if m, ok := mixture.Fit(w.guide.points, c.Centres); ok {
		m.Widen()
		w.mixture = m
	}
	w.beta = 1
	copy(w.now.z, start)
	w.now.logL = w.at(start)
	if math.IsInf(w.now.logL, -1) {
		return nil, fmt.Errorf("smc: the likelihood is zero at the start %g", start)
	}
	for range c.Warmup {
		w.move()
	}
	out := &Chain{Draws: make([][]float64, c.Draws)}
	for i, p := range newPoints(c.Draws, len(start)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for range c.Thin {
			w.move()
		}
		p.set(&w.now)
		out.Draws[i] = p.z
	}
	if w.broken {
		return nil, errors.New("smc: the log likelihood is +Inf somewhere")
	}
	out.Evaluations = w.calls
	return out, nil
}
