package viewer_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/gridworld"
	"achilles/render/board"
	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/picture"
	"achilles/render/replay"
	"achilles/render/viewer"
	"achilles/scenarios/score"
	"achilles/scenarios/seal"
)

// meadow is a world of ten by ten cells.
var meadow = "world 1\nlimit 50\nmap\n" + strings.Repeat("..........\n", 5) + "....A.....\n" + strings.Repeat("..........\n", 4)

// episode returns an episode of 41 ticks in a meadow, in which the actor walks to the east over and over. The episode
// has features, events, a profile and a prediction.
func episode(item string) *replay.Episode {
	w, err := gridworld.Parse(meadow)
	if err != nil {
		panic(err)
	}
	e := &replay.Episode{
		Row:  replay.Row{Suite: "opiaagets", Paradigm: "grid", Task: "op", Item: item, Subject: "body 3", Outcome: replay.OutcomeFailed, Cause: "lost way"},
		Last: 40, Rate: 8, Features: []replay.Feature{{Name: "goalDistance", Value: "32"}, {Name: "timeUnderOcclusion", Value: "1.5"}},
		Events: []replay.Event{
			{Tick: 3, Kind: replay.Appears}, {Tick: 9, Kind: replay.Hidden}, {Tick: 12, Kind: replay.Released}, {Tick: 30, Kind: replay.Chosen},
			{Tick: 40, Kind: replay.Stopped, Note: "lost way"},
		},
		Trajectory: &replay.Trajectory{World: w, Places: []gridworld.Pos{{X: 1, Y: 1}, {X: 8, Y: 8}}},
		Predicted:  &replay.Predicted{Samples: 200, Share: 0.4, Success: 0.7, RMSE: 0.7, FanRMSE: 0.9},
		Profile:    &replay.Profile{Subject: "body 3", Layout: "embodied", RMSE: new(0.05)},
	}
	for t := range 41 {
		at := gridworld.Pos{X: (4 + t) % 10, Y: 4}
		e.Trajectory.States = append(e.Trajectory.States, replay.State{
			State: board.State{Actor: gridworld.Actor{Pos: at, Heading: gridworld.East}, Seen: *gridworld.Everywhere()}, Belief: &seal.Belief{How: "infers", Place: gridworld.Pos{X: 8, Y: 8}},
		})
		e.Predicted.Path = append(e.Predicted.Path, gridworld.Pos{X: min(4+t/2, 9), Y: 5})
		e.Predicted.Distance = append(e.Predicted.Distance, math.Abs(math.Sin(float64(t)/9)))
	}
	e.Predicted.Distance[7] = math.NaN()
	truth := 3.5
	for _, name := range []string{"op", "flatNav", "visual", "lava", "platform", "ramp", "memory", "rightLeft", "noise"} {
		p := replay.Parameter{Scale: 10, Truth: &truth}
		p.Parameter, p.Mean, p.SD, p.Q5, p.Q95 = name, 3, 0.5, 2, 4
		for k := range 200 {
			p.Draws = append(p.Draws, 3+1.5*math.Cos(float64(k)))
		}
		e.Profile.Parameters = append(e.Profile.Parameters, p)
	}
	return e
}

func rows(n int) []replay.Row {
	rows := make([]replay.Row, n)
	for i := range rows {
		rows[i] = replay.Row{
			Suite: []string{"opiaagets", "bib"}[i%2], Paradigm: []string{"cup", "grid", "cv"}[i%3], Task: "op", Item: fmt.Sprintf("i-%04x", i),
			Subject: fmt.Sprintf("body %d", i%7), Outcome: []string{replay.OutcomePassed, replay.OutcomeFailed, "timed out"}[i%3], Surprise: math.NaN(), Steps: i,
		}
		if i%3 == 1 {
			rows[i].Cause = []string{"forgot", "lost way"}[i%2]
		}
		if i%2 == 1 {
			rows[i].Surprise = float64(i)
		}
	}
	return rows
}

