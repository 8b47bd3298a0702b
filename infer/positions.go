package infer

import (
	"errors"
	"slices"

	"achilles/sim/record"
)

// bindTo binds the layout and the bank to the items. If one of them names the position of a response, it binds both to the
// trials of all subjects.
func (r *run) bindTo(items *record.Items) (err error) {
	if r.byPosition() {
		if r.data.Responses.ContainsFunc(unordered) {
			return errUnordered
		}
		items = items.Taken(&r.data.Responses)
	}
	if r.design, err = r.Layout.Bind(items, r.data.Manifest.Measures); err != nil || r.rivals == nil {
		return err
	}
	if r.bank, err = r.rivals.Bind(items, r.data.Manifest.Measures); err == nil && r.acts {
		r.bank = r.bank.WithShortcuts(items, r.data.Manifest.Measures)
	}
	return err
}

// errUnordered says that the position of a response is not known.
var errUnordered = errors.New("the layout names the position of a response, and the data do not say in which order the items were taken: responses need a column position, from 1")

// unordered reports whether the position of a response is not known.
func unordered(r record.Response) bool { return r.Position == 0 }

// byPosition reports whether the layout or a rival names the position of a response.
func (r *run) byPosition() bool {
	return r.Layout.ByPosition(&r.data.Items) || r.rivals != nil && r.rivals.ByPosition(&r.data.Items)
}

// onPositions returns the run and the task in which every trial of the subject is an item of its own (record.Items.ByPosition). So
// the likelihood is compiled for the trials of this subject alone, and the result depends on no other subject.
func (r *run) onPositions(t task) (*run, task, error) {
	items, responses := r.data.Items.ByPosition(slices.Concat(t.use, t.predict))
	t.use, t.predict = responses[:len(t.use)], responses[len(t.use):]
	own, data := *r, *r.data
	data.Items = *items
	own.data = &data
	return &own, t, own.bindTo(items)
}
