package replay

import (
	"slices"

	"achilles/scenarios/score"
	"achilles/sim/record"
)

// explain says why the profile of an episode's subject expects what it does of the item. It returns nil if nothing was inferred, or if no
// response says whether the trial was passed.
func (a *Archive) explain(e *Episode) (*score.Explanation, error) {
	r, err := a.inferred()
	if err != nil {
		return nil, nil // a note says why
	}
	if a.explainer == nil {
		if a.explainer, err = score.NewExplainer(score.Input{Public: a.data, Result: r, Sealed: a.sealed.truth, Layouts: &a.layouts}); err != nil {
			return nil, err
		}
	}
	subject, ok := slices.BinarySearch(a.data.Subjects, e.Key.Subject)
	item, known := slices.BinarySearch(a.data.Items.ID, e.Key.Item)
	binary := slices.IndexFunc(a.data.Manifest.Measures, func(m record.Measure) bool { return m.Family == record.Binary })
	if !ok || !known || binary < 0 {
		return nil, nil
	}
	response, ok := a.response(subject, item, &e.Key, binary)
	if !ok {
		return nil, nil
	}
	return a.explainer.Of(e.Key.Subject, &response)
}
