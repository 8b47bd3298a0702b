package infer

import (
	"slices"

	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/infer/misfit"
	"achilles/infer/posterior"
	"achilles/sim/record"
	"achilles/sim/table"
)

// mostJoined is the largest product of subjects and responses at which subjects are compared with each other.
const mostJoined = 1 << 31

// likeness is the part of a run that compares subjects with each other.
type likeness struct{ *run }

// comparesSubjects reports whether all subjects are compared with each other.
func (r likeness) comparesSubjects() bool {
	n := len(r.data.Subjects)
	return r.joint == nil && n > 1 && float64(n)*float64(r.data.Responses.Len()) <= mostJoined
}

// comparable reports whether subjects are compared by a response: it is binary, and the layout has its measure.
func (r likeness) comparable(x record.Response) bool {
	m := r.measureIndex(x)
	return x.Unscored == 0 && m >= 0 && r.design.Binary(m)
}

// expectBy returns the success probability of every comparable response of a subject by its explanations.
func (r likeness) expectBy(use []record.Response, fits []*compare.Fitted) (out []float64) {
	byItem := compare.Predict(&r.data.Items, fits)
	for _, x := range use {
		if r.comparable(x) {
			out = append(out, byItem[x.Item])
		}
	}
	return out
}

// expectedDraws is the number of draws over which the expectations of responses are averaged.
const expectedDraws = 200

// expect returns the same by the layout.
func (r likeness) expect(t *layout.Target, use []record.Response, post *posterior.Posterior) (out []float64) {
	var list []record.Response
	for _, x := range use {
		if r.comparable(x) {
			list = append(list, x)
		}
	}
	few := *post
	few.Draws = [][][]float64{thin(post.Draws, expectedDraws)}
	for _, p := range r.predict(t, list, &few) {
		out = append(out, p.P)
	}
	return out
}

// answers returns the responses of a subject with what its fit to all of them expects: the first response to each item.
func (r likeness) answers(p *piece) (a misfit.Answers) {
	a.Subject = p.Fit.Subject
	if a.Failed = p.Fit.Misfit != nil && len(p.Fit.Misfit.Failed) > 0; p.Verdict != nil {
		a.Failed = len(p.Verdict.Misfit) > 0
	}
	subject, _ := slices.BinarySearch(r.data.Subjects, p.Fit.Subject)
	k := 0
	for _, x := range r.data.Responses.Of(subject) {
		if !r.comparable(x) || k == len(p.Expected) {
			continue
		}
		key := int(x.Item)*len(r.data.Manifest.Measures) + int(x.Measure)
		if n := len(a.Key); n == 0 || key > a.Key[n-1] {
			a.Key, a.Passed, a.P = append(a.Key, key), append(a.Passed, x.Value == 1), append(a.P, p.Expected[k])
		}
		k++
	}
	return a
}

// AlikePairs returns the pairs of subjects whose responses agree beyond chance. It has no rows if there are none.
func (d *Diagnostics) AlikePairs() *table.Table {
	return table.Of(table.Table{Name: "alike", Title: "Subjects whose responses agree beyond chance: copied, or alike in something that no model contains", Key: []string{"subject", "other"}}, d.Alike, []table.Field[misfit.Pair]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(p misfit.Pair) table.Value { return table.String(p.Subject) }),
		table.Col(table.Column{Name: "other", Kind: table.Text}, func(p misfit.Pair) table.Value { return table.String(p.Other) }),
		table.Col(table.Column{Name: "agree", Kind: table.Count, Doc: "items to which both responded alike"}, func(p misfit.Pair) table.Value { return table.Int(p.Agree) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "items to which both responded"}, func(p misfit.Pair) table.Value { return table.Int(p.Of) }),
		table.Col(table.Column{Name: "expected", Digits: 1, Doc: "expected number of items to which both respond alike"}, func(p misfit.Pair) table.Value { return table.Float(p.Expected) }),
	})
}
