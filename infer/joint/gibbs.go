package joint

import (
	"context"
	"math"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"

	"achilles/infer/layout"
	"achilles/infer/nuts"
	"achilles/infer/posterior"
	"achilles/sim/rng"
)

// Limits of gibbs: the least number of parameters of each subject, of which a vector counts as one, and the largest number of responses.
const (
	severalParameters = 5
	mostResponses     = 1 << 21
)

// sweeps reports whether Fit moves the subjects of a layout one by one: they have several parameters, and no shared one belongs to a
// group of them.
func sweeps(cells *layout.Cells) bool {
	n := 0
	for _, p := range cells.Joint().Layout().Parameters {
		if p.OfSubjects() && p.FirstOfVector() {
			n++
		}
	}
	return n >= severalParameters && len(cells.Used()) <= mostResponses && !cells.Joint().GroupsSubjects()
}

// A gibbs is a fit by sweepers.
type gibbs struct {
	ctx          context.Context
	cells        *layout.Cells
	config       posterior.Config
	root         uint64
	path         []string
	subjects     []*layout.SubjectCells
	others       []int     // indices of the values that are not of subjects
	shared       []int     // of these, of the shared ones
	second       []int     // of what moves after the subjects from the second round on
	hierarchical bool      // whether the prior of a parameter of subjects depends on shared ones, so that its scores can be kept
	first        []float64 // value → 1 if it is centred in the first round, otherwise 0 of warm-up
	scale        []float64 // rough standard deviations in the first round
	chains       []*sweeper
	mu           sync.Mutex
	done         int // sweeps
}