func opened(n int) viewer.Model { return present(viewer.NewModel("results/mine", rows(n))) }

// shown has the episodes that present has opened, by row.
var shown = map[int32]*viewer.Opened{}

func present(m viewer.Model) viewer.Model {
	if row, ok := m.Wants(); ok {
		if shown[row] == nil {
			shown[row] = viewer.NewOpened(episode(fmt.Sprintf("episode %d", row)), true)
		}
		m = m.Present(row, shown[row], nil)
	}
	if m.WantsScores() {
		m = m.Tabulate(&score.Scores{Paths: map[string]score.PathScore{"cup": {N: 3, RMSE: 1}, score.Overall: {N: 3, RMSE: 1}}}, nil)
	}
	return m
}

// state returns all shapes that a model draws, as text.
func state(m viewer.Model) string {
	var b strings.Builder
	for _, op := range m.Draw(1280, 720).Ops {
		fmt.Fprintf(&b, "%v\n", op)
	}
	return b.String()
}

func press(m viewer.Model, keys ...string) viewer.Model {
	for _, k := range keys {
		m = present(m.Press(k))
	}
	return m
}

// clicked presses and releases the button of the pointer in the middle of a region, and then moves the pointer out of
// the picture.
func clicked(m viewer.Model, h canvas.Hit) viewer.Model {
	s := m.Draw(1280, 720)
	p := canvas.Input{X: h.Mid().X, Y: h.Mid().Y}
	m = m.Point(s, p)
	p.Down = true
	m = m.Point(s, p)
	m = present(m)
	p.Down = false
	m = m.Point(m.Draw(1280, 720), p)
	return m.Point(m.Draw(1280, 720), canvas.Input{X: -1, Y: -1})
}

// TestEveryControlHasAKey checks that every region that can be clicked has keys with the same effect, in every state of
// the screen.
func TestEveryControlHasAKey(t *testing.T) {
	if testing.Short() {
		t.Skip("many frames, and no goroutine that TestEveryEpisode has not")
	}
	base := opened(60)
	long := press(base, "control end")
	seen := map[string]bool{}
	for name, m := range map[string]viewer.Model{
		"start": base, "end of the list": long, "menu": press(base, "a"), "menu, narrowed": press(base, "a", "4"), "search": press(base, "/", "b", "o"),
		"filtered": press(base, "p", "down", "enter"), "profile": press(base, "2"), "battery": press(base, "3"), "wide": press(base, "w"),
		"help": press(base, "?"), "playing": press(base, "space"), "sorted": press(base, "z"), "nothing left": press(base, "/", "q", "q", "q", "enter"),
		"surprises": press(base, "u", "down", "enter"), "wide menu": press(base, "w", "s"),
	} {
		drawn := m.Draw(1280, 720)
		for _, h := range drawn.Hits {
			if top, ok := drawn.At(h.Mid().X, h.Mid().Y); !ok || top.ID != h.ID {
				continue // another region lies over it
			}
			keys := m.Keys(h.ID)
			if keys == nil {
				t.Errorf("%s: %q has no key", name, h.ID)
				continue
			}
			verb, _, _ := strings.Cut(h.ID, " ")
			seen[verb] = true
			if verb == "picture" || verb == "timeline" || verb == "scroll" {
				continue // the position of the pointer matters; see TestTimeline, TestHover and TestScroll
			}
			byKey, byClick := press(away(m), keys...), clicked(m, h)
			if strings.HasPrefix(name, "search") {
				byKey = press(away(m), append([]string{"enter"}, keys...)...)
			}
			if strings.Contains(name, "menu") && verb != "pick" {
				byKey = press(away(m), "escape") // a click beside a menu closes it
			}
			if state(moved(byKey)) != state(moved(byClick)) {
				t.Errorf("%s: a click on %q does other than the keys %q", name, h.ID, keys)
			}
		}
	}
	for _, v := range []string{"play", "step", "next-event", "previous-event", "start", "end", "slower", "faster", "loop", "overlay", "row", "search", "filter", "pick", "sort", "clear", "panel", "wide", "help", "leave", "picture", "timeline", "scroll"} {
		if !seen[v] {
			t.Errorf("no region is for %s", v)
		}
	}
}

