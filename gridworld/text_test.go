package gridworld_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/sim/rng"
)

func TestTextRoundTrip(t *testing.T) {
	laws(t, "text", 60, 20, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		for range r.IntN(30) {
			w.Step(likely(w, r))
		}
		text := w.String()
		v, err := gridworld.Parse(text)
		if err != nil {
			t.Fatalf("the text of a world does not parse: %v", err)
		}
		if v.String() != text {
			t.Fatalf("read back, the text is another:\n%s", v)
		}
		if v.Digest() != w.Digest() || !v.Equal(w) {
			t.Fatal("read back, the world is another")
		}
		for range 20 {
			a := likely(w, r)
			w.Step(a)
			v.Step(a)
		}
		if !v.Equal(w) {
			t.Fatal("read back, the world goes on differently")
		}
	})
}

// TestDigestIffSame checks that two worlds have the same digest if and only if every method returns the same for both.
func TestDigestIffSame(t *testing.T) {
	equal, different := 0, 0
	laws(t, "digest", 60, 6, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		for range r.IntN(6) {
			w.Step(likely(w, r))
		}
		for range 10 {
			v := w.Clone()
			p := pos(r.IntN(w.Width()), r.IntN(w.Height()))
			switch r.IntN(5) {
			case 0:
				v.Place(p, gridtest.RandomCell(r, false))
			case 1:
				v.Place(p, v.At(pos(0, 0)))
			case 2:
				v.Step(likely(v, r))
			case 3:
				v.Darken(gridworld.Window{From: 1, To: 2})
			case 4:
				if v.Len() > 0 && v.At(p).Kind.Passable() {
					v.SetThing(0, gridtest.RandomThing(r, p))
				}
			}
			if same := sameWorld(v, w); same != (v.Digest() == w.Digest()) || same != v.Equal(w) {
				t.Fatalf("the same: %t, but digests and Equal say otherwise of\n%s", same, v)
			} else if same {
				equal++
			} else {
				different++
			}
		}
	})
	if equal < 100 || different < 100 {
		t.Errorf("%d equal and %d different pairs", equal, different)
	}
}

func sameWorld(v, w *gridworld.World) bool {
	if v.Width() != w.Width() || v.Height() != w.Height() || v.Rules() != w.Rules() || v.Tick() != w.Tick() ||
		v.Outcome() != w.Outcome() || v.Actor() != w.Actor() || v.Len() != w.Len() || !slices.Equal(v.Cues(), w.Cues()) {
		return false
	}
	for i := range v.Len() {
		if v.Thing(i) != w.Thing(i) {
			return false
		}
	}
	for p := range gridtest.Cells(w) {
		if v.At(p) != w.At(p) {
			return false
		}
	}
	vDark, vFrozen := v.Windows()
	wDark, wFrozen := w.Windows()
	return slices.Equal(vDark, wDark) && slices.Equal(vFrozen, wFrozen)
}

