package viewer_test

import (
	"cmp"
	"context"
	"errors"
	"image"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"achilles/infer"
	"achilles/infer/infertest"
	"achilles/infer/layout"
	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/replay"
	"achilles/render/viewer"
	"achilles/scenarios"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/scenario"
)

// A sink is a directory in memory.
type sink struct {
	mu    sync.Mutex
	files map[string][]byte
}

func (s *sink) Put(name string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[name] = slices.Clone(data)
	return nil
}

func (s *sink) Create(name string) (io.WriteCloser, error) { return infertest.Create(name, s.Put) }

func (s *sink) Get(name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[name], nil
}

// results returns a small sealed results directory, whose subjects are bodies in generated worlds. The inference used
// few draws.
var results = sync.OnceValue(func() fstest.MapFS {
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	file, err := scenarios.FS.ReadFile("embodied.toml")
	must(err)
	text := strings.Replace(strings.Replace(string(file), "items = 600", "items = 24", 1), "count = 24", "count = 3", 1)
	s, err := scenario.Parse("embodied.toml", text)
	must(err)
	session, err := generate.Run(context.Background(), s, generate.Config{Seed: 1})
	must(err)
	public, _, err := generatetest.Files(session)
	must(err)
	dir, open := fstest.MapFS{}, fstest.MapFS{}
	for name, data := range public {
		dir["public/"+name] = &fstest.MapFile{Data: data}
		open[name] = &fstest.MapFile{Data: data}
	}
	file, err = scenarios.FS.ReadFile("layouts/embodied.toml")
	must(err)
	l, err := layout.Parse("embodied.toml", string(file))
	must(err)
	job := infer.Job{Settings: infer.Default(l), Layout: l}
	job.Warmup, job.Draws = 50, 100
	out := &sink{files: map[string][]byte{}}
	_, err = infer.Run(context.Background(), open, job, &sink{files: map[string][]byte{}}, out)
	must(err)
	for name, data := range out.files {
		dir["inferred/"+name] = &fstest.MapFile{Data: data}
	}
	return dir
})

func open(t testing.TB, o viewer.Options) *viewer.Viewer {
	t.Helper()
	o.Panel = cmp.Or(o.Panel, "episode")
	v := viewer.Open(o, func() (*replay.Archive, error) { return replay.Open(results()) })
	t.Cleanup(v.Close)
	return v
}

// says returns all texts that the viewer draws, each on a line.
func says(v *viewer.Viewer) string {
	var b strings.Builder
	for _, op := range v.Draw(1280, 720).Ops {
		if x, ok := op.(canvas.Text); ok {
			b.WriteString(x.Text + "\n")
		}
	}
	return b.String()
}

func TestViewer(t *testing.T) {
	v := open(t, viewer.Options{Title: "results/mine"})
	if got := says(v); !strings.Contains(got, "reading the directory …") {
		t.Errorf("before anything was read it says\n%s", got)
	}
	send(v, "right")
	for _, c := range []struct {
		keys string
		want []string
	}{
		{"right", []string{"72 of 72 episodes", "p(success)", "RMSE, predicted", "predicted path (medoid) and its end", "their current positions", "goalDistance", "predicted and actual path", "(sealed)"}},
		{"2", []string{"by the layout embodied", "flatNav", "truth is sealed"}},
		{"3", []string{"Nothing is graded yet: achilles score"}},
		{"1,shift up", []string{"platform of height", "the actor, looking north"}},
		{"o,down,enter", []string{"of 72 episodes", "failed"}},
	} {
		send(v, strings.Split(c.keys, ",")...)
		got := says(v)
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("after %s nothing says %q:\n%s", c.keys, w, got)
			}
		}
	}
}

// TestGraded checks that the panels show what achilles score has written.
func TestGraded(t *testing.T) {
	v := viewer.Open(viewer.Options{Title: "graded"}, func() (*replay.Archive, error) { return replay.Open(os.DirFS("../replay/testdata/embodied")) })
	send(v, "end")
	_ = says(v)
	for key, want := range map[string][]string{"2": {"capability RMSE 0.", "error "}, "3": {"group: the same with one profile", "stay-put", "overall", "held-out episodes"}} {
		send(v, key)
		got := says(v)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("after %s nothing says %q:\n%s", key, w, got)
			}
		}
	}
}

// TestEveryEpisode checks that every episode can be opened, and drawn at its beginning and its end.
func TestEveryEpisode(t *testing.T) {
	v := open(t, viewer.Options{Title: "results/mine"})
	send(v, "end")
	for range 72 {
		send(v, "down", "end")
		if got := says(v); strings.Contains(got, "episode of ") || strings.Contains(got, "opening …") {
			t.Fatalf("an episode cannot be shown:\n%s", got)
		}
	}
}

