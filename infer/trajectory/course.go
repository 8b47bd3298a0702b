package trajectory

import (
	"math"
	"slices"

	"achilles/gridworld"
)

// A Course is what one walker does in a scene when nothing makes it break off.
type Course struct {
	Path    Path
	Success bool // it comes to the reward in time

	depart []int    // by step that asks for endurance, as all do but a fall: the tick at which it decides on it
	gap    []int    // by tick: how long, at most until then, a walker that acts has not seen what it must remember
	mark   []uint64 // by tick: a digest of the path up to it, where it stands still the same as before
	chose  int      // the tick at which it set its mind on the reward
	hidden bool     // the reward was out of sight then
	others []int    // the places in which the reward could have lain besides, then
	side   float64  // on which it went at first
}

// course returns a course of the scene, simulated the first time.
func (s *Scene) course(k courseKey) *Course {
	if c := s.courses[k]; c != nil {
		return c
	}
	c := s.simulate(k)
	s.courses[k] = c
	return c
}

// Course is what a walker does in the scene that nothing tires, that forgets nothing and masters all ground.
func (s *Scene) Course(w Walker) *Course { return s.course(courseKey{walker: w, wrong: -1}) }

func (s *Scene) simulate(k courseKey) *Course {
	c := &Course{Path: Path{s.start.Pos}}
	m := &mover{courseKey: k, scene: s, course: c, wish: gridworld.Nowhere(), done: k.walker == Still}
	m.seen.reset(s)
	w := s.world.Clone()
	for w.Outcome() == gridworld.Running {
		action := m.act(w)
		c.gap = append(c.gap, m.forgetful(w))
		p, tick := w.Actor().Pos, w.Tick()
		w.Step(action)
		q := w.Actor().Pos
		if c.Path = append(c.Path, q); q != p {
			if !m.plunging && k.walker != Informed {
				c.depart = append(c.depart, tick)
			}
			m.done = m.done || m.last
		}
		if m.done && w.Outcome() == gridworld.Running && !later(w) {
			break
		}
	}
	c.Success = w.Outcome() == gridworld.Finished
	for t := 1; t < len(c.gap); t++ {
		c.gap[t] = max(c.gap[t], c.gap[t-1])
	}
	c.Path = trimmed(c.Path)
	c.sign()
	return c
}

// sign fills in the digests: paths that are equal, once what they stand at their end is taken off, have equal ones.
func (c *Course) sign() {
	h := uint64(14695981039346656037) // FNV-1a, over words
	for t, p := range c.Path {
		if t > 0 && p != c.Path[t-1] {
			for _, x := range [...]int{t, p.X, p.Y} {
				h = (h ^ uint64(x)) * 1099511628211
				h ^= h >> 29
			}
		}
		c.mark = append(c.mark, h)
	}
}

// later says whether the schedule of w still has something to come.
func later(w *gridworld.World) bool {
	cues := w.Cues()
	return len(cues) > 0 && cues[len(cues)-1].Tick > w.Tick()
}

// forgetful is for how many ticks a walker that acts in w now has not seen the reward, where that matters to it: who
// saw the reward lie there when it set off needs no memory, nor does who goes elsewhere.
func (m *mover) forgetful(w *gridworld.World) int {
	o := &m.seen
	if m.walker != Capable || w.Frozen() || w.Dark() || !o.known || o.inSight || m.sure || m.strayed && m.course.chose < w.Tick() {
		return 0
	}
	return w.Tick() - o.tick
}

// forgets is the tick at which a walker forgets whose memory lasts so many ticks; the length of the course: never.
func (c *Course) forgets(lasts float64) int {
	n, _ := slices.BinarySearchFunc(c.gap, max(lasts, 0), // where there is nothing to remember nothing is forgotten
		func(gap int, lasts float64) int {
			if float64(gap) > lasts {
				return 1
			}
			return -1
		})
	return n
}

// tires is the tick at which a walker stands still that walks no farther than so many steps; the length of the course:
// never.
func (c *Course) tires(steps float64) int {
	steps = max(steps, 0)
	if steps >= float64(len(c.depart)) {
		return len(c.gap)
	}
	return c.depart[int(math.Floor(steps))]
}
