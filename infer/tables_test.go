package infer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"
	"testing/fstest"

	"achilles/infer/layout"
	"achilles/sim/part"
	"achilles/sim/record"
)

// An outbox is an Out in memory.
type outbox map[string][]byte

func (o outbox) Put(name string, data []byte) error { o[name] = bytes.Clone(data); return nil }
func (o outbox) Get(name string) ([]byte, error)    { return o[name], nil }
func (o outbox) Create(name string) (_ io.WriteCloser, _ error) {
	return &outfile{o: o, name: name}, nil
}

type outfile struct {
	bytes.Buffer
	o    outbox
	name string
}

func (f *outfile) Close() error { return f.o.Put(f.name, f.Bytes()) }

// valueOf is a draw of a subject.
func valueOf(subject, chain, draw, parameter int) float64 {
	return float64(subject)*1e6 + float64(chain)*1e5 + float64(draw)*10 + float64(parameter)
}

const subjectsOfTables, drawsOfTables = 5, 1400

// tablesOfFits returns the files of fits with two chains each. Every fit is spoilt as soon as the next one is asked for: who holds two of
// them writes what is wrong.
func tablesOfFits(t *testing.T) (outbox, *listing) {
	t.Helper()
	l, err := layout.Parse("two.toml", "name = \"two\"\n[capability]\na = { prior = \"normal(0, 1)\" }\nb = { prior = \"normal(0, 1)\" }\n[response.success]\np = \"logistic(a + b)\"\n")
	if err != nil {
		t.Fatal(err)
	}
	measures := []record.Measure{{Name: "success", Family: record.Binary}}
	design, err := l.Bind(&record.Items{ID: []string{"i"}, Suite: []string{""}, Paradigm: []string{""}, Task: []string{""}}, measures)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{Job: Job{Layout: l}, design: design}
	out := outbox{}
	list := &listing{Out: out, tables: declared([]string{"a", "b"}), manifest: &part.Manifest{}}
	tab, err := r.newTables(list)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, err := r.assemble(func(yield func(*piece, error) bool) {
		for s := range subjectsOfTables {
			if !yieldFits(s, yield) {
				return
			}
		}
	}, tab)
	if err := tab.close(err); err != nil {
		t.Fatal(err)
	}
	for _, p := range rest {
		if p.draws != nil || p.Predictions != nil || p.Profiles != nil {
			t.Error("a fit is held with its draws, predictions or profiles")
		}
	}
	return out, list
}

// yieldFits yields both fits of a subject, and spoils each when it has been used.
func yieldFits(s int, yield func(*piece, error) bool) bool {
	id := fmt.Sprintf("s%d", s)
	all := &piece{Fit: &Fit{Subject: id, Rows: AllRows}}
	for c := range 2 {
		var chain [][]float64
		for d := range drawsOfTables {
			chain = append(chain, []float64{valueOf(s, c, d, 0), valueOf(s, c, d, 1)})
		}
		all.draws = append(all.draws, chain)
	}
	if !yield(all, nil) {
		return false
	}
	for _, chain := range all.draws {
		for _, draw := range chain {
			draw[0], draw[1] = math.NaN(), math.NaN()
		}
	}
	some := &piece{Fit: &Fit{Subject: id, Rows: FitRows}}
	for i := range 1000 * s {
		some.Predictions = append(some.Predictions, Prediction{Subject: id, Item: fmt.Sprint(i), P: 0.5})
	}
	if !yield(some, nil) {
		return false
	}
	clear(some.Predictions)
	return true
}

