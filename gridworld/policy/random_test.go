package policy_test

import (
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim/rng"
)

// TestRandomWalksAsEpisodes checks where random walks end that are followed without an episode against episodes, step by step.
func TestRandomWalksAsEpisodes(t *testing.T) {
	moves := []gridworld.Action{gridworld.TurnLeft, gridworld.TurnRight, gridworld.Forward, gridworld.Forward}
	r := rng.Stream(1, "random walks")
	finished, of := 0, 0
	for range 4000 {
		w := gridworld.New(2+r.IntN(6), 2+r.IntN(6), gridworld.Rules{Limit: 1 + r.IntN(60)})
		anywhere := func() gridworld.Pos { return gridworld.Pos{X: r.IntN(w.Width()), Y: r.IntN(w.Height())} }
		kinds := []gridworld.Kind{gridworld.Wall, gridworld.Lava, gridworld.Hole, gridworld.Ramp}
		for range r.IntN(6) {
			w.Place(anywhere(), gridworld.Cell{Kind: kinds[r.IntN(len(kinds))]})
		}
		start, to := anywhere(), anywhere()
		if start == to || w.At(start).Kind.Lethal() || !w.At(start).Kind.Passable() || !w.At(to).Kind.Passable() {
			continue
		}
		w.SetActor(start, gridworld.Dir(2*r.IntN(4)))
		w.Add(gridworld.Thing{Kind: gridworld.Reward, Pos: to, Size: 100, Value: 1, Final: true})
		var room policy.Room
		room.Enter(w, []gridworld.Pos{to}, policy.DefaultUnits())
		agent := policy.Agent{Room: &room}
		ends := w.Contact(to)
		draws := rng.Stream(uint64(of), "walk")
		got, known := agent.WalksInto(w, &ends, policy.Random, moves, draws)
		for w.Outcome() == gridworld.Running {
			w.Step(moves[draws.IntN(len(moves))])
		}
		if want := w.Outcome() == gridworld.Finished; !known || got != want {
			t.Fatalf("a random walk ends at the reward: %t (known %t), and the episode %s in\n%v", got, known, w.Outcome(), w)
		}
		if of++; got {
			finished++
		}
	}
	if finished < 100 || finished > of-100 {
		t.Errorf("%d of %d walks end at the reward, so that the test shows too little", finished, of)
	}
}
