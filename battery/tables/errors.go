package tables

import (
	"fmt"
	"math"
	"strings"

	"achilles/sim/record"
)

// checkRight reports what Right cannot be together with.
func (r *responseMapping) checkRight(fault func(key, format string, args ...any)) {
	switch {
	case r.Right == "":
	case r.Form == wide:
		fault("right", "a table with a row per subject has no column with the right value of each item: transpose it, or give a row per response")
	case r.Family != record.Unit && r.Family != record.Binary:
		fault("right", `responses that are compared with right values have family = "binary" (the same or not) or "unit" (degrees of success by their errors)`)
	case r.Levels != nil || r.Trials != "" || r.Absent != nil:
		fault("right", "predictions have neither levels nor trials nor a value where they are absent")
	}
}

// scored returns the value of a response: the number of its cell or, where a column has right values, whether it is the same, or its absolute error.
func (a *marking) scored(cell string, cells []string, right []int) (float64, error) {
	if len(right) == 0 {
		return a.value(cell)
	}
	if a.m.Responses.Family == record.Binary {
		if sameAnswer(cell, cells[right[0]]) {
			return 1, nil
		}
		return 0, nil
	}
	number := func(cell, what string) (float64, error) {
		x, ok := a.m.Read.number(strings.TrimSpace(cell))
		if !ok {
			return 0, fmt.Errorf("%s %q is not a finite number", what, cell)
		}
		return x, nil
	}
	predicted, err := number(cell, "prediction")
	if err != nil {
		return 0, err
	}
	is, err := number(cells[right[0]], "right value")
	return math.Abs(predicted - is), err
}

// scaleErrors makes degrees of success of absolute errors, item by item (Liu et al. 2023, section 4.1): 1 − (e − least)/(largest − least) over all
// responses to the item, 1 where all errors are the same.
func scaleErrors(answers []answer, items int) {
	type ends struct{ least, largest float64 }
	of := make([]ends, items)
	for i := range of {
		of[i] = ends{math.Inf(1), math.Inf(-1)}
	}
	for _, a := range answers {
		of[a.item] = ends{min(of[a.item].least, a.value), max(of[a.item].largest, a.value)}
	}
	for i := range answers {
		a := &answers[i]
		if e := of[a.item]; e.largest > e.least {
			a.value = 1 - (a.value-e.least)/(e.largest-e.least)
		} else {
			a.value = 1
		}
	}
}
