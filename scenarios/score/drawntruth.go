package score

import (
	"errors"
	"fmt"
	"math"

	"achilles/infer/layout"
	"achilles/sim/part"
	"achilles/sim/record"
)

// drawnVector returns the layout that drew the responses, bound to them, with the vector of the values that it drew.
func drawnVector(in Input) (*layout.Joint, []float64, error) {
	if in.Sealed.Layout == "" {
		return nil, nil, errors.New("the seal does not have the layout's text")
	}
	l, err := in.Layouts.Read("sealed layout", in.Sealed.Layout)
	if err != nil {
		return nil, nil, err
	}
	d := in.Public
	j, err := l.BindJoint(&d.Items, d.Subjects, d.Covariates, d.Manifest.Measures)
	if err != nil {
		return nil, nil, err
	}
	if j.UsesMeans() {
		return nil, nil, errors.New("the layout's likelihood depends on the mean of the responses")
	}
	theta := make([]float64, j.Len())
	for i, p := range l.Parameters {
		for u := range j.Units(i) {
			x, ok := in.Sealed.Parameters[p.Name][j.UnitName(i, u)]
			if !ok {
				return nil, nil, fmt.Errorf("the seal has no value of %s of %q", p.Name, j.UnitName(i, u))
			}
			theta[j.First(i)+u] = x
		}
	}
	return j, theta, nil
}

// A drawnTruth has the probabilities of success of the held-out responses at the values that a layout drew. Where the same layout
// measured, it also has those at the posterior means of all parameters, and at these with one parameter's true values in place of the means.
type drawnTruth struct {
	row       map[[2]int32]int // subject and item → index in the fields below
	truth     []float64
	mean      []float64   // nil: another layout measured
	parameter []string    // of the layout
	with      [][]float64 // by parameter
}

// newDrawnTruth returns nil if no layout drew the responses, or their probabilities do not follow from what it drew.
func newDrawnTruth(in Input) *drawnTruth {
	if in.Sealed == nil || in.Sealed.Parameters == nil {
		return nil
	}
	j, theta, err := drawnVector(in)
	if err != nil {
		return nil
	}
	t := &drawnTruth{row: map[[2]int32]int{}}
	measure := uint8(firstBinary(in.Public))
	var asked []record.Response
	for _, r := range in.Public.Responses.All() {
		at := [2]int32{r.Subject, r.Item}
		if _, ok := t.row[at]; !ok && r.Split == record.HeldOut && r.Unscored == 0 && r.Measure == measure {
			t.row[at] = len(asked)
			asked = append(asked, r)
		}
	}
	cells, err := j.NewCells(asked, nil)
	if err != nil || len(cells.Used()) != len(asked) {
		return nil
	}
	target := cells.NewTarget(make([]bool, len(j.Layout().Parameters)), 1)
	expected := func(theta []float64) []float64 {
		out := make([]float64, len(asked))
		target.Expected(theta, out)
		return out
	}
	t.truth = expected(theta)
	if means := meansOf(in, j); means != nil {
		t.mean = expected(means)
		for i, p := range j.Layout().Parameters {
			first, n := j.First(i), j.Units(i)
			some := append([]float64(nil), means...)
			copy(some[first:first+n], theta[first:first+n])
			t.parameter, t.with = append(t.parameter, p.Name), append(t.with, expected(some))
		}
	}
	return t
}

// meansOf returns the posterior means of all parameters of a layout that drew and measured the responses; nil if it did not measure
// them, or a mean is missing.
func meansOf(in Input, j *layout.Joint) []float64 {
	if part.Digest([]byte(in.Sealed.Layout)) != in.Result.Settings.Layout.SHA256 {
		return nil
	}
	known := map[[2]string]float64{}
	for _, p := range in.Result.Profiles {
		known[[2]string{p.Parameter, p.Subject}] = p.Mean
	}
	for _, u := range in.Result.Units {
		known[[2]string{u.Parameter, u.Unit}] = u.Shown()
	}
	out := make([]float64, j.Len())
	for i, p := range j.Layout().Parameters {
		for u := range j.Units(i) {
			x, ok := known[[2]string{p.Name, j.UnitName(i, u)}]
			if !ok || math.IsNaN(x) {
				return nil
			}
			out[j.First(i)+u] = x
		}
	}
	return out
}

// of returns the probability of success of a held-out response. ok is false if it is not known.
func (t *drawnTruth) of(r *record.Response) (p float64, ok bool) {
	k, ok := t.row[[2]int32{r.Subject, r.Item}]
	if !ok || math.IsNaN(t.truth[k]) {
		return 0, false
	}
	return t.truth[k], true
}

// apart returns the parameter whose true values bring the probability of a held-out response at the posterior means closest to the
// truth, if they close enough of the gap; else "".
func (t *drawnTruth) apart(r *record.Response) string {
	k, ok := t.row[[2]int32{r.Subject, r.Item}]
	if !ok || t.mean == nil {
		return ""
	}
	name, least := "", mostLeft(math.Abs(t.mean[k]-t.truth[k]))
	for i, with := range t.with {
		if left := math.Abs(with[k] - t.truth[k]); left < least {
			name, least = t.parameter[i], left
		}
	}
	return name
}
