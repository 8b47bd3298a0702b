package animalai_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/animalai"
	"achilles/battery/catalog"
	"achilles/battery/worlds"
	"achilles/gridworld"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

// TestWorldsComeBack writes the worlds of every coding as arenas and reads them: what has no losses is the same world again.
func TestWorldsComeBack(t *testing.T) {
	items, root := 60, uint64(1)
	if longtest.On() {
		items, root = 400, 501
	}
	for _, s := range catalog.All() {
		for _, c := range s.Codings {
			if !c.Designed || s.Name == "ctest" || c.Name == "design" || s.Name == worlds.OwnSuite {
				continue
			}
			b, err := c.Build(t.Context(), battery.Request{Items: items, Root: root})
			if err != nil {
				t.Fatal(err)
			}
			whole := 0
			why := map[string]int{}
			for _, it := range b.Items.All() {
				w, err := it.Trials[0].Open()
				if err != nil {
					t.Fatal(err)
				}
				if comesBack(t, it.Name, w, why) {
					whole++
				}
			}
			if s.Name == "learning" && whole < b.Items.Len()*4/5 || s.Name == "opiaagets" && whole < b.Items.Len()/10 {
				t.Errorf("%s %s: %d of %d worlds are arenas without a loss", s.Name, c.Name, whole, b.Items.Len())
			}
			t.Logf("%s %s: %d of %d worlds are arenas without a loss; losses of the others: %v", s.Name, c.Name, whole, b.Items.Len(), why)
		}
	}
}

// comesBack reports whether a world is an arena without losses. If so, it checks that the arena is that world.
func comesBack(t *testing.T, name string, w *gridworld.World, why map[string]int) bool {
	t.Helper()
	a, losses := animalai.Of(w, animalai.Exporting())
	text := a.Text(name)
	read, err := animalai.Read(name, text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	again, lost, err := read[0].World(animalai.Importing(), rng.Stream(1))
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, w)
	}
	for _, l := range losses {
		why[l.Name+": "+l.Why]++
	}
	if len(losses) > 0 {
		return false
	}
	if len(lost) > 0 {
		t.Errorf("%s: losses %v of an arena that was made without", name, lost)
	}
	if !again.Equal(w) {
		t.Errorf("%s: the world\n%s\nbecame\n%s", name, w, again)
		t.FailNow()
	}
	return true
}

