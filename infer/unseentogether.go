package infer

import (
	"errors"
	"fmt"
	"slices"

	"achilles/infer/layout"
	"achilles/sim/record"
)

// mostTogether is the largest number of expectations, and of values, at draws that are held of a table of subjects measured together.
const mostTogether = 1 << 25

// notTakenTogether returns what is expected of subjects who are measured together at the items of the data to which they have no scored
// response, subject by subject. An item that nobody took is like those that were taken, as far as the layout's priors say. A subject
// without draws has none.
func notTakenTogether(data *record.Dataset, res *Result, l *layout.Layout) ([]expectation, error) {
	j, err := l.BindJoint(&data.Items, data.Subjects, data.Covariates, data.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	var cells []record.Response
	var rows []expectation
	for s, id := range data.Subjects {
		var own []expectation
		for i := range data.Items.ID {
			for m := range l.Responses {
				own = append(own, expectation{subject: id, measure: data.Manifest.Measures[layout.Recorded(j, m)].Name, item: i})
			}
		}
		for _, e := range notTaken(own, data.Responses.Of(s), data.Manifest.Measures) {
			m := slices.IndexFunc(data.Manifest.Measures, func(x record.Measure) bool { return x.Name == e.measure })
			cells, rows = append(cells, record.Response{Subject: int32(s), Item: int32(e.item), Measure: uint8(m)}), append(rows, e)
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	if len(rows) > maxUnseen {
		return nil, fmt.Errorf("%d predictions of responses that were not made; at most %d at a time", len(rows), maxUnseen)
	}
	if res.Draws == nil || res.UnitDraws == nil {
		return nil, errors.New("the result has no posterior draws of its subjects and of its items or shared parameters: infer again, such as with --engine nuts")
	}
	thetas, err := vectors(res, j, stepTo(res, min(unseenDraws, max(1, mostTogether/max(len(rows), j.Len())))))
	if err != nil {
		return nil, err
	}
	known, err := haveDraws(data.Subjects, res)
	if err != nil {
		return nil, err
	}
	means, err := j.Means(data.Responses.List())
	if err != nil {
		return nil, err
	}
	bound, err := j.NewCells(cells, means)
	if err != nil {
		return nil, err
	}
	target := bound.NewTarget(make([]bool, len(l.Parameters)), 1)
	used := bound.Used()
	p := make([]float64, len(used))
	for _, theta := range thetas {
		target.Expected(theta, p)
		for i, x := range p {
			if known[cells[used[i]].Subject] {
				rows[used[i]].draws = append(rows[used[i]].draws, x)
			}
		}
	}
	for i := range rows {
		slices.Sort(rows[i].draws)
	}
	return rows, nil
}