// away returns the model after the pointer has moved out of the picture, as clicked does.
func away(m viewer.Model) viewer.Model {
	return m.Point(m.Draw(1280, 720), canvas.Input{X: -1, Y: -1})
}

// moved returns the model after the pointer has moved outside the picture. The move removes the reason, in the line at
// the bottom, why an overlay has nothing to show.
func moved(m viewer.Model) viewer.Model {
	return m.Point(m.Draw(1280, 720), canvas.Input{X: -2, Y: -2})
}

func find(t *testing.T, s *canvas.Canvas, id string) canvas.Hit {
	t.Helper()
	i := slices.IndexFunc(s.Hits, func(h canvas.Hit) bool { return h.ID == id })
	if i < 0 {
		t.Fatalf("there is no region %q", id)
	}
	return s.Hits[i]
}

func TestTimeline(t *testing.T) {
	m := opened(9)
	h := find(t, m.Draw(1280, 720), "timeline 0")
	middle := clicked(m, h)
	if middle.Play.Tick != 20 {
		t.Errorf("a click on the middle of the timeline goes to tick %d of 40", middle.Play.Tick)
	}
	if keys := press(m, m.Keys("seek 20")...); keys.Play.Tick != 20 {
		t.Errorf("keys go to tick %d", keys.Play.Tick)
	}
	s := m.Draw(1280, 720)
	drag := m.Point(s, canvas.Input{X: h.X0 + 5, Y: h.Mid().Y, Down: true})
	drag = drag.Point(s, canvas.Input{X: h.X1 + 200, Y: h.Y1 + 300, Down: true})
	if drag.Play.Tick != 40 {
		t.Errorf("dragged beyond the end it is at tick %d", drag.Play.Tick)
	}
	drag = drag.Point(s, canvas.Input{X: h.X1 + 200, Y: h.Y1 + 300})
	drag = drag.Point(s, canvas.Input{X: h.X0, Y: h.Mid().Y})
	if drag.Play.Tick != 40 {
		t.Error("the timeline follows a pointer whose button is up")
	}
}

func TestReplayKeys(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want int
	}{
		{[]string{"right", "right", "left"}, 1}, {[]string{".", ","}, 0}, {[]string{".", "right"}, 11}, {[]string{"]", "]"}, 9},
		{[]string{"end", "["}, 30}, {[]string{"end"}, 40}, {[]string{"end", "home"}, 0},
	} {
		if m := press(opened(3), c.keys...); m.Play.Tick != c.want {
			t.Errorf("after %q the tick is %d, want %d", c.keys, m.Play.Tick, c.want)
		}
	}
	m := press(opened(3), "+", "=", "l", "space")
	if m.Play.Speed() != 4 || !m.Play.Loop || !m.Play.Playing {
		t.Errorf("speed %v, loop %v, playing %v", m.Play.Speed(), m.Play.Loop, m.Play.Playing)
	}
	if m = m.Advance(0.5); m.Play.Tick != 16 {
		t.Errorf("half a second at 32 ticks a second leads to tick %d", m.Play.Tick)
	}
	if m = press(m, "down"); m.Play.Tick != 0 || m.Play.Speed() != 4 || !m.Play.Playing {
		t.Errorf("the next episode begins at %d, speed %v, playing %v", m.Play.Tick, m.Play.Speed(), m.Play.Playing)
	}
}

