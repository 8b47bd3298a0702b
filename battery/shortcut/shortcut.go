// Package shortcut runs degenerate policies on an item: ways to pass without the capability that the item is meant to
// test. Whether each passes is a feature of the item. It tells a fraudster from a capable subject, and a designer
// which items prove nothing.
//
// Policies have perfect eyes: they see all round, at any distance, in light and along free lines. They know the ground
// and the places where a reward could be, and walk without a slip. What they lack is a mind for what they do not see.
package shortcut

import (
	"crypto/sha256"

	"achilles/gridworld"
	"achilles/sim/rng"
)

// A Case is an item as the policies meet it.
type Case struct {
	World  *gridworld.World // at tick 0, with turns; it is only read
	Reward int              // index of the thing that is wanted
	Places []gridworld.Pos  // cells in which it could lie
	Draws  rng.Rand         // for policies that draw; see Draws
}

// Draws is the stream of the policies that draw, named by the digest of the world: whoever has the world can run them
// again.
func Draws(digest [sha256.Size]byte) rng.Rand { return rng.Stream(0, "shortcut", string(digest[:])) }

// A Policy is one way to go about every item.
type Policy struct {
	Name, Doc string // Doc goes on from "whoever …"
	act       func(*run) gridworld.Action
	looks     bool // on the way: what it sees there matters to it
}

// A Bank runs all policies. The zero Bank is ready for use and to be used again, by one goroutine at a time.
type Bank struct {
	policies []Policy
	event    gridworld.World // when the actor is free to act for the first time
	memory   memory          // at that moment
	run      run
}

// Passes appends to dst whether each policy passes the case, in the order of Policies. Passing is to bring the episode
// to the outcome finished. Nobody acts before the actor is free; a policy that stays then has given up. It panics on a
// world without turns.
func (b *Bank) Passes(dst []bool, c Case) []bool {
	if b.policies == nil {
		b.policies = Policies()
	}
	b.watch(c)
	r := &b.run
	r.places, r.reward, r.start, r.began = c.Places, c.Reward, b.event.Actor(), b.event.Tick()
	r.first.plans = r.first.plans[:0]
	for _, p := range b.policies {
		r.world.CopyFrom(&b.event)
		r.memory, r.plan, r.draws = b.memory, nil, c.Draws
		r.left = append(r.left[:0], c.Places...)
		dst = append(dst, r.passes(p))
	}
	return dst
}

// watch lets the event happen, up to the tick at which the actor is free.
func (b *Bank) watch(c Case) {
	b.event.CopyFrom(c.World)
	b.memory = memory{}
	b.memory.look(&b.event, c.Reward)
	for b.event.Frozen() && b.event.Outcome() == gridworld.Running {
		b.event.Step(gridworld.Stay)
		b.memory.look(&b.event, c.Reward)
	}
}

// A run is one policy at work.
type run struct {
	world  gridworld.World
	start  gridworld.Actor // when it became free
	began  int             // the tick at which it did
	reward int
	places []gridworld.Pos
	memory memory
	draws  rng.Rand

	left   []gridworld.Pos // places not visited yet
	plan   *plan           // nil: none
	first  plans           // that start where everybody does
	second plan
}

func (r *run) passes(p Policy) bool {
	for r.world.Outcome() == gridworld.Running {
		a := p.act(r)
		if a == gridworld.Stay {
			return false
		}
		r.world.Step(a)
		if p.looks {
			r.memory.look(&r.world, r.reward)
		}
	}
	return r.world.Outcome() == gridworld.Finished
}

// A memory is what a policy has seen of the reward.
type memory struct {
	ever, now bool
	at        gridworld.Pos // where it was seen last
	motion    gridworld.Pos // columns and rows it moved between the last two sightings, if these were at successive ticks
	line      line
}

// A line of sight is remembered: for most ticks of an event neither end moves.
type line struct {
	from, to    gridworld.Pos
	known, free bool
}

func (l *line) between(w *gridworld.World, from, to gridworld.Pos) bool {
	if !l.known || l.from != from || l.to != to {
		*l = line{from, to, true, w.Sees(from, to)}
	}
	return l.free
}

func (m *memory) look(w *gridworld.World, reward int) {
	t := w.Thing(reward)
	seen := !w.Dark() && (t.State == gridworld.Air || t.State == gridworld.Ground && m.line.between(w, w.Actor().Pos, t.Pos))
	if seen {
		m.motion = gridworld.Pos{}
		if m.now {
			m.motion = gridworld.Pos{X: t.Pos.X - m.at.X, Y: t.Pos.Y - m.at.Y}
		}
		m.at, m.ever = t.Pos, true
	}
	m.now = seen
}
