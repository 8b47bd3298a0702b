package picture_test

import (
	"os"
	"strings"
	"testing"

	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/canvastest"
	"achilles/render/picture"
	"achilles/render/replay"
	"achilles/scenarios/seal"
)

// open opens an episode of the results that replays are tested with, and what is predicted of it.
func open(t testing.TB, dir, subject, item string) *picture.Stage {
	t.Helper()
	a, err := replay.Open(os.DirFS("../replay/testdata/" + dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	row, err := a.Find(subject, item)
	if err != nil {
		t.Fatal(err)
	}
	e, err := a.Episode(row)
	if err != nil {
		t.Fatal(err)
	}
	g := &picture.Stage{Episode: e}
	if e.Film == nil {
		return g
	}
	p, err := a.Profile(e.Key.Subject)
	if err != nil {
		t.Fatal(err)
	}
	if g.Predicted, err = a.Predict(e, p); err != nil {
		t.Fatal(err)
	}
	return g
}

// zoo has every kind of cell, of thing and of state.
const zoo = `world 1
limit 9
legend a floor + reward size 0.5 colour 255,0,0
legend b floor + reward air size 5 colour 0,160,0
legend k floor + key
legend r hole colour 236,195,153 + reward size 1 final
legend c occluder colour 0,0,139
map
############
#a.b.k.T.o.#
#.TTT.c.OO.#
#======.BXB#
#==L=r=.h.H#
#nu^v<>.*.A#
############
`

func zooStage(t *testing.T) *picture.Stage {
	t.Helper()
	w, err := gridworld.Parse(zoo)
	if err != nil {
		t.Fatal(err)
	}
	f := &replay.Film{World: w, Places: []gridworld.Pos{{X: 7, Y: 2}}}
	frame := replay.Frame{Actor: w.Actor(), InSight: make([]bool, w.Len())}
	for i := range w.Len() {
		frame.Things = append(frame.Things, w.Thing(i))
		frame.InSight[i] = i%2 == 0
	}
	for p := range gridworld.Everywhere().All() {
		if w.Inside(p) && w.Sees(w.Actor().Pos, p) {
			frame.Seen.Set(p)
		}
	}
	frame.Belief = &seal.Belief{How: "infers", Place: gridworld.Pos{X: 7, Y: 2}}
	opened := frame
	opened.Open, opened.Belief = true, &seal.Belief{How: "lost", Place: gridworld.Nowhere()}
	opened.Dark = true
	f.Frames = []replay.Frame{frame, opened}
	return &picture.Stage{Episode: &replay.Episode{Last: 1, Film: f}}
}

func TestGolden(t *testing.T) {
	z := zooStage(t)
	for tick, name := range []string{"zoo", "zoo-dark"} {
		s := canvas.New(400, 240)
		z.Draw(s, s.Bounds(), tick, picture.Everything())
		canvastest.Golden(t, "testdata/"+name+".png", canvas.Draw(s))
	}
	film := open(t, "embodied", "body-002", "worlds-000005")
	canvastest.Golden(t, "testdata/film.png", canvas.Draw(film.Poster(800, 450, film.Episode.Last, picture.Everything())))
	canvastest.Golden(t, "testdata/strip.png", film.Strip(260, 180, 4, 2, picture.Everything()))
	watch := open(t, "bib", "", "preference 000000")
	test := watch.Episode.Watch.Starts[8]
	canvastest.Golden(t, "testdata/watch.png", canvas.Draw(watch.Poster(800, 450, (test+watch.Episode.Last)/2, picture.Everything())))
	two := open(t, "bib", "", "efficiency_irrational 000000")
	canvastest.Golden(t, "testdata/two.png", canvas.Draw(two.Poster(800, 450, two.Episode.Watch.Starts[4]+60, picture.Everything())))
	canvastest.Golden(t, "testdata/familiar.png", canvas.Draw(watch.Poster(800, 450, test/2, picture.Show{})))
}

// Nothing is drawn outside the rectangle, and every clip is closed.
func TestStaysInside(t *testing.T) {
	for _, g := range []*picture.Stage{zooStage(t), open(t, "embodied", "body-002", "worlds-000005"), open(t, "bib", "", "preference 000000")} {
		for _, r := range []canvas.Rect{canvas.At(37, 21, 222, 111), canvas.At(10.5, 10.5, 60, 180), canvas.At(0, 0, 3, 3), canvas.At(5, 5, 0, 0)} {
			s := canvas.New(300, 200)
			g.Draw(s, r, g.Episode.Last/2, picture.Everything())
			im := canvas.Draw(s)
			ground := canvas.Draw(canvas.New(300, 200))
			for y := range 200 {
				for x := range 300 {
					inside := float32(x)+1 > r.X0 && float32(x) < r.X1+1 && float32(y)+1 > r.Y0 && float32(y) < r.Y1+1
					if !inside && im.RGBAAt(x, y) != ground.RGBAAt(x, y) {
						t.Fatalf("something is drawn at %d, %d, outside %v", x, y, r)
					}
				}
			}
		}
	}
}

// What is told of the middle of a cell is about that cell, and Locate and Tell agree.
func TestTell(t *testing.T) {
	g := zooStage(t)
	r := canvas.At(20, 30, 400, 240)
	for _, c := range []struct {
		p    gridworld.Pos
		want []string
	}{
		{gridworld.Pos{X: 0, Y: 0}, []string{"0,0: wall"}},
		{gridworld.Pos{X: 1, Y: 5}, []string{"1,5: floor", "reward of size 0.5"}},
		{gridworld.Pos{X: 3, Y: 5}, []string{"reward of size 5, in the air"}},
		{gridworld.Pos{X: 1, Y: 1}, []string{"1,1: climb, rising north from height 0"}},
		{gridworld.Pos{X: 1, Y: 3}, []string{"platform of height 1"}},
		{gridworld.Pos{X: 10, Y: 1}, []string{"the actor, looking north"}},
		{gridworld.Pos{X: 7, Y: 2}, []string{"a reward could lie here", "infers that the reward is here", "in sight"}},
	} {
		at, ok := g.Locate(r, c.p)
		if !ok {
			t.Fatalf("%s is nowhere", c.p)
		}
		got := g.Tell(r, at.X, at.Y, 0, picture.Everything())
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("at %s: %q, want %q in it", c.p, got, want)
			}
		}
	}
	if got := g.Tell(r, 21, 31, 0, picture.Everything()); got != "" {
		t.Errorf("outside the world: %q", got)
	}
	if _, ok := g.Locate(r, gridworld.Nowhere()); ok {
		t.Error("nowhere is somewhere")
	}
	at, _ := g.Locate(r, gridworld.Pos{X: 9, Y: 3})
	if before, after := g.Tell(r, at.X, at.Y, 0, picture.Show{}), g.Tell(r, at.X, at.Y, 1, picture.Show{}); before != "9,3: lock" || after != "9,3: floor" {
		t.Errorf("the lock is %q, and once opened %q", before, after)
	}
}

