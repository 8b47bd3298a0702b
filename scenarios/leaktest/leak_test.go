package leaktest_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"achilles/scenarios/generatetest"
	"achilles/scenarios/leaktest"
	"achilles/sim/longtest"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A plan describes a public directory with as many subjects as items and three labels of each. The test chooses their
// ids and order.
type plan struct {
	subject func(i int, label string, r *rng.Rand) string // returns the id of the i-th subject
	item    func(i int, label string, r *rng.Rand) string
	rows    func(label string) int // number of trials of a subject with that label on an item
	shards  bool                   // the directory has worlds and trajectories too
}

func random(prefix string) func(int, string, *rng.Rand) string {
	return func(_ int, _ string, r *rng.Rand) string { return fmt.Sprintf("%s%08x", prefix, r.Uint64()>>32) }
}

var labels = []string{"capable", "fraudster", "heel"}

// directory makes a public directory by the plan. It returns its files, and the label of every subject and item by id.
func directory(t testing.TB, root uint64, n int, p plan) (files fstest.MapFS, subjects, items map[string]string) {
	r := rng.Stream(root, "leak test")
	subjects, items = map[string]string{}, map[string]string{}
	for i := range n {
		label := labels[i*len(labels)/n]
		subjects[p.subject(i, label, &r)], items[p.item(i, label, &r)] = label, label
	}
	d := &record.Dataset{Subjects: slices.Sorted(maps.Keys(subjects)), Reasons: []string{""}}
	d.Manifest.Measures = []record.Measure{{Name: "success", Family: record.Binary}}
	d.Items.ID = slices.Sorted(maps.Keys(items))
	for range d.Items.ID {
		d.Items.Suite, d.Items.Paradigm, d.Items.Task = append(d.Items.Suite, "s"), append(d.Items.Paradigm, "p"), append(d.Items.Task, "t")
	}
	var list []record.Response
	for s, id := range d.Subjects {
		rows := 1
		if p.rows != nil {
			rows = p.rows(subjects[id])
		}
		for i := range len(d.Items.ID) {
			for trial := range rows {
				list = append(list, record.Response{Subject: int32(s), Item: int32(i), Trial: int16(trial), Value: float64(strings.Index("cfh", subjects[id][:1]) % 2)})
			}
		}
	}
	d.Responses = record.PackResponses(list)
	var others []part.File
	files = fstest.MapFS{}
	if p.shards {
		others = addShards(t, d, files)
	}
	tables, err := record.Encode(d, others...)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range tables {
		files[name] = &fstest.MapFile{Data: data}
	}
	return files, subjects, items
}

type buffer struct{ bytes.Buffer }

func (*buffer) Close() error { return nil }

// addShards gives every item a world, and every subject a trajectory on every item.
func addShards(t testing.TB, d *record.Dataset, files fstest.MapFS) []part.File {
	var worlds []record.World
	bufs := map[string]*buffer{}
	w := record.NewTrajectoryWriter(func(path string) (io.WriteCloser, error) {
		bufs[path] = new(buffer)
		return bufs[path], nil
	})
	for _, item := range d.Items.ID {
		worlds = append(worlds, record.World{Item: item, Movement: record.FourHeading, Text: "###\n"})
		for _, subject := range d.Subjects {
			tr := &record.Trajectory{Key: record.Key{Item: item, Subject: subject}, Viewer: "self", Movement: record.FourHeading, Scale: 1, Steps: []record.Step{{}}}
			if err := w.Write(tr); err != nil {
				t.Fatal(err)
			}
		}
	}
	list, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	texts, err := generatetest.EncodeWorlds(worlds)
	if err != nil {
		t.Fatal(err)
	}
	for path, data := range texts {
		files[path] = &fstest.MapFile{Data: data}
		list = append(list, part.NewFile(path, data))
	}
	for path, b := range bufs {
		files[path] = &fstest.MapFile{Data: b.Bytes()}
	}
	return list
}