// TestAbsent checks that every overlay that has nothing to show gives the reason, and that every other overlay can be
// switched on and off.
func TestAbsent(t *testing.T) {
	sealed, bare, watched := results(), fstest.MapFS{}, fstest.MapFS{}
	for name, f := range sealed {
		if !strings.HasPrefix(name, "inferred/") {
			bare[name] = f
		}
	}
	kept := os.DirFS("../replay/testdata/bib")
	err := fs.WalkDir(kept, "public", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(kept, name)
		watched[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		dir  fs.FS
		want [4]string // part of the reason, by overlay: sight, belief, goals, prediction; empty: the overlay has something to show
		item string
	}{
		"sealed":            {sealed, [4]string{"", "sealed until", "a subject acts", ""}, ""},
		"not inferred":      {bare, [4]string{"", "sealed until", "a subject acts", "no profile was inferred"}, ""},
		"unsealed":          {os.DirFS("../replay/testdata/embodied"), [4]string{"", "", "a subject acts", ""}, "worlds-000007"},
		"nothing seen":      {os.DirFS("../replay/testdata/embodied"), [4]string{"", "never had a belief", "a subject acts", ""}, "worlds-000003"},
		"watched":           {os.DirFS("../replay/testdata/bib"), [4]string{"no field of view", "the goals overlay", "", "no paths are predicted"}, ""},
		"watched by nobody": {watched, [4]string{"no field of view", "the goals overlay", "was not inferred", "no paths are predicted"}, ""},
	} {
		v := viewer.Open(viewer.Options{Title: name, Item: c.item}, func() (*replay.Archive, error) { return replay.Open(c.dir) })
		send(v, "end")
		_ = says(v)
		send(v, "home") // the pointer is outside the regions that were drawn
		for i, key := range []string{"v", "b", "g", "r"} {
			before := v.Model().Show
			send(v, key)
			got := says(v)
			if c.want[i] == "" {
				if v.Model().Show == before {
					t.Errorf("%s: the overlay %s is absent", name, key)
				}
				continue
			}
			if v.Model().Show != before || !strings.Contains(got, c.want[i]) {
				t.Errorf("%s: of the overlay %s nothing says %q:\n%s", name, key, c.want[i], got)
			}
		}
		v.Close()
	}
}

func TestFirst(t *testing.T) {
	a, err := replay.Open(results())
	if err != nil {
		t.Fatal(err)
	}
	want := a.Rows[40]
	v := open(t, viewer.Options{Title: "results/mine", Subject: want.Subject, Item: want.Item})
	send(v)
	if got := says(v); v.Model().Row() != 40 || !strings.Contains(got, want.Subject+" · ") {
		t.Errorf("shows row %d first:\n%s", v.Model().Row(), got)
	}
}

// TestOpensOnOverview checks that a viewer that is asked for no episode shows the overview, from which enter leads to the episodes of the
// worst subject, the most wrong first; and that it shows an episode that is asked for.
func TestOpensOnOverview(t *testing.T) {
	v := viewer.Open(viewer.Options{Title: "results/mine"}, func() (*replay.Archive, error) { return replay.Open(results()) })
	t.Cleanup(v.Close)
	send(v)
	if got := says(v); !strings.Contains(got, "Held-out Brier score") {
		t.Fatalf("the first picture is not the overview:\n%s", got)
	}
	worst := v.Model().Worst()
	send(v, "enter")
	if got := says(v); strings.Contains(got, "Held-out Brier score") || !strings.Contains(got, worst+" · ") || strings.Contains(got, "72 of 72") {
		t.Errorf("enter does not lead to the episodes of %s:\n%s", worst, got)
	}
	a, err := replay.Open(results())
	if err != nil {
		t.Fatal(err)
	}
	named := viewer.Open(viewer.Options{Subject: a.Rows[40].Subject}, func() (*replay.Archive, error) { return a, nil })
	t.Cleanup(named.Close)
	send(named)
	if got := says(named); strings.Contains(got, "Held-out Brier score") {
		t.Errorf("the overview covers an episode that was asked for:\n%s", got)
	}
}

func TestFails(t *testing.T) {
	v := viewer.Open(viewer.Options{}, func() (*replay.Archive, error) { return nil, errors.New("the disk is gone") })
	v.Settle()
	if got := says(v); !strings.Contains(got, "the disk is gone") {
		t.Errorf("what went wrong is not said:\n%s", got)
	}
	v.Close()
}

// TestHurry checks that, after many quick steps down the list, the episode at the cursor is shown.
func TestHurry(t *testing.T) {
	v := open(t, viewer.Options{Title: "results/mine"})
	send(v, "right")
	for range 30 {
		v.Update(canvas.Input{Keys: []string{"down"}, Width: 1280, Height: 720})
	}
	v.Settle()
	if _, more := v.Model().Wants(); more || v.Model().Row() != 30 {
		t.Errorf("at row %d, and something is still wanted: %v", v.Model().Row(), more)
	}
}

// BenchmarkFrame draws the frames of an episode with all overlays.
func BenchmarkFrame(b *testing.B) {
	v := open(b, viewer.Options{Title: "results/mine"})
	send(v, "down", "down")
	dst := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	var r canvas.Renderer
	keys := []string{"right"}
	b.ReportAllocs()
	for b.Loop() {
		if v.Model().Play.Tick == v.Model().Play.Last {
			v.Update(canvas.Input{Keys: []string{"home"}})
		}
		v.Update(canvas.Input{Keys: keys})
		r.Draw(dst, v.Draw(1280, 720))
	}
}

// BenchmarkOpen opens the directory of the flag -dir and waits until its first episode is shown.
func BenchmarkOpen(b *testing.B) {
	if *dir == "" {
		b.Skip("-dir DIR names a directory")
	}
	for b.Loop() {
		v := viewer.Open(viewer.Options{}, func() (*replay.Archive, error) { return replay.Open(os.DirFS(*dir)) })
		v.Settle()
		v.Close()
	}
}

// TestDamaged checks that the name of a damaged file appears in the colour of warnings, in the panel and in the line at
// the bottom.
func TestDamaged(t *testing.T) {
	dir := fstest.MapFS{}
	for name, f := range results() {
		dir[name] = f
	}
	bad := slices.Clone(dir["inferred/draws.parquet"].Data)
	bad[len(bad)/2] ^= 1
	dir["inferred/draws.parquet"] = &fstest.MapFile{Data: bad}
	v := viewer.Open(viewer.Options{Title: "results/mine"}, func() (*replay.Archive, error) { return replay.Open(dir) })
	t.Cleanup(v.Close)
	send(v, "2")
	said := 0
	for _, op := range v.Draw(1280, 720).Ops {
		if x, ok := op.(canvas.Text); ok && x.Colour == palette.Warning && strings.Contains(x.Text, "inferred/draws.parquet") {
			said++
		}
	}
	if said < 2 {
		t.Errorf("the file is named %d times in the colour of warnings; it says\n%s", said, says(v))
	}
}

// TestZoom checks that a key enlarges the picture, that clicks still hit the regions where they are drawn, and that the
// picture is larger in a large window.
func TestZoom(t *testing.T) {
	v := open(t, viewer.Options{Title: "results/mine"})
	v.Settle()
	size := func(w, h float32) float32 {
		v.Update(canvas.Input{Width: w, Height: h, X: -1, Y: -1})
		for _, op := range v.Draw(w, h).Ops {
			if x, ok := op.(canvas.Text); ok && x.Text == "Achilles" {
				return x.Size
			}
		}
		t.Fatal("nothing is called Achilles")
		return 0
	}
	plain, far := size(1600, 900), size(3200, 1800)
	v.Update(canvas.Input{Keys: []string{">"}, Width: 1600, Height: 900, X: -1, Y: -1})
	if larger := size(1600, 900); larger <= plain || far != 2*plain {
		t.Errorf("the title has %g pixels, %g zoomed, %g in a window twice as large", plain, larger, far)
	}
	for _, h := range v.Draw(1600, 900).Hits {
		if h.ID == "panel 1" {
			m := h.Mid()
			v.Update(canvas.Input{X: m.X, Y: m.Y, Down: true, Width: 1600, Height: 900})
		}
	}
	if got := says(v); !strings.Contains(got, "by the layout embodied") {
		t.Errorf("a click on the button of the profile shows\n%s", got)
	}
}

// TestFindsNothing checks that a search without results shows no episode, and says that names are sealed.
func TestFindsNothing(t *testing.T) {
	v := open(t, viewer.Options{Title: "results/mine"})
	send(v, "/", "b", "o", "d", "y", "-", "0")
	if got := says(v); strings.Contains(got, "predicted path (medoid)") || !strings.Contains(got, "0 of 72 episodes") || !strings.Contains(strings.ReplaceAll(got, "\n", " "), "sealed until the result is scored") {
		t.Errorf("it says\n%s", got)
	}
	send(v, "enter", "x")
	if got := says(v); !strings.Contains(got, "predicted path (medoid)") {
		t.Errorf("after that nothing is shown:\n%s", got)
	}
}