// TestDigestSeesEveryChange checks that every single change of a world changes its digest, and that undoing it restores
// the digest.
func TestDigestSeesEveryChange(t *testing.T) {
	thing := gridworld.Thing{Pos: pos(1, 1), Size: 100}
	base := func() *gridworld.World {
		w := gridworld.New(5, 4, gridworld.Rules{Limit: 9, Reach: 1})
		w.SetActor(pos(0, 0), gridworld.East)
		w.Add(thing)
		w.Script(gridworld.Cue{Tick: 3, Thing: 0, Pos: pos(2, 2)})
		w.Darken(gridworld.Window{From: 1, To: 2})
		w.Freeze(gridworld.Window{From: 1, To: 2})
		return w
	}
	changed := func(change func(*gridworld.Thing)) func(*gridworld.World) {
		return func(w *gridworld.World) {
			c := thing
			change(&c)
			w.SetThing(0, c)
		}
	}
	changes := map[string]func(*gridworld.World){
		"none":   func(w *gridworld.World) {},
		"mode":   func(w *gridworld.World) { rebuilt(w, gridworld.Rules{Limit: 9, Reach: 1, Move: gridworld.Eight}) },
		"limit":  func(w *gridworld.World) { rebuilt(w, gridworld.Rules{Limit: 8, Reach: 1}) },
		"reach":  func(w *gridworld.World) { rebuilt(w, gridworld.Rules{Limit: 9, Reach: 2}) },
		"cell":   func(w *gridworld.World) { w.Place(pos(4, 3), gridworld.Cell{Kind: gridworld.Home}) },
		"height": func(w *gridworld.World) { w.Place(pos(4, 3), gridworld.Cell{Kind: gridworld.Platform, Height: 1}) },
		"higher": func(w *gridworld.World) { w.Place(pos(4, 3), gridworld.Cell{Kind: gridworld.Platform, Height: 2}) },
		"ramp":   func(w *gridworld.World) { w.Place(pos(4, 3), gridworld.Cell{Kind: gridworld.Ramp}) },
		"facing": func(w *gridworld.World) {
			w.Place(pos(4, 3), gridworld.Cell{Kind: gridworld.Ramp, Facing: gridworld.East})
		},
		"occluder": func(w *gridworld.World) { w.Place(pos(4, 3), gridworld.Cell{Kind: gridworld.Occluder}) },
		"black": func(w *gridworld.World) {
			w.Place(pos(4, 3), gridworld.Cell{Kind: gridworld.Occluder, Colour: gridworld.RGB(0, 0, 0)})
		},
		"blue": func(w *gridworld.World) {
			w.Place(pos(4, 3), gridworld.Cell{Kind: gridworld.Occluder, Colour: gridworld.RGB(0, 0, 1)})
		},
		"place":     func(w *gridworld.World) { w.Place(pos(3, 3), gridworld.Cell{Kind: gridworld.Home}) },
		"actor":     func(w *gridworld.World) { w.SetActor(pos(1, 0), gridworld.East) },
		"heading":   func(w *gridworld.World) { w.SetActor(pos(0, 0), gridworld.West) },
		"nowhere":   func(w *gridworld.World) { w.SetActor(gridworld.Nowhere(), gridworld.East) },
		"thing":     func(w *gridworld.World) { w.Add(thing) },
		"kind":      changed(func(c *gridworld.Thing) { c.Kind = gridworld.Key }),
		"state":     changed(func(c *gridworld.Thing) { c.State = gridworld.Air }),
		"position":  changed(func(c *gridworld.Thing) { c.Pos = pos(2, 1) }),
		"size":      changed(func(c *gridworld.Thing) { c.Size = 101 }),
		"value":     changed(func(c *gridworld.Thing) { c.Value = -1 }),
		"colour":    changed(func(c *gridworld.Thing) { c.Colour = gridworld.RGB(0, 0, 0) }),
		"name":      changed(func(c *gridworld.Thing) { c.Name = "heart" }),
		"final":     changed(func(c *gridworld.Thing) { c.Final = true }),
		"cue":       func(w *gridworld.World) { w.Script(gridworld.Cue{Tick: 3, Thing: 0, Pos: pos(2, 2)}) },
		"later cue": func(w *gridworld.World) { w.Script(gridworld.Cue{Tick: 4, Thing: 0, Pos: pos(2, 2)}) },
		"dark":      func(w *gridworld.World) { w.Darken(gridworld.Window{From: 5, To: 6}) },
		"freeze":    func(w *gridworld.World) { w.Freeze(gridworld.Window{From: 5, To: 6}) },
		"tick":      func(w *gridworld.World) { w.Step(gridworld.Stay) },
	}
	seen := map[[32]byte]string{}
	for name, change := range changes {
		w := base()
		change(w)
		if other, ok := seen[w.Digest()]; ok {
			t.Errorf("%s and %s have the same digest", name, other)
		}
		seen[w.Digest()] = name
	}
	w := base()
	for range 3 {
		w.Place(pos(4, 3), gridworld.Cell{Kind: gridworld.Occluder, Colour: gridworld.RGB(1, 2, 3)})
	}
	w.Place(pos(4, 3), gridworld.Cell{})
	if w.Digest() != base().Digest() {
		t.Error("a change that was undone is still in the digest")
	}
}

// rebuilt makes w an empty world with other rules, with the same actor, thing and schedule as before.
func rebuilt(w *gridworld.World, rules gridworld.Rules) {
	old := w.Clone()
	w.Reset(old.Width(), old.Height(), rules)
	w.SetActor(old.Actor().Pos, old.Actor().Heading)
	w.Add(old.Thing(0))
	w.Script(gridworld.Cue{Tick: 3, Thing: 0, Pos: pos(2, 2)})
	w.Darken(gridworld.Window{From: 1, To: 2})
	w.Freeze(gridworld.Window{From: 1, To: 2})
}

