package bib

import (
	"math"
	"slices"

	"achilles/gridworld/lattice"
	"achilles/sim/record"
)

// A Sample has the values of the measures of trials, in pixels and frames, by index of MeasureNames. Distances are between
// centres.
type Sample struct {
	Values [measures][]float64
}

const (
	before = iota
	moving
	after
	short
	length
	excess
	longer
	clearance
	stop
	toObject
	apartBy
	startAt
	objectAt
	wallCells
	measures
)

// MeasureNames returns the names of the measures of a trial.
func MeasureNames() [measures]string {
	return [measures]string{
		before:    "still frames before",
		moving:    "frames with steps",
		after:     "still frames after",
		short:     "one-pixel steps, proportion of frames after the first",
		length:    "length of the way",
		excess:    "excess over the shortest way past the walls",
		longer:    "ways with an excess, proportion",
		clearance: "minimum distance to a wall",
		stop:      "distance to the thing at the end",
		toObject:  "distance from start to objects",
		apartBy:   "distance between objects",
		startAt:   "distance from start to the middle",
		objectAt:  "distance from objects to the middle",
		wallCells: "wall cells inside",
	}
}

// Add measures a trial. Excess is not measured where a barrier stands at the beginning, because it may open on the way. A
// diagonal step has length √2.
func (m *Sample) Add(t *record.SceneTrial) {
	track := centres(t)
	first, last := moved(track)
	shorter, way := 0, 0
	for i := first; i <= last; i++ {
		if i > first && lattice.Chebyshev(track[i-1], track[i]) <= 1 {
			shorter++
		}
		way += lattice.Octile(track[i-1], track[i])
	}
	m.add(before, float64(first))
	m.add(moving, float64(last-first+1))
	m.add(after, float64(len(track)-1-last))
	if last > first {
		m.add(short, float64(shorter)/float64(last-first))
	}
	m.add(length, lattice.Length(way))
	if least, ok := shortest(&t.Scene, track[0], track[len(track)-1]); ok {
		m.add(excess, lattice.Length(max(way-least, 0)))
		m.add(longer, float64(min(max(way-least, 0), 1)))
	}
	m.walls(t, track)
	m.things(t, track)
}

func (m *Sample) add(measure int, x float64) { m.Values[measure] = append(m.Values[measure], x) }

// walls adds the number of inner wall cells, and the minimum distance to a wall in x or y, whichever is larger.
func (m *Sample) walls(t *record.SceneTrial, track []lattice.Point) {
	inside, nearest := 0, math.MaxInt
	for _, r := range distinct(t.Scene.Walls) {
		if r.X > 0 && r.Y > 0 && r.X+r.W < t.Scene.Width && r.Y+r.H < t.Scene.Height {
			inside++
		}
		for _, p := range track {
			nearest = min(nearest, gap(r, p))
		}
	}
	m.add(wallCells, float64(inside))
	if nearest < math.MaxInt {
		m.add(clearance, float64(nearest))
	}
}

// things adds the distances to things, and where the start and the objects are. A key that is carried is not where the actor was going.
func (m *Sample) things(t *record.SceneTrial, track []lattice.Point) {
	var objects []lattice.Point
	for i := range t.Scene.Objects {
		objects = append(objects, middle(&t.Scene.Objects[i]))
	}
	goals := slices.Clone(objects)
	if len(t.Changes) == 0 {
		for i := range t.Scene.Keys {
			goals = append(goals, middle(&t.Scene.Keys[i]))
		}
	}
	if len(goals) > 0 {
		end, nearest := track[len(track)-1], math.Inf(1)
		for _, p := range goals {
			nearest = min(nearest, distance(end, p))
		}
		m.add(stop, nearest)
	}
	centre := lattice.Point{X: int(t.Scene.Width / 2), Y: int(t.Scene.Height / 2)}
	m.add(startAt, distance(track[0], centre))
	for i, p := range objects {
		m.add(objectAt, distance(p, centre))
		m.add(toObject, distance(track[0], p))
		for _, q := range objects[:i] {
			m.add(apartBy, distance(p, q))
		}
	}
}

// centres returns the centre of the actor in every frame.
func centres(t *record.SceneTrial) []lattice.Point {
	track := make([]lattice.Point, len(t.Path))
	for i, p := range t.Path {
		track[i] = lattice.Point{X: int(p.X + t.Scene.Agent.Half), Y: int(p.Y + t.Scene.Agent.Half)}
	}
	return track
}

func middle(s *record.Shape) lattice.Point {
	return lattice.Point{X: int(s.X + s.Half), Y: int(s.Y + s.Half)}
}

func distance(p, q lattice.Point) float64 { return math.Sqrt(float64(lattice.Square(p, q))) }

// moved returns the first and the last frame whose place is not that of the frame before. In a track without a step
// last is before first.
func moved(track []lattice.Point) (first, last int) {
	first = 1
	for first < len(track) && track[first] == track[first-1] {
		first++
	}
	last = len(track) - 1
	for last >= first && track[last] == track[last-1] {
		last--
	}
	return first, last
}

func distinct(list []record.Rect) []record.Rect {
	var out []record.Rect
	for _, r := range list {
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// gap returns the distance between a rectangle and a point in x or in y, whichever is larger; at least 0.
func gap(r record.Rect, p lattice.Point) int {
	dx := max(int(r.X)-p.X, p.X-int(r.X+r.W), 0)
	dy := max(int(r.Y)-p.Y, p.Y-int(r.Y+r.H), 0)
	return max(dx, dy)
}

// mapped is the largest number of pixels of a scene in which shortest ways are searched. Scenes of the benchmark have 40,000.
const mapped = 4_000_000

// shortest returns the cost of the shortest way between two places of a scene that keeps the distance from walls that
// actors of the benchmark keep. ok is false if there is none, if the scene has a barrier, or if it has more than mapped
// pixels.
func shortest(s *record.Scene, from, to lattice.Point) (cost int, ok bool) {
	if len(s.Barrier) > 0 || int(s.Width)*int(s.Height) > mapped {
		return 0, false
	}
	m := lattice.NewMap(int(s.Width)+1, int(s.Height)+1)
	for _, r := range s.Walls {
		x, y := int(r.X), int(r.Y)
		m.Block(x-Clearance, y-Clearance, x+int(r.W)-1+Clearance, y+int(r.H)-1+Clearance)
	}
	f := &lattice.Field{}
	f.Flood(m, lattice.Source{Point: to})
	return f.Cost(from)
}
