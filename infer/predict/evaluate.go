package predict

import (
	"context"
	"fmt"
	"sync"

	"achilles/infer/table"
	"achilles/sim/rng"
)

// A Result is the grades of one model, one a split.
type Result struct {
	Model  string
	Grades []Grade
}

// Evaluate fits every predictor to the training part of every split and grades it on the test part, with up to jobs fits
// at a time; the results do not depend on jobs. A fit sees no response but those it trains on.
func Evaluate(ctx context.Context, t *table.Table, splits []Split, predictors []Predictor, root uint64, jobs int) ([]Result, error) {
	results := make([]Result, len(predictors))
	errs := make([]error, len(predictors)*len(splits))
	work := make(chan int)
	var wg sync.WaitGroup
	for i, p := range predictors {
		results[i] = Result{p.Name(), make([]Grade, len(splits))}
	}
	for range max(jobs, 1) {
		wg.Go(func() {
			for k := range work {
				p, s := k%len(predictors), k/len(predictors)
				results[p].Grades[s], errs[k] = evaluate(ctx, t, splits[s], predictors[p], root)
			}
		})
	}
	for k := range errs {
		work <- k
	}
	close(work)
	wg.Wait()
	for k, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("model %s, split %s: %w", predictors[k%len(predictors)].Name(), splits[k/len(predictors)].Name, err)
		}
	}
	return results, nil
}

func evaluate(ctx context.Context, t *table.Table, s Split, p Predictor, root uint64) (Grade, error) {
	if err := ctx.Err(); err != nil {
		return Grade{}, err
	}
	model, err := p.Fit(ctx, t.Subset(s.Train), rng.Derive(root, "predict", p.Name(), s.Name))
	if err != nil {
		return Grade{}, err
	}
	test := t.Subset(s.Test)
	predictions := make([]float64, test.Rows())
	model.Predict(test.Subject, test.Item, predictions)
	return NewGrade(test, predictions), nil
}
