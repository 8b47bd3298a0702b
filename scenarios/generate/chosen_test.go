package generate_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"achilles/battery/measure"
	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
	"achilles/sim/record"
)

// TestChoicesFromPublicFiles computes every choice once more from the world and the trajectory that are published with it: so a choice
// tells nothing that they do not, and who passes is who went to the right place.
func TestChoicesFromPublicFiles(t *testing.T) {
	for _, name := range []string{"permanence", "comparative", "radial", "physical", "embodied"} {
		s := open(t, name, "battery.items=80", "population[0].count=6")
		s.Trajectories = true
		out := run(t, s, generate.Config{Seed: 503, Late: name == "radial"})
		public, _ := publish(t, out)
		d := read(t, public)
		worlds, err := record.Worlds(mapFS(public), &d.Manifest)
		if err != nil {
			t.Fatal(err)
		}
		places, starts, went := map[string][]gridworld.Pos{}, map[string]*gridworld.World{}, map[string][]record.Went{}
		var witness measure.Witness
		for _, w := range worlds {
			start, err := gridworld.Parse(w.Text)
			if err != nil {
				t.Fatal(err)
			}
			var room policy.Room
			starts[w.Item], places[w.Item] = start, placesIn(t, w.Text)
			room.Enter(start, places[w.Item], policy.DefaultUnits())
			went[w.Item] = witness.Went(nil, start, &room)
		}
		paths, err := record.OpenTrajectories(mapFS(public), &d.Manifest)
		if err != nil {
			t.Fatal(err)
		}
		walked := map[[2]string]*record.Trajectory{}
		for x, err := range paths.All() {
			if err != nil {
				t.Fatal(err)
			}
			walked[[2]string{x.Key.Subject, x.Key.Item}] = x
		}
		count := map[record.Went]int{}
		for _, r := range d.Responses.All() {
			item := d.Items.ID[r.Item]
			want, visited := chosenOn(walked[[2]string{d.Subjects[r.Subject], item}], starts[item], places[item], went[item])
			got, list := r.Chosen, ""
			if r.Chosen.Visited > 0 {
				list = d.Visits[r.Chosen.Visited]
			}
			if got.Visited = 0; got != want || list != visited {
				t.Fatalf("%s: subject %s, item %s: %+v after %q, and its trajectory says %+v after %q", name, d.Subjects[r.Subject], item, got, list, want, visited)
			}
			if (r.Value == 1) != (r.Chosen.Went == record.ToRight) {
				t.Fatalf("%s: subject %s, item %s: value %v, and the subject went to %s", name, d.Subjects[r.Subject], item, r.Value, r.Chosen.Went)
			}
			count[r.Chosen.Went]++
		}
		t.Logf("%s: right %d, A %d, last seen %d, nearest %d, other %d, none %d", name, count[record.ToRight], count[record.ToA], count[record.ToLastSeen], count[record.ToNearest], count[record.ToOther], count[record.ToNone])
		if count[record.ToRight] == 0 || count[record.ToNone] == 0 || count[record.ToNearest]+count[record.ToOther] == 0 || count[record.Unrecorded] > 0 {
			t.Errorf("%s: these are not all sorts of choices", name)
		}
	}
}

// placesIn returns the places of a published world.
func placesIn(t *testing.T, text string) (list []gridworld.Pos) {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "// places "); ok {
			for word := range strings.FieldsSeq(rest) {
				x, y, _ := strings.Cut(word, ",")
				px, err1 := strconv.Atoi(x)
				py, err2 := strconv.Atoi(y)
				if err1 != nil || err2 != nil {
					t.Fatalf("place %q", word)
				}
				list = append(list, gridworld.Pos{X: px, Y: py})
			}
		}
	}
	return list
}

// chosenOn returns where an actor went on a trajectory, without the index of what it visited before, which comes as a text.
func chosenOn(x *record.Trajectory, start *gridworld.World, places []gridworld.Pos, went []record.Went) (c record.Chosen, visited string) {
	free := 0
	_, frozen := start.Windows()
	for _, f := range frozen {
		free = max(free, f.To)
	}
	var before []string
	last := start.Actor().Pos
	for _, s := range x.Steps {
		p := gridworld.Pos{X: int(s.X), Y: int(s.Y)}
		if k := slices.Index(places, p); k >= 0 && p != last {
			if c.Place > 0 {
				before = append(before, strconv.Itoa(int(c.Place)))
			}
			c = record.Chosen{Went: went[k], Place: uint8(k + 1), Latency: s.Tick - int32(free)}
		}
		last = p
	}
	if c.Place == 0 {
		c.Went = record.ToNone
	}
	return c, strings.Join(before, " ")
}

