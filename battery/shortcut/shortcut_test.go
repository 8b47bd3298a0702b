package shortcut_test

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"testing"

	"achilles/battery/shortcut"
	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/sim"
	"achilles/sim/rng"
)

// cases has small worlds in which the policies that pass can be told by eye.
var cases = []struct {
	why, world string
	places     []gridworld.Pos
	pass       string // names of the policies that pass, except randomWalk
}{
	{"in sight and straight ahead: only who must turn fails", `world 1
limit 20
map
..g..
.....
..A..
`, []gridworld.Pos{{X: 2, Y: 2}}, "lastSeen nearestVisible nearestPlace straightAhead motionFollower search"},
	{"in sight to the left", `world 1
limit 20
map
g...o
.....
..A..
`, []gridworld.Pos{{X: 0, Y: 2}, {X: 4, Y: 2}}, "lastSeen nearestVisible nearestPlace alwaysLeft motionFollower search"},
	{"falls behind a wall on the right: who has no memory stays", `world 1
limit 20
legend g floor + reward air final
map
.....g.
.OO.OO.
.......
...A...

cue 1 thing 0 5,3 ground
freeze 0 1
`, []gridworld.Pos{{X: 1, Y: 3}, {X: 5, Y: 3}}, "lastSeen alwaysRight motionFollower search"},
	{"moves on in the dark: where it was last seen is lava", `world 1
limit 30
legend g floor + reward final
map
.......
.OO.OO.
..LLL..
.LLgLL.
..LLL..
...A...

cue 1 thing 0 2,3 air
cue 2 thing 0 1,5 ground
freeze 0 4
dark 1 4
`, []gridworld.Pos{{X: 1, Y: 5}, {X: 5, Y: 5}}, "nearestPlace alwaysLeft search"},
	{"rolls behind a wall and into a hole: its motion tells", `world 1
limit 30
legend g floor + reward final
map
H....g.
OOO....
.......
...A...

cue 1 thing 0 4,3 ground
cue 2 thing 0 3,3 ground
cue 3 thing 0 0,3 ground
freeze 0 3
`, []gridworld.Pos{{X: 4, Y: 0}, {X: 0, Y: 3}}, "alwaysLeft motionFollower search"},
	{"moves, and is seen at rest elsewhere after the dark: that motion is over", `world 1
limit 30
legend g floor + reward air final
map
..H..g.
.OOOOO.
.......
...A...

cue 1 thing 0 6,3 air
cue 2 thing 0 2,3 air
cue 4 thing 0 2,3 ground
freeze 0 4
dark 2 3
`, []gridworld.Pos{{X: 2, Y: 3}, {X: 5, Y: 3}}, "lastSeen nearestPlace alwaysLeft motionFollower search"},
	{"holes: one try", `world 1
limit 30
legend G hole + reward air final
map
H...G
.....
..A..

cue 1 thing 0 4,2 ground
freeze 0 1
`, []gridworld.Pos{{X: 0, Y: 2}, {X: 4, Y: 2}}, "lastSeen alwaysRight motionFollower"},
	{"out of reach: as near as one can come, and no further", `world 1
limit 30
legend g floor + reward final
map
g#.
.#.
.#A
`, []gridworld.Pos{{X: 0, Y: 2}}, ""},
	{"too late", `world 1
limit 2
map
..g
...
A..
`, []gridworld.Pos{{X: 2, Y: 2}}, ""},
}

func TestPasses(t *testing.T) {
	var bank shortcut.Bank // one for all cases, because no case may change the result of the next
	for round := range 2 {
		for _, c := range cases {
			w, err := gridworld.Parse(c.world)
			if err != nil {
				t.Fatalf("%s: %v", c.why, err)
			}
			before := w.String()
			got := passing(bank.Passes(nil, shortcut.Case{World: w, Places: c.places, Key: rng.NewKey(1, "test")}))
			if got != c.pass {
				t.Errorf("round %d: %s: %q pass, want %q", round, c.why, got, c.pass)
			}
			if w.String() != before {
				t.Errorf("%s: the world has changed", c.why)
			}
		}
	}
}

func passing(passes []bool) string {
	var names []string
	for i, p := range shortcut.Policies() {
		if passes[i] && p.Name != "randomWalk" {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, " ")
}

// TestRandomWalk checks that the random walk depends on the key alone, and that it passes more often if the reward is near.
func TestRandomWalk(t *testing.T) {
	walk := slices.IndexFunc(shortcut.Policies(), func(p shortcut.Policy) bool { return p.Name == "randomWalk" })
	var bank shortcut.Bank
	passes := func(world string) (n int) {
		w, err := gridworld.Parse(world)
		if err != nil {
			t.Fatal(err)
		}
		for k := range byte(200) {
			c := shortcut.Case{World: w, Key: shortcut.Key(sha256.Sum256([]byte{k}))}
			first := bank.Passes(nil, c)[walk]
			if again := bank.Passes(nil, c)[walk]; again != first {
				t.Fatal("the same stream gives two walks")
			}
			if first {
				n++
			}
		}
		return n
	}
	near, far := passes("world 1\nlimit 20\nmap\n.....\n..g..\n..A..\n"), passes("world 1\nlimit 20\nmap\ng....\n.....\n.....\n.....\n....A\n")
	if near < 120 || far > 80 {
		t.Errorf("%d of 200 walks end at a neighbour, %d at the other end", near, far)
	}
}

// TestPoliciesConform checks that every policy passes the conformance suite of agents (gridtest.Conform), and that it passes
// the trials of which Bank.Passes says so.
func TestPoliciesConform(t *testing.T) {
	turning := slices.DeleteFunc(gridtest.Trials(), func(x gridtest.Trial) bool { return x.Open().Rules().Move != gridworld.Turning })
	var bank shortcut.Bank
	for k, p := range shortcut.Policies() {
		gridtest.Conform(t, p.Name, turning, 3, func(x gridtest.Trial, w *gridworld.World) gridworld.Agent { return p.Agent(w, x.Places) })
		for _, x := range turning {
			key := rng.NewKey(1, x.Name)
			env := &gridworld.Env{World: x.Open(), Places: x.Places, Key: key}
			if _, err := sim.Run(context.Background(), env, p.Agent(x.Open(), x.Places), gridworld.Options{}); err != nil {
				t.Fatal(err)
			}
			if passes := bank.Passes(nil, shortcut.Case{World: x.Open(), Places: x.Places, Key: key}); passes[k] != (env.World.Outcome() == gridworld.Finished) {
				t.Errorf("%s, trial %s: %s, and the bank says %v", p.Name, x.Name, env.World.Outcome(), passes[k])
			}
		}
	}
}
