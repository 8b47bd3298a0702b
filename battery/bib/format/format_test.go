package format_test

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"achilles/battery/bib"
	"achilles/battery/bib/format"
	"achilles/sim/record"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// film returns a small video with every kind of thing in it, a key that is carried and a barrier that vanishes.
func film() record.Video {
	shape := func(x, y, half int16, icon string) record.Shape {
		return record.Shape{X: x, Y: y, Half: half, Icon: "./shapes/" + icon + ".png", Colour: [3]uint8{30, 144, 255}}
	}
	trial := func(k int16) record.SceneTrial {
		s := record.Scene{Width: 200, Height: 200,
			Walls:   []record.Rect{{X: 0, Y: 0, W: 20, H: 20}, {X: 20, Y: 20 * k, W: 20, H: 20}, {X: 0, Y: 0, W: 20, H: 20}},
			Barrier: []record.Rect{{X: 100, Y: 100, W: 20, H: 20}, {X: 120, Y: 100, W: 20, H: 20}},
			Keys:    []record.Shape{shape(50, 60, 8, "triangle0")}, Locks: []record.Shape{shape(100, 120, 10, "slot90")},
			Objects: []record.Shape{shape(111, 131, 9, "heart")}, Home: shape(30, 30, 6, "home"), Agent: shape(30, 30, 6, "kite")}
		t := record.SceneTrial{Scene: s}
		for i := range int16(8) {
			t.Path = append(t.Path, record.Point{X: 30 + 2*i, Y: 30 + k})
		}
		t.Path[0].Y = 30
		t.Changes = []record.Change{
			{Frame: 2, Barrier: s.Barrier, Keys: []record.Shape{shape(34, 31, 8, "triangle90")}, Locks: s.Locks, Objects: s.Objects},
			{Frame: 5, Barrier: s.Barrier[1:], Keys: []record.Shape{shape(34, 31, 8, "triangle90")}, Locks: s.Locks, Objects: s.Objects},
			{Frame: 6, Objects: s.Objects},
		}
		return t
	}
	v := record.Video{Test: trial(9)}
	for k := range int16(8) {
		v.Familiarisation = append(v.Familiarisation, trial(k))
	}
	return v
}

