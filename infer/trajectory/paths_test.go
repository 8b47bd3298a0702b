package trajectory_test

import (
	"math"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/infer/trajectory"
	"achilles/sim/record"
)

// able returns abilities that are enough for everything. The function limits, if not nil, changes them.
func able(limits func(m *trajectory.Abilities)) trajectory.Abilities {
	m := trajectory.Abilities{Visual: 100, OP: 100, Memory: 100, FlatNav: 1e6, Lava: 1, Ramp: 1, Platform: 1}
	if limits != nil {
		limits(&m)
	}
	return m
}

func TestPathsByHand(t *testing.T) {
	for _, c := range []struct {
		name, world string
		limits      func(m *trajectory.Abilities)
		success     bool
		ticks       int // tick at which the path ends
		want        string
	}{
		{"straight to where it vanished", gap, nil, true, 11, `
.......
.gfe...
###d###
...c...
...b...
...a...`},
		// At tick t the agent has not seen the reward for t − 1 ticks.
		{"forgets when five ticks have passed", gap, func(m *trajectory.Abilities) { m.Memory = 4.5 / 50 }, false, 6, `
.......
.......
###.###
...c...
...b...
...a...`},
		{"remembers just long enough", gap, func(m *trajectory.Abilities) { m.Memory = 6.0 / 50 }, true, 11, `
.......
.gfe...
###d###
...c...
...b...
...a...`},
		{"tires after three steps", gap, func(m *trajectory.Abilities) { m.FlatNav = 7.9 }, false, 7, `
.......
.......
###d###
...c...
...b...
...a...`},
		{"goes on a little on the left", gap, func(m *trajectory.Abilities) { m.FlatNav, m.RightLeft = 7.9, -0.1 }, false, 8, `
.......
...e...
###d###
...c...
...b...
...a...`},
		{"takes the other place", gap, func(m *trajectory.Abilities) { m.OP = 0.9 }, false, 11, `
.......
...efg.
###d###
...c...
...b...
...a...`},
		{"knows of one other place", gap, func(m *trajectory.Abilities) { m.OP = 1 }, true, 11, `
.......
.gfe...
###d###
...c...
...b...
...a...`},
		{"does not see what is small", gap, func(m *trajectory.Abilities) { m.Visual = -0.1 }, false, 0, `
.......
.......
###.###
.......
.......
...a...`},
		{"lapses and stays", gap, func(m *trajectory.Abilities) { m.Noise = 1 }, false, 0, `
.......
.......
###.###
.......
.......
...a...`},
		// From where it stands the agent sees that the left place is empty.
		{"infers the place that is left", moved, nil, true, 11, `
.......
..defg.
..c####
..b....
..a....
.......`},
		{"walks round the lake", lake, nil, true, 12, `
hij..
g....
fLLL.
edc..
..b..
..a..`},
		{"walks into the lake", lake, func(m *trajectory.Abilities) { m.Lava = 0 }, false, 3, `
.....
.....
.LdL.
..c..
..b..
..a..`},
		{"takes it to be where it was heading", rolls, nil, true, 14, `
.......
...efgh
##.d.##
...c...
...b...
...a...`},
		{"was sure when it set off", behind, func(m *trajectory.Abilities) { m.Memory = 0 }, true, 15, `
mlkji
....h
####g
...#f
abcde`},
		{"sees it again before it may act", peek, func(m *trajectory.Abilities) { m.Memory = 0 }, true, 11, `
...#...
bcde...
a......`},
		{"goes out of its way to burn", aside, func(m *trajectory.Abilities) { m.Lava = 0 }, false, 3, `
...
...
...
abc`},
		{"keeps off the right place on its way to another", row, func(m *trajectory.Abilities) { m.OP = 0 }, false, 14, `
....
.jih
#.#g
#.#f
#.#e
abcd`},
		// A step into lava demands no endurance.
		{"stands at the brink, and is tired before it starts", brink, func(m *trajectory.Abilities) { m.Lava, m.FlatNav = 0, -9 }, false, 1, `
....
bLL.
a...`},
		{"stands at the brink, and is tired before it starts", brink, func(m *trajectory.Abilities) { m.FlatNav = -9 }, false, 0, `
....
LLL.
a...`},
		{"takes the ramp", slope, nil, true, 4, `
==e==
==d==
^^c^^
..b..
..a..`},
		{"is stuck on the ramp", slope, func(m *trajectory.Abilities) { m.Ramp = 0 }, false, 2, `
=====
=====
^^c^^
..b..
..a..`},
		{"steps off the ledge", ledge, nil, true, 3, `
==a==
==b==
..c..
..d..`},
		{"falls off the ledge", ledge, func(m *trajectory.Abilities) { m.Platform = 0 }, false, 2, `
==a==
==b==
..c..
.....`},
	} {
		s := read(t, c.world)
		p, success := s.Certainly(able(c.limits), 1)
		if got := drawn(s, p); got != c.want || success != c.success || len(p)-1 != c.ticks {
			t.Errorf("%s: success %v at tick %d%s\nwant %v at tick %d%s", c.name, success, len(p)-1, got, c.success, c.ticks, c.want)
		}
	}
}

