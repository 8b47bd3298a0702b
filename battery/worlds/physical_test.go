package worlds_test

import (
	"math"
	"testing"

	"achilles/battery/worlds"
	"achilles/gridworld"
)

// TestNoShortcutPassesPhysical checks that no shortcut passes more than catalog.MostPassed of the items that test object permanence, and
// which kinds of items all or none of the shortcuts that a paradigm is made against pass.
func TestNoShortcutPassesPhysical(t *testing.T) {
	b := designOf(t, worlds.Physical(), nil, 560, 502)
	passNo(t, b, []passing{
		{`task == "ratio-test" && area == 1`, "largestAreaPasses", false},
		{`task == "ratio-test" && area == 0`, "largestAreaPasses", true},
		{`task == "ratio-congruent"`, "lastSeenPasses", true},
		{`task == "cohesion-test" && cohesion == 1`, "mostPiecesPasses", false},
		{`task == "cohesion-test" && cohesion == 0`, "mostPiecesPasses", true},
		{`task == "cohesion-congruent"`, "mostPiecesPasses", true},
		{`task == "cylinder-test"`, "directPasses", false},
		{`task == "cylinder-control" && congruent == 0`, "directPasses", false},
		{`paradigm == "cylinder" && congruent == 1`, "directPasses", true},
		{`paradigm == "cylinder"`, "lastSeenPasses", true},
		{`task == "implosion-test"`, "bestSeenPasses", false},
		{`task == "implosion-congruent"`, "bestSeenPasses", true},
		{`task == "decoy-test"`, "lastGonePasses", false},
		{`task == "decoy-congruent"`, "lastGonePasses", true},
		{`task == "boards-test"`, "lastSeenPasses", false},
		{`task == "boards-congruent"`, "lastSeenPasses", true},
		{`task == "durations-test"`, "bestSeenPasses", false},
		{`task == "durations-congruent"`, "bestSeenPasses", true},
		{`task == "tools-test"`, "bestSeenPasses", false},
		{`task == "tools-congruent"`, "bestSeenPasses", true},
	})
	cor, err := b.Correlate(worlds.Physical().Demands()...)
	if err != nil {
		t.Fatal(err)
	}
	if x, y, r := cor.Largest(); math.Abs(r) > 0.1 { // cylinders of many wells ask for long walks
		t.Errorf("%s and %s correlate %.4f", x, y, r)
	}
}

