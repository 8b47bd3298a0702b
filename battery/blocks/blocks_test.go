package blocks_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/battery/blocks"
	"achilles/battery/measure"
	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/sim/record"
)

var update = flag.Bool("update", false, "rewrite golden files")

func design(t testing.TB, r battery.Request) battery.Battery {
	t.Helper()
	b, err := blocks.Design(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestBlocks checks on many blocks what each paradigm promises: a room and a well number that stay, an open well with the reward, and in each
// trial the right one by the rule of the paradigm.
func TestBlocks(t *testing.T) {
	for root := range uint64(4) {
		b := design(t, battery.Request{Items: 600, Root: root + 1})
		if b.Items.Len() != 600 {
			t.Fatalf("%d items", b.Items.Len())
		}
		number := func(i int, name string) float64 {
			f, ok := b.Feature(name)
			if !ok {
				t.Fatalf("no feature %s", name)
			}
			return b.Items.Values(i).At(f).Number
		}
		of, count := b.Blocks(), map[string]int{}
		for i := range 600 {
			it := b.Items.At(i)
			count[it.Paradigm]++
			first := int(of.First[i])
			w, err := it.Trials[0].Open()
			if err != nil {
				t.Fatal(err)
			}
			start := b.Items.At(first)
			v, _ := start.Trials[0].Open()
			end := final(w).Pos
			if w.Width() != v.Width() || w.Actor() != v.Actor() || !slices.Contains(it.Trials[0].Places, end) {
				t.Errorf("item %d: another room than at the beginning of its block, or a reward behind a shut door", i)
			}
			test := number(i, battery.HiddenFeature) == 1
			if forced := len(it.Trials[0].Places) == 1; forced != (number(i, "others") == 0) || forced && test {
				t.Errorf("item %d: %d places", i, len(it.Trials[0].Places))
			}
			well, round := number(i, battery.WellFeature), number(i, battery.RoundFeature)
			var inRound, before []float64 // wells of the rewards so far
			for j := first; j < i; j++ {
				before = append(before, number(j, battery.WellFeature))
				if number(j, battery.RoundFeature) == round {
					inRound = append(inRound, before[len(before)-1])
				}
			}
			switch {
			case it.Paradigm == "own-radial-maze" && slices.Contains(inRound, well):
				t.Errorf("item %d: the reward is in an arm that was emptied in the round", i)
			case it.Paradigm == "matching" && test && (len(inRound) == 0 || inRound[0] != well || slices.Contains(inRound[1:], well)):
				t.Errorf("item %d: the reward is in well %v after the samples %v", i, well, inRound)
			case it.Paradigm == "own-a-not-b" && (test == slices.Contains(before, well)) && i > first:
				t.Errorf("item %d: the reward is in well %v after %v", i, well, before)
			case it.Paradigm == "own-durations":
				checkDurations(t, i, w, number(i, "delay"))
			case it.Paradigm == "reversal":
				for j := i - 1; j >= first; j-- {
					same := number(i, battery.PairFeature) == number(j, battery.PairFeature)
					if same != slices.Equal(it.Trials[0].Places, b.Items.At(j).Trials[0].Places) {
						t.Errorf("items %d and %d have wells %v and %v", j, i, b.Items.At(j).Trials[0].Places, it.Trials[0].Places)
					}
					if changes := number(i, battery.PhaseFeature) != number(j, battery.PhaseFeature); same && changes == (well == number(j, battery.WellFeature)) {
						t.Errorf("item %d: the reward is in well %v after %v", i, well, before)
					}
					if same {
						break
					}
				}
			}
		}
		for name, n := range count {
			if n != 120 {
				t.Errorf("%d trials of %s", n, name)
			}
		}
	}
}

// final returns the reward that ends a trial.
func final(w *gridworld.World) gridworld.Thing {
	for k := range w.Len() {
		if w.Thing(k).Final {
			return w.Thing(k)
		}
	}
	panic("no final reward")
}

// checkDurations checks a trial with two rewards: when the actor may act, the right one is the better of those that are left.
func checkDurations(t *testing.T, i int, w *gridworld.World, delay float64) {
	t.Helper()
	if w.Len() != 2 || w.Thing(0).Value+w.Thing(1).Value != 3 || w.Thing(0).Colour == w.Thing(1).Colour || w.Thing(0).Pos == w.Thing(1).Pos {
		t.Fatalf("item %d: rewards %v and %v", i, w.Thing(0), w.Thing(1))
	}
	_, frozen := w.Windows()
	now := w.Clone()
	for now.Tick() < frozen[0].To {
		now.Step(gridworld.Stay)
	}
	best := 0
	for k := range now.Len() {
		if now.Thing(k).State == gridworld.Ground {
			best = max(best, now.Thing(k).Value)
		}
	}
	if now.Tick() != 2+int(50*delay+0.5) || final(now).Value != best || final(now).State != gridworld.Ground {
		t.Errorf("item %d: after %d ticks the best reward is worth %d, and the right one %d", i, now.Tick(), best, final(now).Value)
	}
}

// TestDurations checks that rewards of one colour perish in a block, after a time that only what is found tells: in equal shares of the trials the
// better one is early enough, of the colour that lasts, or gone; and that short and long times of different blocks overlap.
func TestDurations(t *testing.T) {
	b := design(t, battery.Request{Items: 360, Root: 501, Levels: []battery.Factor{{Name: "paradigm", Text: []string{"own-durations"}}}})
	value := func(i int, name string) float64 {
		f, _ := b.Feature(name)
		return b.Items.Values(i).At(f).Number
	}
	perishes := map[float64]gridworld.Colour{}          // by block
	kinds, early, late := map[string]int{}, 0.0, 1000.0 // the longest short time, the shortest long one
	for i, it := range b.Items.All() {
		w, err := it.Trials[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		better := w.Thing(0)
		if w.Thing(1).Value > better.Value {
			better = w.Thing(1)
		}
		block := value(i, battery.BlockFeature)
		if better.Final {
			kinds["there"]++
			continue
		}
		kinds["gone"]++
		if c := perishes[block]; c != gridworld.None && c != better.Colour {
			t.Errorf("item %d: rewards of two colours perish", i)
		}
		perishes[block] = better.Colour
	}
	for i, it := range b.Items.All() {
		w, _ := it.Trials[0].Open()
		if end := final(w); end.Value == 2 {
			mine := end.Colour == perishes[value(i, battery.BlockFeature)]
			kinds[fmt.Sprint("of the colour that perishes ", mine)]++
			if mine {
				early = max(early, value(i, "delay"))
			}
		} else {
			late = min(late, value(i, "delay"))
		}
	}
	if kinds["there"] != 240 || kinds["of the colour that perishes true"] != 120 || early < late {
		t.Errorf("kinds of trials: %v; short times up to %v, long ones from %v", kinds, early, late)
	}
	for _, name := range []string{"bestSeenPasses", "lastingPasses", "latePasses"} {
		n := 0
		for i := range b.Items.Len() {
			n += int(value(i, name))
		}
		if n != 240 {
			t.Errorf("%s: %d of 360 trials, want two thirds", name, n)
		}
	}
}

// TestOnlyTheRewardTells checks that within a block nothing but the place of the reward and, where it is a level, the delay tells one test from
// another: so an eye that sees no reward learns nothing in the trial.
func TestOnlyTheRewardTells(t *testing.T) {
	b := design(t, battery.Request{Items: 400, Root: 501})
	first, tests := map[int32]string{}, 0
	for i, it := range b.Items.All() {
		if !strings.HasSuffix(it.Task, "-test") || it.Paradigm == "own-a-not-b" {
			continue
		}
		text := regexp.MustCompile(`(?m)^(thing|limit|freeze) .*\n`).ReplaceAllString(it.Trials[0].World.String(), "")
		block := b.Blocks().First[i]
		if other, ok := first[block]; ok && other != text {
			t.Errorf("item %d: a test of its block is in another room:\n%s\n%s", i, other, text)
		}
		first[block] = text
		tests++
	}
	if tests < 50 {
		t.Errorf("only %d tests", tests)
	}
}

// TestLevels checks that blocks use all levels, that items = 0 has every combination once, and that wrong levels are refused.
func TestLevels(t *testing.T) {
	only := func(name string, levels ...float64) battery.Factor { return battery.Factor{Name: name, Number: levels} }
	b := design(t, battery.Request{Root: 1, Levels: []battery.Factor{{Name: "paradigm", Text: []string{"reversal"}}, only("pairs", 1), only("run", 2), only("reversals", 0, 2)}})
	if n := b.Items.Len(); n != 2+6 {
		t.Errorf("%d trials, want those of two blocks: 8", n)
	}
	longest := design(t, battery.Request{Root: 1, Levels: []battery.Factor{{Name: "paradigm", Text: []string{"reversal"}}, only("pairs", 4), only("run", 12), only("reversals", 3)}})
	if n := longest.Items.Len(); n != 4*4*12 {
		t.Errorf("%d trials in the longest block", n)
	}
	if err := longest.Check(t.Context(), 1); err != nil {
		t.Errorf("the longest block: %v", err)
	}
	for _, c := range []struct {
		level battery.Factor
		want  string
	}{
		{only("delay", 5), "factor delay: level 5 is not a multiple of 0.02 from 0.2 to 4"},
		{only("arms", 5), "arms is not a factor of the design"},
		{battery.Factor{Name: "paradigm", Text: []string{"reversals"}}, `factor paradigm: level "reversals" is unknown`},
	} {
		if _, err := blocks.Design(t.Context(), battery.Request{Items: 10, Levels: []battery.Factor{c.level}}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %s", c.level, err, c.want)
		}
	}
}

// TestDocumentation checks that the manual has the map of the test of a round in the maze, the trials of a block of durations, all factors and all features of its own; -update
// rewrites the map, the trials and the table.
func TestDocumentation(t *testing.T) {
	const file = "../../docs/reference/blocks.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	picture, rows := "", ""
	b := design(t, battery.Request{Items: 80, Root: 3})
	for _, it := range b.Items.All() {
		if it.Task == "own-radial-maze-test" {
			picture = "```map\n" + gridtest.Map(t, it.Trials[0].World.String()+"\nfilm") + "```"
			break
		}
	}
	for _, f := range blocks.Factors() {
		levels := strings.Join(f.Text, ", ")
		if f.Text == nil {
			levels = strings.NewReplacer(" ", ", ", "[", "", "]", "").Replace(fmt.Sprint(f.Number))
		}
		rows += fmt.Sprintf("| `%s` | %s | %s |\n", f.Name, levels, blocks.FactorDoc(f.Name))
	}
	const head = "| factor | default levels | |\n|---|---|---|\n"
	got := regexp.MustCompile("(?s)```map\n.*?```").ReplaceAllLiteralString(string(text), picture)
	got = regexp.MustCompile(regexp.QuoteMeta(head)+"(\\|.*\n)*").ReplaceAllLiteralString(got, head+rows)
	got = regexp.MustCompile("(?s)```strip\n.*?```").ReplaceAllLiteralString(got, stripOf(t, b))
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if got != string(text) {
		t.Errorf("the map, the strip or the factors of %s are out of date: run with -update and look at the difference", file)
	}
	for _, name := range record.History() {
		if !strings.Contains(got, "`"+name+"`") && !regexp.MustCompile("`"+name[:len(name)-1]+"0` … ").MatchString(got) {
			t.Errorf("%s does not mention %s", file, name)
		}
	}
}

// stripOf returns the first eight trials of the first block of durations: the colour of the better reward, after which time the subject may act, and whether
// it is there then.
func stripOf(t *testing.T, b battery.Battery) string {
	delay, _ := b.Feature("delay")
	rows := []string{"better", "time  ", "there "}
	block, most := int32(-1), 8
	for i, it := range b.Items.All() {
		if most == 0 {
			break
		}
		if it.Paradigm != "own-durations" || block >= 0 && block != b.Blocks().First[i] {
			continue
		}
		block = b.Blocks().First[i]
		most--
		w, err := it.Trials[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		better := w.Thing(0)
		if better.Value == 1 {
			better = w.Thing(1)
		}
		colour := map[gridworld.Colour]string{gridworld.RGB(0, 200, 0): "green", gridworld.RGB(255, 255, 0): "yellow", gridworld.RGB(255, 0, 0): "red"}[better.Colour]
		rows[0] += fmt.Sprintf(" %-6s", colour)
		rows[1] += fmt.Sprintf(" %-6v", it.Values.At(delay).Number)
		rows[2] += fmt.Sprintf(" %-6s", map[bool]string{true: "yes", false: "no"}[better.Final])
	}
	for k, row := range rows {
		rows[k] = strings.TrimRight(row, " ")
	}
	return "```strip\n" + strings.Join(rows, "\n") + "\n```"
}

// TestFilms checks that every film in testdata, which was checked by eye, is the test of a block, and that all are true of their worlds
// (gridtest.Films). The -update flag rewrites the films.
func TestFilms(t *testing.T) {
	b := design(t, battery.Request{Items: 400, Root: 3})
	made := map[string]bool{}
	for i, it := range b.Items.All() {
		hidden, _ := b.Feature(battery.HiddenFeature)
		if made[it.Paradigm] || b.Items.Values(i).At(hidden).Number == 0 {
			continue
		}
		made[it.Paradigm] = true
		w, err := it.Trials[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		var way measure.Way
		if !way.Walk(w, final(w).Pos, false) {
			t.Fatalf("%s: no way", it.Task)
		}
		file, got := "testdata/"+it.Task+".txt", batterytest.Strip(t, it, way.Actions, way.Sighting, len(w.Cues()) > 0)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || string(want) != got {
			t.Errorf("%s: the item is (%v)\n%s", file, err, got)
		}
	}
	if len(made) != 5 {
		t.Errorf("films of %v", made)
	}
	gridtest.Films(t, os.DirFS("testdata"), "*.txt")
}

// TestGolden checks the digest of a battery and the worlds of a round in the maze, which the manual shows.
func TestGolden(t *testing.T) {
	b := design(t, battery.Request{Items: 80, Root: 3})
	text := "learning-80-3 " + batterytest.Digest(t, b) + "\n"
	for _, it := range b.Items.All() {
		if it.Paradigm == "own-radial-maze" {
			text += it.Task + "\n" + it.Trials[0].World.String()
			if it.Task == "own-radial-maze-test" {
				break
			}
		}
	}
	const file = "testdata/blocks.golden"
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != text {
		t.Errorf("%s has other items (%v): run with -update and look at the difference", file, err)
	}
}
