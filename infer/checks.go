package infer

import (
	"achilles/infer/layout"
	"achilles/infer/misfit"
	"achilles/infer/posterior"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// alarm is the chance that a subject whom the layout describes is reported as a misfit.
const alarm = 0.01

// checkDraws are the posterior draws that checks take.
const checkDraws = 1000

// misfit holds all responses of a subject against the layout fitted to them.
func (r *run) misfit(id string, use []record.Response, data *layout.Data, post *posterior.Posterior) misfit.Result {
	random := rng.Stream(r.Seed, "infer", id, "misfit")
	return checkFit(&r.data.Items, r.design, func(x *record.Response) int { return r.measureIndex(*x) }, use, data, post, &random)
}

// checkFit does it. measure is the place of a response's measure in the layout, or −1.
func checkFit(items *record.Items, design *layout.Design, measure func(x *record.Response) int, use []record.Response, data *layout.Data, post *posterior.Posterior, random *rng.Rand) misfit.Result {
	rows := design.Rows()
	n := rows * len(design.Measures())
	d := &misfit.Data{Items: items, Variance: make([]float64, n)}
	for i := range use {
		x := &use[i]
		if m := measure(x); m >= 0 && x.Unscored == 0 {
			d.Responses, d.Class, d.Binary = append(d.Responses, *x), append(d.Class, m*rows+design.Row(int(x.Item))), append(d.Binary, design.Binary(m))
		}
	}
	t := design.NewTarget(data)
	v := make([]float64, n)
	draws := thin(post.Draws, checkDraws)
	for _, theta := range draws {
		mean := make([]float64, n)
		t.Predict(theta, mean)
		t.Variances(theta, v)
		for k, x := range v {
			d.Variance[k] += x / float64(len(draws))
		}
		d.Mean = append(d.Mean, mean)
	}
	return misfit.Check(d, alarm, random)
}
