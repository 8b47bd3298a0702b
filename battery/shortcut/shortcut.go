// Package shortcut runs degenerate policies on an item: ways to pass without the capability that the item is meant to
// test. Whether each policy passes is a feature of the item. These features help to tell a fraudster from a capable
// subject, and show a designer which items prove nothing.
//
// The policies are those of package policy without limits on perception and movement: they see in every direction, at
// any distance, know the layout and the places where a reward could be, and make no errors of movement. They lack any
// idea of what they do not see.
package shortcut

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
	"achilles/sim/rng"
)

// A Case is an item for the policies.
type Case struct {
	World  *gridworld.World // at tick 0, with turns, an actor and a time limit; it is only read, and its cells do not change meanwhile
	Places []gridworld.Pos  // cells in which the reward could lie
	Key    rng.Key          // key of the random numbers of policies that act at random; see the function Key
}

// Key returns the key of the random numbers of policies that act at random. It depends only on the digest of the world, so
// that anybody who has the world can repeat their walks.
func Key(digest [sha256.Size]byte) rng.Key { return rng.NewKey(0, "shortcut", string(digest[:])) }

// A Policy is one degenerate way to act in any item.
type Policy struct {
	Name, Doc string // Doc completes the phrase "whoever …"
	goal      policy.Goal
	direct    bool // it never goes away from where it wants to go
}

// Policies returns the policies that every battery of worlds has a feature for.
func Policies() []Policy {
	return []Policy{
		{Name: "lastSeen", Doc: "goes to where the reward was last seen", goal: policy.LastSeen},
		{Name: "nearestVisible", Doc: "goes to the reward while it is in sight, and has forgotten it as soon as it is not", goal: policy.NearestVisible},
		{Name: "nearestPlace", Doc: "goes to the place nearest to the start", goal: policy.NearestPlace},
		{Name: "alwaysLeft", Doc: "goes to the nearest place on the left", goal: policy.Left},
		{Name: "alwaysRight", Doc: "goes to the nearest place on the right", goal: policy.Right},
		{Name: "straightAhead", Doc: "goes straight on until something is in the way", goal: policy.Ahead},
		{Name: "motionFollower", Doc: "goes to where the motion that was seen last would lead", goal: policy.Motion},
		{Name: "search", Doc: "goes from place to place, the nearest first, until the reward is in sight", goal: policy.Sweep},
		{Name: "randomWalk", Doc: "goes ahead with probability 1/2 and else turns to either side", goal: policy.Random},
	}
}

// Further returns the policies that Policies lacks, and that some batteries have a feature for: each is told from the ability that it
// imitates by the items of some paradigm only.
func Further() []Policy {
	return []Policy{
		{Name: "perseverate", Doc: "goes to where the reward was hidden and found most often", goal: policy.Habit},
		{Name: "cover", Doc: "goes to where the cover under which the reward vanished was last seen", goal: policy.Cover},
		{Name: "direct", Doc: "goes to where the reward was last seen, as long as no step leads away from it", goal: policy.LastSeen, direct: true},
		{Name: "largestCover", Doc: "goes to the place under the largest cover or, where there is none, to where the reward was last seen", goal: policy.LargestCover},
		{Name: "largestArea", Doc: "goes to where rewards had the largest total area", goal: policy.LargestArea},
		{Name: "mostPieces", Doc: "goes to where most pieces went", goal: policy.MostPieces},
		{Name: "lastGone", Doc: "goes to where something vanished last", goal: policy.LastGone},
		{Name: "bestSeen", Doc: "goes to where the best reward was last seen", goal: policy.BestSeen},
	}
}

// With returns the policies of Policies, and those of Further with these names. It panics if there is no such policy.
func With(names ...string) []Policy {
	list, further := Policies(), Further()
	for _, name := range names {
		k := slices.IndexFunc(further, func(p Policy) bool { return p.Name == name })
		if k < 0 {
			panic("shortcut: no such policy")
		}
		list = append(list, further[k])
	}
	return list
}

// randomMoves are the actions that a random walk draws from. Their order matters: another order would give other walks.
var randomMoves = []gridworld.Action{gridworld.TurnLeft, gridworld.TurnRight, gridworld.Forward, gridworld.Forward}

// A Bank runs all policies. The zero Bank is ready for use. A Bank may be used any number of times, by one goroutine at a time.
type Bank struct {
	Policies []Policy // nil: those of the function Policies

	env     gridworld.Env
	room    policy.Room
	event   gridworld.World // the world at the first tick at which the actor may act
	watcher policy.Watcher
	ends    gridworld.Board // where an actor ends the episode from then on, as long as nothing moves
	keys    bool            // there are keys
	world   gridworld.World
	actor   resumed
}

// A resumed agent continues with the knowledge of another agent.
type resumed struct {
	policy.Agent
	from *policy.Agent
}

// Reset copies the knowledge of the other agent, which has made no random choice. The error is always nil.
func (r *resumed) Reset(_ context.Context, first gridworld.Observation) error {
	r.CopyFrom(r.from)
	r.Reseed(first.Key())
	return nil
}

// Passes appends to dst, for each policy, whether it passes the case, and returns the result. A policy passes if it ends the
// episode with the outcome finished. The ticks before the actor may act are run only once.
func (b *Bank) Passes(dst []bool, c Case) []bool {
	if b.Policies == nil {
		b.Policies = Policies()
	}
	b.room.Enter(c.World, c.Places, policy.DefaultUnits())
	b.watcher.Room, b.watcher.Parameters = &b.room, policy.Perfect(policy.LastSeen)
	b.actor.from, b.actor.Room, b.actor.Leaves = &b.watcher.Agent, &b.room, true
	b.env = gridworld.Env{World: &b.event, Places: c.Places, Key: c.Key, Skips: true}
	b.event.Share(c.World)
	run(&b.env, &b.watcher)
	b.findEnds()
	b.env.World, b.env.Skips = &b.world, false
	for _, p := range b.Policies {
		if passes, known := b.walksInto(p, c.Key); known {
			dst = append(dst, passes)
			continue
		}
		b.world.Share(&b.event)
		if b.actor.Parameters = policy.Perfect(p.goal); p.direct {
			b.actor.Retreat = 0
		}
		b.actor.Moves = randomMoves
		run(&b.env, &b.actor)
		dst = append(dst, b.world.Outcome() == gridworld.Finished)
	}
	return dst
}

// walksInto says whether a policy passes; known is false if it must be run to know.
func (b *Bank) walksInto(p Policy, key rng.Key) (passes, known bool) {
	if b.keys || p.direct || b.event.Outcome() != gridworld.Running {
		return false, false
	}
	return b.watcher.WalksInto(&b.event, &b.ends, p.goal, randomMoves, key.Rand())
}

// findEnds sets b.ends and b.keys.
func (b *Bank) findEnds() {
	b.ends, b.keys = gridworld.Board{}, false
	for i := range b.event.Len() {
		t := b.event.Thing(i)
		if b.keys = b.keys || t.Kind == gridworld.Key; t.Final && t.State == gridworld.Ground {
			contact := b.event.Contact(t.Pos)
			b.ends.Add(&contact)
		}
	}
}

// run lets an agent act until it leaves or the episode ends.
func run(env *gridworld.Env, a gridworld.Agent) {
	if _, err := sim.Run(context.Background(), env, a, gridworld.Options{}); err != nil && !errors.Is(err, sim.ErrLeft) {
		panic("shortcut: a policy fails") // not reached: policies only leave
	}
}
