package voe

import (
	"math"

	"achilles/gridworld/lattice"
	"achilles/sim/num"
	"achilles/sim/record"
)

// An Expectation says where an observer expects the actor of a test trial to go, beside what happened.
type Expectation struct {
	Goal    string         // identity of the object, or key, that is at the place
	Reached bool           // the actor ended there, and at no other object
	Nearest bool           // it is the object nearest to the actor's start as the crow flies
	Path    []record.Point // corners of the way that it expects, for the actor's centre, from the start on; nil: it does not say
	Apart   float64        // between that way and the actor's walk, in pixels (see apart); 0 without Path
}

// Expect returns the expectation of an observer that takes the actor of a trial to go to a place, in pixels, along a path, if it is not nil: that
// of the object nearest to the place when the actor sets out, or of the key, if that is nearer still. ok is false without objects.
func Expect(t *record.SceneTrial, x, y float64, path []record.Point) (e Expectation, ok bool) {
	if len(t.Path) == 0 {
		return e, false
	}
	now := t.At(setOut(t))
	things := now.Objects
	nearest := func(x, y float64) int {
		best, least := -1, math.Inf(1)
		for i := range things {
			c := thingOf(&things[i]).centre
			if d := math.Hypot(float64(c.X)-x, float64(c.Y)-y); d < least {
				best, least = i, d
			}
		}
		return best
	}
	if len(now.Objects) == 0 {
		return e, false
	}
	things = append(append([]record.Shape{}, now.Objects...), now.Keys...)
	goal := nearest(x, y)
	if goal < len(now.Objects) {
		things = now.Objects // keys are means
	}
	walk := centres(t)
	last := walk[len(walk)-1]
	e = Expectation{Goal: identity(&things[goal]), Path: path, Reached: goal == nearest(float64(last.X), float64(last.Y)),
		Nearest: goal == nearest(float64(walk[0].X), float64(walk[0].Y))}
	if path != nil {
		e.Apart = apart(walk, path)
	}
	return e, true
}

// centres returns the places of the actor's centre in a trial, frame by frame.
func centres(t *record.SceneTrial) []record.Point {
	half := t.Scene.Agent.Half
	p := make([]record.Point, len(t.Path))
	for i, at := range t.Path {
		p[i] = record.Point{X: at.X + half, Y: at.Y + half}
	}
	return p
}

// apart returns how far two lines through points are apart, in pixels: the mean distance of a point of one of them from the other, of the
// two means the larger (the modified Hausdorff distance of Dubuisson and Jain 1994). Points are those of the lattice along the lines.
func apart(a, b []record.Point) float64 {
	p, q := along(a), along(b)
	return max(meanDistance(p, q), meanDistance(q, p))
}

// along returns the nodes of the lattice along a line through points.
func along(line []record.Point) []lattice.Point {
	at := func(p record.Point) lattice.Point { return lattice.Point{X: int(p.X), Y: int(p.Y)} }
	nodes := []lattice.Point{at(line[0])}
	for i := 1; i < len(line); i++ {
		nodes = lattice.Line(nodes, at(line[i-1]), at(line[i]))
	}
	return nodes
}

func meanDistance(from, to []lattice.Point) float64 {
	sum := 0.0
	for _, p := range from {
		least := math.MaxInt
		for _, q := range to {
			least = min(least, lattice.Square(p, q))
		}
		sum += math.Sqrt(float64(least))
	}
	return sum / float64(len(from))
}

// An ahead is where an observer expects the actor of a test trial to go before it sets out.
type ahead struct {
	at  lattice.Point
	way []lattice.Point // corners of the way there, from the start on; nil: it may go any way
}

// expectation returns what an observer that says so expects of a trial.
func (a *ahead) expectation(t *record.SceneTrial) *Expectation {
	if a == nil {
		return nil
	}
	var path []record.Point
	for _, p := range a.way {
		path = append(path, record.Point{X: int16(p.X), Y: int16(p.Y)})
	}
	e, ok := Expect(t, float64(a.at.X), float64(a.at.Y), path)
	if !ok {
		return nil
	}
	return &e
}

// toGoal expects the actor to go to a goal by the cheapest way, by key and lock where these are on it.
func (t *trial) toGoal(g *guide) *ahead {
	at := nearest(t.closed, t.start())
	way := []lattice.Point{t.start()}
	for h := range phases {
		f := g.field[h]
		if f == nil {
			break
		}
		leg, corners := f.Taut(nil, at, g.target.centre)
		for _, c := range corners {
			way = append(way, leg[c])
		}
		at = way[len(way)-1]
		if c, ok := g.direct.Cost(at); g.isKey || ok && c == 0 {
			break
		}
	}
	return &ahead{g.target.centre, way}
}

// look sets where the observer expects the actor of the test trial to go, by its last belief.
func (r *Report) look(v *View) {
	if g := r.Beliefs[len(r.Beliefs)-1].ahead; g != nil && len(v.test().track) > 0 {
		r.ahead = v.test().toGoal(g)
	}
}

// mostProbable returns the goal that is most probable in p, of equally probable ones the first.
func (f *filter) mostProbable(p [][manners]float64) *guide {
	best, most := 0, -1.0
	for i := range p {
		sum := num.Sum(p[i][:])
		if sum > most+1e-12 {
			best, most = i, sum
		}
	}
	return f.goals[best].guide
}
