package generate

import (
	"slices"

	"achilles/sim/record"
)

// redact returns the public data set. It copies, field by field, what may be public. Of the items it has the ids, and makes the rest
// when it is written.
func redact(s *Session, id *identity) *record.Dataset {
	d := &record.Dataset{Items: record.Items{ID: make([]string, 0, len(id.itemAt))}}
	d.Manifest.Features, d.Manifest.Measures = s.Battery.Schema, s.Battery.Measure
	for _, i := range id.itemAt {
		d.Items.ID = append(d.Items.ID, id.item[i])
	}
	d.Items.Make = (&transposer{&s.Battery, id.itemAt, d.Items.ID}).rows
	for _, i := range id.subjectAt {
		d.Subjects = append(d.Subjects, id.subject[i])
	}
	d.Reasons, d.Manifest.NotConfined = s.reasons(), s.NotConfined
	return d
}

// reasons returns why responses are not scored: an empty text for those that are, then every reason that occurs, sorted.
func (s *Session) reasons() []string {
	list := []string{""}
	for _, r := range s.Responses {
		if !slices.Contains(list, r.Unscored) {
			list = append(list, r.Unscored)
		}
	}
	if s.taken != nil {
		list = append(list, s.taken.given()...)
	}
	slices.Sort(list[1:])
	return slices.Compact(list)
}