func TestListKeys(t *testing.T) {
	m := opened(60)
	for _, c := range []struct {
		keys []string
		row  int32
		left int
	}{
		{[]string{"down", "down", "up"}, 1, 60},
		{[]string{"control end"}, 59, 60},
		{[]string{"control end", "down"}, 59, 60},
		{[]string{"/", "b", "o", "d", "y", "space", "3", "enter"}, 3, 21},
		{[]string{"/", "c", "v", "backspace", "backspace", "enter"}, 2, 60},
		{[]string{"a", "3", "enter"}, 3, 9},
		{[]string{"a", "3", "enter", "x"}, 3, 60},
		{[]string{"a", "down", "escape"}, 0, 60},
		{[]string{"c", "end", "enter"}, 1, 10},
		{[]string{"z", "z", "control home"}, 59, 60},
	} {
		got := press(m, c.keys...)
		if got.Row() != c.row || got.Left() != c.left {
			t.Errorf("after %q row %d of %d left, want %d of %d", c.keys, got.Row(), got.Left(), c.row, c.left)
		}
	}
}

// TestRevision checks that the revision of the model changes whenever the picture does, and not if nothing happens.
func TestRevision(t *testing.T) {
	m := opened(60)
	s := m.Draw(1280, 720)
	still := m.Advance(1).Point(s, canvas.Input{X: 640, Y: 3}).Point(s, canvas.Input{X: 650, Y: 4})
	if still.Point(s, canvas.Input{X: 651, Y: 4}).Rev != still.Rev || still.Advance(9).Rev != still.Rev || still.Resize(1280, 720).Rev != still.Rev {
		t.Error("the revision changes although nothing did")
	}
	for k, f := range map[string]func(viewer.Model) viewer.Model{
		"key": func(m viewer.Model) viewer.Model { return m.Press("right") }, "size": func(m viewer.Model) viewer.Model { return m.Resize(900, 600) },
		"hover":  func(m viewer.Model) viewer.Model { return m.Point(s, canvas.Input{X: 640, Y: 300}) },
		"time":   func(m viewer.Model) viewer.Model { return m.Press("space").Advance(1) },
		"scroll": func(m viewer.Model) viewer.Model { return m.Point(s, canvas.Input{X: 100, Y: 500, Wheel: -1}) },
	} {
		if f(m).Rev == m.Rev {
			t.Errorf("%s: the picture changed and the revision did not", k)
		}
	}
}

func TestHover(t *testing.T) {
	m := opened(3)
	s := m.Draw(1280, 720)
	p := find(t, s, "picture 0").Mid()
	if got := texts(m.Point(s, canvas.Input{X: p.X + 1, Y: p.Y - 1}).Draw(1280, 720)); !strings.Contains(got, "5,5: floor") {
		t.Error("nothing is said about the cell under the pointer")
	}
	probed := press(m, "shift up", "shift up", "shift down", "shift right")
	if got := texts(probed.Draw(1280, 720)); !strings.Contains(got, "5,4: floor") || strings.Contains(got, "the actor, looking east") {
		t.Error("nothing is said about the cell that keys lead to")
	}
	if got := texts(press(probed, "right").Draw(1280, 720)); !strings.Contains(got, "the actor, looking east") {
		t.Error("what is said about the cell is not of the present tick")
	}
	if got := texts(press(probed, "escape").Draw(1280, 720)); strings.Contains(got, "5,4: floor") {
		t.Error("escape leaves the probe where it is")
	}
}

