package predict

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"achilles/infer/table"
	"achilles/sim/part"
	"achilles/sim/rng"
)

// ModelGrades are the grades of one model, one for each split.
type ModelGrades struct {
	Model  string
	Grades []Grade
}

// An Evaluation says how Evaluate works.
type Evaluation struct {
	Root     uint64  // seed of all random streams
	Each     bool    // whether grades have the losses of every subject
	Level    float64 // level of intervals, above 0 and below 1, which further fits to parts of the training part calibrate; 0: none
	Unit     Unit    // what splits draw, and so what is left out to calibrate intervals
	Jobs     int     // largest number of fits at a time; no result depends on it
	Finished Finished
	Progress func(done, total int, last string) // called after each fit, by one goroutine at a time; nil: not
	Running  func(name string)                  // is told of the fit that has been running longest whenever it is another, by one goroutine at a time; nil: nobody is
}

// Evaluate fits every predictor to the training part of every split and grades it on the test part. A fit sees no responses except
// those of its training part and, if the predictor is Checked, of the part for checking. An error names the model and the split. If ctx
// ends, the grades of what was done are returned with the error; the others have no responses.
func Evaluate(ctx context.Context, t *table.Table, splits []Split, predictors []Predictor, e Evaluation) ([]ModelGrades, error) {
	results := make([]ModelGrades, len(predictors))
	var workers errgroup.Group
	workers.SetLimit(max(e.Jobs, 1))
	var mu sync.Mutex
	done, running := 0, running{tell: e.Running}
	for i, p := range predictors {
		results[i] = ModelGrades{p.Name(), make([]Grade, len(splits))}
	}
	for s, split := range splits {
		of, on := split.digest(), newFitting(t, split, e, predictors)
		for i, p := range predictors {
			workers.Go(func() error {
				name := p.Name() + " on split " + split.Name
				defer running.began(name)()
				g, err := e.Finished.once(name+" "+of, func() (Grade, error) { return on.evaluate(ctx, p, e.Each) })
				if err != nil {
					return fmt.Errorf("model %s, split %s: %w", p.Name(), split.Name, err)
				}
				results[i].Grades[s] = g
				if e.Progress != nil {
					mu.Lock()
					defer mu.Unlock()
					done++
					e.Progress(done, len(splits)*len(predictors), name)
				}
				return nil
			})
		}
	}
	err := workers.Wait()
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return results, err
}

// A running keeps the names of the fits that are running, in the order of their beginning.
type running struct {
	mu    sync.Mutex
	tell  func(name string) // nil: nobody is told
	names []string
}

// began adds a fit, and returns what removes it. Names are all different.
func (r *running) began(name string) (ended func()) {
	change := func(do func()) {
		if r.tell == nil {
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		before := r.longest()
		if do(); r.longest() != before {
			r.tell(r.longest())
		}
	}
	change(func() { r.names = append(r.names, name) })
	return func() {
		change(func() { r.names = slices.DeleteFunc(r.names, func(n string) bool { return n == name }) })
	}
}

// longest returns the name of the fit that has been running longest, "" if none is.
func (r *running) longest() string {
	if len(r.names) == 0 {
		return ""
	}
	return r.names[0]
}

// digest returns the digest of the rows of a split.
func (s Split) digest() string { return part.Digest(fmt.Append(nil, s.Train, s.Test, s.Check)) }

// fit fits a predictor to the training part of a split. A Checked predictor also gets the part for checking.
func (s Split) fit(ctx context.Context, t *table.Table, p Predictor, root uint64) (Model, error) {
	if c, ok := p.(Checked); ok && len(s.Check) > 0 {
		return c.FitChecked(ctx, t.Subset(s.Train), t.Subset(s.Check), root)
	}
	return p.Fit(ctx, t.Subset(s.Train), root)
}

// A fitting fits predictors to the training part of a split. Parts of a Blend are fitted once, although they are graded alone, too.
type fitting struct {
	table *table.Table
	split Split
	root  uint64
	level float64 // of intervals; 0: none
	unit  Unit
	mu    sync.Mutex
	parts map[string]func() (Model, error) // by name: what fits a part of a Blend when it is called first
}

// newFitting returns a fitting of predictors to a split. A part of a Blend with the name of another predictor is that predictor.
func newFitting(t *table.Table, s Split, e Evaluation, predictors []Predictor) *fitting {
	f := &fitting{table: t, split: s, root: e.Root, level: e.Level, unit: e.Unit, parts: map[string]func() (Model, error){}}
	for _, p := range predictors {
		if b, ok := p.(Blend); ok {
			for _, part := range b.Parts {
				f.parts[part.Name()] = nil
			}
		}
	}
	return f
}

// model returns a predictor's model.
func (f *fitting) model(ctx context.Context, p Predictor) (Model, error) {
	if b, ok := p.(Blend); ok {
		m := make(blended, len(b.Parts))
		for i, part := range b.Parts {
			var err error
			if m[i], err = f.model(ctx, part); err != nil {
				return nil, err
			}
		}
		return m, nil
	}
	fit := func() (Model, error) {
		return f.split.fit(ctx, f.table, p, rng.Derive(f.root, "predict", p.Name(), f.split.Name))
	}
	f.mu.Lock()
	once, shared := f.parts[p.Name()]
	if shared && once == nil {
		once = sync.OnceValues(fit)
		f.parts[p.Name()] = once
	}
	f.mu.Unlock()
	if shared {
		return once()
	}
	return fit()
}

// evaluate fits one predictor and grades it.
func (f *fitting) evaluate(ctx context.Context, p Predictor, each bool) (Grade, error) {
	if err := ctx.Err(); err != nil {
		return Grade{}, err
	}
	model, err := f.model(ctx, p)
	if err != nil {
		return Grade{}, err
	}
	test := f.table.Subset(f.split.Test)
	predictions := make([]float64, test.Rows())
	model.Predict(test.Subject, test.Item, predictions)
	g := newGrade(test, predictions)
	if each {
		g.Each = eachLoss(test, predictions)
	}
	if f.level > 0 {
		c, ok, err := f.calibrated(ctx, p)
		if err != nil {
			return Grade{}, err
		}
		if ok {
			g.Responses, g.SubjectMeans = c.grade(test, predictions)
		}
	}
	return g, nil
}
