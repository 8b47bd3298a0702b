package predict

import (
	"context"
	"fmt"
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
	Root     uint64 // seed of all random streams
	Jobs     int    // largest number of fits at a time; no result depends on it
	Finished Finished
	Progress func(done, total int, last string) // called after each fit, by one goroutine at a time; nil: not
}

// Evaluate fits every predictor to the training part of every split and grades it on the test part. A fit sees no responses except
// those of its training part and, if the predictor is Checked, of the part for checking. An error names the model and the split. If ctx
// ends, the grades of what was done are returned with the error; the others have no responses.
func Evaluate(ctx context.Context, t *table.Table, splits []Split, predictors []Predictor, e Evaluation) ([]ModelGrades, error) {
	results := make([]ModelGrades, len(predictors))
	var workers errgroup.Group
	workers.SetLimit(max(e.Jobs, 1))
	var mu sync.Mutex
	done := 0
	for i, p := range predictors {
		results[i] = ModelGrades{p.Name(), make([]Grade, len(splits))}
	}
	for s, split := range splits {
		of := split.digest()
		for i, p := range predictors {
			workers.Go(func() error {
				name := p.Name() + " on split " + split.Name
				g, err := e.Finished.once(name+" "+of, func() (Grade, error) { return evaluate(ctx, t, split, p, e.Root) })
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

// digest returns the digest of the rows of a split.
func (s Split) digest() string { return part.Digest(fmt.Append(nil, s.Train, s.Test, s.Check)) }

// fit fits a predictor to the training part of a split. A Checked predictor also gets the part for checking.
func (s Split) fit(ctx context.Context, t *table.Table, p Predictor, root uint64) (Model, error) {
	if c, ok := p.(Checked); ok && len(s.Check) > 0 {
		return c.FitChecked(ctx, t.Subset(s.Train), t.Subset(s.Check), root)
	}
	return p.Fit(ctx, t.Subset(s.Train), root)
}

// evaluate fits one predictor to one split and grades it.
func evaluate(ctx context.Context, t *table.Table, s Split, p Predictor, root uint64) (Grade, error) {
	if err := ctx.Err(); err != nil {
		return Grade{}, err
	}
	model, err := s.fit(ctx, t, p, rng.Derive(root, "predict", p.Name(), s.Name))
	if err != nil {
		return Grade{}, err
	}
	test := t.Subset(s.Test)
	predictions := make([]float64, test.Rows())
	model.Predict(test.Subject, test.Item, predictions)
	return newGrade(test, predictions), nil
}