// TestRoundTrip checks that Read returns the video that Write has written, without a fault.
func TestRoundTrip(t *testing.T) {
	want := film()
	got, faults, err := format.Read(format.Write(&want))
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestHiddenRoundTrip checks that covers, objects that move and actors that are away are read as they were written.
func TestHiddenRoundTrip(t *testing.T) {
	want := film()
	s := &want.Test.Scene
	s.Away, s.Covers = true, []record.Rect{{X: 110, Y: 130, W: 20, H: 20}}
	moved := s.Objects[0]
	moved.X += 3
	now := s.State()
	now.Frame, now.Objects = 1, []record.Shape{moved}
	here := now
	here.Frame, here.Away = 3, false
	open := here
	open.Frame, open.Covers = 6, nil
	want.Test.Changes = []record.Change{now, here, open}
	want.Test.Path = slices.Repeat(want.Test.Path[:1], len(want.Test.Path)) // the place of an actor that is away is not written
	got, faults, err := format.Read(format.Write(&want))
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestGolden checks that Write writes short trials byte for byte as a golden file has them, in the form of the
// benchmark's files.
func TestGolden(t *testing.T) {
	v := film()
	for k := range v.Familiarisation {
		v.Familiarisation[k].Path, v.Familiarisation[k].Changes = v.Familiarisation[k].Path[:1], nil
	}
	got := format.Write(&v)
	golden := filepath.Join("testdata", "film.json")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got %s", got)
	}
}

// TestFaults checks the faults that Read returns for files with the known faults of the benchmark's files and some more.
func TestFaults(t *testing.T) {
	v := film()
	good := string(format.Write(&v))
	frames := func(k int) string { // the frames of trial k as text
		text := good
		for range k {
			text = text[strings.Index(text, "}], [{")+4:]
		}
		start := strings.Index(text, "[{")
		return text[start : start+strings.Index(text[start:], "}]")+2]
	}
	last, first := frames(8), frames(0)
	one := first[1 : strings.Index(first, "}, {")+1] // the first frame of the first trial
	for name, c := range map[string]struct {
		text, want string
	}{
		"flattened ninth trial": {strings.Replace(good, ", "+last, ", "+last[1:len(last)-1], 1), "no list around them"},
		"list of frames":        {strings.Replace(good, one, "["+one+"]", 1), "a frame is a list of frames"},
		"barrier off the grid":  {strings.Replace(good, `"fuse_walls": [[[100, 100]`, `"fuse_walls": [[[103, 100], [20, 20]], [[100, 100]`, 1), "off the wall grid"},
		"barrier twice":         {strings.Replace(good, `"fuse_walls": [[[100, 100]`, `"fuse_walls": [[[100, 100], [20, 20]], [[100, 100]`, 1), "listed twice"},
		"older names":           {strings.ReplaceAll(strings.ReplaceAll(good, `"key": `, `"lock": `), `"pin": `, `"key": `), ""},
		"blocking":              {strings.Replace(good, `"blocking": []`, `"blocking": [1]`, 1), "blocking is not a list"},
		"fraction":              {strings.Replace(good, `"agent": [[30, 30]`, `"agent": [[30.2, 30]`, 1), "not a whole number"},
		"list of one agent":     {strings.Replace(one, `"agent": [[30, 30], 6, "./shapes/kite.png", [30, 144, 255]]`, `"agent": [[[30, 30], 6, "./shapes/kite.png", [30, 144, 255]]]`, 1), "a list of one shape"},
		"moving walls":          {strings.Replace(good, `"walls": [[[0, 0], [20, 20]], [[20, 20]`, `"walls": [[[0, 0], [20, 20]], [[20, 40]`, 1), "change within a trial"},
		"other looks":           {strings.Replace(good, `6, "./shapes/kite.png"`, `6, "./shapes/clove.png"`, 1), "changes its looks"},
	} {
		text := c.text
		if name == "list of one agent" {
			text = strings.Replace(good, one, text, 1)
		}
		if text == good {
			t.Errorf("%s: the test changes nothing", name)
			continue
		}
		got, faults, err := format.Read([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		found := c.want == "" && len(faults) == 0
		for _, f := range faults {
			found = found || c.want != "" && strings.Contains(f.String(), c.want)
		}
		if !found {
			t.Errorf("%s: faults %v", name, faults)
		}
		if !strings.Contains(name, "walls") && !strings.Contains(name, "looks") {
			if d := cmp.Diff(v, got); d != "" {
				t.Errorf("%s: %s", name, d)
			}
		}
	}
}

// TestRefused checks that Read returns an error that names the place for files that it cannot correct.
func TestRefused(t *testing.T) {
	v := film()
	good := string(format.Write(&v))
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":         {good[:len(good)-1], "not a list of trials"},
		"eight trials":    {good[:strings.LastIndex(good, ", [{")] + "]", "8 trials; want 9"},
		"no agent":        {strings.Replace(good, `"agent"`, `"agents"`, 1), "trial 0, frame 0: agent: is missing"},
		"no frames":       {"[[], [], [], [], [], [], [], [], []]", "trial 0: no frames"},
		"a number":        {"[1]", "trial 0: not a list of frames"},
		"bad shape":       {strings.Replace(good, `9, "./shapes/heart.png"`, `"9", "./shapes/heart.png"`, 1), "trial 0, frame 0: objects"},
		"bad colour":      {strings.Replace(good, `"./shapes/heart.png", [30,`, `"./shapes/heart.png", [300,`, 1), "colours 0 to 255"},
		"bad size":        {strings.Replace(good, `[200, 200]`, `[200]`, 1), "size"},
		"huge":            {strings.Replace(good, `[200, 200]`, `[200, 2000000]`, 1), "1 to 2000 pixels"},
		"deep":            {"[[[[[[[[1]]]]]]]]", "want an object"},
		"barrier as text": {strings.Replace(good, `"fuse_walls": [`, `"fuse_walls": ["x", `, 1), "fuse_walls"},
	} {
		if _, _, err := format.Read([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", name, err, c.want)
		}
	}
}

// TestFiles checks which files of a folder are found, how they are paired, and which task their names tell.
func TestFiles(t *testing.T) {
	v := film()
	data := &fstest.MapFile{Data: format.Write(&v)}
	fsys := fstest.MapFS{
		format.FileName(bib.EfficiencyTime, 12, false): data, format.FileName(bib.EfficiencyTime, 12, true): data,
		"preference/000003xxe.json": data, "preference/000003xxu.json": data, "preference/000003xxe.mp4": data, "notes.json": data,
		"background/preference/000001poe.json":                  data,
		"agents_evaluation_multiple_agents/part/000004zze.json": data, "agents_evaluation_multiple_agents/part/000004zzu.json": data,
		"agents_background_multiple_agents/000004zze.json": data,
		"elsewhere/000001loe.json":                         data, "elsewhere/000001lou.json": data, "elsewhere/000002coe.json": data,
	}
	stems, err := format.Files(fsys)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bib.Task{}
	for _, s := range stems {
		it, err := format.Open(fsys, "", s)
		if err != nil {
			t.Fatal(err)
		}
		got[s] = it.Task
		if (it.Unexpected != nil) != it.Task.Paired() {
			t.Errorf("%s: %s, unexpected %v", s, it.Task, it.Unexpected != nil)
		}
	}
	want := map[string]bib.Task{"efficiency_time/000012et": bib.EfficiencyTime, "preference/000003xx": bib.Preference,
		"background/preference/000001po": bib.BackgroundPreference, "elsewhere/000001lo": bib.Preference, "elsewhere/000002co": bib.SingleObject,
		"agents_evaluation_multiple_agents/part/000004zz": bib.MultiAgent, "agents_background_multiple_agents/000004zz": bib.BackgroundMultiAgent}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	alone := fstest.MapFS{"000001zze.json": data, "000001zzu.json": data}
	if it, err := format.Open(alone, "agents_evaluation_efficient_action_time", "000001zz"); err != nil || it.Task != bib.EfficiencyTime {
		t.Errorf("in a folder of that name the task is %q (%v)", it.Task, err)
	}
	seen := map[string]bool{}
	for _, k := range format.Kinds() {
		if seen[k.Code] || format.KindOf(k.Task) != k {
			t.Errorf("%s: letters %s", k.Task, k.Code)
		}
		seen[k.Code] = true
	}
	for name, files := range map[string]fstest.MapFS{
		"000002lou.json: the file with the expected outcome":   {"000002lou.json": data},
		"000002loe.json: the file with the unexpected outcome": {"000002loe.json": data, "000001loe.json": data, "000001lou.json": data},
		"no file has a name":    {"0002loe.json": data, "000002LOe.json": data},
		"neither the folder":    {"x/000001zze.json": data},
		"000001loe.json: trial": {"000001loe.json": {Data: []byte("[[]]")}},
	} {
		stems, err := format.Files(files)
		if err == nil {
			_, err = format.Open(files, "", stems[0])
		}
		if err == nil || !strings.Contains(err.Error(), strings.TrimSuffix(name, ": trial")) {
			t.Errorf("the error is %v, want one with %q", err, name)
		}
	}
	if _, err := format.Open(fsys, "", "preference/999999lo"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a stem without files: %v", err)
	}
}

// TestReal checks that the benchmark's published episodes are written with the same bytes after they were read, and that
// their motion is as docs/theory/bib.md says.
func TestReal(t *testing.T) {
	root := os.Getenv("ACHILLES_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	dir := filepath.Join(root, "bib")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no episodes of the benchmark: set ACHILLES_DATA to the folder that has bib (%v)", err)
	}
	fsys := os.DirFS(dir)
	stems, err := format.Files(fsys)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stems {
		it, err := format.Open(fsys, "", s)
		if err != nil || len(it.Faults) > 0 {
			t.Fatal(s, err, it.Faults)
		}
		videos := map[string]*record.Video{"e": &it.Expected}
		if it.Unexpected != nil {
			videos["u"] = it.Unexpected
		}
		for letter, v := range videos {
			want, err := fs.ReadFile(fsys, s+letter+".json")
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(bytes.TrimSpace(want), format.Write(v)) {
				t.Errorf("%s%s: not the same bytes", s, letter)
			}
			for k, f := range append(v.Familiarisation, v.Test) {
				n := len(f.Path)
				if f.Path[bib.StillBefore-1] != f.Path[0] || f.Path[bib.StillBefore] == f.Path[0] || f.Path[n-bib.StillAfter-1] != f.Path[n-1] || f.Path[n-bib.StillAfter-2] == f.Path[n-1] {
					t.Errorf("%s%s, trial %d: the still frames are others", s, letter, k)
				}
			}
		}
	}
}

// FuzzRead checks that Read never panics, and that a video that it returns can be written and read again.
func FuzzRead(f *testing.F) {
	v := film()
	for k := range v.Familiarisation {
		v.Familiarisation[k].Path, v.Familiarisation[k].Changes = v.Familiarisation[k].Path[:1], nil
	}
	f.Add(format.Write(&v))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, _, err := format.Read(data)
		if err != nil {
			return
		}
		if _, faults, err := format.Read(format.Write(&v)); err != nil || len(faults) > 0 {
			t.Fatalf("read and written, it reads as %v %v", err, faults)
		}
	})
}
