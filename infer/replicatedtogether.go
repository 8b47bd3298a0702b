package infer

import (
	"fmt"
	"slices"

	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// replicateTogether does the work of Replicate for a layout that measures all subjects together.
func replicateTogether(data *record.Dataset, res *Result, l *layout.Layout, step int, yield func(*Replicated) bool) error {
	j, err := l.BindJoint(&data.Items, data.Subjects, data.Covariates, data.Manifest.Measures)
	if err != nil {
		return err
	}
	thetas, err := vectors(res, j, step)
	if err != nil {
		return err
	}
	some, err := haveDraws(data.Subjects, res)
	if err != nil {
		return err
	}
	responses := slices.DeleteFunc(data.Responses.List(), func(x record.Response) bool { return !some[x.Subject] })
	means, err := j.Means(responses)
	if err != nil {
		return err
	}
	cells, err := j.NewCells(responses, means)
	if err != nil {
		return err
	}
	t := cells.NewTarget(slices.Repeat([]bool{true}, len(l.Parameters)), 1)
	thetas = res.Diagnostics.wideningOf(Everybody).narrowed(t, thetas, valuesOf(j))
	random := rng.Stream(res.Settings.Seed, "replicate", Everybody)
	replicated(cells, t, thetas, &random, func(x record.Response, r *Replicated) bool {
		r.Subject, r.Measure = data.Subjects[x.Subject], data.Manifest.Measures[x.Measure].Name
		return yield(r)
	})
	return nil
}

// vectors returns draws of a result of a layout that measures all subjects together as vectors of all values (layout.Joint): those of each
// chain whose numbers step divides, chain after chain. step is a multiple of the one from one of UnitDraws to the next. The error is
// ErrTogether if the result has no draws of units, and its layout has units.
func vectors(res *Result, j *layout.Joint, step int) (out [][]float64, err error) {
	d, has := res.UnitDraws, unitsOf(j.Layout(), res.Settings.Engine)
	if res.Draws == nil || d == nil && slices.ContainsFunc(j.Layout().Parameters, func(p layout.Parameter) bool { return !p.OfSubjects() }) {
		return nil, ErrTogether
	}
	var kept []int // the places in d.Draws of those that are wanted
	n := 0         // how many draws are wanted, of all chains
	if d != nil {
		for i, draw := range d.Draws() {
			if int(draw)%step == 0 {
				kept = append(kept, i)
			}
		}
		n = d.Chains() * len(kept)
	} else if n, err = wanted(res.Draws, step); err != nil {
		return nil, err
	}
	base, random := make([]float64, j.Len()), rng.Stream(0, "middle")
	j.DrawNear(&random, 0, base) // what the engine does not infer, and nothing that is asked of the vectors depends on
	for i, p := range j.Layout().Parameters {
		if p.OfSubjects() {
			clear(base[j.First(i) : j.First(i)+j.Units(i)])
		}
	}
	for range n {
		out = append(out, slices.Clone(base))
	}
	other := func(what string) error { return fmt.Errorf("the result has %s: it is of another layout", what) }
	parameters, at := j.Layout().Parameters, 0
	var places []int
	for i, p := range parameters {
		for u := 0; has(i) && u < j.Units(i); u++ {
			if n := len(places); n >= len(res.Units) || res.Units[n].Parameter != p.Name || res.Units[n].Unit != j.UnitName(i, u) {
				return nil, other("other item and shared parameters")
			}
			places = append(places, j.First(i)+u)
		}
	}
	if len(places) != len(res.Units) {
		return nil, other("other item and shared parameters")
	}
	if d != nil {
		for draws, err := range d.All() {
			if err != nil {
				return nil, err
			}
			for c, chain := range draws {
				for k, i := range kept {
					out[c*len(kept)+k][places[at]] = chain[i]
				}
			}
			at++
		}
	}
	s := 0
	for of, err := range res.Draws.All() {
		if err != nil {
			return nil, err
		}
		for i, p := range parameters {
			if !p.OfSubjects() {
				continue
			}
			for ; s < j.Units(i) && j.UnitName(i, s) != of.Subject; s++ { // a subject without a result has no draws
			}
			if s == j.Units(i) {
				return nil, fmt.Errorf("inferred/%s: draws of %s, who is not one of the next subjects in the data", drawsFile, of.Subject)
			}
			k := slices.Index(res.Draws.Parameters(), p.Name)
			if k < 0 {
				return nil, other("no draws of " + p.Name)
			}
			n := 0
			for draw, x := range of.Values[k] {
				if int(of.Draw[draw])%step == 0 && n < len(out) {
					out[n][j.First(i)+s] = x
					n++
				}
			}
			if n != len(out) {
				return nil, fmt.Errorf("inferred/%s: subject %s has other draws than items have", drawsFile, of.Subject)
			}
		}
		s++
	}
	return out, nil
}

// wanted returns the number of draws of the first subject, of all chains, whose numbers step divides.
func wanted(draws Draws, step int) (n int, err error) {
	for of, err := range draws.All() {
		if err != nil {
			return 0, err
		}
		for _, draw := range of.Draw {
			if int(draw)%step == 0 {
				n++
			}
		}
		break
	}
	return n, nil
}

// stepTo returns the step with which vectors returns about `most` draws of a result, or all if there are fewer.
func stepTo(res *Result, most int) int {
	d := res.UnitDraws
	if d == nil || len(d.Draws()) < 2 {
		return 1
	}
	return int(d.Draws()[1]-d.Draws()[0]) * ((d.Chains()*len(d.Draws()) + most - 1) / most)
}
