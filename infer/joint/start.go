package joint

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer/layout"
	"achilles/sim/rng"
)

// startTries is the number of points drawn from the prior among which start finds one with a finite density, and redrawn how often values are
// drawn again, where it finds none, before fewer responses are impossible.
const (
	startTries = 100
	redrawn    = 100
)

// Impossible is the error of a fit whose responses have probability 0 at all points drawn from the prior.
type Impossible struct {
	Layout   string
	Points   int
	Subjects []int  // whose own responses have probability 0 at each of the points: without them, a fit of the others may begin
	Response string // the response that has probability 0 at most of the points, in words; "": it is not known
	At       int    // at how many
}

func (e *Impossible) Error() string {
	if e.Response == "" {
		return fmt.Sprintf("layout %s: the responses are impossible at %d points drawn from the prior", e.Layout, e.Points)
	}
	return fmt.Sprintf("layout %s: the responses are impossible together at all %d points drawn from the prior; %s has probability 0 at %d of them: let the layout allow for lapses or guesses (mix), or leave out the item", e.Layout, e.Points, e.Response, e.At)
}

// start returns a point with a finite density at which a chain can begin: half-way, in every coordinate, from the middle of
// the prior to a draw from it, or, where none of these explains everybody, what redraw makes of the last. If there is none, the error
// is *Impossible.
func start(cells *layout.Cells, centred []bool, scale []float64, r *rng.Rand) ([]float64, error) {
	j := cells.Joint()
	t := newPlaced(cells.NewTarget(centred, 1), scales(scale), nil, nil)
	q, grad, theta := make([]float64, j.Len()), make([]float64, j.Len()), make([]float64, j.Len())
	begins := func() bool {
		copy(q, theta)
		t.target.Unconstrain(q, q)
		for i, s := range scale {
			q[i] /= s
		}
		l := t.LogDensity(q, grad)
		return !math.IsInf(l, 0) && !math.IsNaN(l)
	}
	seen := newSeen(cells)
	for range startTries {
		j.DrawNear(r, 0.5, theta)
		if begins() {
			return q, nil
		}
		seen.add(t.target.Impossible(theta))
	}
	if redraw(cells, seen, theta, r) && begins() {
		return q, nil
	}
	return nil, seen.err()
}

// noStart returns the error of climbs of which none begins where the responses are possible: *Impossible, with the subjects whom no draw from the prior explains,
// unless binary parameters leave no such draw to look at.
func noStart(cells *layout.Cells, climbs int, root uint64, path ...string) error {
	j := cells.Joint()
	if !slices.ContainsFunc(j.Layout().Parameters, func(p layout.Parameter) bool { return p.Binary() }) {
		r := rng.Stream(root, append(path[:len(path):len(path)], "impossible")...)
		if _, err := start(cells, allCentred(j), slices.Repeat([]float64{1}, j.Len()), &r); err != nil {
			return err
		}
	}
	return &Impossible{Layout: j.Layout().Name, Points: climbs}
}

// A seen counts the points at which responses were impossible.
type seen struct {
	cells     *layout.Cells
	points    int
	times     []int  // response → at how many
	explained []bool // subject → whether there was one at which all its responses were possible
}

func newSeen(c *layout.Cells) *seen {
	subjects, _ := c.Size()
	return &seen{cells: c, times: make([]int, len(c.Responses())), explained: make([]bool, subjects)}
}

// add takes the responses that are impossible at a point.
func (s *seen) add(impossible []int) {
	s.points++
	own := slices.Repeat([]bool{true}, len(s.explained))
	for _, k := range impossible {
		s.times[k]++
		own[s.cells.Responses()[k].Subject] = false
	}
	for i, ok := range own {
		s.explained[i] = s.explained[i] || ok
	}
}

func (s *seen) err() *Impossible {
	j := s.cells.Joint()
	e := &Impossible{Layout: j.Layout().Name, Points: s.points}
	for i, ok := range s.explained {
		if !ok {
			e.Subjects = append(e.Subjects, i)
		}
	}
	most := slices.Max(s.times)
	if most > 0 {
		e.At, e.Response = most, s.cells.Named(slices.Index(s.times, most))
	}
	return e
}

// A kind has the parameters of the same units: of subjects, of items, of groups by the same column, or of everybody.
type kind struct{ parameters []int }

// kinds returns those of a layout.
func kinds(l *layout.Layout) (out []kind) {
	for i := range l.Parameters {
		at := slices.IndexFunc(out, func(k kind) bool { return layout.SameUnits(l, k.parameters[0], i) })
		if at < 0 {
			at, out = len(out), append(out, kind{})
		}
		out[at].parameters = append(out[at].parameters, i)
	}
	return out
}

// redraw changes theta until all responses are possible, and reports whether they are. Of one kind after the other, the units with impossible responses
// get other values from the prior, given all others, and keep them unless more of their responses are impossible then (a search by least
// conflicts: Minton et al. 1992). One draw of everything that explains everybody becomes rarer with each subject; this takes the longer only by the
// logarithm of their number.
func redraw(cells *layout.Cells, seen *seen, theta []float64, r *rng.Rand) bool {
	j := cells.Joint()
	of := kinds(j.Layout())
	t := cells.NewTarget(make([]bool, len(j.Layout().Parameters)), 1) // in scores, so that each moves with what its prior depends on
	q, to, next := make([]float64, j.Len()), make([]float64, j.Len()), make([]float64, j.Len())
	bad := t.Impossible(theta)
	least, last := len(bad), 0
	for round := 0; len(bad) > 0 && round < last+redrawn; round++ {
		k := of[round%len(of)]
		t.Unconstrain(theta, q)
		j.DrawNear(r, []float64{1, 0.5}[round/len(of)%2], to)
		t.Unconstrain(to, to)
		was := k.conflicts(cells, bad)
		k.take(j, q, to, func(unit int) bool { return was[unit] > 0 })
		t.Constrain(q, next)
		is := k.conflicts(cells, t.Impossible(next))
		t.Unconstrain(theta, to)
		k.take(j, q, to, func(unit int) bool { return is[unit] > was[unit] })
		t.Constrain(q, theta)
		bad = t.Impossible(theta)
		seen.add(bad)
		if len(bad) < least {
			least, last = len(bad), round
		}
	}
	return len(bad) == 0
}

// conflicts returns, for each unit, how many of its responses are among these.
func (k kind) conflicts(cells *layout.Cells, bad []int) []int {
	j := cells.Joint()
	n := make([]int, j.Units(k.parameters[0]))
	for _, b := range bad {
		x := cells.Responses()[b]
		n[layout.UnitOf(j, k.parameters[0], int(x.Subject), int(x.Item))]++
	}
	return n
}

// take copies the coordinates of some units.
func (k kind) take(j *layout.Joint, to, from []float64, which func(unit int) bool) {
	for _, i := range k.parameters {
		for u := range j.Units(i) {
			if at := j.First(i) + u; which(u) {
				to[at] = from[at]
			}
		}
	}
}
