package predict

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"achilles/infer/table"
)

// A Shift is a split with easy items for training and hard ones for testing.
type Shift struct {
	Name     string
	Features []string // numeric features; items with larger values are harder
	Easy     float64  // share of the items that count as easy, in (0, 1); 0: a half
}

// relativeDemand returns the demand of every item. For one feature, it is the share of the items with a lower value,
// plus half the share of the items with an equal value (the item itself included); this is averaged over the features.
// missing says which items lack one of the features. These items are in neither part of a shift.
func relativeDemand(t *table.Table, features []string) (demand []float64, missing []bool, err error) {
	fs, unknown := t.Select(features)
	if unknown != "" {
		return nil, nil, unknownFeature(unknown)
	}
	demand, missing = make([]float64, len(t.Items)), make([]bool, len(t.Items))
	for _, f := range fs {
		if f.Nominal() {
			return nil, nil, fmt.Errorf("predict: feature %q has labels: more and less are not defined", f.Name)
		}
		var values []float64
		for i := range t.Items {
			if v, ok := f.At(i); ok {
				values = append(values, v)
			} else {
				missing[i] = true
			}
		}
		slices.Sort(values)
		for i := range t.Items {
			if v, ok := f.At(i); ok {
				low, _ := slices.BinarySearch(values, v)
				high := sort.Search(len(values), func(i int) bool { return values[i] > v }) // the place after the last equal value
				demand[i] += float64(low+high) / float64(2*len(values)*len(fs))
			}
		}
	}
	return demand, missing, nil
}

// Split divides the items by their demand (relativeDemand): items up to a limit are for training, harder ones for
// testing. At most the share Easy of the items are for training; but if the easiest items, of equal demand, are more
// than this share, exactly these are. Split fails for a feature that is not in the table or nominal, if Easy is outside
// [0, 1), or if one part has no responses.
func (s Shift) Split(t *table.Table) (Split, error) {
	if s.Easy < 0 || s.Easy >= 1 {
		return Split{}, fmt.Errorf("predict: shift %q: easy = %v is not a fraction in (0, 1)", s.Name, s.Easy)
	}
	share := s.Easy
	if share == 0 {
		share = 0.5
	}
	demand, missing, err := relativeDemand(t, s.Features)
	if err != nil {
		return Split{}, err
	}
	var order []int
	for i := range t.Items {
		if !missing[i] {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(demand[a], demand[b]) })
	cut, ok := cutPoint(order, demand, share*float64(len(order)))
	if !ok {
		return Split{}, fmt.Errorf("predict: shift %q: all items have the same demand by %v", s.Name, s.Features)
	}
	out := By(t, s.Name, func(i int) (bool, bool) {
		j := t.Item[i]
		return !missing[j] && demand[j] <= cut, !missing[j] && demand[j] > cut
	})
	if len(out.Train) == 0 || len(out.Test) == 0 {
		return Split{}, fmt.Errorf("predict: shift %q: %d easy and %d hard responses: both parts need some", s.Name, len(out.Train), len(out.Test))
	}
	return out, nil
}

// cutPoint returns the demand of the hardest item that counts as easy. order lists the items by demand. The cut is the
// largest demand with at most want items at or below it; if more than want items have the least demand, it is this
// demand. ok is false if all demands are equal.
func cutPoint(order []int, demand []float64, want float64) (cut float64, ok bool) {
	for k := 1; k < len(order); k++ {
		a, b := demand[order[k-1]], demand[order[k]]
		if a == b { // exact: equal features give the same bits
			continue
		}
		if float64(k) <= want || !ok {
			cut, ok = a, true
		}
		if float64(k) > want {
			break
		}
	}
	return cut, ok
}