func TestRMSE(t *testing.T) {
	s := read(t, gap) // actions have an effect from tick 4 on
	at := func(x, y int) gridworld.Pos { return gridworld.Pos{X: x, Y: y} }
	still := trajectory.Path{at(3, 0)}
	north := trajectory.Path{at(3, 0), at(3, 0), at(3, 0), at(3, 0), at(3, 0), at(3, 1), at(3, 2)}
	aside := trajectory.Path{at(3, 0), at(3, 0), at(3, 0), at(3, 0), at(3, 0), at(2, 0)}
	for _, c := range []struct {
		p, q trajectory.Path
		want float64
	}{
		{still, still, 0},
		{north, north, 0},
		{still, north, math.Sqrt((0 + 1 + 4) / 3.0)},       // ticks 4, 5, 6
		{north, still, math.Sqrt((0 + 1 + 4) / 3.0)},       // the same the other way round
		{north, aside, math.Sqrt((0 + 2 + (1 + 4)) / 3.0)}, // the shorter path stays at its end
	} {
		if got := s.RMSE(c.p, c.q); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %v are %v apart, want %v", c.p, c.q, got, c.want)
		}
	}
}

// TestPathOfTrajectory checks that a path repeats the cell at ticks that the trajectory leaves out, and that pixels are
// divided by the scale.
func TestPathOfTrajectory(t *testing.T) {
	track := &record.Trajectory{Scale: 20, Steps: []record.Step{{Tick: 0, X: 60, Y: 19}, {Tick: 3, X: 60, Y: 19}, {Tick: 4, X: 60, Y: 20}, {Tick: 9, X: 60, Y: 39}}}
	p := trajectory.Of(track)
	want := "[3,0 3,0 3,0 3,0 3,1]"
	if got := format(p); got != want {
		t.Errorf("path %s, want %s", got, want)
	}
}

func TestSummary(t *testing.T) {
	s := read(t, gap)
	p, _ := s.Certainly(able(nil), 0)
	got := s.Summarise(p)
	if got.First() != 0 || got.Stop != (gridworld.Pos{X: 1, Y: 4}) || got.Ending != trajectory.Rewarded {
		t.Errorf("success: %+v", got)
	}
	p, _ = s.Certainly(able(func(m *trajectory.Abilities) { m.OP = 0 }), 1)
	if got := s.Summarise(p); got.First() != 1 || got.Ending != trajectory.TimeOut {
		t.Errorf("the other place: %+v", got)
	}
	s = read(t, lake)
	p, _ = s.Certainly(able(func(m *trajectory.Abilities) { m.Lava = 0 }), 0)
	if got := s.Summarise(p); got.First() != -1 || got.Ending != trajectory.Burned {
		t.Errorf("lava: %+v", got)
	}
	s = read(t, holes)
	if got := s.Summarise(s.Rollout(policy.Left).Path); got.First() != 1 || got.Ending != trajectory.Caught {
		t.Errorf("a hole on the left: %+v", got)
	}
}

func TestRollouts(t *testing.T) {
	for _, c := range []struct {
		world string
		who   policy.Goal
		first int // place searched first
		pass  bool
	}{
		{chick, policy.Reward, 0, true}, {chick, policy.Oracle, 0, true}, {chick, policy.Nothing, -1, false},
		{chick, policy.Left, 0, true}, {chick, policy.Right, 1, false},
		{chick, policy.NearestVisible, -1, false}, {chick, policy.Ahead, -1, false},
		{holes, policy.LastSeen, 2, true}, {holes, policy.Left, 1, false}, {holes, policy.NearestPlace, 2, true}, {holes, policy.Right, 2, true},
		{gap, policy.Search, 0, true},
		{room, policy.LastSeen, 0, true}, {room, policy.NearestPlace, 1, false},
	} {
		s := read(t, c.world)
		rollout := s.Rollout(c.who)
		sum := s.Summarise(rollout.Path)
		if sum.First() != c.first || rollout.Success != c.pass {
			t.Errorf("%s in\n%s\nsearches %d first, passes %v; want %d, %v", c.who, drawn(s, rollout.Path), sum.First(), rollout.Success, c.first, c.pass)
		}
	}
}
