package joint

import (
	"strconv"

	"achilles/infer/layout"
	"achilles/infer/mixture"
	"achilles/infer/nuts"
	"achilles/sim/rng"
)

// A sweeper is a chain of Gibbs sampling: it moves subjects one by one given all other values, in which they are independent, and then
// the others given the subjects. Each subject has trajectories, a step size and a metric of its own. Where subjects have several
// parameters, of which some hardly matter once they are large enough, trajectories of all together take steps as short as the narrowest
// subject asks, and as many as the widest.
type sweeper struct {
	cells    *layout.Cells
	settings nuts.Config
	stream   func(purpose string, i int) rng.Rand
	leaps    rng.Rand

	target   *layout.JointTarget // in which all values of subjects are centred
	q, theta []float64           // where the chain is: in the coordinates of target, and the values themselves
	subjects []*oneSubject
	parts    []*part
	rounds   [][][]float64 // copies of q from the second half of every round of warm-up
	spent    int           // gradients of earlier rounds
}

// A oneSubject moves the values of one subject.
type oneSubject struct {
	target   *layout.SubjectTarget
	index    []int // of its values in a vector of all
	sampler  *nuts.Sampler
	proposal *mixture.Mixture // of leaps; nil: there are none
	q        []float64
	to, grad []float64 // scratch
}

// A part moves some coordinates of a target, given its others.
type part struct {
	target  *layout.JointTarget
	moving  []int // indices of the coordinates
	whole   []float64
	sampler *nuts.Sampler
	q       []float64 // the moving coordinates
	grad    []float64 // scratch
}

// newSweeper returns a chain at q, in coordinates in which the values that centred says are centred, without any part.
func newSweeper(cells *layout.Cells, subjects []*layout.SubjectCells, centred []float64, q []float64, points [][]float64, c nuts.Config, stream func(purpose string, i int) rng.Rand) (*sweeper, error) {
	s := &sweeper{cells: cells, settings: c, stream: stream, leaps: stream("leaps", 0), q: q, theta: make([]float64, len(q))}
	s.target = cells.NewTarget(allCentred(cells.Joint()), 1)
	s.target.Centre(centred)
	for _, b := range subjects {
		t := b.NewTarget()
		n := t.Dim()
		s.subjects = append(s.subjects, &oneSubject{target: t, index: b.Index(), q: make([]float64, n), to: make([]float64, n), grad: make([]float64, n)})
	}
	return s, s.restart("subject", points)
}

// lately returns the points of the last round of warm-up.
func (s *sweeper) lately() [][]float64 { return s.rounds[len(s.rounds)-1] }

// restart begins the warm-up of every subject anew, with a first metric from points in the coordinates of the chain.
func (s *sweeper) restart(purpose string, points [][]float64) (err error) {
	s.target.Constrain(s.q, s.theta)
	for i, p := range s.subjects {
		p.load(s)
		c := s.settings
		c.Guess = some(points, p.index)
		if p.sampler, err = nuts.Begin(p.target, p.q, c, s.stream(purpose, i)); err != nil {
			return err
		}
	}
	return nil
}

// some returns some coordinates of points.
func some(points [][]float64, at []int) (out [][]float64) {
	for _, q := range points {
		x := make([]float64, len(at))
		pick(x, q, at)
		out = append(out, x)
	}
	return out
}

// add adds a part that moves some coordinates, in which the values that centred says are centred, with trajectories of at most this
// depth, and a first metric from points in the coordinates of the chain.
func (s *sweeper) add(centred []float64, moving []int, depth int, purpose string, points [][]float64) (err error) {
	p := &part{target: s.cells.NewTarget(allCentred(s.cells.Joint()), 1), moving: moving, whole: make([]float64, len(s.q)), grad: make([]float64, len(s.q)), q: make([]float64, len(moving))}
	p.target.Centre(centred)
	p.load(s)
	c, in := s.settings, make([]float64, len(s.q))
	c.MaxDepth = min(c.MaxDepth, depth)
	for _, q := range points {
		s.target.In(p.target, q, in)
		c.Guess = append(c.Guess, some([][]float64{in}, moving)...)
	}
	p.sampler, err = nuts.Begin(p, p.q, c, s.stream(purpose, 0))
	s.parts = append(s.parts, p)
	return err
}

func (p *part) Dim() int { return len(p.moving) }

// LogDensity returns the log density where the moving coordinates are q, and writes its gradient by these to grad.
func (p *part) LogDensity(q, grad []float64) float64 {
	place(p.whole, p.moving, q)
	l := p.target.LogDensity(p.whole, p.grad)
	pick(grad, p.grad, p.moving)
	return l
}

// load takes the values of the subject, and those of all others, from the chain.
func (p *oneSubject) load(s *sweeper) {
	pick(p.q, s.q, p.index)
	p.target.Given(s.theta)
}

// load takes all values from the chain.
func (p *part) load(s *sweeper) {
	s.target.In(p.target, s.q, p.whole)
	pick(p.q, p.whole, p.moving)
}

// sweep moves every subject, and then every part, and says how.
func (s *sweeper) sweep() (stats []nuts.Stat, err error) {
	s.target.Constrain(s.q, s.theta)
	for _, p := range s.subjects {
		p.load(s)
		p.leap(&s.leaps)
		stat, err := p.sampler.Move(p.q)
		if err != nil {
			return nil, err
		}
		place(s.q, p.index, p.q)
		stats = append(stats, stat)
	}
	for _, p := range s.parts {
		p.load(s)
		stat, err := p.sampler.Move(p.q)
		if err != nil {
			return nil, err
		}
		place(p.whole, p.moving, p.q)
		p.target.In(s.target, p.whole, s.q)
		stats = append(stats, stat)
	}
	return stats, nil
}

// leapsOfSubject is the number of leaps of a subject in a sweep; a trajectory costs several times as much.
const leapsOfSubject = 10

// leap moves the subject between its modes: it proposes draws from the mixture (Metropolis and Hastings).
func (p *oneSubject) leap(r *rng.Rand) {
	if p.proposal == nil {
		return
	}
	now := p.target.LogDensity(p.q, p.grad) - p.proposal.LogDensity(p.q)
	for range leapsOfSubject {
		p.proposal.Draw(p.to, r)
		if to := p.target.LogDensity(p.to, p.grad) - p.proposal.LogDensity(p.to); -r.Exp() < to-now {
			now = to
			copy(p.q, p.to)
		}
	}
}

// gradients returns the number of gradients of trajectories so far; one of a single subject counts as its share.
func (s *sweeper) gradients() int {
	n := 0
	for _, p := range s.subjects {
		n += p.sampler.Gradients()
	}
	n = s.spent + n/len(s.subjects)
	for _, p := range s.parts {
		n += p.sampler.Gradients()
	}
	return n
}

// streamOf returns a function that names the streams of a chain.
func streamOf(root uint64, path []string, chain int) func(purpose string, i int) rng.Rand {
	return func(purpose string, i int) rng.Rand {
		return rng.Stream(root, append(path[:len(path):len(path)], "sweep", strconv.Itoa(chain), purpose, strconv.Itoa(i))...)
	}
}
