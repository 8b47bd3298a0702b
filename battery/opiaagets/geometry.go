package opiaagets

import "math"

// A place is a point of the 40 × 40 arena: x to the right, z forward, in arena units.
type place struct{ x, z float64 }

// A scene is the geometry of an instance in its YAML file: where the agent starts and looks, where the reward starts
// and ends.
type scene struct {
	agent   place
	heading float64 // degrees clockwise from +z
	reward  place
	final   place
	moving  bool // the reward moves by itself
	lost    bool // it is unknown where the reward ends
}

// at returns a scene in which the reward does not move, or falls straight down.
func at(agent, reward place) scene { return scene{agent: agent, reward: reward, final: reward} }

func (a place) manhattan(b place) float64 { return math.Abs(a.x-b.x) + math.Abs(a.z-b.z) }

func (a place) euclid(b place) float64 {
	dx, dz := a.x-b.x, a.z-b.z
	return math.Sqrt(float64(dx*dx) + float64(dz*dz))
}

// side returns the side of the agent on which p is, seen along a heading in degrees.
func (s scene) side(p place, heading float64) side {
	sin, cos := math.Sincos(heading * math.Pi / 180)
	offset := float64((p.x-s.agent.x)*cos) - float64((p.z-s.agent.z)*sin)
	switch {
	case offset > 1e-9:
		return right
	case offset < -1e-9:
		return left
	}
	return middle
}

// geometry has the features that follow from a scene.
type geometry struct {
	euclid, manhattan           float64 // distances from the agent's start to the reward's start
	finalEuclid, finalManhattan float64 // distances from the agent's start to the reward's end
	headingSide                 float64 // side on which the reward starts, seen along the start heading
	moving                      float64
}

func (s scene) geometry() geometry {
	g := geometry{
		euclid: s.agent.euclid(s.reward), manhattan: s.agent.manhattan(s.reward),
		finalEuclid: s.agent.euclid(s.final), finalManhattan: s.agent.manhattan(s.final),
		headingSide: float64(s.side(s.reward, s.heading)), moving: is(s.moving),
	}
	if s.lost {
		g.finalEuclid, g.finalManhattan = unknown(), unknown()
	}
	return g
}
