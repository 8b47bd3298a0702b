package voe_test

import (
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"achilles/infer/voe"
	"achilles/sim/part"
	"achilles/sim/record"
)

// golden returns the episodes of testdata: two of every task. Video a is expected and video b unexpected. TestGolden of
// package sim/staging writes them.
func golden(t testing.TB) []record.Watched {
	t.Helper()
	const name = "scenes/000000.jsonl.gz"
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	items, err := record.Scenes(fstest.MapFS{name: &fstest.MapFile{Data: data}}, &record.Manifest{Manifest: part.Manifest{Files: []part.File{part.NewFile(name, data)}}})
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// pairs returns the golden items with two videos.
func pairs(t testing.TB) []record.Watched {
	return slices.DeleteFunc(golden(t), func(w record.Watched) bool { return len(w.Videos) < 2 })
}

// hall returns an empty scene of 200 by 200 pixels with a border of walls.
func hall() record.Scene {
	s := record.Scene{Width: 200, Height: 200}
	for i := range int16(10) {
		for _, r := range []record.Rect{{X: 20 * i}, {X: 20 * i, Y: 180}, {Y: 20 * i}, {X: 180, Y: 20 * i}} {
			r.W, r.H = 20, 20
			s.Walls = append(s.Walls, r)
		}
	}
	return s
}

// object returns an object with its centre at x, y.
func object(icon string, x, y int16) record.Shape {
	return record.Shape{X: x - 9, Y: y - 9, Half: 9, Icon: icon, Colour: [3]uint8{255, 0, 0}}
}

// walk returns a trial in which an actor starts at x, y and makes steps. Each step has the displacements in x and y, in
// pixels, and the number of frames for which it is repeated.
func walk(s record.Scene, icon string, x, y int16, steps ...[3]int16) record.SceneTrial {
	s.Agent = record.Shape{X: x - 6, Y: y - 6, Half: 6, Icon: icon}
	s.Home = s.Agent
	t := record.SceneTrial{Scene: s}
	at := record.Point{X: s.Agent.X, Y: s.Agent.Y}
	still := func() {
		for range 5 {
			t.Path = append(t.Path, at)
		}
	}
	still()
	for _, step := range steps {
		for range step[2] {
			at.X += step[0]
			at.Y += step[1]
			t.Path = append(t.Path, at)
		}
	}
	still()
	return t
}

// watch returns the report of the observer with this name on a video.
func watch(t testing.TB, name string, v record.Video) voe.Report {
	t.Helper()
	var s voe.Studio
	for _, o := range voe.Observers(1) {
		if o.Name == name {
			return o.Watch(s.Prepare(&record.Watched{Item: "x", Videos: []record.Video{v}})[0])
		}
	}
	t.Fatalf("no observer is called %s", name)
	return voe.Report{}
}

// view returns a view of a video with one trial.
func view(tr record.SceneTrial) *voe.View {
	return new(voe.Studio).Prepare(&record.Watched{Videos: []record.Video{{Test: tr}}})[0]
}
