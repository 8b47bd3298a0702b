package worlds_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/worlds"
	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/sim/longtest"
)

// written returns the value of a feature as a text.
func written(t testing.TB, b *battery.Battery, item int, feature string) string {
	t.Helper()
	f, ok := b.Feature(feature)
	if !ok {
		t.Fatalf("no feature %s", feature)
	}
	if v := b.Items.Values(item).At(f); v.Text != "" {
		return v.Text
	} else {
		return fmt.Sprint(v.Number)
	}
}

// TestFeaturesAreMeasured checks the features of every item against measurements of its published text by slow, simple
// programs: gridtest.Sees for lines of sight and gridtest.Distances for ways.
func TestFeaturesAreMeasured(t *testing.T) {
	roots, items := uint64(1), 200
	if longtest.On() {
		roots, items = 3, 250
	}
	for root := range roots {
		b := courses(t, nil, items, root)
		for i := range b.Items.Len() {
			trial := b.Items.At(i).Trials[0]
			w, err := trial.Open()
			if err != nil {
				t.Fatal(err)
			}
			for feature, want := range measuredAgain(w, trial.Places) {
				if got := written(t, &b, i, feature); got != want {
					t.Errorf("item %s: %s is %s, and measured again %s:\n%s", b.Items.Name(i), feature, got, want, trial.World)
				}
			}
			again := hiddenAgain(w)
			if got := written(t, &b, i, "timeUnderOcclusion"); got != again[0] && got != again[1] {
				t.Errorf("item %s: timeUnderOcclusion is %s, and measured again %v:\n%s", b.Items.Name(i), got, again, trial.World)
			}
			if t.Failed() {
				return
			}
		}
	}
}

func measuredAgain(w *gridworld.World, places []gridworld.Pos) map[string]string {
	cues := w.Cues()
	last := cues[len(cues)-1]
	to, start := last.Pos, w.Actor()
	goal := gridworld.BoardOf(to)
	ways := gridtest.Distances(w, &goal, nil)
	out := map[string]string{
		"goalDistance": fmt.Sprint(worlds.UnitsPerCell * start.Pos.Manhattan(to)),
		"rightLeft":    side(start, to),
		"goalSize":     fmt.Sprint(float64(w.Thing(0).Size) / 100),
		"timeLimit":    fmt.Sprint(w.Rules().Limit),
		"places":       fmt.Sprint(len(places)),
		"lava":         bit(kinds(w, gridworld.Lava) > 0),
		"transparent":  bit(kinds(w, gridworld.ClearWall) > 0),
	}
	hidden, others, forced := !gridtest.Sees(w, start.Pos, to), 0, len(places) > 1
	for _, p := range places {
		if hidden && p != to && !gridtest.Sees(w, start.Pos, p) {
			others++
		}
		if _, way := ways[p]; way && p != to {
			forced = false
		}
	}
	out["occluder"], out["goalVisible"], out["requiresOP"] = bit(hidden), bit(!hidden), bit(hidden)
	out["numPositions"], out["forcedChoice"] = fmt.Sprint(others), bit(forced)

	dark, frozen := w.Windows()
	free := frozen[0].To
	out["lightsOut"] = bit(len(dark) > 0)
	out["delay"] = fmt.Sprint(free - last.Tick)
	moves := false
	for _, c := range cues {
		moves = moves || c.State == gridworld.Air
	}
	out["bounce"] = bit(moves)
	var ramps gridworld.Board
	ledge := false
	for p := range gridtest.Cells(w) {
		if w.At(p).Kind.Sloped() {
			ramps.Set(p)
		}
		for d := gridworld.North; d < gridworld.Directions; d += 2 {
			q := p.Add(d)
			if w.Inside(q) && !w.At(p).Kind.Sloped() && !w.At(q).Kind.Sloped() && w.At(q).Height < w.At(p).Height && w.CanStep(p, d) && !w.At(q).Kind.Lethal() {
				ledge = true
			}
		}
	}
	_, without := gridtest.Distances(w, &goal, &ramps)[start.Pos]
	out["ramp"], out["platform"] = bit(!without), bit(ledge)
	return out
}

// hiddenAgain returns the time under occlusion, measured by stepping through the world on two cheapest ways: one that
// prefers turns to the left and one that prefers turns to the right.
func hiddenAgain(w *gridworld.World) (units [2]string) {
	for k, prefer := range []gridworld.Action{gridworld.TurnLeft, gridworld.TurnRight} {
		e := w.Clone()
		var f gridworld.TurnField
		longest, now := 0, 0
		for e.Outcome() == gridworld.Running {
			a := gridworld.Stay
			if !e.Frozen() {
				goal := gridworld.BoardOf(e.Thing(0).Pos)
				f.Toward(e, &goal)
				switch ahead, left, right := f.Best(e.Actor()); {
				case ahead:
					a = gridworld.Forward
				case prefer == gridworld.TurnLeft && left || !right:
					a = gridworld.TurnLeft
				default:
					a = gridworld.TurnRight
				}
			}
			thing := e.Thing(0)
			if now++; !e.Dark() && (thing.State == gridworld.Air || gridtest.Sees(e, e.Actor().Pos, thing.Pos)) {
				now = 0
			}
			longest = max(longest, now)
			e.Step(a)
		}
		units[k] = fmt.Sprint(float64(longest) / worlds.TicksPerTime)
	}
	return units
}

func kinds(w *gridworld.World, k gridworld.Kind) int {
	b := w.Where(k)
	return b.Len()
}

func bit(claim bool) string {
	if claim {
		return "1"
	}
	return "0"
}

// side returns the side of p as the feature rightLeft has it: the sign of the column of p relative to the actor after
// turning the world until the actor faces north.
func side(a gridworld.Actor, p gridworld.Pos) string {
	x := map[gridworld.Dir]int{
		gridworld.North: p.X - a.Pos.X, gridworld.South: a.Pos.X - p.X, gridworld.East: a.Pos.Y - p.Y, gridworld.West: p.Y - a.Pos.Y,
	}[a.Heading]
	switch {
	case x < 0:
		return "-1"
	case x > 0:
		return "1"
	}
	return "0"
}

// TestBrief checks that the time limit and the tick in the line that a subject is told are those of the world.
func TestBrief(t *testing.T) {
	b := courses(t, nil, 50, 9)
	for i := range b.Items.Len() {
		w, err := b.Items.At(i).Trials[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		_, frozen := w.Windows()
		want := fmt.Sprintf("Touch the reward before tick %d. Until tick %d you can look, but not move.", w.Rules().Limit, frozen[0].To)
		if b.Items.At(i).Brief != want || strings.Contains(want, "\n") {
			t.Errorf("brief %q, want %q", b.Items.At(i).Brief, want)
		}
	}
}
