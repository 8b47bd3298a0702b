package smc

import (
	"context"
	"errors"
	"fmt"
	"math"

	"achilles/infer/mixture"
	"achilles/sim/rng"
)

// Chain is what Walk has drawn.
type Chain struct {
	Draws          [][]float64 // [draw][coordinate]
	LogLikelihoods []float64
	Evaluations    int     // of the likelihood
	StepRate       float64 // share of proposed steps that were accepted
	JumpRate       float64 // share of proposed jumps that were accepted
	LeapRate       float64 // share of proposed leaps that were accepted
}

// WalkConfig are the settings of Walk.
type WalkConfig struct {
	Warmup int // moves before the first draw, at least 0
	Draws  int // draws kept, at least 1
	Thin   int // moves from one draw to the next, at least 1

	Centres [][]float64 // of the modes; a chain leaps between parts of a mixture that is fitted to others around them
}

func (c *WalkConfig) check() {
	if c.Warmup < 0 || c.Draws < 1 || c.Thin < 1 {
		panic("smc: a chain needs draws, and moves between them")
	}
}

// mostGuides bounds the points of a chain's guide: a jump evaluates a kernel at each.
const mostGuides = 400

// Walk draws a chain at temperature 1 that begins at start. It moves by differences between the points of others: those
// of one or more populations, which should lie in all modes. It panics when the configuration is out of range or others
// has fewer than two points. It fails when the likelihood is zero at start or +Inf somewhere, and
// with ctx.Err when cancelled.
func Walk(ctx context.Context, target Target, start []float64, others [][]float64, c WalkConfig, rng rng.Rand) (*Chain, error) {
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
	out := &Chain{Draws: make([][]float64, c.Draws), LogLikelihoods: make([]float64, c.Draws)}
	for i, p := range newPoints(c.Draws, len(start)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for range c.Thin {
			w.move()
		}
		p.set(&w.now)
		out.Draws[i], out.LogLikelihoods[i] = p.z, w.now.logL
	}
	if w.broken {
		return nil, errors.New("smc: the log likelihood is +Inf somewhere")
	}
	out.Evaluations = w.calls
	out.StepRate, out.JumpRate = w.steps.rate(), w.jumps.rate()
	out.LeapRate = w.leaps.rate()
	return out, nil
}
