package predict

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"achilles/infer/table"
	"achilles/sim/rng"
)

// ModelGrades are the grades of one model, one for each split.
type ModelGrades struct {
	Model  string
	Grades []Grade
}

// Evaluate fits every predictor to the training part of every split and grades it on the test part. At most jobs fits
// run at a time; no result depends on jobs. A fit sees no responses except those of its training part and, if the
// predictor is Checked, of the part for checking. After each fit it calls report, from one goroutine at a time, with the number of fits that
// are done and of all; nil: it does not. An error names the model and the split.
func Evaluate(ctx context.Context, t *table.Table, splits []Split, predictors []Predictor, root uint64, jobs int, report func(done, total int, last string)) ([]ModelGrades, error) {
	results := make([]ModelGrades, len(predictors))
	var workers errgroup.Group
	workers.SetLimit(max(jobs, 1))
	var mu sync.Mutex
	done := 0
	for i, p := range predictors {
		results[i] = ModelGrades{p.Name(), make([]Grade, len(splits))}
	}
	for s, split := range splits {
		for i, p := range predictors {
			workers.Go(func() (err error) {
				if results[i].Grades[s], err = evaluate(ctx, t, split, p, root); err != nil {
					return fmt.Errorf("model %s, split %s: %w", p.Name(), split.Name, err)
				}
				if report != nil {
					mu.Lock()
					defer mu.Unlock()
					done++
					report(done, len(splits)*len(predictors), p.Name()+" on split "+split.Name)
				}
				return nil
			})
		}
	}
	if err := workers.Wait(); err != nil {
		return nil, err
	}
	return results, nil
}

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
