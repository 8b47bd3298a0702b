package picture_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"strings"
	"testing"

	"achilles/gridworld"
	"achilles/render/board"
	"achilles/render/canvas"
	"achilles/render/canvastest"
	"achilles/render/picture"
	"achilles/render/replay"
	"achilles/scenarios/seal"
)

// open returns an episode of the results in replay's testdata.
func open(t testing.TB, dir, subject, item string) *replay.Episode {
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
	if e.Trajectory != nil && e.Predicted == nil {
		t.Fatal("nothing is predicted")
	}
	return e
}

// zoo is a world with every kind of cell and thing, and things in several states.
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

func zooEpisode(t *testing.T) *replay.Episode {
	t.Helper()
	w, err := gridworld.Parse(zoo)
	if err != nil {
		t.Fatal(err)
	}
	tr := &replay.Trajectory{World: w, Places: []gridworld.Pos{{X: 7, Y: 2}}}
	state := replay.State{State: board.State{Actor: w.Actor(), InSight: make([]bool, w.Len())}}
	for i := range w.Len() {
		state.Things = append(state.Things, w.Thing(i))
		state.InSight[i] = i%2 == 0
	}
	for p := range gridworld.Everywhere().All() {
		if w.Inside(p) && w.Sees(w.Actor().Pos, p) {
			state.Seen.Set(p)
		}
	}
	state.Belief = &seal.Belief{How: "infers", Place: gridworld.Pos{X: 7, Y: 2}}
	opened := state
	opened.Open, opened.Belief = true, &seal.Belief{How: "lost", Place: gridworld.Nowhere()}
	opened.Dark = true
	tr.States = []replay.State{state, opened}
	return &replay.Episode{Last: 1, Trajectory: tr}
}

func annotated(e *replay.Episode, tick int, show picture.Overlays) *canvas.Canvas {
	return picture.Moment{Episode: e, Tick: tick, Show: show}.Annotated(800, 450)
}

func TestGolden(t *testing.T) {
	z := zooEpisode(t)
	for tick, name := range []string{"zoo", "zoo-dark"} {
		s := canvas.New(400, 240)
		picture.Moment{Episode: z, Tick: tick, Show: picture.All()}.Draw(s, s.Bounds())
		canvastest.Golden(t, "testdata/"+name+".png", canvas.Render(s))
	}
	acted := open(t, "embodied", "body-002", "worlds-000005")
	canvastest.Golden(t, "testdata/film.png", canvas.Render(annotated(acted, acted.Last, picture.All())))
	canvastest.Golden(t, "testdata/strip.png", picture.Strip(acted, picture.All(), 260, 180, 4, 2))
	watch := open(t, "bib", "", "preference 000000")
	test := watch.Watched.Starts[8]
	canvastest.Golden(t, "testdata/watch.png", canvas.Render(annotated(watch, (test+watch.Last)/2, picture.All())))
	two := open(t, "bib", "", "efficiency_irrational 000000")
	canvastest.Golden(t, "testdata/two.png", canvas.Render(annotated(two, two.Watched.Starts[4]+60, picture.All())))
	canvastest.Golden(t, "testdata/familiar.png", canvas.Render(annotated(watch, test/2, picture.Overlays{})))
}

// TestStaysInside checks that Draw draws nothing outside its rectangle, at any size and shape of it.
func TestStaysInside(t *testing.T) {
	for _, e := range []*replay.Episode{zooEpisode(t), open(t, "embodied", "body-002", "worlds-000005"), open(t, "bib", "", "preference 000000")} {
		for _, r := range []canvas.Rect{canvas.At(37, 21, 222, 111), canvas.At(10.5, 10.5, 60, 180), canvas.At(0, 0, 3, 3), canvas.At(5, 5, 0, 0)} {
			s := canvas.New(300, 200)
			picture.Moment{Episode: e, Tick: e.Last / 2, Show: picture.All()}.Draw(s, r)
			im := canvas.Render(s)
			ground := canvas.Render(canvas.New(300, 200))
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

// TestDescribe checks the descriptions of cells. It describes the points that CellCentre returns. The test therefore
// fails if Describe and CellCentre disagree about where a cell is.
func TestDescribe(t *testing.T) {
	z := zooEpisode(t)
	m := picture.Moment{Episode: z, Show: picture.All()}
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
		at, ok := m.CellCentre(r, c.p)
		if !ok {
			t.Fatalf("%s is nowhere", c.p)
		}
		got := m.Describe(r, at.X, at.Y)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("at %s: %q, want %q in it", c.p, got, want)
			}
		}
	}
	if got := m.Describe(r, 21, 31); got != "" {
		t.Errorf("outside the world: %q", got)
	}
	if _, ok := m.CellCentre(r, gridworld.Nowhere()); ok {
		t.Error("nowhere is somewhere")
	}
	at, _ := m.CellCentre(r, gridworld.Pos{X: 9, Y: 3})
	if before, after := (picture.Moment{Episode: z}).Describe(r, at.X, at.Y), (picture.Moment{Episode: z, Tick: 1}).Describe(r, at.X, at.Y); before != "9,3: lock" || after != "9,3: floor" {
		t.Errorf("the lock is %q, and once opened %q", before, after)
	}
}