func TestMostDifferentCells(t *testing.T) {
	w := gridworld.New(9, 9, gridworld.Rules{})
	colour := func(i int) gridworld.Cell {
		return gridworld.Cell{Kind: gridworld.Occluder, Colour: gridworld.RGB(uint8(i), 0, 0)}
	}
	for i := range gridworld.MaxDistinct - 1 {
		w.Place(pos(i%9, i/9), colour(i)) // together with floor, as many different cells as a world may have
	}
	v, err := gridworld.Parse(w.String())
	if err != nil || !v.Equal(w) {
		t.Fatalf("a world with %d different cells does not come back: %v", gridworld.MaxDistinct, err)
	}
	mustPanic(t, "one different cell more is no panic", func() { w.Place(pos(8, 8), colour(100)) })
	w.Place(pos(0, 0), gridworld.Cell{}) // colour 0 is gone, so that there is room for another
	w.Place(pos(8, 8), colour(100))
	if err := w.Check(); err != nil || w.At(pos(8, 8)) != colour(100) || w.At(pos(3, 0)) != colour(3) {
		t.Errorf("after making room: %v", err)
	}
	text := strings.Replace(w.String(), "map\n", "legend \" home\nmap\n", 1)
	if _, err := gridworld.Parse(strings.Replace(text, "..", ".\"", 1)); err == nil {
		t.Error("one different cell too many is read without an error")
	}
}

func mustPanic(t *testing.T, complaint string, call func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error(complaint)
		}
	}()
	call()
}

// TestOpeningFindsRoom checks that a lock opens even if the palette is full, because the cell that it becomes was
// counted.
func TestOpeningFindsRoom(t *testing.T) {
	w := gridworld.New(9, 9, gridworld.Rules{})
	lock := pos(8, 8)
	w.Place(lock, gridworld.Cell{Kind: gridworld.Lock, Height: 2})
	place := func(i, colour int) {
		w.Place(pos(i%9, i/9), gridworld.Cell{Kind: gridworld.Occluder, Colour: gridworld.RGB(uint8(colour), 0, 0)})
	}
	const most = gridworld.MaxDistinct - 3 // besides floor, lock, and the platform below the lock
	for i := range most {
		place(i, i)
	}
	place(0, 100) // replaces a colour that then occurs nowhere, and so makes room
	mustPanic(t, "the room kept for the platform is given away", func() { place(most, 101) })
	place(most, 100)
	w.SetActor(pos(7, 8), gridworld.North)
	w.Add(gridworld.Thing{Kind: gridworld.Key, State: gridworld.Carried, Pos: pos(7, 8), Size: 1})
	w.Step(gridworld.Stay)
	if got := w.At(lock); got != (gridworld.Cell{Kind: gridworld.Platform, Height: 2}) || w.Check() != nil {
		t.Errorf("the lock left %v: %v", got, w.Check())
	}
}

