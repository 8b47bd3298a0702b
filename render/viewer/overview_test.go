package viewer_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/render/canvas"
	"achilles/render/replay"
	"achilles/render/viewer"
	"achilles/scenarios/score"
)

// TestOverview checks the errors of two subjects by hand, their order, and that enter, after keys that move the mark, chooses the episodes of
// a cell.
func TestOverview(t *testing.T) {
	var list []replay.Row
	row := func(subject, paradigm, outcome string, p float64) {
		r := replay.Row{Subject: subject, Paradigm: paradigm, Task: paradigm, Item: "i", Outcome: outcome, Surprise: math.NaN()}
		if !math.IsNaN(p) {
			r.HeldOut = &replay.HeldOut{P: p, Truth: 0.5, RMSE: math.NaN(), Surprise: math.NaN()}
		}
		list = append(list, r)
	}
	for _, s := range []string{"good", "bad"} { // both pass half of what is not held out: a baseline of 0.25
		row(s, "cup", replay.OutcomePassed, math.NaN())
		row(s, "cup", replay.OutcomeFailed, math.NaN())
	}
	row("good", "cup", replay.OutcomePassed, 0.9)  // 0.01
	row("good", "grid", replay.OutcomeFailed, 0.3) // 0.09
	row("bad", "grid", replay.OutcomePassed, 0.1)  // 0.81
	m := viewer.NewModel("d", list)
	m = press(present(m), "3")
	text := state(m)
	for _, want := range []string{"0.01 (0.25)", "0.09 (0.25)", "0.05 (0.25)", "0.81 (0.25)"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %s", want)
		}
	}
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"?"}, "play or pause"},
		{[]string{"p", "down", "down"}, "Filter by paradigm: grid, entry 3 of 3, 2 episodes."},
		{[]string{"p", "x"}, "nothing contains x"},
		{[]string{"/", "g", "r"}, "Search: gr. 2 of 7 episodes."},
	} {
		if got := press(m, c.keys...).Words(); !strings.Contains(got, c.want) {
			t.Errorf("after %s who cannot see reads\n%s", c.keys, got)
		}
	}
	m = press(m, "shift down", "shift right") // the second subject, good, in the second paradigm
	if got := m.Words(); !strings.Contains(got, "good, grid: Brier score 0.090 of 1 episode held out; baseline (own success rate) 0.250") {
		t.Errorf("the mark says\n%s", got)
	}
	if m = press(m, "enter"); m.Left() != 1 {
		t.Errorf("the cell has %d episodes, not 1", m.Left())
	}
}

// TestCellOrder checks that the episodes of a cell begin with the held-out one that was predicted worst, where nothing is known of the truth, and
// that it is shown at its end.
func TestCellOrder(t *testing.T) {
	var list []replay.Row
	for i, p := range []float64{math.NaN(), 0.9, 0.2, 0.6} { // all pass; the first is not held out
		r := replay.Row{Subject: "s", Paradigm: "cup", Task: "cup", Item: string(rune('a' + i)), Outcome: replay.OutcomePassed, Surprise: math.NaN()}
		if !math.IsNaN(p) {
			r.HeldOut = &replay.HeldOut{P: p, Truth: math.NaN(), RMSE: math.NaN(), Surprise: -math.Log(p)}
		}
		list = append(list, r)
	}
	m := present(press(present(viewer.NewModel("d", list)), "3", "enter"))
	if m.Row() != 2 || m.Play.Tick != m.Play.Last || m.Play.Last == 0 {
		t.Errorf("it shows row %d at tick %d of %d", m.Row(), m.Play.Tick, m.Play.Last)
	}
}

// TestOverviewScrolls checks that the marked one of many subjects is always shown.
func TestOverviewScrolls(t *testing.T) {
	var list []replay.Row
	for i := range 60 {
		name := fmt.Sprintf("subject-%02d", i)
		list = append(list, replay.Row{Subject: name, Paradigm: "cup", Task: "cup", Item: "i", Outcome: replay.OutcomePassed, Surprise: math.NaN()},
			replay.Row{Subject: name, Paradigm: "cup", Task: "cup", Item: "j", Outcome: replay.OutcomePassed, Surprise: math.NaN(), HeldOut: &replay.HeldOut{P: float64(i) / 60, Truth: math.NaN(), RMSE: math.NaN(), Surprise: 1}})
	}
	m := press(present(viewer.NewModel("d", list)), "3")
	for i := range 60 {
		if name := fmt.Sprintf("subject-%02d", i); !strings.Contains(state(m), name+" ") {
			t.Fatalf("%s is marked and not shown", name)
		}
		m = press(m, "shift down")
	}
	if strings.Contains(state(m), "more, less wrong") {
		t.Error("after the last there are more")
	}
}

// TestBar checks that the bar has the directory and a whole result at every width, never the beginning of one.
func TestBar(t *testing.T) {
	title := "/home/somebody/results/of/many/people/quickstart/episodes   ·   bodies on 24 items, not the 2,188 of quickstart"
	baseline := 0.165
	scores := &score.Scores{Prediction: &score.Predictions{Pooled: &score.Prediction{Brier: 0.093, BrierAggregate: &baseline}}}
	full := []string{"Held-out Brier score 0.093 (baseline, success rate: 0.165)", "Held-out Brier score 0.093"}
	m := viewer.NewModel(title, nil).Browse(viewer.NewLibrary(title)).Tabulate(scores, nil)
	for w := float32(400); w < 2000; w += 10 {
		if w >= viewer.Narrow && w < viewer.MinWidth {
			continue // drawn as one of MinWidth, and made smaller
		}
		dir, result := false, false
		for _, op := range m.Draw(w, 800).Ops {
			x, ok := op.(canvas.Text)
			if !ok || x.At.Y > 40 {
				continue
			}
			dir = dir || strings.Contains(x.Text, "episodes   ·   bodies on 24 items, not the 2,188 of quickstart")
			result = result || slices.ContainsFunc(full, func(f string) bool { return strings.HasSuffix(x.Text, f) })
			if strings.Contains(x.Text, "…") {
				t.Errorf("%g pixels: %s", w, x.Text)
			}
		}
		if !dir || !result {
			t.Errorf("%g pixels: directory %v, result %v", w, dir, result)
		}
	}
}

// TestHeadsFit checks that the heads of narrow columns are whole: in the 39 pixels that seven paradigms have on a screen of 800.
func TestHeadsFit(t *testing.T) {
	for _, name := range []string{"displacement", "transposition", "what-where-when", "tubes", "a-not-b"} {
		lines := viewer.HeadLines(name, 39)
		if whole := strings.Join(lines, ""); whole != name && strings.ReplaceAll(whole, "-", "") != name {
			t.Errorf("the head of %s is %q", name, lines)
		}
		for _, line := range lines {
			if w := canvas.Measure(canvas.Regular, 11, line); w > 39 {
				t.Errorf("%q is %.0f pixels wide", line, w)
			}
		}
	}
}