// TestArena turns a published sort of task, a cup between lava, into a world that was drawn by hand.
func TestArena(t *testing.T) {
	const text = `!ArenaConfig
arenas:
  0: !Arena
    pass_mark: 0
    t: 100
    blackouts: [8, 24]
    items:
    - !Item
      name: Agent
      positions:
      - !Vector3 {x: 20, y: 0, z: 4}
      rotations: [358]
      frozenAgentDelays: [10]
    - !Item
      name: Wall
      positions:
      - !Vector3 {x: 20, y: 0, z: 28}
      - !Vector3 {x: 4, y: 6, z: 4}
      rotations: [0, 0]
      sizes:
      - !Vector3 {x: 24, y: 5, z: 8}
      - !Vector3 {x: 8, y: 1, z: 8}
      colors:
      - !RGB {r: 1, g: 100, b: 1}
    - !Item
      name: Ramp
      positions:
      - !Vector3 {x: 36, y: 0, z: 12}
      rotations: [180]
      sizes:
      - !Vector3 {x: 8, y: 2, z: 8}
    - !Item
      name: Wall
      positions:
      - !Vector3 {x: 36, y: 0, z: 20}
      rotations: [0]
      sizes:
      - !Vector3 {x: 8, y: 2, z: 8}
    - !Item
      name: DeathZone
      positions:
      - !Vector3 {x: 4, y: 0, z: 12}
      rotations: [0]
      sizes:
      - !Vector3 {x: 8, y: 0, z: 8}
    - !Item
      name: HotZone
      positions:
      - !Vector3 {x: 4, y: 0, z: 36}
    - !Item
      name: GoodGoal
      positions:
      - !Vector3 {x: 20, y: 10, z: 36}
      sizes:
      - !Vector3 {x: 2.5, y: 2.5, z: 2.5}
`
	const want = `world 1
move turning
limit 25
legend O occluder colour 1,100,1
legend = platform height 1
map
.....
.OOO.
....=
L...^
..A..

thing 0 2,4 reward air size 2.5 value 1 final
cue 3 thing 0 2,4 ground
dark 2 6
freeze 0 3
`
	arenas, err := animalai.Read("cup.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	w, losses, err := arenas[0].World(animalai.Settings{Cell: 8, Frames: 4, Fall: 3}, rng.Stream(1))
	if err != nil {
		t.Fatal(err)
	}
	expected, err := gridworld.Parse(want)
	if err != nil {
		t.Fatal(err)
	}
	if !w.Equal(expected) {
		t.Errorf("the arena became\n%s\nwant\n%s", w, expected)
	}
	var lost []string
	for _, l := range losses {
		lost = append(lost, l.Name+" "+l.Why)
	}
	for _, want := range []string{"HotZone has no counterpart", "Wall is above the ground", "Agent faces no direction", "heights of the ground (0, 2 units)"} {
		if !slices.ContainsFunc(lost, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("%s is not among the losses %q", want, lost)
		}
	}
	if len(lost) != 4 {
		t.Errorf("losses %q, want four", lost)
	}
}

// TestChance draws what an arena leaves to chance from the stream that is given, and says so.
func TestChance(t *testing.T) {
	arenas, err := animalai.Read("chance.yaml", []byte("arenas:\n  0:\n    t: 100\n    items:\n    - name: Wall\n      sizes:\n      - {x: -1, y: 5, z: 1}\n    - name: GoodGoal\n"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for root := range uint64(5) {
		w, losses, err := arenas[0].World(animalai.Importing(), rng.Stream(root))
		again, _, _ := arenas[0].World(animalai.Importing(), rng.Stream(root))
		if err != nil || len(losses) < 2 || !again.Equal(w) {
			t.Fatalf("seed %d: %v, losses %v; the same again: %t", root, err, losses, again.Equal(w))
		}
		seen[w.String()] = true
	}
	if len(seen) < 5 {
		t.Errorf("%d worlds of five seeds", len(seen))
	}
}

// TestFaults reads files that are wrong.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "f.yaml: it is empty",
		"a: [":                      "f.yaml: yaml:",
		"x: 1\n":                    "f.yaml:1: want a map with the key arenas",
		"arenas: 3\n":               "f.yaml:1: want a map",
		"arenas: {}\n":              "f.yaml: it has no arenas",
		"arenas:\n  0:\n    t: x\n": `f.yaml:3: want a number from -1000000 to 1000000, not "x"`,
		"arenas:\n  0:\n    items:\n    - positions: []\n":                              "f.yaml:4: an item without a name",
		"arenas:\n  0:\n    items:\n    - name: Wall\n      positions:\n      - {w: 1}": "f.yaml:6: w: a vector has x, y and z",
		"arenas:\n  0: &a\n    items: *a\n":                                             "f.yaml:3: an alias; write the value out",
	} {
		if _, err := animalai.Read("f.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzRead makes worlds of files: none panics, and every world is valid.
func FuzzRead(f *testing.F) {
	example, err := os.ReadFile("../../docs/examples/arena.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(example))
	f.Add("# grid: 5 x 4 cells of 2 units, 4 steps a tick, falls by tick 3, moves eight, reach 1\narenas: {0: {t: 9, blackouts: [-3], items: [{name: Agent}, {name: Ramp, rotations: [90]}, {name: BadGoalBounce}, {name: GoodGoalMulti, positions: [{x: 1, y: 9, z: 1}]}]}}")
	f.Fuzz(func(t *testing.T, text string) {
		arenas, err := animalai.Read("f.yaml", []byte(text))
		if err != nil {
			return
		}
		for i := range arenas[:min(len(arenas), 3)] {
			w, _, err := arenas[i].World(animalai.Importing(), rng.Stream(1))
			if err == nil && w.Check() != nil {
				t.Fatal(w.Check())
			}
		}
	})
}

// things returns the things of the world of an arena of these items, its tick limit and its losses, in words.
func things(t *testing.T, head, items string) (list []string, limit int, lost string) {
	t.Helper()
	arenas, err := animalai.Read("f.yaml", []byte("arenas:\n  0:\n    t: 100\n"+head+"    items:\n    - {name: Agent, positions: [{x: 20, y: 0, z: 4}], rotations: [0]}\n"+items))
	if err != nil {
		t.Fatal(err)
	}
	w, losses, err := arenas[0].World(animalai.Importing(), rng.Stream(1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Len() {
		x := w.Thing(i)
		list = append(list, fmt.Sprintf("%s size %d value %d final %t", x.Pos, x.Size, x.Value, x.Final))
	}
	for _, l := range losses {
		lost += l.Name + " " + l.Why + "\n"
	}
	return list, w.Rules().Limit, lost
}

// TestPassMark checks by hand which goals pass an arena: a goal is worth its size, a step costs 1 divided by the time limit.
func TestPassMark(t *testing.T) {
	goal := func(name string, x int, size float64) string {
		return fmt.Sprintf("    - {name: %s, positions: [{x: %d.5, y: 0, z: 20.5}], sizes: [{x: %g, y: 1, z: 1}]}\n", name, x, size)
	}
	for _, c := range []struct {
		name, head, items string
		want              []string
		limit             int
		lost              string // in the losses
	}{
		{"any time", "", goal("GoodGoal", 10, 1), []string{"10,20 size 100 value 1 final true"}, 50, ""},
		{"half the time", "    pass_mark: 0.5\n", goal("GoodGoal", 10, 1), []string{"10,20 size 100 value 1 final true"}, 25, ""},
		{"the larger", "    passMark: 1\n", goal("GoodGoal", 10, 1) + goal("GoodGoal", 30, 2), []string{"10,20 size 100 value 1 final false", "30,20 size 200 value 2 final true"}, 50, "GoodGoal is worth too little to pass"},
		{"any of two", "", goal("GoodGoalMulti", 10, 1) + goal("GoodGoalMulti", 30, 1), []string{"10,20 size 100 value 1 final true", "30,20 size 100 value 1 final true"}, 50, "GoodGoalMulti is enough to pass"},
		{"both of two", "    passMark: 1\n", goal("GoodGoalMulti", 10, 1) + goal("GoodGoalMulti", 30, 1), []string{"10,20 size 100 value 1 final false", "30,20 size 100 value 1 final false"}, 50, "goal several rewards must be taken to pass"},
		{"first one, then the other", "    passMark: 2\n", goal("GoodGoal", 10, 2) + goal("GoodGoalMulti", 30, 1), []string{"10,20 size 200 value 1 final false", "30,20 size 100 value 1 final false"}, 50, "goal several rewards must be taken to pass"},
		{"the smaller early", "    passMark: 1\n", goal("GoodGoal", 10, 1.5) + goal("GoodGoal", 30, 2), []string{"10,20 size 150 value 1 final true", "30,20 size 200 value 1 final true"}, 50, "GoodGoal passes only early"},
	} {
		got, limit, lost := things(t, c.head, c.items)
		if !slices.Equal(got, c.want) || limit != c.limit || !strings.Contains(lost, c.lost) || c.lost == "" && lost != "" {
			t.Errorf("%s: %q, limit %d, losses %q; want %q, limit %d, %q", c.name, got, limit, lost, c.want, c.limit, c.lost)
		}
	}
}

// TestBesideWalls puts goals beside walls: where a wall is wider in the grid, a goal is moved by a cell, on its side of the wall.
func TestBesideWalls(t *testing.T) {
	for _, c := range []struct {
		wall, at string
		moved    bool
		side     func(x, y int) bool
	}{
		{"{x: 20, y: 0, z: 20}], rotations: [45], sizes: [{x: 20, y: 5, z: 0.1}]", "{x: 20.3, y: 0, z: 20.4}", true, func(x, y int) bool { return x+y > 39 }},
		{"{x: 20, y: 0, z: 20}], rotations: [45], sizes: [{x: 20, y: 5, z: 0.1}]", "{x: 19.7, y: 0, z: 19.6}", true, func(x, y int) bool { return x+y < 39 }},
		{"{x: 20.45, y: 0, z: 20.45}], rotations: [45], sizes: [{x: 20, y: 5, z: 0.1}]", "{x: 20.4, y: 0, z: 20.4}", true, func(x, y int) bool { return x+y < 40 }}, // the other side is nearer
		{"{x: 20, y: 0, z: 20}], rotations: [0], sizes: [{x: 0.2, y: 5, z: 20}]", "{x: 20.4, y: 0, z: 20.4}", true, func(x, y int) bool { return x == 21 && y == 20 }},
		{"{x: 20, y: 0, z: 20}], rotations: [45], sizes: [{x: 20, y: 5, z: 0.1}]", "{x: 25, y: 0, z: 25}", false, func(x, y int) bool { return x == 25 && y == 25 }},
	} {
		list, _, lost := things(t, "", "    - {name: Wall, positions: ["+c.wall+"}\n    - {name: GoodGoal, positions: ["+c.at+"], sizes: [{x: 1, y: 1, z: 1}]}\n")
		var x, y int
		if len(list) == 1 {
			if _, err := fmt.Sscanf(list[0], "%d,%d", &x, &y); err != nil {
				t.Fatal(err)
			}
		}
		if moved := strings.Contains(lost, "GoodGoal is so near a wall"); len(list) != 1 || moved != c.moved || !c.side(x, y) {
			t.Errorf("wall at %s, goal at %s: goals %q, moved %t", c.wall, c.at, list, moved)
		}
	}
}

// TestFloor draws places on a floor that is laid over the arena.
func TestFloor(t *testing.T) {
	list, _, lost := things(t, "", "    - {name: Wall, positions: [{x: 20, y: 0, z: 20}], rotations: [0], sizes: [{x: 40, y: 0.1, z: 40}]}\n    - {name: GoodGoal, sizes: [{x: 1, y: 1, z: 1}]}\n")
	if len(list) != 1 || strings.Contains(lost, "no free cell") {
		t.Errorf("goals %q, losses %q", list, lost)
	}
}
