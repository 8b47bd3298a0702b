package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// someTrajectories returns n random trajectories of 1 to 60 steps, a few without sightings.
func someTrajectories(root uint64, n int) []*record.Trajectory {
	r := rng.Stream(root, "trajectories")
	all := make([]*record.Trajectory, n)
	for i := range all {
		t := &record.Trajectory{
			Key:    record.Key{Item: fmt.Sprintf("i-%08x", i/6), Trial: i / 3 % 2, Subject: []string{"", "s-0", "s-1"}[i%3]},
			Viewer: "self", Movement: record.FourHeading, Scale: 1,
		}
		if i%2 == 1 {
			t.Viewer, t.Movement, t.Scale = "observer", record.EightNeighbour, 20
		}
		for step := range 1 + r.IntN(60) {
			t.Steps = append(t.Steps, record.Step{
				Tick: int32(2*step + r.IntN(2)), X: int32(r.IntN(200)), Y: -int32(r.IntN(200)),
				Heading: []record.Heading{"", record.North, record.SouthWest}[r.IntN(3)], Action: []string{"", "left", "forward"}[r.IntN(3)],
			})
			if i%5 > 0 && r.Bernoulli(0.3) {
				t.Seen = append(t.Seen, record.Sighting{Step: int32(step), Entity: "barrier", As: fmt.Sprint(step, " cells")},
					record.Sighting{Step: int32(step), Entity: "key", X: int32(step), Y: 1, As: "triangle"})
			}
		}
		all[i] = t
	}
	return all
}

// brief cuts trajectories to their first step, for tests that need many.
func brief(all []*record.Trajectory) []*record.Trajectory {
	for _, t := range all {
		t.Steps, t.Seen = t.Steps[:1], nil
	}
	return all
}

// A buffer is a file in memory.
type buffer struct{ bytes.Buffer }

func (*buffer) Close() error { return nil }

func writeTrajectories(t testing.TB, all []*record.Trajectory) (map[string][]byte, []part.File) {
	t.Helper()
	bufs := map[string]*buffer{}
	w := record.NewTrajectoryWriter(func(path string) (io.WriteCloser, error) {
		bufs[path] = new(buffer)
		return bufs[path], nil
	})
	for _, tr := range all {
		if err := w.Write(tr); err != nil {
			t.Fatal(err)
		}
	}
	list, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for path, b := range bufs {
		files[path] = b.Bytes()
	}
	return files, list
}

// TestTrajectoryJobs checks that the bytes do not depend on the number of goroutines that encode row groups, if the last row group is full
// or not, the only one of its shard or not.
func TestTrajectoryJobs(t *testing.T) {
	sameForJobs(t, someTrajectories(5, 2500), 2, 5)
	sameForJobs(t, brief(someTrajectories(5, 1<<11)), 2, 5)
	short := brief(someTrajectories(6, 1<<14+1<<10))
	sameForJobs(t, short[:1<<14], 3)
	sameForJobs(t, short, 3)
}