// TestAbsentOverlays checks that, if an overlay has nothing to show in an episode, its button is grey, and that the
// pointer over the button, and its key, give the reason. The next episode must show the overlay again.
func TestAbsentOverlays(t *testing.T) {
	e := episode("not inferred")
	e.Profile, e.Predicted = nil, nil
	m := viewer.NewModel("results/mine", rows(3)).Present(0, viewer.NewOpened(e, true), nil)
	ink := func(m viewer.Model, text string) palette.Colour {
		for _, op := range m.Draw(1280, 720).Ops {
			if x, ok := op.(canvas.Text); ok && x.Text == text {
				return x.Colour
			}
		}
		t.Fatalf("nothing is called %s", text)
		return 0
	}
	if ink(m, "paths") != palette.Greyed || ink(m, "sees") != palette.Ink {
		t.Error("the overlay that is absent is not the one that is grey")
	}
	s := m.Draw(1280, 720)
	p := find(t, s, "overlay 3").Mid()
	if got := texts(m.Point(s, canvas.Input{X: p.X, Y: p.Y}).Draw(1280, 720)); !strings.Contains(got, "r: the predicted paths: no profile was inferred for this subject") {
		t.Error("the pointer is not told why")
	}
	if got := m.Press("r"); got.Show != m.Show || !strings.Contains(texts(got.Draw(1280, 720)), "no profile was inferred for this subject") {
		t.Error("the key is not told why, or does something")
	}
	if next := press(m.Press("r"), "down"); ink(next, "paths") != palette.Ink || !next.Show[picture.Prediction] {
		t.Error("the next episode, which has it, does not show it")
	}
}

func texts(s *canvas.Canvas) string {
	var b strings.Builder
	for _, op := range s.Ops {
		if x, ok := op.(canvas.Text); ok {
			b.WriteString(x.Text + "\n")
		}
	}
	return b.String()
}

func TestScroll(t *testing.T) {
	m := opened(600)
	h := find(t, m.Draw(1280, 720), "scroll 0")
	half := clicked(m, h)
	if row := half.Row(); row < 290 || row > 310 {
		t.Errorf("the middle of the scroll bar leads to row %d of 600", row)
	}
}

func TestTrouble(t *testing.T) {
	m := viewer.NewModel("results/mine", rows(3))
	row, ok := m.Wants()
	if !ok || row != 0 {
		t.Fatalf("wants %d, %v", row, ok)
	}
	if got := texts(m.Draw(1280, 720)); !strings.Contains(got, "opening …") {
		t.Error("an episode that is being opened is not announced")
	}
	m = m.Present(0, nil, errors.New("shard 3 is damaged"))
	if got := texts(m.Draw(1280, 720)); !strings.Contains(got, "shard 3 is damaged") {
		t.Error("what went wrong is not shown")
	}
	if _, ok := m.Wants(); ok {
		t.Error("an episode that cannot be opened is wanted again at once")
	}
	if late := press(m, "down").Present(0, viewer.NewOpened(episode("late"), true), nil); strings.Contains(texts(late.Draw(1280, 720)), "late") {
		t.Error("an episode is shown that is no longer chosen")
	}
	if empty := viewer.NewModel("", nil); len(empty.Draw(1280, 720).Ops) == 0 {
		t.Error("an empty directory draws nothing")
	}
}

// TestSizes checks that the viewer can be drawn at any size, and that no region is empty at MinWidth and above.
func TestSizes(t *testing.T) {
	for _, m := range []viewer.Model{opened(60), press(opened(60), "2"), press(opened(60), "3"), press(opened(60), "?"), press(opened(60), "a"), press(opened(60), "w")} {
		for _, size := range [][2]float32{{1, 1}, {320, 200}, {viewer.LeastWidth, viewer.LeastHeight}, {400, 800}, {699, 900}, {800, 600}, {viewer.MinWidth, viewer.MinHeight}, {1920, 1080}, {3840, 2160}} {
			s := m.Resize(size[0], size[1]).Draw(size[0], size[1])
			for _, h := range s.Hits {
				if (size[0] >= viewer.MinWidth || size[0] >= viewer.LeastWidth && size[0] < viewer.Narrow && size[1] >= viewer.LeastHeight) && h.Empty() && !strings.HasPrefix(h.ID, "row") {
					t.Errorf("%v: the region %q is empty: %v", size, h.ID, h.Rect)
				}
			}
		}
	}
}

func TestGoToRow(t *testing.T) {
	if got := opened(60).GoToRow(10); got.Row() != 10 {
		t.Errorf("went to row %d", got.Row())
	}
	if got := opened(60).GoToRow(99); got.Row() != 0 {
		t.Errorf("went to row %d, which there is not", got.Row())
	}
}