// TestWhatPlacesStandFor says of places in a world by hand what they stand for.
func TestWhatPlacesStandFor(t *testing.T) {
	// The reward is hidden at (1, 4) and shown again, twice, and then moved to (5, 4), where it is seen last, before it goes on in the dark to
	// (7, 4). (3, 2) is the nearest.
	w, err := gridworld.Parse(`world 1
limit 90
legend g hole + reward air final
map
.g.H.H.H.
.........
...H.H...
.........
....A....

cue 1 thing 0 1,4 ground
cue 3 thing 0 1,4 air
cue 5 thing 0 1,4 ground
cue 7 thing 0 1,4 air
cue 9 thing 0 5,4 air
cue 11 thing 0 5,4 ground
dark 12 16
cue 14 thing 0 7,4 ground
freeze 0 20
`)
	if err != nil {
		t.Fatal(err)
	}
	at := func(x, y int) gridworld.Pos { return gridworld.Pos{X: x, Y: y} }
	places := []gridworld.Pos{at(3, 2), at(5, 2), at(1, 4), at(3, 4), at(5, 4), at(7, 4)}
	var room policy.Room
	room.Enter(w, places, policy.DefaultUnits())
	var witness measure.Witness
	if got, want := witness.Went(nil, w, &room), []record.Went{record.ToNearest, record.ToOther, record.ToA, record.ToOther, record.ToLastSeen, record.ToRight}; !slices.Equal(got, want) {
		t.Errorf("places stand for %v, want %v", got, want)
	}
}

// TestStrategiesChange checks by what is published what bodies do that switch, tire or mix: the choice of a trial is that of the strategy
// which its position says, and a mixture by trial has the shares that the coin gives (a false alarm in a million).
func TestStrategiesChange(t *testing.T) {
	const text = `name = "changes"
[battery]
suite = "permanence"
coding = "paradigms"
items = 120
[battery.levels]
paradigm = ["a-not-b", "transposition"]
[[agent]]
name = "switches"
body = [{ if = "position > 90", persistence = 0 }, { if = "position > 40", goal = "nearest-place" }, {}]
[[agent]]
name = "mixes"
body = [{ if = "coin < 0.3", goal = "nothing" }, {}]
[[agent]]
name = "avoids"
body = { goal = "avoid" }
`
	s, err := scenario.Parse("changes.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	out := run(t, s, generate.Config{Seed: 504})
	none, tests, hidden := 0, 0, columns(t, &out.Battery, "occluder")["occluder"]
	places := map[int]int{} // item → number of the nearest place of its world
	for i, it := range out.Battery.Items.All() {
		w, err := it.Trials[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		var room policy.Room
		room.Enter(w, it.Trials[0].Places, policy.DefaultUnits())
		places[i] = room.Nearest(0) + 1
	}
	for r := range out.All() {
		switch out.Subjects[r.Subject].Name {
		case "switches":
			switch want := r.Chosen; {
			case r.Position <= 40 && want.Went != record.ToRight,
				r.Position > 40 && r.Position <= 90 && want.Place != places[r.Item],
				r.Position > 90 && hidden[r.Item] == 1 && want.Went != record.ToNone:
				t.Errorf("position %d, item %d: it went to %s, place %d", r.Position, r.Item, want.Went, want.Place)
			}
		case "mixes":
			tests++
			if r.Chosen.Went == record.ToNone {
				none++
			} else if r.Chosen.Went != record.ToRight {
				t.Errorf("a body that stays or passes went to %s", r.Chosen.Went)
			}
		case "avoids":
			if r.Chosen.Went == record.ToLastSeen {
				t.Errorf("item %d: a body that avoids where the reward was last seen went there", r.Item)
			}
		}
	}
	if z := (float64(none) - 0.3*float64(tests)) / math.Sqrt(0.21*float64(tests)); math.Abs(z) > 4.9 {
		t.Errorf("%d of %d trials by the strategy of 0.3", none, tests)
	}
}

// TestWinStayLoseShift checks by what is published that a subject goes on with its strategy after it has passed, and takes the other after
// it has not.
func TestWinStayLoseShift(t *testing.T) {
	const text = `name = "shifts"
[battery]
suite = "permanence"
coding = "paradigms"
items = 150
[[agent]]
name = "shifts"
body = [{ if = "passed == 1 && before == 1 || passed == 0 && before == 2", goal = "nothing" }, { goal = "nearest-place" }]
`
	s, err := scenario.Parse("shifts.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	var first []record.Response
	for _, late := range []bool{false, true} {
		public, _ := publish(t, run(t, s, generate.Config{Seed: 505, Jobs: 2, Late: late}))
		all := read(t, public).Responses.List()
		slices.SortFunc(all, func(a, b record.Response) int { return int(a.Position - b.Position) })
		stays, shifts := true, 0 // the first strategy is to stay, which never passes
		for _, r := range all {
			if (r.Chosen.Went == record.ToNone) != stays {
				t.Fatalf("position %d: it went to %s", r.Position, r.Chosen.Went)
			}
			if r.Value == 0 {
				stays = !stays
				shifts++
			}
		}
		if shifts < 20 || shifts == len(all) {
			t.Errorf("%d of %d trials make the subject shift, so that the test shows too little", shifts, len(all))
		}
		if first == nil {
			first = all
		} else if !slices.Equal(first, all) {
			t.Error("a body that acts late acts differently")
		}
	}
}
