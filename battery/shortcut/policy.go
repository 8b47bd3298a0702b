package shortcut

import "achilles/gridworld"

// Policies returns the bank, in the order of Bank.Passes.
func Policies() []Policy {
	return []Policy{
		{"lastSeen", "goes to where the reward was last seen", (*run).lastSeen, true},
		{"nearestVisible", "goes to the reward while it is in sight, and has forgotten it as soon as it is not", (*run).nearestVisible, true},
		{"nearestPlace", "goes to the place nearest to the start", (*run).nearestPlace, false},
		{"alwaysLeft", "goes to the nearest place on the left", (*run).alwaysLeft, false},
		{"alwaysRight", "goes to the nearest place on the right", (*run).alwaysRight, false},
		{"straightAhead", "goes straight on until something is in the way", (*run).straightAhead, false},
		{"motionFollower", "goes to where the motion that was seen last would lead", (*run).motionFollower, true},
		{"search", "goes from place to place, the nearest first, until the reward is in sight", (*run).search, true},
		{"randomWalk", "goes ahead with probability 1/2 and else turns to either side", (*run).randomWalk, false},
	}
}

func (r *run) lastSeen() gridworld.Action {
	if !r.memory.ever {
		return gridworld.Stay
	}
	return r.approach(r.memory.at)
}

func (r *run) nearestVisible() gridworld.Action {
	if !r.memory.now {
		return gridworld.Stay
	}
	return r.approach(r.memory.at)
}

func (r *run) nearestPlace() gridworld.Action {
	return r.to(func(int) bool { return true })
}

func (r *run) alwaysLeft() gridworld.Action {
	return r.to(func(side int) bool { return side < 0 })
}

func (r *run) alwaysRight() gridworld.Action {
	return r.to(func(side int) bool { return side > 0 })
}

func (r *run) straightAhead() gridworld.Action {
	if a := r.world.Actor(); r.world.CanStep(a.Pos, a.Heading) {
		return gridworld.Forward
	}
	return gridworld.Stay
}

func (r *run) motionFollower() gridworld.Action {
	switch {
	case !r.memory.ever:
		return gridworld.Stay
	case r.memory.now || r.memory.motion == gridworld.Pos{}:
		return r.approach(r.memory.at)
	}
	return r.approach(r.beyond())
}

// search counts a place as visited once it has stood there.
func (r *run) search() gridworld.Action {
	if r.memory.now {
		return r.approach(r.memory.at)
	}
	here := r.world.Actor().Pos
	for i, p := range r.left {
		if p == here {
			r.left, r.plan = append(r.left[:i], r.left[i+1:]...), nil
			break
		}
	}
	if r.plan == nil {
		r.plan = &r.second
		r.plan.toward(&r.world, gridworld.Nowhere(), gridworld.BoardOf(r.left...))
	}
	return r.plan.field.Next(r.world.Actor())
}

func (r *run) randomWalk() gridworld.Action {
	switch r.draws.IntN(4) {
	case 0:
		return gridworld.TurnLeft
	case 1:
		return gridworld.TurnRight
	}
	return gridworld.Forward
}

// to goes to the nearest place whose side, the offset to the right of the first heading, is wanted; of equally near
// ones to that most nearly ahead, and then to the first.
func (r *run) to(wanted func(side int) bool) gridworld.Action {
	if r.plan != nil {
		return r.plan.field.Next(r.world.Actor())
	}
	best, near, off := gridworld.Nowhere(), 0, 0
	for _, p := range r.places {
		side := aside(r.start, p)
		if !wanted(side) {
			continue
		}
		d, o := r.start.Pos.Manhattan(p), max(side, -side)
		if best == gridworld.Nowhere() || d < near || d == near && o < off {
			best, near, off = p, d, o
		}
	}
	if best == gridworld.Nowhere() {
		return gridworld.Stay
	}
	return r.approach(best)
}

// aside is how many cells p lies to the right of the line ahead of a; negative: to the left.
func aside(a gridworld.Actor, p gridworld.Pos) int {
	right := gridworld.Pos{}.Add(a.Heading.Turn(2))
	return (p.X-a.Pos.X)*right.X + (p.Y-a.Pos.Y)*right.Y
}

// beyond is where the last motion, if there was one, leads from the last sighting: to the first place on its line, else as far as there
// is ground to stand on.
func (r *run) beyond() gridworld.Pos {
	end, d := r.memory.at, r.memory.motion
	n := divisor(d.X, d.Y)
	d = gridworld.Pos{X: d.X / n, Y: d.Y / n}
	for p := r.memory.at; ; {
		if p = (gridworld.Pos{X: p.X + d.X, Y: p.Y + d.Y}); !r.world.Inside(p) {
			return end
		}
		if r.world.At(p).Kind.Passable() {
			end = p
		}
		for _, q := range r.places {
			if p == q {
				return p
			}
		}
	}
}

// divisor is the greatest common divisor of |a| and |b|, which are not both 0.
func divisor(a, b int) int {
	a, b = max(a, -a), max(b, -b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
