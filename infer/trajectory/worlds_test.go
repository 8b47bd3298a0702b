package trajectory_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/gridworld"
	"achilles/infer/trajectory"
)

// Small worlds in which every path can be counted by hand.
const (
	// Two places behind a screen with a gap. The reward is seen at tick 1 over the place where it will lie. After that
	// it can be seen only from the cell behind the gap.
	gap = `// places 1,4 5,4
world 1
move turning
limit 40
legend O occluder
map
.......
.......
OOO.OOO
.......
.......
.......

actor 3,0 north
thing 0 1,4 reward air size 5 value 1 final
cue 2 thing 0 1,4 ground
freeze 0 4
`
	// The reward is seen over the left place. After the dark it is no longer there, so that it can only be behind the
	// screen on the right.
	moved = `// places 1,3 5,4
world 1
move turning
limit 30
legend O occluder
map
.......
.......
...OOOO
.......
.......
.......

actor 2,1 north
thing 0 1,3 reward air size 5 value 1 final
cue 2 thing 0 5,4 ground
dark 2 4
freeze 0 4
`
	lake = `// places 2,5
world 1
move turning
limit 30
map
.....
.....
.LLL.
.....
.....
.....

actor 2,0 north
thing 0 2,5 reward size 5 value 1 final
`
	brink = `world 1
limit 20
map
....
LLL.
A...

thing 0 3,2 reward size 5 value 1 final
`
	// The reward moves to the right in the air when the lights go out. Then it may lie behind either screen.
	rolls = `// places 0,4 6,4
world 1
move turning
limit 30
legend O occluder
map
.......
.......
OO...OO
.......
.......
.......

actor 3,0 north
thing 0 2,5 reward air size 5 value 1 final
cue 1 thing 0 3,5 air
cue 2 thing 0 4,5 air
cue 4 thing 0 6,4 ground
dark 3 6
freeze 0 6
`
	// The reward is in sight from the start, through a clear wall, but not on the way round.
	behind = `world 1
move turning
limit 40
map
.....
.....
TTT#.
...#.
A....

thing 0 0,4 reward size 5 value 1 final
`
	// While the actor is held the reward is out of sight for three ticks, and then in sight again.
	peek = `// places 3,2
world 1
move turning
limit 30
map
...#...
.......
.......

actor 0,0 north
thing 0 3,1 reward air size 5 value 1 final
cue 1 thing 0 3,1 hidden
cue 4 thing 0 3,1 ground
freeze 0 6
`
	// The lava is not on the way to the reward.
	aside = `world 1
limit 30
map
...
...
...
A.L

thing 0 0,3 reward size 5 value 1 final
`
	// The way to the other place leads over the right one.
	row = `// places 1,2 1,4
world 1
move turning
limit 40
legend O occluder
map
....
....
O.O.
O.O.
O.O.
....

actor 0,0 east
thing 0 1,2 reward air size 5 value 1 final
cue 1 thing 0 1,2 ground
freeze 0 3
`
	slope = `// places 2,4
world 1
move turning
limit 30
map
=====
=====
^^^^^
.....
.....

actor 2,0 north
thing 0 2,4 reward size 5 value 1 final
`
	ledge = `// places 2,0
world 1
move turning
limit 30
map
=====
=====
.....
.....

actor 2,3 south
thing 0 2,0 reward size 5 value 1 final
`
)

