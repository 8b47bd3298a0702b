package analysis_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"achilles/infer/analysis"
	"achilles/infer/predict"
	"achilles/infer/table"
)

// A shelf keeps finished fits in memory.
type shelf struct{ pieces sync.Map }

func (s *shelf) Put(name string, data []byte) error {
	s.pieces.Store(name, data)
	return nil
}

func (s *shelf) Get(name string) ([]byte, error) {
	b, _ := s.pieces.Load(name)
	data, _ := b.([]byte)
	return data, nil
}

// A counted is a predictor that counts its fits.
type counted struct {
	predict.Subject
	fits *atomic.Int32
}

func (c counted) Name() string { return "counted" }

func (c counted) Fit(ctx context.Context, t *table.Table, root uint64) (predict.Model, error) {
	c.fits.Add(1)
	return c.Subject.Fit(ctx, t, root)
}

// TestInterruptedAnalysis interrupts an analysis after every number of fits. What was done by then is graded and the warnings say
// what is missing; the next analysis does none of it again, and has the bytes of one that was not interrupted.
func TestInterruptedAnalysis(t *testing.T) {
	d := simulated(8, 30)
	settings := func() (analysis.Settings, *atomic.Int32) {
		c := quick()
		fits := new(atomic.Int32)
		c.Prediction.Models, c.Prediction.Splits, c.Prediction.New = []string{"majority", "irt"}, 3, []predict.Unit{predict.Item}
		c.Prediction.Stability, c.Predictors = 1, []predict.Predictor{counted{fits: fits}}
		return c, fits
	}
	c, fits := settings()
	steps := 0
	c.Progress = func(int, int, string) { steps++ }
	var ran []string
	c.Running = func(name string) { ran = append(ran, name) }
	want := run(t, d, c).Document()
	whole, text := fits.Load(), all(t, want)
	if !slices.Contains(ran, "irt on split 2") || !slices.Contains(ran, "abilities by irt") || ran[len(ran)-1] != "" {
		t.Errorf("said to be running: %q", ran)
	}
	if steps < 15 || whole < 7 {
		t.Fatalf("%d steps, %d fits", steps, whole)
	}
	for stop := 1; stop < steps; stop += 3 {
		kept := new(shelf)
		c, before := settings()
		c.Finished = predict.Finished{Sink: kept, Key: "data"}
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		c.Progress = func(int, int, string) {
			if n++; n == stop {
				cancel()
			}
		}
		a, err := analysis.Run(ctx, d, c)
		if !errors.Is(err, context.Canceled) || a == nil || !a.Partial {
			t.Fatalf("interrupted after %d of %d: %v", stop, steps, err)
		}
		grades := 0
		for _, m := range a.Prediction {
			grades += len(m.Grades)
			if i := slices.IndexFunc(want.Tables.Prediction, func(r analysis.GradeRow) bool { return r.Model == m.Model }); len(m.Summary) == 0 || i < 0 {
				t.Errorf("model %s", m.Model)
			}
		}
		doc := a.Document()
		if grades != min(stop, 9) || !doc.Partial || !slices.ContainsFunc(doc.Warnings, func(w analysis.Caveat) bool { return strings.Contains(w.Message, "interrupted before all was done") }) {
			t.Errorf("after %d fits, %d are graded: %v", stop, grades, doc.Warnings)
		}
		if said := slices.ContainsFunc(doc.Warnings, func(w analysis.Caveat) bool {
			return w.Message == fmt.Sprintf("interrupted: graded on %d of 3 splits", 0)
		}); said != (stop < 3) {
			t.Errorf("after %d fits: %v", stop, doc.Warnings)
		}
		c, after := settings()
		c.Finished = predict.Finished{Sink: kept, Key: "data"}
		if got := all(t, run(t, d, c).Document()); got != text {
			t.Errorf("resumed after %d fits, the result differs", stop)
		}
		if n := before.Load() + after.Load(); n != whole {
			t.Errorf("interrupted after %d fits: the model was fitted %d times in both, want %d", stop, n, whole)
		}
		c, again := settings()
		c.Finished = predict.Finished{Sink: kept, Key: "data"}
		c.Prediction.Splits++ // a further split is fitted, the others stay
		run(t, d, c)
		if n := again.Load(); n != 2 {
			t.Errorf("with a further split, %d fits, want one for it and one for its new items", n)
		}
		c, other := settings()
		c.Finished = predict.Finished{Sink: kept, Key: "other data"}
		run(t, d, c)
		if n := other.Load(); n != whole {
			t.Errorf("of other data, %d fits are done, want all %d", n, whole)
		}
	}
}

// all returns the text of all that an analysis writes.
func all(t testing.TB, d *analysis.Document) string {
	t.Helper()
	b, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + fmt.Sprint(d.Tables)
}
