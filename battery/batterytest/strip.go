package batterytest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/gridworld"
)

// Strip returns the film strip (gridtest.Film) of what the full-information actor of an item sees and does. way has the
// actions of the actor; after `sighting` of them the reward comes in sight. If event is true, the strip has a frame for
// every tick at which something moves.
func Strip(t testing.TB, it battery.Item, way []gridworld.Action, sighting int, event bool) string {
	t.Helper()
	w, err := it.Trials[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	var s strings.Builder
	fmt.Fprintf(&s, "// %s, %s. %s\n// Places %v.\n%s\nfilm\n>\nis frozen\nsees", it.Paradigm, it.Task, it.Brief, it.Trials[0].Places, it.Trials[0].World)
	seen := ""
	for i := range w.Len() {
		if x := w.Thing(i); x.State != gridworld.Hidden && (x.State != gridworld.Ground || w.At(x.Pos).Kind != gridworld.Hole) {
			seen += fmt.Sprintf(" %d", i)
		}
	}
	s.WriteString(cmp.Or(seen, " nothing"))
	s.WriteByte('\n')
	cues := w.Cues()
	_, frozen := w.Windows()
	free, rest := frozen[0].To, w.Tick() // nothing moves in a world without cues
	if len(cues) > 0 {
		rest = cues[len(cues)-1].Tick
	}
	f := strip{w: w, s: &s}
	if event {
		f.event(cues)
	}
	f.stay("The reward has come to rest.", rest-w.Tick())
	f.stay("The actor may act.", free-rest)
	f.picture("view")
	f.act("The reward comes in sight.", way[:sighting])
	f.act("", way[sighting:])
	f.picture("state")
	return s.String()
}

// event writes a frame for every tick at which something moves.
func (f strip) event(cues []gridworld.Cue) {
	for i, c := range cues {
		if n := c.Tick - f.w.Tick(); n > 0 {
			f.stay("", n)
		}
		if i+1 == len(cues) || cues[i+1].Tick > c.Tick {
			for k := range f.w.Len() {
				fmt.Fprintf(f.s, "thing %d %s %s\n", k, f.w.Thing(k).Pos, f.w.Thing(k).State)
			}
		}
	}
}

// A strip writes frames of an episode.
type strip struct {
	w *gridworld.World
	s *strings.Builder
}

func (f strip) stay(says string, n int) { f.act(says, make([]gridworld.Action, n)) }

func (f strip) act(says string, actions []gridworld.Action) {
	if len(actions) == 0 {
		return
	}
	f.s.WriteString(">")
	for _, a := range actions {
		fmt.Fprintf(f.s, " %s", a)
		f.w.Step(a)
	}
	f.s.WriteByte('\n')
	if says != "" {
		fmt.Fprintf(f.s, "// %s\n", says)
	}
	fmt.Fprintf(f.s, "actor %s %s\n", f.w.Actor().Pos, f.w.Actor().Heading)
	if f.w.Outcome() == gridworld.Finished {
		fmt.Fprintf(f.s, "is finished\ngain %d\n", f.w.Gain())
		return
	}
	var v gridworld.View
	f.w.View(gridworld.Viewer{}, &v)
	f.s.WriteString("sees")
	for _, x := range v.Things {
		fmt.Fprintf(f.s, " %d", x.Index)
	}
	if len(v.Things) == 0 {
		f.s.WriteString(" nothing")
	}
	f.s.WriteByte('\n')
	if f.w.Dark() {
		f.s.WriteString("is dark\n")
	}
}

// picture writes a picture of the world with the characters of its text form. In a picture of the kind "view", cells that
// the actor does not see are '?'.
func (f strip) picture(kind string) {
	text, _, _ := strings.Cut(strings.SplitN(f.w.String(), "\nmap\n", 2)[1], "\n\n")
	rows := strings.Split(text, "\n")
	var v gridworld.View
	f.w.View(gridworld.Viewer{Watch: gridworld.Everywhere(), Overhead: kind == "state"}, &v)
	f.s.WriteString(kind + "\n")
	for i, row := range rows {
		for x := range len(row) {
			p := gridworld.Pos{X: x, Y: len(rows) - 1 - i}
			c := row[x]
			if !v.Seen.Has(p) {
				c = '?'
			}
			for _, thing := range slices.Backward(v.Things) { // of several things the first is shown
				if thing.State == gridworld.Ground && thing.Pos == p {
					c = byte('0' + thing.Index)
				}
			}
			if f.w.Actor().Pos == p {
				c = 'A'
			}
			f.s.WriteByte(c)
		}
		f.s.WriteByte('\n')
	}
	f.s.WriteByte('\n')
}
