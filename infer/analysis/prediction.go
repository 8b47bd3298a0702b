package analysis

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/infer/adaptive"
	"achilles/infer/embedding"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A ModelResult has the grades of one model on every split.
type ModelResult struct {
	Model   string
	Splits  []string                // names of the splits
	Grades  []predict.Grade         // by split
	Summary []predict.MetricSummary // by metric, in the order of predict.Metrics
}

// A ShiftResult has the grades of all models on one shift, whose test items are harder than its training items.
type ShiftResult struct {
	Name        string
	Train, Test int // numbers of responses
	Models      []ModelResult
}

// named returns the result for a shift of another name that has the same responses.
func (r ShiftResult) named(name string) ShiftResult {
	models := slices.Clone(r.Models)
	for i := range models {
		models[i].Splits = []string{name}
	}
	r.Name, r.Models = name, models
	return r
}

// A NewResult has the grades of all models on splits whose test responses are those of new subjects, to new items, or both.
type NewResult struct {
	Unit   predict.Unit
	Models []ModelResult
}

// scoreNames are the scores by which models are usually compared.
var scoreNames = [...]string{"accuracy", "f1", "auc", "rmse", "mae", "log_loss"}

// scores returns the scores of scoreNames for one split.
func scores(g predict.Grade) [len(scoreNames)]float64 {
	return [...]float64{1 - g.Mean[predict.Error], g.F1, g.AUC, g.RMSE, g.Mean[predict.MAE], g.Mean[predict.LogLoss]}
}

// scoreRows returns a row for every score of a model: its mean and standard deviation over the splits, beside the
// published number.
func (c *Settings) scoreRows(m *ModelResult) (rows []ScoreRow) {
	for k, name := range scoreNames {
		values := make([]float64, len(m.Grades))
		for i, g := range m.Grades {
			values[i] = scores(g)[k]
		}
		r := ScoreRow{Model: m.Model, Score: name, Published: c.published(m.Model, name)}
		mean, variance := num.Moments(values)
		r.Mean, r.SD = mean, math.Sqrt(variance)
		rows = append(rows, r)
	}
	return rows
}

