package viewer

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/render/format"
	"achilles/render/replay"
)

// A selection has the rows of a list that a query selects, a cursor in them, and the part of them that is visible. It is a value.
type selection struct {
	query  replay.Query
	rows   []int32 // indices of the rows that the query selects
	cursor int     // index into rows; −1 if rows is empty
	top    int     // index of the first visible row
}

// Row returns the row at the cursor, as an index into the list. It returns −1 if there is none.
func (s selection) Row() int32 {
	if s.cursor < 0 || s.cursor >= len(s.rows) {
		return -1
	}
	return s.rows[s.cursor]
}

// by returns the rows of a list that a query selects. If they have the row at the cursor, the cursor stays there; otherwise it moves to
// the first row.
func (s selection) by(q replay.Query, list *replay.List) selection {
	at := s.Row()
	s.query = q
	s.rows = list.Select(nil, q)
	s.cursor = slices.Index(s.rows, at)
	if s.cursor < 0 && len(s.rows) > 0 {
		s.cursor = 0
	}
	return s
}

// ordered returns the query with another order of rows. replay.AsListed stands for the next order by which rows can be sorted. ok is
// false if the list has no values for the order.
func (s selection) ordered(o replay.Order, list *replay.List) (q replay.Query, ok bool) {
	q = s.query
	if o == replay.AsListed {
		for o = (q.Order + 1) % replay.Orders; !list.Has(o); {
			o = (o + 1) % replay.Orders
		}
	} else if !list.Has(o) {
		return q, false
	}
	q.Order = o
	return q, true
}

// travel performs actions that move the cursor to another row, or to the nearest one. ok is false for other actions.
func (s selection) travel(a action, page int) (next selection, ok bool) {
	i := a.n
	switch a.verb {
	case goRows:
		i = s.cursor + a.n
	case goTo:
	case goPage:
		i = s.cursor + a.n*page
	default:
		return s, false
	}
	s.cursor = min(max(i, 0), len(s.rows)-1)
	return s.reveal(page), true
}

// reveal scrolls so that the row at the cursor is visible.
func (s selection) reveal(page int) selection {
	s.top = min(s.top, max(s.cursor, 0))
	s.top = max(s.top, s.cursor-page+1)
	s.top = max(min(s.top, len(s.rows)-page), 0)
	return s
}

// scroll scrolls by a number of rows, and leaves the cursor where it is.
func (s selection) scroll(by, page int) selection {
	s.top = max(min(s.top+by, len(s.rows)-page), 0)
	return s
}

// quantity returns the number that a row of the list shows. It is the number by which the list is sorted, if the row
// has such a number, otherwise the surprise of an observer. If the row has neither, quantity returns "".
func (s selection) quantity(r *replay.Row, observer string) string {
	h := r.HeldOut
	switch {
	case s.query.Order == replay.Longest:
		return strconv.Itoa(r.Steps) + " ticks"
	case s.query.Order == replay.MostWrong && h != nil && h.Residual != nil:
		return "residual " + format.Number(h.Residual.Mean, 2)
	case s.query.Order == replay.MostWrong && h != nil && !math.IsNaN(h.Truth):
		return "p " + format.Number(h.P, 2) + " true " + format.Number(h.Truth, 2)
	case s.query.Order == replay.WorstPath && h != nil && !math.IsNaN(h.RMSE):
		return format.Number(h.RMSE, 2) + " cells"
	case !math.IsNaN(r.Surprise):
		if unit := replay.Unit(observer); unit == "nats" || unit == "frames" {
			return format.Number(r.Surprise, 2) + " " + unit
		}
		return format.Number(r.Surprise, 2)
	}
	return ""
}

// hint returns a description of row i of the selection in a list.
func (s selection) hint(i int, list *replay.List) string {
	if i >= len(s.rows) {
		return ""
	}
	r := list.Row(int(s.rows[i]))
	text := fmt.Sprintf("%s · %s · %s · %s · item %s · trial %d · repetition %d", r.Subject, r.Suite, r.Paradigm, r.Task, r.Item, r.Trial, r.Repetition)
	if r.Cause != "" {
		text += " · " + r.Outcome + ": " + r.Cause
	}
	return text
}