func sameForJobs(t *testing.T, all []*record.Trajectory, numbers ...int) {
	t.Helper()
	want, list := writeTrajectories(t, all)
	n := 0
	for tr, err := range open(t, want, list).All() {
		if err != nil || !same(tr, all[n]) {
			t.Fatalf("trajectory %d of %d is read back as another (%v)", n, len(all), err)
		}
		n++
	}
	if n != len(all) {
		t.Fatalf("%d trajectories of %d", n, len(all))
	}
	for _, jobs := range numbers {
		files := map[string]*buffer{}
		w := record.NewTrajectoryWriter(func(path string) (io.WriteCloser, error) {
			files[path] = new(buffer)
			return files[path], nil
		})
		w.Jobs = jobs
		for _, tr := range all {
			if err := w.Write(tr); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for path, b := range files {
			if !bytes.Equal(b.Bytes(), want[path]) {
				t.Errorf("%d jobs: %s differs", jobs, path)
			}
		}
	}
}

func open(t testing.TB, files map[string][]byte, list []part.File) *record.Trajectories {
	t.Helper()
	slices.SortFunc(list, func(a, b part.File) int { return strings.Compare(a.Path, b.Path) })
	r, err := record.OpenTrajectories(mapFS(files), &record.Manifest{Manifest: part.Manifest{Files: list}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func same(a, b *record.Trajectory) bool {
	return a.Key == b.Key && a.Viewer == b.Viewer && a.Movement == b.Movement && a.Scale == b.Scale &&
		slices.Equal(a.Steps, b.Steps) && slices.Equal(a.Seen, b.Seen)
}

func TestTrajectoriesRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 7, 3000, 17_000} {
		all := someTrajectories(uint64(n), n)
		if n > 5000 {
			brief(all)
		}
		files, list := writeTrajectories(t, all)
		if want := (n + 16383) / 16384; n > 0 && len(files) != want+1 {
			t.Errorf("%d trajectories lie in %d files", n, len(files))
		}
		r := open(t, files, list)
		if r.Len() != n {
			t.Fatalf("Len is %d of %d", r.Len(), n)
		}
		i := 0
		for tr, err := range r.All() {
			if err != nil {
				t.Fatal(err)
			}
			if !same(tr, all[i]) {
				t.Fatalf("trajectory %d of %d differs:\n%s", i, n, cmp.Diff(all[i], tr))
			}
			i++
		}
		if i != n {
			t.Errorf("All gives %d of %d", i, n)
		}
		for i := 0; i < n; i += 1 + n/50 {
			k, steps := r.Key(i)
			at, ok := r.Find(all[i].Key)
			if !ok || at != i || k != all[i].Key || steps != len(all[i].Steps) {
				t.Errorf("Find(%v) = %d, %t; its key is %v with %d steps", all[i].Key, at, ok, k, steps)
			}
			tr, err := r.At(i)
			if err != nil {
				t.Fatal(err)
			}
			if !same(tr, all[i]) {
				t.Errorf("At(%d) of %d differs:\n%s", i, n, cmp.Diff(all[i], tr))
			}
		}
		if _, ok := r.Find(record.Key{Item: "nobody"}); ok {
			t.Error("found a trajectory that is not there")
		}
	}
}

func TestTrajectoriesConcurrently(t *testing.T) {
	all := someTrajectories(1, 100)
	files, list := writeTrajectories(t, all)
	r := open(t, files, list)
	errs := make(chan error)
	for worker := range 4 {
		go func() {
			for i := worker; i < len(all); i += 4 {
				if tr, err := r.At(i); err != nil || !same(tr, all[i]) {
					errs <- fmt.Errorf("trajectory %d: %v", i, err)
					return
				}
			}
			errs <- nil
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// TestShardNamesSayNothing checks that the number and names of shards depend on the number of trajectories alone,
// because shards mix subjects and items.
func TestShardNamesSayNothing(t *testing.T) {
	a, _ := writeTrajectories(t, someTrajectories(1, 40))
	long := someTrajectories(2, 40)
	for _, tr := range long {
		tr.Subject = strings.Replace(tr.Subject, "s-", "s-zzz", 1)
	}
	b, _ := writeTrajectories(t, long)
	if ka, kb := slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)); !slices.Equal(ka, kb) {
		t.Errorf("files %v and %v", ka, kb)
	}
}

func TestBadTrajectories(t *testing.T) {
	for _, c := range []struct {
		why    string
		change func(t *record.Trajectory)
		want   string
	}{
		{"no steps", func(t *record.Trajectory) { t.Steps = nil; t.Seen = nil }, "no steps"},
		{"no scale", func(t *record.Trajectory) { t.Scale = 0 }, "scale"},
		{"no viewer", func(t *record.Trajectory) { t.Viewer = "" }, "viewer"},
		{"no item", func(t *record.Trajectory) { t.Item = "" }, "item"},
		{"negative trial", func(t *record.Trajectory) { t.Trial = -1 }, "trial"},
		{"unknown movement", func(t *record.Trajectory) { t.Movement = "flying" }, "movement"},
		{"ticks stand still", func(t *record.Trajectory) { t.Steps[1].Tick = t.Steps[0].Tick }, "ticks"},
		{"unknown heading", func(t *record.Trajectory) { t.Steps[0].Heading = "up" }, "heading"},
		{"sighting after the end", func(t *record.Trajectory) { t.Seen[0].Step = 99 }, "not a step"},
		{"sightings unsorted", func(t *record.Trajectory) { t.Seen[0], t.Seen[1] = t.Seen[1], t.Seen[0] }, "not sorted"},
		{"nameless entity", func(t *record.Trajectory) { t.Seen[0].Entity = "" }, "entity"},
		{"repeated sighting", func(t *record.Trajectory) { t.Seen[2] = t.Seen[0]; t.Seen[2].Step = 1 }, "repeats"},
		{"hidden with a place", func(t *record.Trajectory) { t.Seen[0].As = "" }, "no place"},
	} {
		tr := &record.Trajectory{
			Key: record.Key{Item: "i"}, Viewer: "self", Movement: record.FourHeading, Scale: 1,
			Steps: []record.Step{{Tick: 0}, {Tick: 1}},
			Seen:  []record.Sighting{{Step: 0, Entity: "a", X: 1, As: "red"}, {Step: 0, Entity: "b", As: "red"}, {Step: 1, Entity: "a", As: ""}},
		}
		files, _ := writeTrajectories(t, []*record.Trajectory{tr})
		if len(files) != 2 {
			t.Fatal("the valid trajectory is refused")
		}
		c.change(tr)
		w := record.NewTrajectoryWriter(func(string) (io.WriteCloser, error) { return new(buffer), nil })
		err := w.Write(tr)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not mention %q", c.why, err, c.want)
		}
		if w.Write(tr) == nil {
			t.Errorf("%s: the writer goes on after an error", c.why)
		}
		if _, err := w.Close(); err == nil {
			t.Errorf("%s: the writer closes as if nothing had happened", c.why)
		}
	}
	w := record.NewTrajectoryWriter(func(string) (io.WriteCloser, error) { return new(buffer), nil })
	tr := someTrajectories(1, 1)[0]
	if err := w.Write(tr); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(tr); err == nil || !strings.Contains(err.Error(), "written twice") {
		t.Errorf("the same trajectory twice: %v", err)
	}
}

// A full is a disk without space.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }
func (full) Close() error              { return nil }

func TestTrajectoryWriterReportsTheDisk(t *testing.T) {
	w := record.NewTrajectoryWriter(func(string) (io.WriteCloser, error) { return full{}, nil })
	for _, tr := range someTrajectories(1, 10) {
		if w.Write(tr) != nil {
			break
		}
	}
	if _, err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("a full disk gives %v", err)
	}
	w = record.NewTrajectoryWriter(func(string) (io.WriteCloser, error) { return full{}, nil })
	w.Jobs = 3
	for _, tr := range someTrajectories(1, 2200) {
		if w.Write(tr) != nil {
			break
		}
	}
	if _, err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("a full disk gives %v with three jobs", err)
	}
	w = record.NewTrajectoryWriter(func(string) (io.WriteCloser, error) { return nil, errFull })
	if err := w.Write(someTrajectories(1, 1)[0]); !errors.Is(err, errFull) {
		t.Errorf("a file that cannot be created gives %v", err)
	}
}

func BenchmarkTrajectoryAt(b *testing.B) {
	files, list := writeTrajectories(b, someTrajectories(1, 20_000))
	r := open(b, files, list)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := r.At(i); err != nil {
			b.Fatal(err)
		}
		i = (i + 7919) % r.Len()
	}
}

func BenchmarkTrajectoryAll(b *testing.B) {
	files, list := writeTrajectories(b, someTrajectories(1, 20_000))
	r := open(b, files, list)
	steps := 0
	for b.Loop() {
		for tr, err := range r.All() {
			if err != nil {
				b.Fatal(err)
			}
			steps += len(tr.Steps)
		}
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds()/1e6, "Mstep/s")
}
