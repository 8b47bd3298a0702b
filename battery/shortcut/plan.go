package shortcut

import "achilles/gridworld"

// A plan is the cheapest way from the actor to a goal.
type plan struct {
	field gridworld.TurnField
	goal  gridworld.Pos
}

// plans are those that start where and when the actor is free: most policies go one of a few ways.
type plans struct {
	plans []*plan
	spare []*plan
}

// find returns the plan to a goal, and whether it has to be made.
func (p *plans) find(goal gridworld.Pos) (found *plan, fresh bool) {
	for _, q := range p.plans {
		if q.goal == goal {
			return q, false
		}
	}
	if len(p.plans) == len(p.spare) {
		p.spare = append(p.spare, &plan{})
	}
	found = p.spare[len(p.plans)]
	p.plans = append(p.plans, found)
	return found, true
}

// toward makes p the plan to the goals, and returns false where there is no way. Goal is what it is remembered by.
func (p *plan) toward(w *gridworld.World, goal gridworld.Pos, goals gridworld.Board) bool {
	p.goal = goal
	_, ok := p.field.Until(w, &goals, w.Actor())
	return ok
}

// approach goes to a cell by a cheapest way, or as near as one can come to it.
func (r *run) approach(target gridworld.Pos) gridworld.Action {
	if r.plan == nil || r.plan.goal != target {
		r.plan = &r.second
		fresh := true
		if r.world.Tick() == r.began {
			r.plan, fresh = r.first.find(target)
		}
		if fresh && !r.plan.toward(&r.world, target, gridworld.BoardOf(target)) {
			r.plan.toward(&r.world, target, gridworld.BoardOf(r.nearest(target)))
		}
	}
	return r.plan.field.Next(r.world.Actor())
}

// nearest is the cell that one can come to and leave which is nearest to target; of equally near ones the first, row
// by row from the south-west.
func (r *run) nearest(target gridworld.Pos) gridworld.Pos {
	best := r.world.Actor().Pos
	near := r.world.Reachable(best)
	for p := range near.All() {
		if p.Manhattan(target) < best.Manhattan(target) && !r.world.At(p).Kind.Absorbing() {
			best = p
		}
	}
	return best
}
