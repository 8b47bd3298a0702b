package generate

import (
	"cmp"
	"slices"

	"achilles/sim/record"
)

// Candidates has what may be known before anybody responds: the published items and subjects, without responses.
type Candidates struct {
	Public    *record.Dataset
	ItemAt    []int // index in the session of each published item
	SubjectAt []int // index in the session of each published subject
}

// Candidates returns the items and subjects of a session as they are published.
func (s *Session) Candidates() (*Candidates, error) {
	silent := *s
	silent.Responses, silent.taken, silent.Episodes, silent.acting = nil, nil, nil, nil
	id, err := silent.identify()
	if err != nil {
		return nil, err
	}
	d := redact(&silent, id)
	items, err := d.Items.Make(0, d.Items.Len())
	if err != nil {
		return nil, err
	}
	d.Items = *items
	return &Candidates{d, id.itemAt, id.subjectAt}, nil
}

// keep removes the responses and episodes of all items that a subject did not take, and numbers the responses in the order
// in which it took the items. order has, for each subject, the indices of the items. The trials and repetitions of an item
// keep their order.
func (s *Session) keep(order [][]int) {
	place := make([]map[int]int, len(order)) // by subject: item → place in the order
	for i, items := range order {
		place[i] = map[int]int{}
		for n, item := range items {
			place[i][item] = n
		}
	}
	taken := func(subject, item int) bool {
		_, ok := place[subject][item]
		return ok
	}
	var chosen []Response
	for r := range s.All() {
		if taken(r.Subject, r.Item) {
			chosen = append(chosen, r)
		}
	}
	s.Responses, s.taken = chosen, nil
	s.Episodes = slices.DeleteFunc(s.Episodes, func(e Episode) bool { return !taken(e.Subject, e.Item) })
	s.acting = s.acting.only(func(subject, item int) (int, bool) { return subject, taken(subject, item) })
	slices.SortStableFunc(s.Responses, func(a, b Response) int {
		return cmp.Or(a.Subject-b.Subject, place[a.Subject][a.Item]-place[b.Subject][b.Item], a.Position-b.Position)
	})
	position := make([]int, len(order))
	for i := range s.Responses {
		r := &s.Responses[i]
		position[r.Subject]++
		r.Position = position[r.Subject]
	}
}
