package predict

import (
	"context"
	"fmt"

	"achilles/infer/table"
	"achilles/sim/num"
)

// Majority predicts the outcome that is more frequent among all responses, with probability 1. A tie counts as success.
type Majority struct{}

// Global predicts the success rate of all responses.
type Global struct{}

// Subject predicts the success rate of the subject, or the rate of all responses for a subject without training responses.
type Subject struct{}

// ItemMean predicts the success rate of the item, or the rate of all responses for an item without training responses.
type ItemMean struct{}

// A Profile predicts the success rate of the subject on items that need the same skills, or its rate on all items if it has
// no response to such an item (Skill-Vanilla of Liu et al. 2023).
type Profile struct {
	ID
	Skills []string // numeric features
}

// Name identifies the model.
func (Majority) Name() string { return "majority" }

// Name identifies the model.
func (Global) Name() string { return "global" }

// Name identifies the model.
func (Subject) Name() string { return "subject" }

// Name identifies the model.
func (ItemMean) Name() string { return "item" }

// Fit computes each subject's success rates. It fails for a skill that is not in the table.
func (o Profile) Fit(_ context.Context, train *table.Table, _ uint64) (Model, error) {
	fs, missing := train.Select(o.Skills)
	if missing != "" {
		return nil, unknownFeature(missing)
	}
	m := profileModel{rate: map[[2]int32]float64{}}
	m.class, _ = newDesign(len(train.Items), fs).classes()
	m.mean = subjectMeans(train)
	n := map[[2]int32]float64{}
	for i, v := range train.Value {
		at := [2]int32{train.Subject[i], m.class[train.Item[i]]}
		n[at]++
		m.rate[at] += (v - m.rate[at]) / n[at]
	}
	return m, nil
}

// A profileModel has the success rate of each subject on each class of items with equal skills, and on all items.
type profileModel struct {
	class []int32
	rate  map[[2]int32]float64
	mean  []float64
}

// Predict sets p to the subjects' rates on the classes of the items.
func (m profileModel) Predict(subject, item []int32, p []float64) {
	for i, s := range subject {
		r, ok := m.rate[[2]int32{s, m.class[item[i]]}]
		if !ok {
			r = m.mean[s]
		}
		p[i] = r
	}
}

// Fit finds the more frequent outcome.
func (Majority) Fit(_ context.Context, train *table.Table, _ uint64) (Model, error) {
	if rate(train) >= 0.5 {
		return constant(1), nil
	}
	return constant(0), nil
}

// Fit computes the success rate.
func (Global) Fit(_ context.Context, train *table.Table, _ uint64) (Model, error) {
	return constant(rate(train)), nil
}

// Fit computes the success rate of every subject.
func (Subject) Fit(_ context.Context, train *table.Table, _ uint64) (Model, error) {
	return bySubject(subjectMeans(train)), nil
}

// Fit computes the success rate of every item.
func (ItemMean) Fit(_ context.Context, train *table.Table, _ uint64) (Model, error) {
	mean, n := make(byItem, len(train.Items)), make([]float64, len(train.Items))
	for i, j := range train.Item {
		n[j]++
		mean[j] += (train.Value[i] - mean[j]) / n[j]
	}
	all := rate(train)
	for j := range mean {
		if n[j] == 0 {
			mean[j] = all
		}
	}
	return mean, nil
}

// subjectMeans returns the mean value of every subject. For a subject without rows, it returns the mean of all rows.
func subjectMeans(t *table.Table) []float64 {
	mean, missing := subjectRates(t)
	all := rate(t)
	for s := range mean {
		if missing[s] {
			mean[s] = all
		}
	}
	return mean
}

type constant float64

// Predict sets all of p to the constant.
func (c constant) Predict(_, _ []int32, p []float64) {
	for i := range p {
		p[i] = float64(c)
	}
}

type bySubject []float64

// Predict sets p to the rates of the subjects.
func (m bySubject) Predict(subject, _ []int32, p []float64) {
	for i := range p {
		p[i] = m[subject[i]]
	}
}

type byItem []float64

// Predict sets p to the rates of the items.
func (m byItem) Predict(_, item []int32, p []float64) {
	for i := range p {
		p[i] = m[item[i]]
	}
}

func unknownFeature(name string) error {
	return fmt.Errorf("predict: feature %q is not in the table", name)
}

// rate returns the mean value of all rows, or ½ if there is no row.
func rate(t *table.Table) float64 {
	if m, ok := t.Mean(); ok {
		return m
	}
	return 0.5
}

// logit returns the log odds of p. It first moves p into [1e-9, 1−1e-9] to keep them finite.
func logit(p float64) float64 {
	p = min(max(p, 1e-9), 1-1e-9)
	return num.Log(p / (1 - p))
}

// subjectRates returns the mean value of every subject; missing says which subjects have no row.
func subjectRates(t *table.Table) (mean []float64, missing []bool) {
	n := make([]float64, len(t.Subjects))
	mean, missing = make([]float64, len(t.Subjects)), make([]bool, len(t.Subjects))
	for i, s := range t.Subject {
		n[s]++
		mean[s] += t.Value[i]
	}
	for s := range mean {
		missing[s] = n[s] == 0
		mean[s] /= max(n[s], 1)
	}
	return mean, missing
}
