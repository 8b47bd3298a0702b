package infer

import (
	"errors"
	"fmt"
	"math"
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
	thetas, err := thetasOf(j, data, res, min(unseenDraws, max(1, mostTogether/max(len(rows), j.Len()))))
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
			if !math.IsNaN(x) { // of a subject without draws
				rows[used[i]].draws = append(rows[used[i]].draws, x)
			}
		}
	}
	for i := range rows {
		slices.Sort(rows[i].draws)
	}
	return rows, nil
}

// thetasOf returns at most so many of the kept draws of a result as vectors of all values of a layout. Values that have no draws are NaN: those of
// subjects whom nothing explains, and shared values that engine mml does not infer.
func thetasOf(j *layout.Joint, data *record.Dataset, res *Result, most int) (thetas [][]float64, err error) {
	if res.Draws == nil || res.UnitDraws == nil {
		return nil, errors.New("the result has no posterior draws of its subjects and of its items or shared parameters: infer again, such as with --engine nuts")
	}
	l := j.Layout()
	numbers := res.UnitDraws.Draws()
	total := res.UnitDraws.Chains() * len(numbers)
	step := (total + most - 1) / most
	at := map[[2]int32]int{} // chain and number of a draw → its vector
	for i := 0; i < total; i += step {
		at[[2]int32{int32(i / len(numbers)), numbers[i%len(numbers)]}] = len(thetas)
		thetas = append(thetas, slices.Repeat([]float64{math.NaN()}, j.Len()))
	}
	u, has := 0, unitsOf(l, res.Settings.Engine)
	places := []int(nil)
	for i := range l.Parameters {
		if has(i) {
			for k := range j.Units(i) {
				places = append(places, j.First(i)+k)
			}
		}
	}
	for draws, err := range res.UnitDraws.All() {
		if err != nil {
			return nil, err
		}
		if u >= len(places) {
			break
		}
		for key, v := range at {
			k, _ := slices.BinarySearch(numbers, key[1])
			thetas[v][places[u]] = draws[key[0]][k]
		}
		u++
	}
	if u != len(places) {
		return nil, fmt.Errorf("the result has draws of %d item and shared values, the layout %d: it is of another layout", u, len(places))
	}
	for s, id := range data.Subjects {
		of, err := res.Draws.Of(id)
		if err != nil {
			return nil, err
		}
		if of == nil {
			continue
		}
		for i := range l.Parameters {
			if !l.Parameters[i].OfSubjects() {
				continue
			}
			c := slices.Index(res.Draws.Parameters(), l.Parameters[i].Name)
			if c < 0 {
				return nil, fmt.Errorf("the result has no draws of %s: it is of another layout", l.Parameters[i].Name)
			}
			for d := range of.Draw {
				if v, ok := at[[2]int32{of.Chain[d], of.Draw[d]}]; ok {
					thetas[v][j.First(i)+s] = of.Values[c][d]
				}
			}
		}
	}
	return thetas, nil
}
