package replay_test

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"achilles/gridworld"
	"achilles/render/replay"
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

func open(t testing.TB, dir fs.FS) *replay.Archive {
	t.Helper()
	a, err := replay.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// inMemory returns the files of a directory as a file system in memory.
func inMemory(t testing.TB, dir string) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		m[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// unopened returns the directory embodied as it was before its seal was opened. It removes the ledger's entries of
// stages that read sealed or graded files.
func unopened(t testing.TB) fstest.MapFS {
	t.Helper()
	m := inMemory(t, "testdata/embodied")
	l, err := seal.ParseLedger(m["ledger.json"].Data)
	if err != nil {
		t.Fatal(err)
	}
	before := &seal.Ledger{Format: l.Format, Version: l.Version}
	for _, e := range l.Entries {
		if e.Read[seal.SealedPart] == "" && e.Read[seal.ScoresPart] == "" {
			before.Append(seal.Entry{Stage: e.Stage, Read: e.Read, Wrote: e.Wrote})
		}
	}
	m["ledger.json"] = &fstest.MapFile{Data: before.Encode()}
	return m
}

// A spy is a file system that lists the files which are opened.
type spy struct {
	fs.FS
	opened *[]string
}

func (s spy) Open(name string) (fs.File, error) {
	*s.opened = append(*s.opened, name)
	return s.FS.Open(name)
}

func TestOpen(t *testing.T) {
	a := open(t, os.DirFS("testdata/embodied"))
	if len(a.Rows) != 36 || !a.Unsealed || len(a.Notes) > 0 {
		t.Fatalf("%d rows, unsealed %v, notes %v", len(a.Rows), a.Unsealed, a.Notes)
	}
	passed, causes := 0, map[string]int{}
	for i, r := range a.Rows {
		if !strings.HasPrefix(r.Subject, "body-") || !strings.HasPrefix(r.Item, "worlds-") || r.Suite != "opiaagets" || r.Steps < 1 || !math.IsNaN(r.Surprise) {
			t.Errorf("row %d: %+v", i, r)
		}
		switch r.Outcome {
		case replay.OutcomePassed:
			passed++
		case replay.OutcomeFailed:
			causes[r.Cause]++
		default:
			t.Errorf("row %d is %q", i, r.Outcome)
		}
		if (r.Cause == "") != (r.Outcome == replay.OutcomePassed) {
			t.Errorf("row %d is %s for %q", i, r.Outcome, r.Cause)
		}
	}
	if passed < 3 || len(causes) < 3 {
		t.Errorf("%d passed, the others failed for %v", passed, causes)
	}
}

// TestSealedStaysSealed checks that, if the ledger does not say that the seal was opened, no sealed file or score is
// opened, and no name, cause, belief or truth is shown.
func TestSealedStaysSealed(t *testing.T) {
	var opened []string
	a := open(t, spy{unopened(t), &opened})
	if a.Unsealed || len(a.Rows) != 36 {
		t.Fatalf("%d rows, unsealed %v", len(a.Rows), a.Unsealed)
	}
	for i, r := range a.Rows {
		if r.Cause != "" || !strings.HasPrefix(r.Subject, "s-") || !strings.HasPrefix(r.Item, "i-") {
			t.Errorf("row %d says %+v", i, r)
		}
		e, err := a.Episode(i)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range e.Trajectory.States {
			if f.Belief != nil {
				t.Fatalf("row %d, tick with belief %v", i, f.Belief)
			}
		}
	}
	p, err := a.Profile(a.Key(0).Subject)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range p.Parameters {
		if x.Truth != nil || x.Scale != 0 {
			t.Errorf("the truth of %s is shown", x.Parameter)
		}
	}
	for _, name := range opened {
		if strings.HasPrefix(name, "sealed") || strings.HasPrefix(name, "scores") {
			t.Errorf("%s was opened", name)
		}
	}
}

// TestOpensLittle checks that Open reads only tables, grades among them, and no world, shard of trajectories or posterior draw.
func TestOpensLittle(t *testing.T) {
	var opened []string
	open(t, spy{inMemory(t, "testdata/embodied"), &opened})
	for _, name := range opened {
		if strings.HasPrefix(name, "scores/") {
			continue // what is most wrong
		}
		switch path.Base(name) {
		case "ledger.json", "manifest.json", "items.parquet", "responses.parquet", "index.parquet", "truth.json", "000000.jsonl.gz", "surprises.parquet", "predictions.parquet", "paths.parquet":
		default:
			t.Errorf("%s was opened", name)
		}
	}
}

// TestTamperedSeal checks that, if a sealed file or the ledger was changed, Open shows nothing sealed and adds a note
// that says why.
func TestTamperedSeal(t *testing.T) {
	for _, name := range []string{"sealed/truth.json", "sealed/episodes/000000.jsonl.gz", "ledger.json"} {
		m := inMemory(t, "testdata/embodied")
		data := slices.Clone(m[name].Data)
		data[len(data)/2] ^= 1
		m[name] = &fstest.MapFile{Data: data}
		a := open(t, m)
		if a.Unsealed || len(a.Notes) != 1 || a.Rows[0].Cause != "" || !strings.HasPrefix(a.Rows[0].Subject, "s-") {
			t.Errorf("%s: unsealed %v, notes %q, row %+v", name, a.Unsealed, a.Notes, a.Rows[0])
		}
	}
}

func TestNoEpisodes(t *testing.T) {
	m := fstest.MapFS{}
	for name, f := range inMemory(t, "../../sim/record/testdata/v1") {
		m["public/"+name] = f
	}
	data, err := record.Tables(os.DirFS("../../sim/record/testdata/v1"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := record.Encode(data)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range files {
		m["public/"+name] = &fstest.MapFile{Data: b}
	}
	if _, err := replay.Open(m); !errors.Is(err, replay.ErrNoEpisodes) {
		t.Errorf("a directory without episodes gives %v", err)
	}
	if _, err := replay.Open(fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty directory gives %v", err)
	}
}

// TestTrajectories checks that every trajectory ends as the response says, that the sealed beliefs agree with the world
// where the actor sees the reward, and that events are in order.
func TestTrajectories(t *testing.T) {
	a := open(t, os.DirFS("testdata/embodied"))
	kinds := map[replay.EventKind]int{}
	believed := 0
	for i, r := range a.Rows {
		e, err := a.Episode(i)
		if err != nil {
			t.Fatal(err)
		}
		f := e.Trajectory
		if f.States[e.Last].Outcome == gridworld.Running || (f.States[e.Last].Outcome == gridworld.Finished) != (r.Outcome == replay.OutcomePassed) {
			t.Errorf("row %d ends %s, the response says %s", i, f.States[e.Last].Outcome, r.Outcome)
		}
		if len(f.Places) == 0 {
			t.Errorf("row %d has no places", i)
		}
		for k, v := range e.Events {
			kinds[v.Kind]++
			if v.Tick < 0 || v.Tick > e.Last || k > 0 && v.Tick < e.Events[k-1].Tick {
				t.Errorf("row %d: events %v", i, e.Events)
			}
		}
		for _, fr := range f.States {
			if b := fr.Belief; b != nil {
				believed++
				if b.How == "sees" && !fr.Seen.Has(b.Place) && !fr.Dark && fr.Things[0].State == gridworld.Ground && fr.Outcome == gridworld.Running && fr.Things[0].Pos != b.Place {
					t.Errorf("row %d: it sees the reward at %s, which is not in sight", i, b.Place)
				}
			}
		}
	}
	for _, k := range []replay.EventKind{replay.Released, replay.Stopped, replay.Reached} {
		if kinds[k] == 0 {
			t.Errorf("no event %q in any episode: %v", k, kinds)
		}
	}
	if believed < 500 {
		t.Errorf("beliefs at only %d ticks", believed)
	}
}

func TestFind(t *testing.T) {
	a := open(t, os.DirFS("testdata/embodied"))
	row, err := a.Find("body-002", "worlds-000005")
	if err != nil || a.Rows[row].Subject != "body-002" || a.Rows[row].Item != "worlds-000005" {
		t.Fatalf("row %d (%v)", row, err)
	}
	k := a.Key(row)
	if again, err := a.Find(k.Subject, k.Item); again != row || err != nil {
		t.Errorf("by ids row %d (%v), by names %d", again, err, row)
	}
	for _, c := range []struct{ subject, item, what, near string }{
		{"body-02", "worlds-000005", "subject", "body-002"},
		{"body-01", "worlds-000005", "subject", "body-001"},
		{"bdoy", "worlds-000005", "subject", ""},
		{"body-002", "world-000005", "item", "worlds-000005"},
		{"body-002", "worlds-00001", "item", "worlds-000001 or worlds-000010 or worlds-000011"},
		{"body-002", "lunch", "item", ""},
	} {
		var u *replay.Unknown
		if _, err := a.Find(c.subject, c.item); !errors.As(err, &u) || u.What != c.what || strings.Join(u.Near, " or ") != c.near {
			t.Errorf("%s, %s: %v; want an unknown %s, near %q", c.subject, c.item, err, c.what, c.near)
		} else if c.near == "" && !strings.Contains(err.Error(), "; there is worlds-000001, worlds-000002, ") && !strings.Contains(err.Error(), "; there is body-001, body-002, ") {
			t.Errorf("%s, %s: %v, which names nothing that there is", c.subject, c.item, err)
		}
	}
	watched := open(t, os.DirFS("testdata/bib"))
	if _, err := watched.Find("nobody", ""); err == nil || !strings.Contains(err.Error(), "these episodes are watched") {
		t.Errorf("a subject where nobody acts: %v", err)
	}
}

// TestOthers checks that an episode counts every other subject who took its trial, and those who passed it.
func TestOthers(t *testing.T) {
	a := open(t, os.DirFS("testdata/embodied"))
	counted := false
	for i, row := range a.Rows {
		e, err := a.Episode(i)
		if err != nil {
			t.Fatal(err)
		}
		took, passed := 0, 0
		for k, other := range a.Rows {
			if k != i && other.Item == row.Item && other.Trial == row.Trial && other.Repetition == row.Repetition && other.Subject != row.Subject {
				if took++; other.Outcome == replay.OutcomePassed {
					passed++
				}
			}
		}
		if e.Took != took || e.Passed != passed || len(e.Others) != min(took, 40) {
			t.Errorf("row %d: %d of %d passed, %d drawn; want %d of %d", i, e.Passed, e.Took, len(e.Others), passed, took)
		}
		counted = counted || passed > 0 && passed < took
	}
	if !counted {
		t.Error("no trial that some passed and some did not")
	}
}