// sweepAll draws from the posterior by Gibbs sampling (sweeper). Scales begin wide, so that no subject is held where others are but its
// own responses would not have it. Warm-up has three rounds. What all chains have visited in a round gives each subject a mixture from
// which it can leap to other modes, and says which values are better moved as scores. If priors of subjects have parameters, the shared
// ones move twice from the second round on: given the subjects' values, and given the scores of those of which the responses tell little
// (Yu and Meng 2011). If items have values, subjects move again with the others from the second round on: what the subjects of a demand
// have in common and what its items have can make up for each other, and would follow each other by small steps.
func sweepAll(ctx context.Context, cells *layout.Cells, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error) {
	g, err := newGibbs(ctx, cells, c, root, path)
	if err != nil {
		return nil, err
	}
	if err := g.each(g.begin); err != nil {
		return nil, err
	}
	for round := 1; round < warmupRounds; round++ {
		told := g.told()
		g.propose()
		if err := g.each(func(i int) error { return g.again(g.chains[i], round, told) }); err != nil {
			return nil, err
		}
	}
	g.propose()
	if cells.Joint().Len() <= fewValues {
		c.Enough = enough
	}
	draws, moves := make([][][]float64, c.Chains), make([][][]nuts.Stat, c.Chains)
	images := newMover(cells, c.Chains, root, path...)
	p, err := posterior.Continue(func(n int) ([][][]float64, []posterior.Chain, error) {
		more := make([][][]float64, c.Chains)
		err := g.each(func(i int) error {
			next, how, err := g.draw(g.chains[i], n)
			more[i], moves[i] = next, append(moves[i], how...)
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		images.move(more)
		for i, next := range more {
			draws[i] = append(draws[i], next...)
		}
		return draws, g.describe(moves), nil
	}, Names(cells.Joint()), c)
	if err != nil {
		return nil, err
	}
	for _, s := range g.chains {
		p.Work.Gradients += s.gradients()
	}
	return p, nil
}

func newGibbs(ctx context.Context, cells *layout.Cells, c posterior.Config, root uint64, path []string) (*gibbs, error) {
	j := cells.Joint()
	g := &gibbs{ctx: ctx, cells: cells, config: c, root: root, path: path, first: make([]float64, j.Len()), chains: make([]*sweeper, c.Chains)}
	pilotStream := rng.Stream(root, append(slices.Clone(path), "pilot")...)
	centred, scale := pilot(cells, c, &pilotStream)
	for i, p := range j.Layout().Parameters {
		g.hierarchical = g.hierarchical || p.OfSubjects() && j.HasScores(i)
		for k := j.First(i); k < j.First(i)+j.Units(i); k++ {
			if centred[i] || p.OfSubjects() {
				g.first[k] = 1
			}
			if !p.OfSubjects() {
				g.others = append(g.others, k)
			}
			if p.Group == layout.Shared {
				g.shared = append(g.shared, k)
			}
		}
	}
	g.scale, g.second = scale, g.others
	if c := j.Free(make([]bool, len(centred))); len(c.Items) > 0 {
		g.second = slices.Concat(c.Subjects, c.Items, c.Rest)
		slices.Sort(g.second)
	}
	var err error
	g.subjects, err = cells.BySubject()
	return g, err
}

// each calls do for every chain.
func (g *gibbs) each(do func(i int) error) error {
	var group errgroup.Group
	group.SetLimit(max(g.config.Jobs, 1))
	for i := range g.config.Chains {
		group.Go(func() error { return do(i) })
	}
	return group.Wait()
}

// warmupRounds is the number of rounds of warm-up.
const warmupRounds = 3

// roundLength returns the number of sweeps of a round of warm-up.
func (g *gibbs) roundLength(round int) int {
	return (round+1)*g.config.Warmup/warmupRounds - round*g.config.Warmup/warmupRounds
}

// begin runs the first round of a chain.
func (g *gibbs) begin(i int) error {
	stream := streamOf(g.root, g.path, i)
	r := stream("start", 0)
	q, err := g.wideStart(&r)
	if err != nil {
		return err
	}
	c := nuts.Config{Warmup: g.roundLength(0), Accept: g.config.Accept, MaxDepth: min(g.config.MaxDepth, earlyDepth)}
	two := [][]float64{slices.Clone(q), slices.Clone(q)} // their variances are the squares of the pilot's scales
	for k, x := range g.scale {
		two[0][k] -= x / math.Sqrt2
		two[1][k] += x / math.Sqrt2
	}
	s, err := newSweeper(g.cells, g.subjects, g.first, q, two, c, stream)
	if err != nil {
		return err
	}
	g.chains[i] = s
	if len(g.others) > 0 {
		if err := s.add(g.first, g.others, c.MaxDepth, "others", two); err != nil {
			return err
		}
	}
	return g.warmUp(s)
}

// warmUp runs a round of warm-up, and keeps where the chain is in its second half.
func (g *gibbs) warmUp(s *sweeper) error {
	var visited [][]float64
	for k := range s.settings.Warmup {
		if _, err := g.sweep(s); err != nil {
			return err
		}
		if k >= s.settings.Warmup/2 {
			visited = append(visited, slices.Clone(s.q))
		}
	}
	s.rounds = append(s.rounds, visited)
	return nil
}

// wideOdds are the log odds of the quantile at which scales begin.
const wideOdds = 2.5

// wideStart returns a point with a finite density, with wide scales unless these make the responses impossible.
func (g *gibbs) wideStart(r *rng.Rand) ([]float64, error) {
	j := g.cells.Joint()
	all := allCentred(j)
	q, err := start(g.cells, all, slices.Repeat([]float64{1}, j.Len()), r)
	if err != nil {
		return nil, err
	}
	t, wide, grad := g.cells.NewTarget(all, 1), make([]float64, len(q)), make([]float64, len(q))
	t.Constrain(q, wide)
	j.Widen(wideOdds, wide)
	t.Unconstrain(wide, wide)
	if math.IsInf(t.LogDensity(wide, grad), 0) {
		wide = q
	}
	to := g.cells.NewTarget(all, 1)
	to.Centre(g.first)
	t.In(to, wide, q)
	return q, nil
}

// sweep moves a chain, and reports it.
func (g *gibbs) sweep(s *sweeper) ([]nuts.Stat, error) {
	if g.ctx.Err() != nil {
		return nil, g.ctx.Err()
	}
	stats, err := s.sweep()
	if g.config.Progress != nil {
		g.mu.Lock()
		defer g.mu.Unlock()
		if all := g.config.Chains * (g.config.Warmup + g.config.Draws); g.done < all { // further rounds have none
			g.done++
			g.config.Progress(g.done, all)
		}
	}
	return stats, err
}

// Largest depths of trajectories: in the first round of warm-up, which only has to arrive, and of all values together; and given scores,
// where they cost as much as others and need not go far.
const (
	earlyDepth = 6
	shortDepth = 4
)

// again runs a later round of warm-up. told is from told.
func (g *gibbs) again(s *sweeper, round int, told []float64) error {
	of := strconv.Itoa(round)
	s.spent = s.gradients()
	s.settings.Warmup, s.settings.MaxDepth, s.parts = g.roundLength(round), g.config.MaxDepth, nil
	if err := s.restart("subject-"+of, s.lately()); err != nil {
		return err
	}
	if len(g.second) > 0 {
		depth := s.settings.MaxDepth
		if len(g.second) > len(g.others) {
			depth = earlyDepth
		}
		if err := s.add(g.withSubjects(told), g.second, depth, "others-"+of, s.lately()); err != nil {
			return err
		}
	}
	if g.hierarchical && len(g.shared) > 0 {
		if err := s.add(told, g.shared, shortDepth, "shared-"+of, s.lately()); err != nil {
			return err
		}
	}
	return g.warmUp(s)
}

// draw returns the next n draws of a chain after its warm-up, and how they were made.
func (g *gibbs) draw(s *sweeper, n int) (draws [][]float64, moves [][]nuts.Stat, err error) {
	for range n {
		stats, err := g.sweep(s)
		if err != nil {
			return nil, nil, err
		}
		theta := make([]float64, len(s.q))
		s.target.Constrain(s.q, theta)
		draws, moves = append(draws, theta), append(moves, stats)
	}
	return draws, moves, nil
}

// withSubjects returns which values are centred if those of subjects are too.
func (g *gibbs) withSubjects(centred []float64) []float64 {
	out := slices.Repeat([]float64{1}, len(centred))
	for _, k := range g.others {
		out[k] = centred[k]
	}
	return out
}

// describe says how the chains ran. Divergences are those of the subject or part that has most of them.
func (g *gibbs) describe(moves [][][]nuts.Stat) []posterior.Chain {
	out := make([]posterior.Chain, len(moves))
	most, worst := -1, 0
	for m := range moves[0][0] {
		n := 0
		for _, chain := range moves {
			for _, stats := range chain {
				if stats[m].Divergent {
					n++
				}
			}
		}
		if n > most {
			most, worst = n, m
		}
	}
	for i, chain := range moves {
		c := &out[i]
		c.EBFMI = math.NaN()
		for d, stats := range chain {
			if stats[worst].Divergent {
				c.Divergent = append(c.Divergent, d)
			}
			for _, x := range stats {
				c.Gradients += x.Leapfrogs
			}
		}
		if s := g.chains[i]; len(s.parts) > 0 {
			c.Step = s.parts[0].sampler.Chain().Step
		}
	}
	return out
}