// TestOverlays checks that each overlay adds operations to the picture.
func TestOverlays(t *testing.T) {
	e := open(t, "embodied", "body-002", "worlds-000005")
	count := func(show picture.Overlays) int {
		s := canvas.New(640, 400)
		picture.Moment{Episode: e, Tick: e.Last, Show: show}.Draw(s, s.Bounds())
		return len(s.Ops)
	}
	none := count(picture.Overlays{})
	for _, o := range []picture.Overlay{picture.Sight, picture.Belief, picture.Prediction} {
		var show picture.Overlays
		show[o] = true
		if n := count(show); n <= none {
			t.Errorf("with %s there are %d operations, without %d", o, n, none)
		}
	}
}

func TestKeyMoments(t *testing.T) {
	e := open(t, "embodied", "body-002", "worlds-000005")
	for n := 1; n < 9; n++ {
		list := picture.KeyTicks(e, n)
		if len(list) > n || list[0] != 0 || n > 1 && list[len(list)-1] != e.Last {
			t.Errorf("%d moments: %v", n, list)
		}
		for i := 1; i < len(list); i++ {
			if list[i] <= list[i-1] {
				t.Errorf("%d moments are not in order: %v", n, list)
			}
		}
	}
	w := open(t, "bib", "", "preference 000000")
	list := picture.KeyTicks(w, 6)
	if len(list) != 6 || list[5] != w.Last || list[2] >= w.Watched.Starts[8] || list[3] <= w.Watched.Starts[8] {
		t.Errorf("moments of what is watched: %v", list)
	}
	for n := 1; n < 4; n++ {
		if got := picture.KeyTicks(w, n); len(got) != n {
			t.Errorf("%d moments, want %d", len(got), n)
		}
	}
}

// TestAnimation checks that an animation ends with the last tick, takes at most 16 seconds, and has at most 242 frames.
// An animation of one tick has one frame.
func TestAnimation(t *testing.T) {
	for _, e := range []*replay.Episode{open(t, "embodied", "body-002", "worlds-000005"), open(t, "bib", "", "preference 000000")} {
		a := picture.Animation(e, picture.All(), 320, 200, 0, e.Last, 0)
		total := 0
		for i := range a.Frames - 1 {
			total += a.Delay(i)
		}
		if a.Frames < 2 || a.Frames > 242 || total > 1600 {
			t.Errorf("%d pictures in %d hundredths of a second", a.Frames, total)
		}
		if n, _ := canvastest.Differ(a.Frame(a.Frames-1), canvas.Render(picture.Moment{Episode: e, Tick: e.Last, Show: picture.All()}.Annotated(320, 200))); n > 0 {
			t.Errorf("the last picture differs from the last tick's in %d pixels", n)
		}
		if one := picture.Animation(e, picture.Overlays{}, 320, 200, 5, 5, 0); one.Frames != 1 {
			t.Errorf("an animation of one tick has %d pictures", one.Frames)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	for _, c := range []struct{ name, dir, subject, item string }{{"acted", "embodied", "body-002", "worlds-000005"}, {"watched", "bib", "", "preference 000000"}} {
		e := open(b, c.dir, c.subject, c.item)
		b.Run(c.name, func(b *testing.B) {
			var r canvas.Renderer
			frame := canvas.Render(canvas.New(1280, 720))
			b.ReportAllocs()
			for b.Loop() {
				r.Draw(frame, picture.Moment{Episode: e, Tick: e.Last, Show: picture.All()}.Annotated(1280, 720))
			}
		})
	}
}

// TestCropped checks that a picture of a grid world loses empty room and nothing of the world's size, and is not larger than asked.
func TestCropped(t *testing.T) {
	acted := open(t, "embodied", "", "")
	m := picture.Moment{Episode: acted, Tick: acted.Last, Show: picture.All()}
	for _, size := range [][2]float32{{960, 540}, {1280, 720}, {1920, 540}, {481, 901}, {240, 200}} {
		w, h := m.Cropped(size[0], size[1])
		if w > size[0] || h > size[1] || size[0] == 1920 && w > 0.6*size[0] || w == 0 {
			t.Errorf("of %v there are %v × %v left", size, w, h)
		}
	}
	watched := picture.Moment{Episode: open(t, "bib", "", ""), Show: picture.All()}
	if w, h := watched.Cropped(960, 540); w != 960 || h != 540 {
		t.Errorf("scenes are cropped to %v × %v", w, h)
	}
}

// TestStripSVG checks that the strip is XML with the captions of all moments.
func TestStripSVG(t *testing.T) {
	b := picture.StripSVG(open(t, "embodied", "", ""), picture.All(), 260, 180, 4, 2)
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if n := bytes.Count(b, []byte("<g transform=")); n != 6 || !bytes.Contains(b, []byte(">start</text>")) {
		t.Errorf("it has %d parts, not a head, four moments and a foot", n)
	}
}