// Without an overlay nothing of it is drawn or told.
func TestOverlays(t *testing.T) {
	g := open(t, "embodied", "body-002", "worlds-000005")
	count := func(show picture.Show) int {
		s := canvas.New(640, 400)
		g.Draw(s, s.Bounds(), g.Episode.Last, show)
		return len(s.Ops)
	}
	none := count(picture.Show{})
	for name, show := range map[string]picture.Show{"sight": {Sees: true}, "belief": {Believes: true}, "prediction": {Predicted: true}} {
		if n := count(show); n <= none {
			t.Errorf("with %s there are %d operations, without %d", name, n, none)
		}
	}
}

func TestMoments(t *testing.T) {
	g := open(t, "embodied", "body-002", "worlds-000005")
	for n := 1; n < 9; n++ {
		list := g.Moments(n)
		if len(list) > n || list[0].Tick != 0 || n > 1 && list[len(list)-1].Tick != g.Episode.Last {
			t.Errorf("%d moments: %v", n, list)
		}
		for i := 1; i < len(list); i++ {
			if list[i].Tick <= list[i-1].Tick {
				t.Errorf("%d moments are not in order: %v", n, list)
			}
		}
	}
	w := open(t, "bib", "", "preference 000000")
	list := w.Moments(6)
	if len(list) != 6 || list[5].Tick != w.Episode.Last || list[2].Tick >= w.Episode.Watch.Starts[8] || list[3].Tick <= w.Episode.Watch.Starts[8] {
		t.Errorf("moments of what is watched: %v", list)
	}
	for n := 1; n < 4; n++ {
		if got := w.Moments(n); len(got) != n {
			t.Errorf("%d moments, want %d", len(got), n)
		}
	}
}

// A film shows the first and the last tick, takes no longer than said, and has no more pictures than said.
func TestFilm(t *testing.T) {
	for _, g := range []*picture.Stage{open(t, "embodied", "body-002", "worlds-000005"), open(t, "bib", "", "preference 000000")} {
		a := g.Film(320, 200, 0, g.Episode.Last, 0, picture.Everything())
		total := 0
		for i := range a.Frames - 1 {
			total += a.Delay(i)
		}
		if a.Frames < 2 || a.Frames > 242 || total > 1600 {
			t.Errorf("%d pictures in %d hundredths of a second", a.Frames, total)
		}
		if n, _ := canvastest.Differ(a.Frame(a.Frames-1), canvas.Draw(g.Poster(320, 200, g.Episode.Last, picture.Everything()))); n > 0 {
			t.Errorf("the last picture differs from the last tick's in %d pixels", n)
		}
		if one := g.Film(320, 200, 5, 5, 0, picture.Show{}); one.Frames != 1 {
			t.Errorf("a film of one tick has %d pictures", one.Frames)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	for _, c := range []struct{ name, dir, subject, item string }{{"film", "embodied", "body-002", "worlds-000005"}, {"watch", "bib", "", "preference 000000"}} {
		g := open(b, c.dir, c.subject, c.item)
		b.Run(c.name, func(b *testing.B) {
			var r canvas.Renderer
			frame := canvas.Draw(canvas.New(1280, 720))
			b.ReportAllocs()
			for b.Loop() {
				r.Draw(frame, g.Poster(1280, 720, g.Episode.Last, picture.Everything()))
			}
		})
	}
}
