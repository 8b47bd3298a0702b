package shortcut_test

import (
	"testing"

	"achilles/battery"
	"achilles/battery/shortcut"
	"achilles/battery/worlds"
	"achilles/gridworld"
	"achilles/sim"
	"achilles/sim/rng"
)

// TestPassesAsEpisodes checks that the bank says of every policy and item what a whole episode, tick by tick, says. The items
// of one battery are laid out by places, those of the other have wells, tubes and covers.
func TestPassesAsEpisodes(t *testing.T) {
	b, err := worlds.OPIAAGETS().Design(t.Context(), battery.Request{Items: 300, Root: 502})
	if err != nil {
		t.Fatal(err)
	}
	more, err := worlds.Displaced().Design(t.Context(), battery.Request{Items: 60, Root: 502})
	if err != nil {
		t.Fatal(err)
	}
	bank := shortcut.Bank{Policies: append(shortcut.Policies(), shortcut.Further()...)}
	passed := make([]int, len(bank.Policies))
	for _, it := range more.Items.All() {
		b.Items.Append(&it)
	}
	for _, it := range b.Items.All() {
		w, err := it.Trials[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		c := shortcut.Case{World: w, Places: it.Trials[0].Places, Key: rng.NewKey(1, it.Name)}
		for i, passes := range bank.Passes(nil, c) {
			var episode gridworld.World
			episode.CopyFrom(w)
			env := &gridworld.Env{World: &episode, Places: c.Places, Key: c.Key}
			if _, err := sim.Run(t.Context(), env, bank.Policies[i].Agent(w, c.Places), gridworld.Options{}); err != nil {
				t.Fatal(err)
			}
			if passes != (episode.Outcome() == gridworld.Finished) {
				t.Errorf("%s, %s: the episode ends with %s, and the bank says %v", it.Name, bank.Policies[i].Name, episode.Outcome(), passes)
			}
			if passes {
				passed[i]++
			}
		}
	}
	for i, n := range passed {
		if name := bank.Policies[i].Name; n == b.Items.Len() || n == 0 && name != "randomWalk" {
			t.Errorf("%s passes %d of %d items, so that the test shows too little", name, n, b.Items.Len())
		}
	}
}
