package viewer_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/render/canvas"
	"achilles/render/replay"
	"achilles/render/viewer"
)

// TestPlace checks that a viewer which is opened with the fragment of another viewer shows the same episode, tick and
// panel.
func TestPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("many frames, and no goroutine that TestEveryEpisode has not")
	}
	v := open(t, viewer.Options{Title: "results/mine"})
	if v.Fragment() != "" {
		t.Errorf("before an episode is open the fragment is %q", v.Fragment())
	}
	send(v, "down", "down", "down", ".", "right", "2")
	at := v.Fragment()
	if !strings.Contains(at, "tick=11") || !strings.Contains(at, "panel=profile") {
		t.Errorf("the fragment is %q", at)
	}
	again := open(t, viewer.Options{Title: "results/mine"}.At("#"+at))
	send(again)
	if again.Model().Row() != v.Model().Row() || again.Model().Play.Tick != 11 || again.Fragment() != at || says(again) != says(v) {
		t.Errorf("at row %d, tick %d, with the fragment %q; want row %d, %q", again.Model().Row(), again.Model().Play.Tick, again.Fragment(), v.Model().Row(), at)
	}
	if send(again, "down"); again.Model().Play.Tick != 0 {
		t.Errorf("the next episode begins at tick %d", again.Model().Play.Tick)
	}
}

// TestPlaceMistakes checks that a fragment without an item changes nothing, that wrong numbers in a fragment count as
// 0, and that an unknown item leads to the first episode.
func TestPlaceMistakes(t *testing.T) {
	o := viewer.Options{Title: "x", Item: "i"}
	for _, bad := range []string{"", "#", "#tick=5", "#%zz", "#item="} {
		if got := o.At(bad); got != o {
			t.Errorf("%q leads to %+v", bad, got)
		}
	}
	if got := o.At("#item=j&tick=-4&trial=x&panel=attic"); got.Item != "j" || got.Tick != 0 || got.Trial != 0 {
		t.Errorf("it leads to %+v", got)
	}
	v := open(t, viewer.Options{Title: "results/mine"}.At("#item=nowhere&tick=7"))
	if send(v); v.Model().Row() != 0 || v.Model().Play.Tick != 0 {
		t.Errorf("an item that is not there leads to row %d, tick %d", v.Model().Row(), v.Model().Play.Tick)
	}
	v = open(t, viewer.Options{Title: "results/mine"})
	send(v)
	far := open(t, viewer.Options{Title: "results/mine"}.At(v.Fragment()+"&tick=99999&panel=attic"))
	if send(far); far.Model().Play.Tick != far.Model().Play.Last {
		t.Errorf("a tick beyond the end leads to %d of %d", far.Model().Play.Tick, far.Model().Play.Last)
	}
}

// TestPanelScrolls checks that a panel whose contents do not fit says that there is more below or above, and that keys
// and the wheel scroll to the end of the contents and back.
func TestPanelScrolls(t *testing.T) {
	long := func() viewer.Model {
		e := episode("long")
		for i := range 40 {
			e.Features = append(e.Features, replay.Feature{Name: fmt.Sprintf("feature-%02d", i), Value: "1", Unit: "cells"})
		}
		m := viewer.NewModel("results/mine", rows(3)).Resize(1280, 720)
		return m.Present(0, viewer.NewOpened(e, true), nil)
	}
	m := long()
	if s := state(m); !strings.Contains(s, "more below") || strings.Contains(s, "more above") {
		t.Error("it does not say that there is more below")
	}
	end := m
	for range 50 {
		end = end.Press("shift page down")
	}
	if s := state(end); !strings.Contains(s, "▲ more above") || strings.Contains(s, "below") {
		t.Error("at the end it does not say that there is more above alone")
	}
	inside := func(m viewer.Model, name string) bool {
		for _, op := range m.Draw(1280, 720).Ops {
			if x, ok := op.(canvas.Text); ok && x.Text == name {
				return x.At.Y > 60 && x.At.Y < 520
			}
		}
		return false
	}
	if inside(m, "feature-39") || !inside(end, "feature-39") {
		t.Error("the last feature is seen before, or not at the end")
	}
	if state(end.Press("shift page up")) == state(end) {
		t.Error("one key up from the end shows the same: the panel is scrolled beyond its end")
	}
	wheel := m.Point(m.Draw(1280, 720), canvas.Input{X: 1100, Y: 300, Wheel: -1})
	if !strings.Contains(state(wheel), "above and below") {
		t.Error("the wheel does not scroll the panel")
	}
	if short := opened(9); strings.Contains(state(short), "more below") {
		t.Error("a panel whose contents fit says that there is more")
	}
}

// TestUnits checks that the features that the layout uses come first in the list of features, and that capabilities
// have their units.
func TestUnits(t *testing.T) {
	v := open(t, viewer.Options{})
	send(v)
	got := says(v)
	first, other := strings.Index(got, "\nnumPositions\n"), strings.Index(got, "\noccluderRed\n")
	if first < 0 || other >= 0 && other < first {
		t.Errorf("the layout's features do not come first:\n%s", got)
	}
	send(v, "2")
	if got := says(v); !strings.Contains(got, "\nplaces\n") {
		t.Errorf("of the profile it says\n%s", got)
	}
}