func probe(t testing.TB, root uint64, n int, p plan) *leaktest.Report {
	t.Helper()
	files, subjects, items := directory(t, root, n, p)
	r, err := leaktest.Probe(files, subjects, items)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestNoLeakNoFinding(t *testing.T) {
	r := probe(t, 1, 300, plan{subject: random("s-"), item: random("i-"), shards: true})
	if len(r.Checks) < 40 {
		t.Errorf("only %d checks were made", len(r.Checks))
	}
	for _, f := range r.Findings {
		t.Errorf("found where nothing leaks: %s", f)
	}
}

// TestPlantedLeaks plants one leak at a time, and checks that Probe finds a clue of it.
func TestPlantedLeaks(t *testing.T) {
	clean := plan{subject: random("s-"), item: random("i-")}
	for _, c := range []struct {
		why    string
		change func(p *plan)
		want   string
	}{
		{"ids in the scenario's order", func(p *plan) {
			p.subject = func(i int, _ string, _ *rng.Rand) string { return fmt.Sprintf("s-%08x", i) }
		}, "subjects: place in the file"},
		{"items in the battery's order", func(p *plan) {
			p.item = func(i int, _ string, _ *rng.Rand) string { return fmt.Sprintf("i-%08x", i) }
		}, "items: place in the file"},
		{"the label in the last digit", func(p *plan) {
			p.subject = func(_ int, l string, r *rng.Rand) string {
				return fmt.Sprintf("s-%07x%x", r.Uint64()>>36, strings.Index("cfh", l[:1]))
			}
		}, "subjects: character 10 of the id"},
		{"the parity of the last digit", func(p *plan) {
			p.item = func(_ int, l string, r *rng.Rand) string {
				odd := 0
				if l == "fraudster" {
					odd = 1
				}
				return fmt.Sprintf("i-%07x%x", r.Uint64()>>36, 2*r.IntN(8)+odd)
			}
		}, "items: parity of character 10 of the id"},
		{"longer ids", func(p *plan) {
			p.subject = func(_ int, l string, r *rng.Rand) string {
				id := fmt.Sprintf("s-%08x", r.Uint64()>>32)
				if l == "heel" {
					id += "x"
				}
				return id
			}
		}, "subjects: length of the id"},
		{"the labels taking turns", func(p *plan) {
			p.item = func(i int, _ string, _ *rng.Rand) string { return fmt.Sprintf("i-%08x", i%70*3+i/70) }
		}, "items: place in the file modulo 3"},
		{"turns of two", func(p *plan) {
			p.item = func(i int, _ string, _ *rng.Rand) string { return fmt.Sprintf("i-%08x", (i%70/2*3+i/70)*2+i%2) }
		}, "items: label of the one 6 places before"},
		{"more rows", func(p *plan) {
			p.rows = func(l string) int { return 1 + strings.Index("cfh", l[:1])%2 }
		}, "subjects: number of response rows"},
		{"shards by label", func(p *plan) {
			p.shards = true
			p.item = func(i int, _ string, _ *rng.Rand) string { return fmt.Sprintf("i-%08x", i) }
		}, "items: shard of the first trajectory"},
	} {
		p := clean
		c.change(&p)
		r := probe(t, 2, 210, p)
		found := false
		for _, f := range r.Findings {
			found = found || strings.HasPrefix(f.String(), c.want)
		}
		if !found {
			t.Errorf("%s: not found (%d findings, want %q)", c.why, len(r.Findings), c.want)
		}
	}
}

func TestFewOrNoLabels(t *testing.T) {
	files, subjects, items := directory(t, 3, 4, plan{subject: random("s-"), item: random("i-")})
	for _, labels := range []map[string]string{nil, subjects} {
		r, err := leaktest.Probe(files, labels, nil)
		if err != nil || len(r.Findings) > 0 {
			t.Errorf("%v, %v", r, err)
		}
	}
	_ = items
	if _, err := leaktest.Probe(fstest.MapFS{}, nil, nil); err == nil {
		t.Error("an empty directory is probed")
	}
}

// TestFalseAlarmRate checks that the z of a check is standard normal in its upper tail; otherwise the stated
// false-alarm rate would be wrong. Over directories without a leak, the share of checks beyond the upper 1 % and 0.1 %
// points is at most that, within 6 standard errors and a fifth for the approximation.
func TestFalseAlarmRate(t *testing.T) {
	n := uint64(20)
	if longtest.On() {
		n = 400
	} else if testing.Short() {
		n = 4
	}
	beyond, checks := [2]float64{}, 0.0
	for root := range n {
		for _, c := range probe(t, 100+root, 120, plan{subject: random("s-"), item: random("i-")}).Checks {
			checks++
			for k, limit := range []float64{2.326, 3.090} {
				if c.Z > limit {
					beyond[k]++
				}
			}
		}
	}
	for k, p := range []float64{0.01, 0.001} {
		allowed := 1.2*p*checks + 6*math.Sqrt(p*checks)
		t.Logf("%.0f of %.0f checks beyond the upper %g", beyond[k], checks, p)
		if beyond[k] > allowed {
			t.Errorf("%.0f of %.0f checks lie beyond the upper %g: more than %.0f", beyond[k], checks, p, allowed)
		}
	}
}