// predict fits all models to the training part of every split and shift, and grades them on the test part.
func (a *Analysis) predict(ctx context.Context, d *record.Dataset, t *table.Table) error {
	if name := a.Settings.undeclared(); name != "" {
		return fmt.Errorf("key prediction: feature %q is not declared", name)
	}
	t, held := a.sample(t, table.HeldOut(d, a.Measure))
	splits, err := a.splits(t, held)
	if err != nil {
		return err
	}
	models := a.Settings.predictors(t)
	a.makeFinished(t)
	p := &a.Settings.Prediction
	if a.Prediction, err = a.evaluate(ctx, t, "", splits, models, p.Unit); err != nil {
		return err
	}
	for _, unit := range a.Settings.Prediction.New {
		results, err := a.evaluate(ctx, t, " with new: "+string(unit), a.random(t, unit), models, unit)
		if len(results) > 0 {
			a.New = append(a.New, NewResult{unit, results})
		}
		if err != nil {
			return err
		}
	}
	if err := a.measure(ctx, t, models); err != nil {
		return err
	}
	if err := a.resample(ctx, t); err != nil {
		return err
	}
	if a.ShortForms, err = a.Settings.shortForms().Evaluate(ctx, t); err != nil {
		return err
	}
	var done []predict.Split
	for _, s := range a.shifts() {
		split, err := s.Split(t)
		if err != nil {
			if len(a.Settings.Prediction.Shift) > 0 { // a configured shift must be possible; a shift by default is left out if it is not
				return fmt.Errorf("key prediction.shift: %w", err)
			}
			a.warn("shift "+s.Name, "left out: %v", err)
			continue
		}
		same := func(x predict.Split) bool {
			return slices.Equal(x.Train, split.Train) && slices.Equal(x.Test, split.Test)
		}
		if k := slices.IndexFunc(done, same); k >= 0 { // features that go together, such as two that only hidden items have
			a.Shifts = append(a.Shifts, a.Shifts[k].named(s.Name))
			done = append(done, split)
			continue
		}
		results, err := a.evaluate(ctx, t, " of shift "+s.Name, []predict.Split{split}, models, "")
		if len(results) > 0 {
			a.Shifts = append(a.Shifts, ShiftResult{s.Name, len(split.Train), len(split.Test), results})
			done = append(done, split)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// undeclared returns the first feature of the prediction settings that is not declared, or "".
func (c *Settings) undeclared() string {
	all := c.named("")
	names := slices.Concat(c.Prediction.Features, c.Prediction.ItemFeatures, c.Prediction.Skills, c.Prediction.Subsets)
	for _, s := range c.Prediction.Shift {
		names = append(names, s.Features...)
	}
	for _, n := range names {
		if !slices.Contains(all, n) {
			return n
		}
	}
	return ""
}

// sample returns t and held, or a random sample of MaxRows responses and their elements of held if t has more.
func (a *Analysis) sample(t *table.Table, held []bool) (*table.Table, []bool) {
	limit := a.Settings.Prediction.MaxRows
	if t.Rows() <= limit {
		return t, held
	}
	a.warn("prediction", "models are fitted to and graded on %d of %d responses, drawn at random", limit, t.Rows())
	r := rng.Stream(a.Settings.Seed, "prediction", "sample")
	rows := make([]int32, 0, limit)
	var kept []bool
	for i, left := 0, limit; left > 0; i++ { // every subset of size limit is equally likely (Knuth, algorithm S)
		if r.IntN(t.Rows()-i) < left {
			rows, kept = append(rows, int32(i)), append(kept, held[i])
			left--
		}
	}
	return t.Subset(rows), kept
}

func (a *Analysis) splits(t *table.Table, held []bool) ([]predict.Split, error) {
	p := &a.Settings.Prediction
	var splits []predict.Split
	switch {
	case a.Settings.SplitsText != nil:
		return predict.ParseSplits(a.Settings.SplitsFile, a.Settings.SplitsText, t)
	case p.Splits == 0:
		splits = []predict.Split{predict.By(t, "declared", func(i int) (bool, bool) { return !held[i], held[i] })}
	default:
		return a.random(t, p.Unit), nil
	}
	return a.usable(splits), nil
}

// random draws the configured number of splits, at least one.
func (a *Analysis) random(t *table.Table, unit predict.Unit) []predict.Split {
	p := &a.Settings.Prediction
	return a.usable(predict.Random(t, unit, max(p.Splits, 1), p.Train, rng.Derive(a.Settings.Seed, "prediction")))
}

// usable returns the splits of which both parts have responses.
func (a *Analysis) usable(splits []predict.Split) []predict.Split {
	return slices.DeleteFunc(splits, func(s predict.Split) bool {
		bad := len(s.Train) == 0 || len(s.Test) == 0
		if bad {
			a.warn("prediction", "split %s is left out: %d training and %d test responses", s.Name, len(s.Train), len(s.Test))
		}
		return bad
	})
}

func (a *Analysis) shifts() []predict.Shift {
	if s := a.Settings.Prediction.Shift; len(s) > 0 {
		return s
	}
	var out []predict.Shift
	var names []string
	for _, f := range a.Features {
		if f.Role == table.Relevant && !f.Nominal() {
			names = append(names, f.Name)
			out = append(out, predict.Shift{Name: f.Name, Features: []string{f.Name}})
		}
	}
	if len(names) > 1 {
		name := strings.Join(names, "+")
		if len(names) > 3 { // too long for a cell
			name = "all " + strconv.Itoa(len(names))
		}
		out = append(out, predict.Shift{Name: name, Features: names})
	}
	return out
}

// evaluate grades models on splits, which of describes. Splits draw units, parts of which calibrate intervals; no unit: there are none.
// If ctx ends, it returns the results of the splits that are done beside the error.
func (a *Analysis) evaluate(ctx context.Context, t *table.Table, of string, splits []predict.Split, models []predict.Predictor, unit predict.Unit) ([]ModelResult, error) {
	if len(splits) == 0 {
		return nil, nil
	}
	c := &a.Settings
	level := c.Prediction.Intervals
	if unit == "" {
		level = 0
	}
	results, err := predict.Evaluate(ctx, t, splits, models, predict.Evaluation{Root: c.Seed, Level: level, Unit: unit, Each: c.Each, Jobs: c.Jobs, Finished: a.finished, Progress: c.Progress, Running: c.Running})
	var out []ModelResult
	for _, r := range results {
		m := ModelResult{Model: r.Model}
		var done []predict.Split
		for i, g := range r.Grades {
			if g.N > 0 {
				done, m.Splits, m.Grades = append(done, splits[i]), append(m.Splits, splits[i].Name), append(m.Grades, g)
			}
		}
		if len(done) < len(splits) {
			a.warn(r.Model, "interrupted: graded on %d of %d splits%s", len(done), len(splits), of)
		}
		if len(done) == 0 {
			continue
		}
		for _, metric := range predict.Metrics() {
			m.Summary = append(m.Summary, predict.Summarise(metric, m.Grades, done, c.Level))
		}
		out = append(out, m)
	}
	return out, err
}

// makeFinished lets fits to t be kept and taken up again. Their key has all that any model depends on besides its name: so an analysis
// with further models or splits, or another measure of uncertainty, takes up the fits that stay the same.
func (a *Analysis) makeFinished(t *table.Table) {
	c := &a.Settings
	if c.Finished.Sink == nil {
		return
	}
	layouts := slices.DeleteFunc(slices.Clone(c.Texts), func(x Text) bool { return x.What != "layout" })
	b, err := json.Marshal([]any{finishedForm, c.Finished.Key, t, c.Measure, c.Seed, c.Level, c.Each, c.Prediction.Intervals, c.Prediction.Unit, c.named(table.Relevant), c.Prediction.Skills, c.Prediction.Loss, c.Prediction.Thorough, c.Prediction.Dimensions, c.Prediction.Layers, c.Prediction.Steps, c.Prediction.Features, c.Prediction.ItemFeatures, layouts})
	if err != nil {
		panic("analysis: a table that JSON cannot encode")
	}
	a.finished = c.Finished
	a.finished.Key = part.Digest(b)
}

// finishedForm is part of every key, so that fits by models of another version of the program are not taken up.
const finishedForm = 5

// shortForms returns the settings for short forms. The rivals are quick models: the subject's success rate, its neighbours, and
// item response theory with one ability.
func (c *Settings) shortForms() adaptive.ShortForms {
	return adaptive.ShortForms{Items: c.Prediction.ShortForms, Folds: 5, Families: c.Prediction.Families, Level: 0.9, Root: c.Seed,
		Rivals: []predict.Predictor{predict.Subject{}, neighbours("neighbours"), embedding.Converged(embedding.IRT, nil)}}
}