// TestPhysicalByHand checks what items ask for against what can be counted in their worlds: of heaps the numbers, areas and pieces in each
// well, of cylinders the length of the way, of implosions and strips whether the better reward is there in the end, of decoys what goes last,
// of boards which does not lie flat, and of durations how long things last.
func TestPhysicalByHand(t *testing.T) {
	b := designOf(t, worlds.Physical(), nil, 400, 503)
	for _, it := range b.Items.All() {
		feature := func(name string) float64 {
			f, ok := b.Feature(name)
			if !ok {
				t.Fatalf("no feature %s", name)
			}
			return it.Values.At(f).Number
		}
		w := open(t, it)
		tests := 1 - feature("congruent")
		hidden := tests * feature("occluder")
		ends, reward := ending(w), goal(w)
		right := ends[reward]
		wrong := func(of string, want float64) {
			if feature(of) != want {
				t.Errorf("%s, %s: %s is %v, and counted %v:\n%s", it.Name, it.Task, of, feature(of), want, w)
			}
		}
		last := lastCues(w)
		var best, latest int // the most valuable thing, and the one that moved last
		for i := range w.Len() {
			if w.Thing(i).Value > w.Thing(best).Value {
				best = i
			}
			if last[i].Tick > last[latest].Tick {
				latest = i
			}
		}
		switch it.Paradigm {
		case "ratio", "cohesion":
			own, rival, more := heapsOf(w, right, it.Trials[0].Places)
			want := 0.0
			if rival.rewards > 0 {
				want = float64(own.rewards) / float64(own.rewards-rival.rewards)
			}
			wrong("ratio", want)
			if it.Paradigm == "ratio" {
				wrong("area", float64(is(more.area > own.area)))
				wrong("cohesion", 0)
			} else {
				wrong("cohesion", float64(is(more.pieces > own.pieces)))
				wrong("area", 0)
			}
		case "cylinder":
			wrong("retreat", tests*(feature("pathLength")-feature("goalDistance"))/(2*worlds.UnitsPerCell))
			wrong("reach", tests*(1-feature("occluder")))
		case "implosion":
			wrong("gone", hidden*float64(is(last[best].State == gridworld.Hidden)))
		case "decoy":
			wrong("decoys", hidden*float64(is(latest != reward)))
		case "boards":
			raised := 0
			for i := range w.Len() {
				if p := ends[i]; w.Thing(i).Kind == gridworld.Shape && p == (gridworld.Pos{X: right.X, Y: right.Y + 1}) {
					raised++
				} else if w.Thing(i).Kind == gridworld.Shape && w.At(p).Kind != gridworld.Hole && w.At(p).Kind != gridworld.ShallowHole {
					t.Errorf("%s: another board does not lie flat", it.Name)
				}
			}
			if raised != 1 {
				t.Errorf("%s: %d boards stand out over the right well", it.Name, raised)
			}
			wrong("boards", hidden*float64(is(w.Thing(reward).Pos != right)))
		case "durations": // the samples are worth nothing; a reward of their colour lasts as long as they did
			wrong("when", hidden*float64(is(w.Thing(reward).Value == 1)))
			var shown, gone []int // by sample
			came := 0
			for _, c := range w.Cues() {
				switch x := w.Thing(c.Thing); {
				case x.Value == 0 && c.State == gridworld.Air:
					shown = append(shown, c.Tick)
				case x.Value == 0:
					gone = append(gone, c.Tick)
				case c.State == gridworld.Air:
					came = c.Tick
				case c.State == gridworld.Hidden && c.Tick-came != gone[0]-shown[0]:
					t.Errorf("%s: a reward perishes after %d ticks, and its like after %d", it.Name, c.Tick-came, gone[0]-shown[0])
				}
			}
			if len(gone) != 2 || gone[1]-shown[1] != gone[0]-shown[0] {
				t.Errorf("%s: samples last %v to %v", it.Name, shown, gone)
			}
		case "tools":
			wrong("tools", hidden*float64(is(best != reward)))
			for i := range w.Len() {
				if brings(w, it.Trials[0].Places, w.Thing(i).Pos) != (i == reward) {
					t.Errorf("%s: a strip brings another reward, or not the right one:\n%s", it.Name, w)
				}
			}
		}
	}
}

// lastCues returns the last cue of every thing.
func lastCues(w *gridworld.World) map[int]gridworld.Cue {
	last := map[int]gridworld.Cue{}
	for _, c := range w.Cues() {
		last[c.Thing] = c
	}
	return last
}

type heapIn struct{ rewards, pieces, area int }

// heapsOf returns the heap that ends in the right well, the largest by number elsewhere, and one elsewhere that has more area or pieces than
// the right one, if there is one.
func heapsOf(w *gridworld.World, right gridworld.Pos, places []gridworld.Pos) (own, rival, more heapIn) {
	all := map[gridworld.Pos]heapIn{}
	for i, p := range ending(w) {
		h := all[p]
		h.pieces++
		if t := w.Thing(i); t.Value > 0 {
			h.rewards, h.area = h.rewards+1, h.area+t.Size*t.Size
		}
		all[p] = h
	}
	own = all[right]
	for _, p := range places {
		h := all[p]
		if p == right {
			continue
		}
		if h.rewards > rival.rewards {
			rival = h
		}
		if h.area > more.area {
			more.area = h.area
		}
		if h.pieces > more.pieces {
			more.pieces = h.pieces
		}
	}
	return own, rival, more
}

// brings reports whether a line of coloured floor leads from the cell north of a well to p without a gap.
func brings(w *gridworld.World, places []gridworld.Pos, p gridworld.Pos) bool {
	for _, place := range places {
		if place.X != p.X {
			continue
		}
		for y := place.Y + 1; y <= p.Y; y++ {
			if w.At(gridworld.Pos{X: p.X, Y: y}).Colour == gridworld.None {
				return false
			}
		}
		return true
	}
	return false
}