// TestScheduleOrder checks that the lines of cues and windows may come in any order, except that cues of one tick are
// applied in the order of their lines.
func TestScheduleOrder(t *testing.T) {
	const head = "world 1\nmap\n....\n\nthing 0 0,0 shape\n"
	parse := func(lines string) *gridworld.World {
		w, err := gridworld.Parse(head + lines)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	a := parse("cue 1 thing 0 1,0 ground\ncue 2 thing 0 2,0 ground\ncue 2 thing 0 3,0 ground\ndark 1 2\ndark 3 4\n")
	b := parse("dark 3 4\ncue 2 thing 0 2,0 ground\ncue 2 thing 0 3,0 ground\ndark 1 2\ncue 1 thing 0 1,0 ground\n")
	if !a.Equal(b) {
		t.Errorf("the order of lines matters:\n%s\n%s", a, b)
	}
	a.Step(gridworld.Stay)
	if at := a.Thing(0).Pos; at != pos(1, 0) {
		t.Errorf("at tick 1 the thing is at %s", at)
	}
	a.Step(gridworld.Stay)
	if at := a.Thing(0).Pos; at != pos(3, 0) {
		t.Errorf("at tick 2 the thing is at %s, not where the last cue of the tick puts it", at)
	}
}

func TestParseErrors(t *testing.T) {
	const head = "world 1\n"
	const small = "world 1\nmap\n...\n.#.\n\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "line 1, column 1: the text ends before the map"},
		{"no version", "move eight\n", `line 1, column 1: a world begins with "world 1", not "move"`},
		{"other version", "world 2\n", `line 1, column 7: want the version of the text form, a number 1 to 1, not "2"`},
		{"unknown keyword", head + "mov eight\n", `line 2, column 1: want move, limit, reach, legend or map, not "mov"`},
		{"unknown mode", head + "move fly\n", `line 2, column 6: want a mode of movement (turning, eight), not "fly"`},
		{"missing word", head + "move\n", "line 2, column 5: want a mode of movement"},
		{"twice", head + "limit 3\nlimit 4\n", "line 3, column 1: limit was already given in line 2"},
		{"two spaces", head + "limit  3\n", "line 2, column 7: words are apart by one space, and a line does not end with one"},
		{"trailing space", head + "limit 3 \n", "line 2, column 7: words are apart by one space, and a line does not end with one"},
		{"too much", head + "limit 3 4\n", `line 2, column 9: want the end of the line, not "4"`},
		{"number", head + "limit 03\n", `line 2, column 7: want a number of ticks, a number 1 to 1073741824, not "03"`},
		{"long legend character", head + "legend ab floor\n", `line 2, column 8: want one printable character, not "ab"`},
		{"legend twice", head + "legend a floor\nlegend a wall\n", `line 3, column 10: "a" was already given in line 2`},
		{"kind of cell", head + "legend a flor\n", `line 2, column 10: want a kind of cell (floor, wall, `},
		{"ramp without facing", head + "legend a ramp\n", "line 2, column 14: want the direction in which it rises"},
		{"ramp facing", head + "legend a ramp north-east\n", "line 2, column 10: a ramp faces north, east, south or west"},
		{"high ramp", head + "legend a ramp north height 3\n", "line 2, column 10: a ramp's low end has height 0 to 2"},
		{"high floor", head + "legend a floor height 1\n", "line 2, column 10: ground of height 1 to 3 is a platform"},
		{"flat platform", head + "legend a platform height 0\n", "line 2, column 10: a platform has height 1 to 3"},
		{"colour", head + "legend a occluder colour 1,2\n", `line 2, column 26: want a colour r,g,b, not "1,2"`},
		{"colour component", head + "legend a occluder colour 1,2,256\n", `line 2, column 26: want a colour component, a number 0 to 255, not "256"`},
		{"legend thing", head + "legend a floor + ball\n", `line 2, column 18: want actor or a kind of thing (actor, reward, shape, key), not "ball"`},
		{"size", head + "legend a floor + reward size 1.234\n", `line 2, column 30: want a size, 0.01 to 100 with at most two digits after the point, not "1.234"`},
		{"unknown glyph", head + "map\n..a\n", `line 3, column 3: no legend for "a" in the map`},
		{"tab", head + "map\n.\t.\n", `line 3, column 2: no legend for "\t" in the map`},
		{"carriage return", head + "map\r\n", `line 2, column 1: want move, limit, reach, legend or map, not "map\r"`},
		{"ragged", head + "map\n...\n..\n", "line 4, column 3: the first row of the map has 3 cells, this one 2"},
		{"wide", head + "map\n" + strings.Repeat(".", 65) + "\n", "line 3, column 65: a row has at most 64 cells"},
		{"tall", head + "map\n" + strings.Repeat(".\n", 65), "line 67, column 1: a map has at most 64 rows"},
		{"no rows", head + "map\n\n", "line 3, column 1: a map has at least one row"},
		{"unfinished", head + "move eight\n", "line 3, column 1: the text ends before the map"},
		{"two actors", head + "map\nA.A\n", "line 3, column 3: the actor was already placed in line 3"},
		{"actor again", small + "actor 0,0 north\nactor 0,0 north\n", "line 7, column 7: the actor was already placed in line 6"},
		{"actor in a wall", small + "actor 1,0 north\n", "line 6, column 7: the actor is in a wall"},
		{"actor outside", small + "actor 3,0 north\n", "line 6, column 7: the actor is outside the world"},
		{"heading", small + "actor 0,0 north-east\n", "line 6, column 7: no such heading in this mode of movement"},
		{"body keyword", small + "limit 4\n", `line 6, column 1: want actor, thing, cue, dark, freeze, tick or outcome, not "limit"`},
		{"index", small + "thing 1 0,0 reward\n", `line 6, column 7: want the index of the next thing, a number 0 to 0, not "1"`},
		{"position", small + "thing 0 00 reward\n", `line 6, column 9: want a position x,y, not "00"`},
		{"thing in a wall", small + "thing 0 1,0 reward\n", "line 6, column 9: a thing lies in a wall"},
		{"order of attributes", small + "thing 0 0,0 reward final size 2\n", `line 6, column 26: want the end of the line, not "size 2"`},
		{"cue for nothing", small + "cue 1 thing 0 0,0 air\n", "line 6, column 13: no thing is listed before this line"},
		{"cue tick", small + "thing 0 0,0 reward\ncue 0 thing 0 0,0 air\n", `line 7, column 5: want a tick, a number 1 to 1073741824, not "0"`},
		{"cue takes", small + "thing 0 0,0 reward\ncue 1 thing 0 0,0 taken\n", `line 7, column 19: want where it is then (ground, air, hidden), not "taken"`},
		{"cue into a wall", small + "thing 0 0,0 reward\ncue 1 thing 0 1,0 ground\n", "line 7, column 15: a cue puts a thing into a wall"},
		{"window", small + "dark 3 3\n", `line 6, column 8: want the tick after the last, a number 4 to 1073741824, not "3"`},
		{"dead on floor", small + "actor 0,0 north\noutcome died\n", "line 8, column 1: the actor is dead if and only if it is in lava"},
	} {
		_, err := gridworld.Parse(c.text)
		var syntax *gridworld.SyntaxError
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
	}
}