// Worlds of docs/reference/worlds.md, with their places.
const (
	cups = `// Touch the reward before tick 69. Until tick 13 you can look, but not move.
// places 1,8 4,8 7,8 10,8 13,8 16,8
world 1
move turning
limit 69
legend O occluder colour 236,195,153
map
...o..o..#..#..#...
...o..o..#..#..#...
...o..o.O#O.#O.#...
...o..o..#..#..#...
...o..o..#..#..#...
...o..o..#..#..#...
===================
===================
===================

actor 9,1 north
thing 0 8,8 reward air size 2 value 1 colour 0,255,0 final
cue 3 thing 0 8,8 ground
freeze 0 13
`
	holes = `// Touch the reward before tick 69. Until tick 8 you can look, but not move.
// places 1,8 5,8 9,8 13,8
world 1
move turning
limit 69
legend H hole colour 236,195,153
map
.................
.H...H...H...H...
.................
.................
.................
.................
......LLLLLLL....
.................
.................
.................

actor 8,1 north
thing 0 9,8 reward air size 2 value 1 colour 0,255,0 final
cue 3 thing 0 9,8 ground
freeze 0 8
`
	chick = `// Touch the reward before tick 84. Until tick 13 you can look, but not move.
// places 5,8 15,8
world 1
move turning
limit 84
legend O occluder colour 236,195,153
map
........LLLLL........
........LLLLL........
...OOOOOLLLLL........
........LLLLL........
........LLLLL........
.....................
.....................
.....................
.....................
.....................

actor 10,1 north
thing 0 9,5 reward air size 2 value 1 colour 0,255,0 final
cue 1 thing 0 8,5 air
cue 2 thing 0 8,6 air
cue 3 thing 0 7,6 air
cue 4 thing 0 7,7 air
cue 6 thing 0 5,8 ground
dark 5 13
freeze 0 13
`
	room = `// Touch the reward before tick 193. Until tick 79 you can look, but not move.
// places 4,19 8,19
world 1
move turning
limit 193
legend O occluder colour 176,207,161
legend T clear-wall height 1
legend L lava height 1
map
.....................
.....................
...OOO.OOO...........
.....................
.....................
.....................
.....................
.....................
.....................
.....................
.....................
=====================
=====================
============TTTTTTT==
============LLLLLLL==
=====================
=====================
=====================
=====================
=====================
=====================

actor 14,1 north
thing 0 16,16 reward air size 5 value 1 colour 0,255,0 final
cue 1 thing 0 14,17 air
cue 2 thing 0 12,17 air
cue 3 thing 0 10,18 air
cue 4 thing 0 8,18 air
cue 5 thing 0 6,19 air
cue 6 thing 0 4,19 air
cue 7 thing 0 4,19 ground
freeze 0 79
`
	climb = `// Touch the reward before tick 199. Until tick 140 you can look, but not move.
// places 3,6 9,6 15,6 21,6 27,6 33,6
world 1
move turning
limit 199
legend O occluder height 1 colour 1,100,1
legend T clear-wall height 1
legend a clear-wall
map
=====================================
=====================================
=OOOOO=OOOOO=OOOOO=OOOOO=OOOOO=OOOOO=
=====================================
=================TTT=================
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
.................a.a.................
.................a.a.................

actor 18,1 north
thing 0 21,6 reward air size 2 value 1 colour 255,0,0 final
cue 3 thing 0 21,6 ground
freeze 0 140
`
)

func worlds() map[string]string {
	return map[string]string{"gap": gap, "moved": moved, "lake": lake, "brink": brink, "rolls": rolls, "behind": behind, "peek": peek, "aside": aside, "row": row, "slope": slope, "ledge": ledge, "cups": cups, "holes": holes, "chick": chick, "room": room, "climb": climb}
}

func read(t testing.TB, text string) *trajectory.Scene {
	t.Helper()
	s, err := trajectory.ReadScene(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// drawn returns the scene's map, with the cells of a path as letters in the order in which they are first entered.
func drawn(s *trajectory.Scene, p trajectory.Path) string {
	w := s.World()
	rows := make([][]byte, w.Height())
	for y := range rows {
		rows[y] = []byte(strings.Repeat(".", w.Width()))
		for x := range rows[y] {
			switch k := w.At(gridworld.Pos{X: x, Y: y}).Kind; {
			case k == gridworld.Lava:
				rows[y][x] = 'L'
			case k == gridworld.Platform:
				rows[y][x] = '='
			case k.Sloped():
				rows[y][x] = '^'
			case !k.Passable():
				rows[y][x] = '#'
			}
		}
	}
	letter := byte('a')
	for i, c := range p {
		if i == 0 || c != p[i-1] {
			rows[c.Y][c.X] = letter
			letter++
		}
	}
	var b strings.Builder
	for y := len(rows) - 1; y >= 0; y-- {
		b.WriteString("\n" + string(rows[y]))
	}
	return b.String()
}

func format(p trajectory.Path) string { return fmt.Sprint([]gridworld.Pos(p)) }
