package trajectory

import (
	"math"

	"achilles/gridworld"
	"achilles/sim/record"
)

// A Path has the cells of an actor: element t is its cell at tick t. After the last element the actor stays in that
// cell. A path has at least one element.
type Path []gridworld.Pos

// At returns the cell at a tick. After the end of the path it is the last cell.
func (p Path) At(tick int) gridworld.Pos { return p[min(tick, len(p)-1)] }

// End returns the cell in which the path ends.
func (p Path) End() gridworld.Pos { return p[len(p)-1] }

// Moves reports whether the path ever leaves its first cell.
func (p Path) Moves() bool { return len(p) > 1 }

// trimmed returns the path without the ticks at its end in which the actor stands still.
func trimmed(p Path) Path {
	for len(p) > 1 && p[len(p)-1] == p[len(p)-2] {
		p = p[:len(p)-1]
	}
	return p
}

// Of returns the path of a public trajectory with at least one step. It divides the coordinates by the trajectory's
// scale.
func Of(t *record.Trajectory) Path {
	p := make(Path, t.Steps[len(t.Steps)-1].Tick+1)
	scale := int(max(t.Scale, 1))
	from := 0
	for i, s := range t.Steps {
		to := len(p)
		if i+1 < len(t.Steps) {
			to = int(t.Steps[i+1].Tick)
		}
		for tick := from; tick < to; tick++ {
			p[tick] = gridworld.Pos{X: int(s.X) / scale, Y: int(s.Y) / scale}
		}
		from = to
	}
	return trimmed(p)
}

// RMSE returns the root mean square distance between two paths in the scene at equal ticks, in cells. It counts the
// ticks from the first at which an actor may act to the last at which either path moves. The shorter path stays at its
// end. Two paths that never move have distance 0.
func (s *Scene) RMSE(p, q Path) float64 {
	end := max(len(p), len(q))
	sum := 0
	for t := s.Free(); t < end; t++ {
		a, b := p.At(t), q.At(t)
		sum += (a.X-b.X)*(a.X-b.X) + (a.Y-b.Y)*(a.Y-b.Y)
	}
	if end <= s.Free() {
		return 0
	}
	return math.Sqrt(float64(sum) / float64(end-s.Free()))
}