// FuzzParse checks that every text that Parse accepts is a valid world with a canonical text that parses to itself, and
// that every other text gets an error with a position in it.
func FuzzParse(f *testing.F) {
	for i := range 20 {
		r := rng.Stream(1, "fuzz", string(rune('a'+i)))
		f.Add(gridtest.Random(&r, gridworld.Mode(i&1), 8, i&2 == 0).String())
	}
	f.Add("world 1\n// nothing\nlegend G hole + reward air size 0.5 value -2 colour 1,2,3 name a final\nmap\nAG\n\ncue 2 thing 0 0,0 hidden\ndark 0 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := gridworld.Parse(text)
		if err != nil {
			var s *gridworld.SyntaxError
			lines := strings.Split(text, "\n")
			if !errors.As(err, &s) || s.Line < 1 || s.Line > len(lines)+1 || s.Col < 1 || s.Line <= len(lines) && s.Col > len(lines[s.Line-1])+1 {
				t.Fatalf("the error %v is not in the text", err)
			}
			return
		}
		if err := w.Check(); err != nil {
			t.Fatalf("Parse made an invalid world: %v", err)
		}
		canonical := w.String()
		v, err := gridworld.Parse(canonical)
		if err != nil || v.String() != canonical {
			t.Fatalf("the canonical text is no fixed point: %v\n%s", err, canonical)
		}
		for _, a := range []gridworld.Action{gridworld.Forward, gridworld.Go(gridworld.NorthEast), gridworld.TurnLeft, gridworld.Forward} {
			w.Step(a)
			if err := w.Check(); err != nil {
				t.Fatalf("after %s: %v", a, err)
			}
		}
	})
}

func TestUnmarshalText(t *testing.T) {
	w := gridworld.New(3, 3, gridworld.Rules{})
	text, err := w.AppendText(nil)
	if err != nil {
		t.Fatal(err)
	}
	var v gridworld.World
	if err := v.Read(string(text)); err != nil || !v.Equal(w) {
		t.Errorf("AppendText and Read: %v", err)
	}
	if err := v.Read("nonsense"); err == nil || !v.Equal(w) {
		t.Errorf("a bad text: error %v, or the world is changed", err)
	}
}

// TestReadReuses checks that a world that was read before leaves nothing behind in the next one, whatever was read between.
func TestReadReuses(t *testing.T) {
	var used gridworld.World
	laws(t, "read", 200, 9, func(t *testing.T, w *gridworld.World, _ *rng.Rand) {
		text, err := w.AppendText(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := used.Read("world 1\nlegend x lava\nmap\nxx\nA"); err == nil {
			t.Fatal("rows of different lengths make no world")
		}
		if err := used.Read(string(text)); err != nil {
			t.Fatal(err)
		}
		if fresh, err := gridworld.Parse(string(text)); err != nil || !used.Equal(fresh) || used.Check() != nil {
			t.Fatalf("read into a used world, it differs (%v, %v)", err, used.Check())
		}
	})
}
