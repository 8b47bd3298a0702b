package gridtest

import "achilles/gridworld"

// A Trial is a small trial for those who act.
type Trial struct {
	Name, World string
	Places      []gridworld.Pos
}

// Open parses the world of t. It panics on a bad one.
func (t Trial) Open() *gridworld.World {
	w, err := gridworld.Parse(t.World)
	if err != nil {
		panic("gridtest: trial " + t.Name + ": " + err.Error())
	}
	return w
}

// Trials are worlds with one demand each, that can all be passed: the reward lies in the open; far away; behind one of
// three walls; in one of four holes; where it went in the dark, and only one place can hide it; on the
// way to another place; past lava; up a ramp;
// off a ledge; among rewards of less value; and in a world without turns.
func Trials() []Trial {
	at := func(xy ...int) []gridworld.Pos {
		var p []gridworld.Pos
		for i := 0; i < len(xy); i += 2 {
			p = append(p, gridworld.Pos{X: xy[i], Y: xy[i+1]})
		}
		return p
	}
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

// cups: the reward is shown above the eastern wall and falls behind it at tick 3; the actor is held until tick 10.
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

// holes: the reward falls into the third hole.
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

// dark: the reward moves to the right while the lights go out; when they are back only the wall on the left can
// hide it: the one on the right is clear.
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

// corridor: one place lies on the straight way to the other, and a second lane leads past it.
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
