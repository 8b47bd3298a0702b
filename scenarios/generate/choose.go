package generate

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"achilles/sim/record"
)

// errAbsent is the error for a trial that was not taken, but can be offered again, of an item that was chosen. It ends the
// choice in this run.
var errAbsent = errors.New("generate: the subject takes no more items in this run")

// A choice is a choice of items that has begun.
type choice struct {
	*Candidates
	choosing Choosing
}

// beginChoice begins the choice of items, before anybody responds. It returns nil if every subject takes all items.
func (s *Session) beginChoice(c Config) (*choice, error) {
	if c.Choose == nil {
		return nil, nil
	}
	candidates, err := s.Candidates()
	if err != nil {
		return nil, err
	}
	choosing, err := c.Choose(candidates.Public)
	return &choice{candidates, choosing}, err
}

// choose lets those subjects for which takes is true take the items that are chosen for them, and removes all other
// responses and episodes. respond calls choosing with a function that gives the responses of a subject to an item.
func (s *Session) choose(ctx context.Context, c Config, by *choice, takes func(subject int) bool, respond func(subject int, choosing func(respondTo) error) error) error {
	order, err := s.chosen(ctx, c, by, takes, respond)
	s.keep(order)
	return err
}

// chosen is like choose, but removes nothing: it returns the items that each subject took, in order.
func (s *Session) chosen(ctx context.Context, c Config, by *choice, takes func(subject int) bool, respond func(subject int, choosing func(respondTo) error) error) ([][]int, error) {
	order, errs := make([][]int, len(s.Subjects)), make([]error, len(s.Subjects))
	each(ctx, len(order), c, func(row int) {
		subject := by.SubjectAt[row]
		if !takes(subject) {
			return
		}
		err := respond(subject, func(to respondTo) error {
			return by.choosing(ctx, row, func(ctx context.Context, item int) ([]record.Response, error) {
				at := by.ItemAt[item]
				responses, err := to(ctx, at)
				if err == nil || errors.Is(err, errAbsent) && order[subject] == nil { // every published subject has a response
					order[subject] = append(order[subject], at)
				}
				return public(responses, item), err
			})
		})
		if !errors.Is(err, errAbsent) {
			errs[row] = err
		}
	})
	return order, cmp.Or(ctx.Err(), cmp.Or(errs...))
}

// everybody makes choose choose for all subjects.
func everybody(int) bool { return true }

// A respondTo gives the responses of a subject to an item, by its index in the session.
type respondTo func(ctx context.Context, item int) ([]Response, error)

// public returns responses with no more than is published of them before the session has ended: the published item,
// the measure, and the value or that there is none.
func public(responses []Response, item int) []record.Response {
	out := make([]record.Response, len(responses))
	for i, r := range responses {
		out[i] = record.Response{Item: int32(item), Measure: uint8(r.Measure), Value: r.Value}
		if r.Unscored != "" {
			out[i].Unscored = 1
		}
	}
	return out
}

// given returns a function for choose that looks up the responses which a session has, in the order of their positions.
func (s *Session) given() func(subject int, choosing func(respondTo) error) error {
	byItem := make([]map[int][]Response, len(s.Subjects))
	for i := range byItem {
		byItem[i] = map[int][]Response{}
	}
	for r := range s.All() {
		byItem[r.Subject][r.Item] = append(byItem[r.Subject][r.Item], r)
	}
	for _, items := range byItem {
		for _, list := range items {
			slices.SortStableFunc(list, func(a, b Response) int { return a.Position - b.Position })
		}
	}
	return func(subject int, choosing func(respondTo) error) error {
		return choosing(func(_ context.Context, item int) ([]Response, error) { return byItem[subject][item], nil })
	}
}

// A turn is a trial or question that a program gets next.
type turn struct {
	index      int // index of its response among the subject's responses
	number, of int // its place in the subject's sequence, from 0, and the largest possible length of the sequence

	// before has the names of the items that were chosen before it; it is nil without choice. What a program did is found
	// again in the journal only if the same items came before it.
	before []string
}
