package infer

import (
	"fmt"
	"slices"

	"achilles/infer/layout"
	"achilles/sim/record"
)

// mostOfOne is about the largest number of draws that ForOneSubject returns: of more, those at equal distances.
const mostOfOne = 2048

// ForOneSubject returns draws of a fit of all subjects together, as vectors of its layout bound to the items and to one subject alone: one of the
// data, or "", another, whose own values in the draws are 0. Those of one of the data are as responses that are independent have them: times has, by
// parameter, what their SDs are to be multiplied by as responses are alike within clusters (Widening); nil: by 1. The error is ErrTogether if the result has no draws of items. A layout with columns or
// groups of subjects has nothing for another subject, which is an error.
func ForOneSubject(data *record.Dataset, res *Result, l *layout.Layout, subject string) (one *layout.Joint, draws [][]float64, times []float64, err error) {
	all, err := l.BindJoint(&data.Items, data.Subjects, data.Covariates, data.Manifest.Measures)
	if err != nil {
		return nil, nil, nil, err
	}
	s := slices.Index(data.Subjects, subject)
	var known []record.Column
	switch {
	case subject != "" && s < 0:
		return nil, nil, nil, fmt.Errorf("there is no subject %s", subject)
	case s >= 0:
		for _, c := range data.Covariates {
			known = append(known, c.Rows([]int{s}))
		}
	case len(l.Covariates) > 0 || all.GroupsSubjects():
		return nil, nil, nil, fmt.Errorf("layout %s uses columns of subjects, which are known only for the subjects in the data: name one", l.Name)
	}
	if one, err = l.BindJoint(&data.Items, []string{subject}, known, data.Manifest.Measures); err != nil {
		return nil, nil, nil, err
	}
	vectors, err := vectors(res, all, stepTo(res, mostOfOne))
	if err != nil {
		return nil, nil, nil, err
	}
	var from, to []int
	for i, p := range l.Parameters {
		if p.OfSubjects() {
			if s >= 0 {
				from, to = append(from, all.First(i)+s), append(to, one.First(i))
			}
			continue
		}
		at := map[string]int{}
		for u := range all.Units(i) {
			at[all.UnitName(i, u)] = all.First(i) + u
		}
		for u := range one.Units(i) {
			from, to = append(from, at[one.UnitName(i, u)]), append(to, one.First(i)+u)
		}
	}
	draws = make([][]float64, len(vectors))
	for k, theta := range vectors {
		draws[k] = make([]float64, one.Len())
		for i := range from {
			draws[k][to[i]] = theta[from[i]]
		}
	}
	w := res.Diagnostics.wideningOf(Everybody)
	if s < 0 || w == nil {
		return one, draws, nil, nil
	}
	for _, p := range l.Parameters {
		times = append(times, 1)
		if t := w.TimesOf(p.Name, subject); p.OfSubjects() && t != nil {
			times[len(times)-1] = *t
		}
	}
	cells, err := one.NewCells(nil, nil)
	if err != nil {
		return nil, nil, nil, err
	}
	name := valuesOf(one)
	own := func(k int) Factor { // items stay as wide as they are
		if i := slices.IndexFunc(l.Parameters, func(p layout.Parameter) bool { return p.Name == name(k).Parameter }); l.Parameters[i].OfSubjects() {
			return name(k)
		}
		return Factor{}
	}
	return one, w.narrowed(cells.NewTarget(slices.Repeat([]bool{true}, len(l.Parameters)), 1), draws, own), times, nil
}
