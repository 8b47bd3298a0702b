// Package shortcut runs degenerate policies on an item: ways to pass without the capability that the item is meant to
// test. Whether each passes is a feature of the item. It tells a fraudster from a capable subject, and a designer
// which items prove nothing.
//
// The policies are those of package policy without limits: they see all round, at any distance, in light and along free
// lines, know the ground and the places where a reward could be, and walk without a slip. What they lack is an idea of
// what they do not see.
package shortcut

import (
	"context"
	"crypto/sha256"
	"errors"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
	"achilles/sim/rng"
)

// A Case is an item as the policies meet it.
type Case struct {
	World  *gridworld.World // at tick 0, with turns, an actor and a time limit; it is only read
	Places []gridworld.Pos  // cells in which the reward could lie
	Key    rng.Key          // for policies that draw; see Key
}

// Key is that of the policies that draw, named by the digest of the world: whoever has the world can run them again.
func Key(digest [sha256.Size]byte) rng.Key { return rng.NewKey(0, "shortcut", string(digest[:])) }

// A Policy is one way to go about every item.
type Policy struct {
	Name, Doc string // Doc goes on from "whoever …"
	goal      policy.Goal
}

// Policies returns the bank, in the order of Bank.Passes. Shipped batteries have features of these.
func Policies() []Policy {
	return []Policy{
		{"lastSeen", "goes to where the reward was last seen", policy.LastSeen},
		{"nearestVisible", "goes to the reward while it is in sight, and has forgotten it as soon as it is not", policy.NearestVisible},
		{"nearestPlace", "goes to the place nearest to the start", policy.NearestPlace},
		{"alwaysLeft", "goes to the nearest place on the left", policy.Left},
		{"alwaysRight", "goes to the nearest place on the right", policy.Right},
		{"straightAhead", "goes straight on until something is in the way", policy.Ahead},
		{"motionFollower", "goes to where the motion that was seen last would lead", policy.Motion},
		{"search", "goes from place to place, the nearest first, until the reward is in sight", policy.Sweep},
		{"randomWalk", "goes ahead with probability 1/2 and else turns to either side", policy.Random},
	}
}

// MorePolicies returns the bank with policies that only wells, covers and tubes can tell from object permanence, in the
// order of Passes of a Bank with More.
func MorePolicies() []Policy {
	return append(Policies(),
		Policy{"perseverate", "goes to where the reward was hidden and found most often", policy.Habit},
		Policy{"cover", "goes to where the cover under which the reward vanished was last seen", policy.Cover},
	)
}

// randomMoves are what a random walk draws from. Their order is part of the feature: another gives other walks.
var randomMoves = []gridworld.Action{gridworld.TurnLeft, gridworld.TurnRight, gridworld.Forward, gridworld.Forward}

// A Bank runs all policies. The zero Bank is ready for use and to be used again, by one goroutine at a time.
type Bank struct {
	More bool // the policies of MorePolicies; otherwise those of Policies

	policies []Policy
	room     policy.Room
	event    gridworld.World // when the actor is free to act for the first time
	watcher  policy.Agent    // who has seen all up to then
	world    gridworld.World
	actor    resumed
}

// A resumed agent goes on where another one is.
type resumed struct {
	policy.Agent
	from *policy.Agent
}

// Reset makes the agent know what the other one knows. There is no error.
func (r *resumed) Reset(context.Context, gridworld.Observation) error {
	r.CopyFrom(r.from)
	return nil
}

// Passes appends to dst whether each policy passes the case, in the order of Policies. Passing is to bring the episode
// to the outcome finished. What happens before the actor is free is watched once for all.
func (b *Bank) Passes(dst []bool, c Case) []bool {
	if b.policies == nil {
		if b.policies = Policies(); b.More {
			b.policies = MorePolicies()
		}
		b.actor.from, b.actor.Room, b.actor.Leaves = &b.watcher, &b.room, true
		b.watcher.Room, b.watcher.Parameters = &b.room, policy.Perfect(policy.LastSeen)
	}
	b.room.Enter(c.World, c.Places, policy.DefaultUnits())
	env := gridworld.Env{World: &b.event, Places: c.Places, Key: c.Key}
	b.watch(&env, c.World)
	env.World = &b.world
	for _, p := range b.policies {
		b.world.CopyFrom(&b.event)
		b.actor.Parameters = policy.Perfect(p.goal)
		b.actor.Moves = randomMoves
		run(&env, &b.actor, gridworld.Options{})
		dst = append(dst, b.world.Outcome() == gridworld.Finished)
	}
	return dst
}

// watch lets the watcher see all up to the tick at which the actor is free.
func (b *Bank) watch(env *gridworld.Env, w *gridworld.World) {
	b.event.CopyFrom(w)
	if free := b.room.Free(); free > 0 {
		run(env, &b.watcher, gridworld.Options{Limit: free})
		return
	}
	first, _ := env.Observe()
	_ = b.watcher.Reset(context.Background(), first) // there is no error
}

// run lets an agent act until it has nothing more to do.
func run(env *gridworld.Env, a gridworld.Agent, o gridworld.Options) {
	if _, err := sim.Run(context.Background(), env, a, o); err != nil && !errors.Is(err, sim.ErrLeft) {
		panic("shortcut: a policy fails") // none does
	}
}
