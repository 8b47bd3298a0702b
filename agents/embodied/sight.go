package embodied

import (
	"math"

	"achilles/gridworld"
)

// eyes are how the body looks at the world; what is too small for them is left out afterwards.
func (a *Actor) eyes() gridworld.Viewer {
	v := gridworld.Viewer{Watch: &a.Room.watch}
	if f := a.Policy.level[fieldOfView]; f < 180 {
		v.HalfAngle = int(f)
	}
	if x := a.Policy.level[acuity]; x <= maxAcuity {
		v.Acuity = int(x*100 + 0.5)
	}
	return v
}

// Eyes are how well a body sees in an episode. The zero Eyes are perfect.
type Eyes struct {
	HalfAngle int // of the field of view, in degrees to each side of the heading; 0: all round
	Acuity    int // a reward is seen up to its size times so many cells away, in hundredths; 0: any distance
	Smallest  int // size of the smallest reward that it can make out, in hundredths; 0: any
}

// Eyes returns how well the body sees, since it began.
func (a *Actor) Eyes() Eyes {
	smallest := math.Ceil(float64(a.Room.units.Largest-a.luck.visual) * 100)
	return Eyes{a.eye.HalfAngle, a.eye.Acuity, int(min(max(smallest, 0), 1<<20))}
}

// maxAcuity is an acuity with which the smallest thing is seen across the largest world; beyond it there is no limit.
const maxAcuity = 100 * gridworld.MaxSide * 2

// discerns says whether a thing of that size, in hundredths, is large enough for the body to see.
func (a *Actor) discerns(size int) bool {
	return a.luck.visual >= a.Room.units.Largest-float64(size)/100
}

// within says whether a thing of that size, in hundredths, could be seen from one cell in another, as far as acuity
// goes.
func (a *Actor) within(size int, p, q gridworld.Pos) bool {
	x := a.Policy.level[acuity]
	if x > maxAcuity {
		return true
	}
	dx, dy := float64(p.X-q.X), float64(p.Y-q.Y)
	reach := float64(x*float64(size)) / 100
	return float64(dx*dx)+float64(dy*dy) <= float64(reach*reach)
}
