package animalai

import "achilles/gridworld"

// worth returns what the goals of an arena become. In an arena a good goal is worth its size, every step costs 1 divided by the time limit, and who
// has the pass mark at the end has passed. In the world whoever takes a final thing has passed, so that these are the goals that
// reach the pass mark alone. The only good one ends the episode in both, since there is then none left to take. Files that say of which grid they are
// made have no pass marks of their own.
func (b *builder) worth(things []*Object) []gridworld.Thing {
	out, good := make([]gridworld.Thing, len(things)), 0
	for i, o := range things {
		out[i] = goals[o.Name]
		good += max(0, out[i].Value)
	}
	fails, passes := false, false
	for i, o := range things {
		t, mark := &out[i], b.arena.PassMark
		if t.Value <= 0 {
			continue
		}
		t.Final = t.Final || good == 1
		switch {
		case b.arena.Grid != nil:
		case o.Size.X <= mark:
			if fails = true; t.Final {
				t.Final = false
				b.lose(o, "is worth too little to pass: here it does not end the episode")
			}
		case t.Final:
			passes = true
		case o.Size.X >= mark+1:
			t.Final, passes = true, true
			b.lose(o, "is enough to pass: here it ends the episode")
		}
	}
	for i, t := range out {
		if fails && passes && t.Final {
			out[i].Value = 2 // more than those that do not pass
		}
	}
	return out
}

// inTime returns the proportion of the time limit in which the best of the final goals still reaches the pass mark.
func (b *builder) inTime(things []*Object, out []gridworld.Thing) float64 {
	if b.arena.Grid != nil {
		return 1
	}
	best := 0.0
	for i, t := range out {
		if t.Final {
			best = max(best, things[i].Size.X-b.arena.PassMark)
		}
	}
	if best == 0 {
		return 1
	}
	best = min(best, 1)
	for i, t := range out {
		if t.Final && things[i].Size.X-b.arena.PassMark < best {
			b.lose(things[i], "passes only early: here within the time limit")
		}
	}
	return best
}
