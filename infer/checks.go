package infer

import (
	"slices"

	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/infer/misfit"
	"achilles/infer/posterior"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// alarm is the probability that a subject whom the layout describes is reported as a misfit.
const alarm = 0.01

// checkDraws is the largest number of posterior draws that a check uses.
const checkDraws = 1000

// check sets the fields of f that say how well the layout fits all responses of a subject: Misfit and LOO.
func (r *run) check(f *Fit, use []record.Response, data *layout.Data, post *posterior.Posterior) {
	m := r.misfit(f.Subject, use, data, post)
	f.Misfit = &m
	if len(data.Tallies()) == 0 {
		return
	}
	f.LOO = leaveOneOut(compare.LeaveOut(r.design.NewTarget(data), post.Draws))
}

func leaveOneOut(l *compare.LeaveOneOut) *LeaveOneOut {
	return &LeaveOneOut{ELPD: num.Finite(l.ELPD), SE: num.Finite(l.SE), P: num.Finite(l.P), BadK: l.BadK, WorstK: num.Finite(l.WorstK)}
}

// misfit compares all responses of a subject with the layout that was fitted to them.
func (r *run) misfit(id string, use []record.Response, data *layout.Data, post *posterior.Posterior) misfit.Result {
	random := rng.Stream(r.Seed, "infer", id, "misfit")
	return checkFit(&r.data.Items, r.design, func(x *record.Response) int { return r.measureIndex(*x) }, use, data, post, &random)
}

// checkFit compares responses with a layout that was fitted to them (misfit.Check). measure returns the index of a
// response's measure in the layout, or −1.
func checkFit(items *record.Items, design *layout.Design, measure func(x *record.Response) int, use []record.Response, data *layout.Data, post *posterior.Posterior, random *rng.Rand) misfit.Result {
	rows := design.Rows()
	draws := thin(post.Draws, checkDraws)
	d := &misfit.Data{Items: items, Classes: rows * len(design.Measures()), Draws: len(draws)}
	used := func(x *record.Response) bool { return x.Unscored == 0 && measure(x) >= 0 }
	if d.Responses = use; slices.ContainsFunc(use, func(x record.Response) bool { return !used(&x) }) {
		d.Responses = slices.DeleteFunc(slices.Clone(use), func(x record.Response) bool { return !used(&x) })
	}
	d.Class, d.Binary = make([]int32, len(d.Responses)), make([]bool, len(d.Responses))
	for i := range d.Responses {
		x := &d.Responses[i]
		m := measure(x)
		d.Class[i], d.Binary[i] = int32(m*rows+design.Row(int(x.Item))), design.Binary(m)
	}
	t := design.NewTarget(data)
	d.Moments = func(draw int, mean, variance []float64) {
		if variance == nil {
			t.Predict(draws[draw], mean)
		} else {
			t.Moments(draws[draw], mean, variance)
		}
	}
	return misfit.Check(d, alarm, random)
}
