package record

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Went says what the place stands for to which a subject went. Errors of different strategies end at different places, of which the
// first of this list counts: to the right one, to the one where the reward was found before (A of the task "A not B"), to the one where
// the reward was last seen, to the nearest, to any other, or to none.
type Went uint8

// What a subject went to; Unrecorded: nobody has recorded it.
const (
	Unrecorded Went = iota
	ToRight
	ToA
	ToLastSeen
	ToNearest
	ToOther
	ToNone
)

// String returns the word for w in files; "" for Unrecorded.
func (w Went) String() string { return wents[w] }

var wents = [...]string{"", "right", "A", "last-seen", "nearest", "other", "none"}

// Wents returns the words of choices, in the order of Went from ToRight on.
func Wents() []string { return slices.Clone(wents[1:]) }

// A Chosen is where a subject went in a trial. The zero Chosen says that nobody has recorded it.
type Chosen struct {
	Latency int32  // ticks from when the subject could act until it was there; 0: none or not known
	Visited uint32 // index into Visits: the places that it entered before, in order
	Place   uint8  // number of the place among those of the trial, from 1; 0: none or not known
	Went    Went
}

// ErrorMeasure is what layouts call the place to which a subject went that did not pass. No data have a measure of that name: it is in the
// choices of responses. Its categories are ErrorWords.
const ErrorMeasure = "error"

// ErrorWords returns the words of the categories of ErrorMeasure: A, last-seen, nearest, other, none.
func ErrorWords() []string { return Wents()[1:] }

// Error returns the category of ErrorMeasure, from 0; ok is false if the subject went to the right place, or nobody has recorded it.
func (c Chosen) Error() (category int, ok bool) { return int(c.Went) - int(ToA), c.Went >= ToA }

// MostPlaces is the largest number of a place that a Chosen can have.
const MostPlaces = math.MaxUint8

// The columns of choices, which a table without any lacks.
const (
	choiceColumn  = "choice"
	placeColumn   = "place"
	latencyColumn = "latency"
	visitedColumn = "visited"
)

// check returns an error if c is no choice of a response. visits is the number of lists of visited places.
func (c Chosen) check(unscored bool, visits int) error {
	switch {
	case int(c.Went) >= len(wents):
		return errors.New("unknown choice")
	case c.Latency < 0:
		return fmt.Errorf("latency %d: it is a number of ticks from 0", c.Latency)
	case int(c.Visited) >= visits:
		return errors.New("visited outside the lists of visited places")
	case unscored && c != Chosen{}:
		return errors.New("an unscored response has a choice")
	case c.Went == Unrecorded && c != Chosen{}:
		return errors.New("a place, latency or visited without a choice")
	case c.Went == ToNone && c != Chosen{Went: ToNone}:
		return errors.New("a place, latency or visited, although the choice is none")
	}
	return nil
}

// checkVisits returns an error unless visits are the empty text and sorted lists.
func checkVisits(visits []string) error {
	if len(visits) == 0 {
		return nil
	}
	if visits[0] != "" {
		return errors.New("visits must be the empty string and others")
	}
	for i, s := range visits[1:] {
		if err := CheckName(s); err != nil {
			return fmt.Errorf("visited %q: %w", s, err)
		}
		if visits[i] >= s {
			return fmt.Errorf("visited %q: lists are not sorted, or one appears twice", s)
		}
	}
	return nil
}

// sorted sorts the texts behind the first, and returns the new index of each.
func sorted(texts []string) (to []int64) {
	old := slices.Clone(texts)
	slices.Sort(texts[1:])
	to = make([]int64, len(old))
	for i, s := range old {
		k, _ := slices.BinarySearch(texts[1:], s)
		if to[i] = int64(k) + 1; i == 0 {
			to[i] = 0
		}
	}
	return to
}
