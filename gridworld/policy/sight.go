package policy

import "achilles/gridworld"

// maxAcuity is an acuity with which the smallest thing is seen across the largest world. Larger ones mean no limit.
const maxAcuity = 100 * gridworld.MaxSide * 2

// Eyes returns the viewer of an agent with these parameters. The agent ignores rewards in view that are too small for
// it.
func (p *Parameters) Eyes() gridworld.Viewer {
	v := gridworld.Viewer{HalfAngle: p.HalfAngle}
	if p.Acuity <= maxAcuity {
		v.Acuity = int(p.Acuity*100 + 0.5)
	}
	return v
}

// A sight is what an agent sees. Room, parameters and view are the agent's.
type sight struct {
	room *Room
	*Parameters
	eyes gridworld.Viewer
	view *gridworld.View
}

// discerns says whether a reward of a size, in hundredths, is large enough for the agent to see; smaller ones need more
// of Visual.
func (a *sight) discerns(size int) bool {
	return a.Visual >= a.room.units.Largest-float64(size)/100
}

// within says whether a thing of a size, in hundredths, at q is near enough to be seen from p with the agent's Acuity.
func (a *sight) within(size int, p, q gridworld.Pos) bool {
	if a.Acuity > maxAcuity {
		return true
	}
	dx, dy := float64(p.X-q.X), float64(p.Y-q.Y)
	reach := float64(a.Acuity*float64(size)) / 100
	return float64(dx*dx)+float64(dy*dy) <= float64(reach*reach)
}

// looks says whether anything that the agent does may depend on what it sees now.
func (a *Agent) looks() bool {
	if a.committed {
		return false
	}
	return a.Goal.needsReward() || a.Goal == Search || a.Goal == Sweep || a.Beliefs != nil
}

// viewer returns the viewer with which the agent looks now. It watches the places while the agent may have to find out
// in which of them a reward is.
func (a *Agent) viewer() gridworld.Viewer {
	v := a.eyes
	if !a.sure && (a.Beliefs != nil || a.Goal == Reward) {
		v.Watch = &a.Room.watched
	}
	return v
}