// openTables opens the listed tables.
func openTables(t *testing.T, out outbox, list *listing) *Result {
	t.Helper()
	dir := fstest.MapFS{}
	r := &Result{}
	for _, x := range list.manifest.Tables {
		f := x.Files[0]
		dir[f.Path] = &fstest.MapFile{Data: out[f.Path]}
		err := f.Verify(dir)
		if err != nil {
			t.Error(err)
		}
		if f.Path == drawsFile {
			r.Draws, err = newDraws(dir, f)
		} else {
			r.Predictions, err = newPredictions(dir, f)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// TestTablesOfOneFitAtATime checks the tables that are written while fits are read, none of which can be held, and that they are read
// subject by subject, as a whole and in part.
func TestTablesOfOneFitAtATime(t *testing.T) {
	out, list := tablesOfFits(t)
	r := openTables(t, out, list)
	if got := r.Draws.Parameters(); !slices.Equal(got, []string{"a", "b"}) {
		t.Fatalf("parameters %v", got)
	}
	s := 0
	for d, err := range r.Draws.All() {
		if err != nil {
			t.Fatal(err)
		}
		sameDraws(t, d, s)
		s++
	}
	if s != subjectsOfTables {
		t.Errorf("%d subjects", s)
	}
	for _, s := range []int{3, 0, 4, 2} {
		d, err := r.Draws.Of(fmt.Sprintf("s%d", s))
		if err != nil || d == nil {
			t.Fatalf("draws %v, error %v", d, err)
		}
		sameDraws(t, d, s)
	}
	for _, id := range []string{"", "r", "s00", "s33", "t"} {
		if d, err := r.Draws.Of(id); d != nil || err != nil {
			t.Errorf("%q has draws, or the error %v", id, err)
		}
	}
	n := 1 // subject 0 has no predictions
	for ps, err := range r.Predictions {
		id := fmt.Sprintf("s%d", n)
		if err != nil || len(ps) != 1000*n || slices.ContainsFunc(ps, func(p Prediction) bool { return p.Subject != id || p.P != 0.5 }) {
			t.Fatalf("%s: %d predictions, error %v", id, len(ps), err)
		}
		n++
	}
	if n != subjectsOfTables {
		t.Errorf("predictions of %d subjects", n-1)
	}
}

func sameDraws(t *testing.T, d *SubjectDraws, s int) {
	t.Helper()
	if d.Subject != fmt.Sprintf("s%d", s) || len(d.Draw) != 2*drawsOfTables || len(d.Chain) != len(d.Draw) || len(d.Values) != 2 {
		t.Fatalf("%d draws of %s, not of subject %d", len(d.Draw), d.Subject, s)
	}
	for i := range d.Draw {
		c, k := i/drawsOfTables, i%drawsOfTables
		if int(d.Chain[i]) != c || int(d.Draw[i]) != k || d.Values[0][i] != valueOf(s, c, k, 0) || d.Values[1][i] != valueOf(s, c, k, 1) {
			t.Fatalf("row %d of subject %d is %d, %d, %v, %v", i, s, d.Chain[i], d.Draw[i], d.Values[0][i], d.Values[1][i])
		}
	}
}

// TestUnsortedTables checks that a table in which a subject comes twice is refused, because nobody who reads one subject at a time can put
// them together.
func TestUnsortedTables(t *testing.T) {
	var draws, predictions bytes.Buffer
	w, err := newDrawsWriter(&draws, []string{"a"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := record.NewRowWriter[Prediction](&predictions, nil)
	for _, id := range []string{"s1", "s2", "s1"} {
		err = errors.Join(err, w.write(id, [][][]float64{{{1}}}), p.Write([]Prediction{{Subject: id}}))
	}
	if err := errors.Join(err, w.w.Close(), p.Close()); err != nil {
		t.Fatal(err)
	}
	out := outbox{}
	list := &listing{Out: out, tables: declared([]string{"a"}), manifest: &part.Manifest{}}
	if err := errors.Join(list.Put(drawsFile, draws.Bytes()), list.Put(predictionsFile, predictions.Bytes())); err != nil {
		t.Fatal(err)
	}
	if n := list.manifest.Find("draws").Rows; n != 3 {
		t.Errorf("%d rows of draws are listed", n)
	}
	r := openTables(t, out, list)
	n := 0
	for _, e := range r.Draws.All() {
		n, err = n+1, e
	}
	if n != 3 || err == nil {
		t.Errorf("draws: %d subjects, error %v", n, err)
	}
	n = 0
	for _, e := range r.Predictions {
		n, err = n+1, e
	}
	if n != 2 || err == nil {
		t.Errorf("predictions: %d subjects, error %v", n, err)
	}
}

// TestBatchesOfRows checks that the bytes of a table do not depend on how many rows are handed over at a time, nor on where its columns
// wait.
func TestBatchesOfRows(t *testing.T) {
	var rows []Prediction
	for i := range 60_000 {
		rows = append(rows, Prediction{Subject: fmt.Sprint("subject-", i/100), Item: fmt.Sprint("item-", i*i%97), P: float64(i%1009) / 1009})
	}
	want, err := record.EncodeRows(rows)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	w := record.NewRowWriter[Prediction](&got, nil)
	for len(rows) > 0 {
		n := min(len(rows), 437)
		if err := w.Write(rows[:n]); err != nil {
			t.Fatal(err)
		}
		rows = rows[n:]
	}
	if err := w.Close(); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%d bytes, not the %d of one call; error %v", got.Len(), len(want), err)
	}
}
