package gridtest

import "achilles/gridworld"

// A Trial is a small trial for tests of agents. World is the text of its world, Places the cells in which the reward
// could lie.
type Trial struct {
	Name, World string
	Places      []gridworld.Pos
}

// Open parses the world of t. It panics if the text is faulty.
func (t Trial) Open() *gridworld.World {
	w, err := gridworld.Parse(t.World)
	if err != nil {
		panic("gridtest: trial " + t.Name + ": " + err.Error())
	}
	return w
}

// Trials returns trials with one demand each, all of which can be passed. In this order, the reward lies: in the open;
// far away; behind one of three walls; in one of four holes; where it went in the dark, with only one place that can
// hide it; on the straight way to another place; past lava; up a ramp; down a ledge; beside a reward of less value; in
// a world without turns.
func Trials() []Trial {
	return []Trial{
		{"open", "world 1\nlimit 40\nmap\n...g.\n.....\n.....\n.A...\n", nil},
		{"far", "world 1\nlimit 60\nmap\ng.............\n.............A\n", nil},
		{"cups", cups, at(1, 5, 5, 5, 9, 5)},
		{"holes", holes, at(1, 4, 4, 4, 7, 4, 10, 4)},
		{"dark", dark, at(1, 5, 9, 5)},
		{"corridor", corridor, at(5, 1, 7, 1)},
		{"lava", "world 1\nlimit 60\nmap\n...g...\n.......\n.LLLLL.\n.......\n...A...\n", nil},
		{"ramp", "world 1\nlimit 40\nlegend g platform + reward final\nmap\n===g===\n=======\n^^^^^^^\n.......\n...A...\n", nil},
		{"ledge", "world 1\nlimit 40\nlegend P platform + actor north\nmap\n...g...\n.......\n=======\n===P===\n", nil},
		{"choice", "world 1\nlimit 40\nlegend a floor + reward value 1 final\nlegend b floor + reward value 3 final\nmap\na.A.b\n.....\n", nil},
		{"eight", "world 1\nmove eight\nlimit 40\nmap\n....g\n.TTT.\n.AT..\n.....\n", nil},
	}
}

// Displacements returns trials in which the reward was moved out of sight, or had been hidden elsewhere before. They
// are like the tests of battery package permanence; each needs one ability.
func Displacements() []Trial {
	return []Trial{
		{"habit", habit, at(3, 8, 5, 8, 7, 8)},
		{"cover", cover, at(2, 8, 4, 8, 6, 8)},
		{"box", box, at(2, 7, 4, 7, 6, 7, 8, 7)},
		{"tube", tube, at(2, 8, 4, 8, 6, 8)},
		{"tunnel", tunnel, at(7, 8, 9, 8, 11, 8)},
	}
}

// at returns the cells with coordinates x, y, x, y …
func at(xy ...int) []gridworld.Pos {
	var p []gridworld.Pos
	for i := 0; i < len(xy); i += 2 {
		p = append(p, gridworld.Pos{X: xy[i], Y: xy[i+1]})
	}
	return p
}

// cups is a world in which the reward is shown above the eastern wall and falls behind the wall at tick 3; the actor is
// frozen until tick 10.
const cups = `world 1
limit 80
legend O occluder colour 248,253,212
legend g floor + reward air size 2 value 1 final
map
.........g.
OOO.OOO.OOO
...........
...........
...........
.....A.....

cue 3 thing 0 9,5 ground
freeze 0 10
`

// holes is a world in which the reward falls into the third of four holes.
const holes = `world 1
limit 60
legend r hole + reward air size 1 value 1 final
map
............
.H..H..r..H.
............
............
............
.....A......

cue 3 thing 0 7,4 ground
freeze 0 6
`

// dark is a world in which the reward moves to the right, and the lights go out. When they are on again only the wall
// on the left can hide the reward, because the one on the right is clear.
const dark = `world 1
limit 80
legend O occluder colour 153,153,153
legend r floor + reward air size 3 value 1 final
map
...........
OOO.....TTT
...........
.....r.....
...........
.....A.....

cue 1 thing 0 6,3 air
cue 2 thing 0 7,4 air
cue 5 thing 0 1,5 ground
dark 3 12
freeze 0 12
`

// corridor is a world in which one place lies on the straight way to the other, and a second lane leads past it.
const corridor = `world 1
limit 60
map
....####
..#.....
A.#.....

thing 0 5,1 reward air size 2 value 1 final
cue 2 thing 0 5,1 ground
freeze 0 4
`

