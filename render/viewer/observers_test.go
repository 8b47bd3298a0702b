package viewer_test

import (
	"os"
	"strings"
	"testing"

	"achilles/render/canvas"
	"achilles/render/replay"
	"achilles/render/viewer"
)

// watched opens a directory with three items that observers watched. Its seal was opened.
func watched(t *testing.T) *viewer.Viewer {
	t.Helper()
	v := viewer.Open(viewer.Options{Title: "results/bib"}, func() (*replay.Archive, error) { return replay.Open(os.DirFS("../replay/testdata/bib")) })
	t.Cleanup(v.Close)
	send(v)
	return v
}

// TestChooseObserver checks that keys choose the next and the previous observer, and that the first observer comes
// after the last. The list, the picture and the panel must show the chosen observer's surprises, and the episode and
// the tick must stay the same.
func TestChooseObserver(t *testing.T) {
	v := watched(t)
	send(v, "down", "end", "left")
	row, tick, before := v.Model().Row(), v.Model().Play.Tick, says(v)
	if !strings.Contains(before, "surprise so far") || !strings.Contains(before, "what the observer achilles infers as the goal") {
		t.Errorf("of the first observer it says\n%s", before)
	}
	send(v, "k")
	got := says(v)
	if v.Model().Row() != row || v.Model().Play.Tick != tick || v.Model().Play.Playing {
		t.Errorf("row %d, tick %d; before %d, %d", v.Model().Row(), v.Model().Play.Tick, row, tick)
	}
	if !strings.Contains(got, "what the observer hbtom infers as the goal") || !strings.Contains(got, "shift of beliefs so far") || strings.Contains(got, " nats\n") {
		t.Errorf("of the next observer it says\n%s", got)
	}
	if send(v, "j"); says(v) != before {
		t.Errorf("back at the first observer it says\n%s", says(v))
	}
	a, err := replay.Open(os.DirFS("../replay/testdata/bib"))
	if err != nil {
		t.Fatal(err)
	}
	for range a.Observers {
		send(v, "k")
	}
	if says(v) != before {
		t.Errorf("after as many keys as there are observers it says\n%s", says(v))
	}
}

// TestTableOfObservers checks that the panel of the battery has a table of all observers, and that a click on a row, or
// the keys that Keys gives for it, choose its observer.
func TestTableOfObservers(t *testing.T) {
	v := watched(t)
	send(v, "3")
	got := says(v)
	for _, want := range []string{"Relative accuracy", "achilles", "hbtom", "irrat", "observer: achilles"} {
		if !strings.Contains(got, want) {
			t.Errorf("the table does not say %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "inacc") {
		t.Errorf("the table has a column of episodes that are not there:\n%s", got)
	}
	for _, h := range v.Draw(float32(*width), float32(*height)).Hits {
		if h.ID != "observer 1" {
			continue
		}
		keys := v.Model().Keys(h.ID)
		if len(keys) != 1 || keys[0] != "k" {
			t.Errorf("the keys of the second row are %q", keys)
		}
		m := h.Mid()
		v.Update(canvas.Input{X: m.X, Y: m.Y, Down: true, Width: float32(*width), Height: float32(*height)})
		v.Settle()
	}
	if got := says(v); !strings.Contains(got, "observer: hbtom") {
		t.Errorf("after a click it says\n%s", got)
	}
	if send(v, "1"); strings.Contains(says(v), "Relative accuracy of observers") {
		t.Error("the table stays")
	}
}

// TestNoObservers checks that, if subjects act in the episodes, the key for observers says that nobody watches.
func TestNoObservers(t *testing.T) {
	if got := press(opened(9), "k"); !strings.Contains(state(got), "nobody watches") {
		t.Error("the key says nothing")
	}
}
