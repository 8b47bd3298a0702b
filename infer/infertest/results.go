package infertest

import (
	"iter"
	"slices"
	"strings"

	"achilles/infer"
)

// Draws are posterior draws in memory. The subjects must be sorted by id.
type Draws struct {
	Names    []string // of the parameters
	Subjects []*infer.SubjectDraws
}

var _ infer.Draws = &Draws{}

// Parameters returns the names of the parameters.
func (d *Draws) Parameters() []string { return d.Names }

// All yields the draws of every subject. What a subject was yielded is overwritten when the next one is asked for, so that
// nobody can hold the draws of two subjects.
func (d *Draws) All() iter.Seq2[*infer.SubjectDraws, error] {
	return func(yield func(*infer.SubjectDraws, error) bool) {
		for _, x := range d.Subjects {
			one := &infer.SubjectDraws{Subject: x.Subject, Chain: slices.Clone(x.Chain), Draw: slices.Clone(x.Draw)}
			for _, v := range x.Values {
				one.Values = append(one.Values, slices.Clone(v))
			}
			if !yield(one, nil) {
				return
			}
			for _, v := range one.Values {
				clear(v)
			}
			one.Subject = "the draws of another subject"
		}
	}
}

// Of returns the draws of a subject, or nil.
func (d *Draws) Of(subject string) (*infer.SubjectDraws, error) {
	for _, x := range d.Subjects {
		if x.Subject == subject {
			return x, nil
		}
	}
	return nil, nil
}

// Add adds a draw of all parameters to the last subject, or to a new one.
func (d *Draws) Add(subject string, chain, draw int32, values ...float64) {
	n := len(d.Subjects)
	if n == 0 || d.Subjects[n-1].Subject != subject {
		d.Subjects = append(d.Subjects, &infer.SubjectDraws{Subject: subject, Values: make([][]float64, len(values))})
		n++
	}
	x := d.Subjects[n-1]
	x.Chain, x.Draw = append(x.Chain, chain), append(x.Draw, draw)
	for k, v := range values {
		x.Values[k] = append(x.Values[k], v)
	}
}

// Predictions returns predictions as a result has them, sorted by subject. What was yielded is overwritten when the next subject is asked
// for, so that nobody can hold the predictions of two subjects.
func Predictions(all []infer.Prediction) iter.Seq2[[]infer.Prediction, error] {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b infer.Prediction) int { return strings.Compare(a.Subject, b.Subject) })
	return func(yield func([]infer.Prediction, error) bool) {
		for rest := all; len(rest) > 0; {
			n := slices.IndexFunc(rest, func(p infer.Prediction) bool { return p.Subject != rest[0].Subject })
			if n < 0 {
				n = len(rest)
			}
			one := slices.Clone(rest[:n])
			if rest = rest[n:]; !yield(one, nil) {
				return
			}
			clear(one)
		}
	}
}

// EditPredictions changes the predictions of a result.
func EditPredictions(r *infer.Result, edit func(all []infer.Prediction) []infer.Prediction) {
	var all []infer.Prediction
	if r.Predictions != nil {
		for of := range r.Predictions {
			all = append(all, of...)
		}
	}
	r.Predictions = Predictions(edit(all))
}