// habit is a world in which the reward is hidden and found twice in one well, and then hidden in another.
const habit = `world 1
move turning
limit 114
map
.............
...H.H.H.....
..T.T.T.T....
.............
.............
.............
.............
.............
.............
.............

actor 6,1 north
thing 0 5,8 reward air size 2 value 1 colour 0,255,0 final
cue 3 thing 0 5,8 ground
cue 5 thing 0 5,8 air
cue 7 thing 0 5,8 ground
cue 9 thing 0 5,8 air
cue 12 thing 0 6,8 air
cue 13 thing 0 6,8 air
cue 14 thing 0 7,8 air
cue 15 thing 0 7,8 air
cue 18 thing 0 7,8 ground
freeze 0 59
`

// cover is a world in which the reward is under a cover that changes places with one cover and then with another.
const cover = `world 1
move turning
limit 99
map
............
............
..H.H.H.....
.T.T.T.T....
............
............
............
............
............
............
............

actor 5,1 north
thing 0 2,8 reward air size 2 value 1 colour 0,255,0 final
thing 1 2,8 shape air size 1 name cover
thing 2 4,8 shape air size 1 name cover
thing 3 6,8 shape air size 1 name cover
cue 3 thing 0 2,8 ground
cue 5 thing 1 3,9 air
cue 5 thing 2 3,7 air
cue 6 thing 1 3,9 air
cue 6 thing 2 3,7 air
cue 7 thing 2 2,8 air
cue 7 thing 1 4,8 air
cue 7 thing 0 4,8 ground
cue 8 thing 1 5,9 air
cue 8 thing 3 5,7 air
cue 9 thing 1 5,9 air
cue 9 thing 3 5,7 air
cue 10 thing 3 4,8 air
cue 10 thing 1 6,8 air
cue 10 thing 0 6,8 ground
freeze 0 44
`

// box is a world in which the reward is put into a box. The box visits two wells and is taken away empty.
const box = `world 1
move turning
limit 99
map
.............
..H.H.h.H....
.T.T.T.T.T...
.............
.............
.............
.............
.............
.............

actor 6,1 north
thing 0 2,4 reward air size 2 value 1 colour 0,255,0 final
thing 1 2,4 shape air size 1 name cover
cue 3 thing 0 2,4 hidden
cue 4 thing 1 4,5 air
cue 5 thing 1 6,6 air
cue 6 thing 1 8,7 air
cue 6 thing 0 8,7 ground
cue 7 thing 1 6,6 air
cue 8 thing 1 4,5 air
cue 9 thing 1 2,4 air
cue 10 thing 1 3,5 air
cue 11 thing 1 5,6 air
cue 12 thing 1 6,7 air
cue 13 thing 1 5,6 air
cue 14 thing 1 3,5 air
cue 15 thing 1 2,4 air
cue 15 thing 1 2,4 hidden
freeze 0 44
`

// tube is a world in which the reward falls into a tube that does not lead to the well straight below it.
const tube = `world 1
move turning
limit 103
legend O occluder colour 248,253,212
legend a occluder colour 102,51,1
map
............
............
............
............
............
..O.a.......
..O.a.......
..O.aaa.....
..O...a.....
..OOO.a.....
....O.a.....
..H.H.H.....
.T.T.T.T....
............
............
............
............
............
............
............

actor 5,1 north
thing 0 4,18 reward air size 2 value 1 colour 0,255,0 final
cue 4 thing 0 4,17 air
cue 5 thing 0 4,16 air
cue 6 thing 0 4,15 air
cue 7 thing 0 4,15 hidden
cue 15 thing 0 6,8 ground
freeze 0 48
`

// tunnel is a world in which the reward goes into a tunnel with three exits. The lights go out at a time at which the
// reward would have come out of any exit but the farthest.
const tunnel = `world 1
move turning
limit 103
legend O occluder colour 236,195,153
map
...............
...............
...............
...............
...............
.............O.
.......OOOOOOO.
.......O.O.O...
...............
.......H.H.H...
......T.T.T.T..
...............
...............
...............
...............
...............
...............
...............

actor 6,1 north
thing 0 13,16 reward air size 2 value 1 colour 0,255,0 final
cue 4 thing 0 13,15 air
cue 5 thing 0 13,14 air
cue 6 thing 0 13,13 air
cue 7 thing 0 13,13 hidden
cue 18 thing 0 7,8 ground
dark 15 19
freeze 0 48
`
