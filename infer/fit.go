package infer

import (
	"context"
	"fmt"
	"slices"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/num"
	"achilles/sim/record"
)

// A task is one fit to do. Only the fits that are being done have responses.
type task struct {
	subject int32
	rows    string
	use     []record.Response // responses to which the subject is fitted
	predict []record.Response // responses that are predicted
}

// tasks returns the fits to do. Each subject has a fit to all its responses and, if it has held-out responses and predictions
// are wanted, a second fit to the others.
func (r *run) tasks() []task {
	again := make([]bool, len(r.data.Subjects)) // whether a subject has a second fit
	for _, x := range r.data.Responses.All() {
		again[x.Subject] = again[x.Subject] || r.Predict && r.predicted(x)
	}
	var out []task
	for s, id := range r.data.Subjects {
		if !r.wants(id) {
			continue
		}
		out = append(out, task{subject: int32(s), rows: AllRows})
		if again[s] {
			out = append(out, task{subject: int32(s), rows: FitRows})
		}
	}
	return out
}

// wants reports whether a subject, or an item that is watched, is among those that the run is about.
func (r *run) wants(id string) bool { return r.Only == nil || slices.Contains(r.Only, id) }

// predicted reports whether a response is predicted by a fit to the responses that are not held out.
func (r *run) predicted(x record.Response) bool {
	return x.Split != record.Fit && x.Unscored == 0 && r.measureIndex(x) >= 0
}

// divide returns the task with the responses that it uses and predicts.
func (r *run) divide(t task) task {
	mine := r.data.Responses.Of(int(t.subject))
	if t.rows == AllRows {
		t.use = mine
		return t
	}
	for _, x := range mine {
		if x.Split == record.Fit {
			t.use = append(t.use, x)
		} else if r.predicted(x) {
			t.predict = append(t.predict, x)
		}
	}
	return t
}

// measureIndex returns the index of a response's measure among the measures of the layout, or −1.
func (r *run) measureIndex(x record.Response) int {
	return slices.Index(r.design.Measures(), r.data.Manifest.Measures[x.Measure].Name)
}

// fitAll does the fits, with Jobs fits at a time. Their results are in r.pieces afterwards: those of all subjects together would
// take much memory.
func (r *run) fitAll(ctx context.Context, tasks []task) error {
	return parallel(ctx, len(tasks), r.Jobs, r.Progress, func(ctx context.Context, i int) error {
		if _, err := r.fit(ctx, tasks[i]); err != nil {
			return fmt.Errorf("subject %s: %w", r.data.Subjects[tasks[i].subject], err)
		}
		return nil
	})
}

// fit does one fit, or returns its result from an earlier run with the same key.
func (r *run) fit(ctx context.Context, t task) (*piece, error) {
	id := r.data.Subjects[t.subject]
	p, err := r.storedFit(id, t.rows)
	if p != nil || err != nil {
		return p, err
	}
	p = &piece{}
	t = r.divide(t)
	if r, err = carrying(r, id); err != nil {
		return nil, err
	}
	if r.byPosition() && len(t.use)+len(t.predict) > 0 {
		if r, t, err = r.onPositions(t); err != nil {
			return nil, err
		}
	}
	err = fitSubject(ctx, r, t, p)
	if fit, ok := unresolved(id, t.rows, err); ok {
		p.Fit, err = &fit, nil
	}
	if err != nil {
		return nil, err
	}
	return p, r.keepFit(id, t.rows, p)
}

// fitSubject writes the result of one fit to p.
func fitSubject(ctx context.Context, r *run, t task, p *piece) error {
	id := r.data.Subjects[t.subject]
	data, err := r.design.NewData(t.use)
	if err != nil {
		return err
	}
	if err := (comparing{r}).compare(ctx, t, p); err != nil || !r.needsLayout(t) {
		return err
	}
	post, err := posterior.Fit(ctx, func() posterior.Problem { return r.design.NewTarget(data) }, r.design.Names(), r.posteriorConfig(), r.Seed, "infer", id, t.rows)
	if err != nil {
		return err
	}
	fit := r.describe(id, t.rows, post)
	p.Fit = &fit
	if t.rows != AllRows {
		if r.bank == nil {
			p.Predictions = r.predict(r.design.NewTarget(data), t.predict, post)
		}
		p.Failure = r.failure(t.use)
		p.draws = [][][]float64{thin(post.Draws, keptDraws)}
		p.Shape = [3]int{1, len(p.draws[0]), len(p.draws[0][0])}
		return nil
	}
	r.check(p.Fit, t.use, data, post)
	if (likeness{r}).comparesSubjects() && p.Expected == nil {
		p.Expected = likeness{r}.expect(r.design.NewTarget(data), t.use, post)
	}
	var repetitions *float64
	if r.repetitions != nil {
		p := r.repetitions()
		repetitions = &p
	}
	widenFit(&r.data.Items, p.Fit, data.Cells, post, repetitions)
	fit.Warnings = append(fit.Warnings, heavyTails(post, nil)...)
	p.Profiles = r.profiles(id, post)
	p.draws, p.Sampler = post.Draws, sampled(id, post)
	p.Shape = [3]int{len(post.Draws), len(post.Draws[0]), len(post.Draws[0][0])}
	return nil
}

// needsLayout reports whether a result of task t comes from the layout. The bank, if there is one, predicts the success of held-out
// responses; the layout predicts paths.
func (r *run) needsLayout(t task) bool {
	return t.rows == AllRows || r.bank == nil || r.walks
}

// predict returns the success probabilities of held-out responses, averaged over all posterior draws.
func (r *run) predict(t *layout.Target, held []record.Response, post *posterior.Posterior) []Prediction {
	n := r.design.Rows() * len(r.design.Measures())
	p, sum, draws := make([]float64, n), make([]float64, n), 0
	for _, chain := range post.Draws {
		for _, theta := range chain {
			t.Predict(theta, p)
			num.AddTo(sum, 1, p)
			draws++
		}
	}
	var out []Prediction
	for _, x := range held {
		m := r.measureIndex(x)
		out = append(out, predictionOf(r.data, x, sum[m*r.design.Rows()+r.design.Row(int(x.Item))]/float64(draws)))
	}
	return out
}

// predictionOf returns the row of the table of predictions for one held-out response with success probability p.
func predictionOf(data *record.Dataset, x record.Response, p float64) Prediction {
	return Prediction{Subject: data.Subjects[x.Subject], Item: data.Items.ID[x.Item], Trial: int32(x.Trial), Repetition: int32(x.Repetition),
		Measure: data.Manifest.Measures[x.Measure].Name, P: clampUnit(p)}
}

// failure returns the failure rate of responses: 1 − the mean of their values. It counts only scored responses to measures of
// the layout, and is 0 if there are none.
func (r *run) failure(use []record.Response) float64 {
	sum, n := 0.0, 0
	for _, x := range use {
		if x.Unscored == 0 && r.measureIndex(x) >= 0 {
			sum, n = sum+x.Value, n+1
		}
	}
	if n == 0 {
		return 0
	}
	return 1 - sum/float64(n)
}
