package chargrid

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/infer/table"
)

// Binning says how a numeric feature is divided into bins. The zero value makes one bin for every distinct value if
// there are at most maxValues of them, and otherwise defaultBins bins of equal width. A nominal feature always has one
// bin for every level.
type Binning struct {
	Cuts []float64 // ascending; bins are (Cuts[i], Cuts[i+1]], and values outside are in no bin; Bins and Rule must be zero
	Bins int       // number of bins that Rule makes; 0: defaultBins
	Rule Rule      // empty: as for the zero value, or Width if Bins is not 0
}

// A Rule makes cut points from the values of the items.
type Rule string

// The rules.
const (
	Width    Rule = "width"    // equal width from the least to the greatest value; of whole numbers, as many in every bin
	Quantile Rule = "quantile" // equal numbers of items, as far as ties allow; ties can leave fewer bins
	Values   Rule = "values"   // one bin for every distinct value
)

const (
	maxValues   = 6 // largest number of distinct values that the zero Binning gives a bin each
	defaultBins = 5 // number of bins if Binning.Bins is 0
)

// An Axis is a feature divided into bins. The first bin includes Cuts[0] unless Binning.Cuts was given.
type Axis struct {
	Feature string
	Rule    string    // description of the binning
	Labels  []string  // one for every bin
	Cuts    []float64 // len(Labels)+1 cut points; nil if there is one bin for every value or level
	Ordered bool      // whether only successive bins are neighbours; otherwise any two bins are
	Bin     []int32   // index of each item's bin; −1: no value, or a value outside the cuts
}

// NewAxis divides a feature over all items into bins. It returns an error for a numeric feature without values, and for
// a binning that is not valid for the feature.
func NewAxis(f *table.Feature, b Binning) (Axis, error) {
	a := Axis{Feature: f.Name, Bin: make([]int32, len(f.Value)), Ordered: !f.Nominal()}
	if f.Nominal() {
		if len(b.Cuts) > 0 || b.Bins != 0 || b.Rule != "" && b.Rule != Values {
			return a, fmt.Errorf("feature %q has labels: they are its bins, and cannot be cut", f.Name)
		}
		a.Rule, a.Labels = "one bin per level", f.Levels
		for i := range a.Bin {
			a.Bin[i] = -1
			if v, ok := f.At(i); ok {
				a.Bin[i] = int32(v)
			}
		}
		return a, nil
	}
	l := levelsOf(f)
	if len(l.value) == 0 {
		return a, fmt.Errorf("feature %q has no value on any item", f.Name)
	}
	if err := b.check(f.Name); err != nil {
		return a, err
	}
	if b.Rule == Values || b.Rule == "" && b.Bins == 0 && len(b.Cuts) == 0 && len(l.value) <= maxValues {
		a.Rule = "one bin per distinct value"
		copy(a.Bin, l.of)
		for _, v := range l.value {
			a.Labels = append(a.Labels, number(v))
		}
		return a, nil
	}
	a.cut(l, b)
	return a, nil
}

func (b Binning) check(name string) error {
	switch {
	case !slices.Contains([]Rule{"", Width, Quantile, Values}, b.Rule):
		return fmt.Errorf("feature %q: rule %q is not one of width, quantile, values", name, b.Rule)
	case len(b.Cuts) == 1:
		return fmt.Errorf("feature %q: one cut point makes no bin: give at least two", name)
	case len(b.Cuts) > 0 && (b.Bins != 0 || b.Rule != ""):
		return fmt.Errorf("feature %q: give either cuts, or bins and a rule", name)
	case b.Bins < 0 || b.Bins > 1000:
		return fmt.Errorf("feature %q: bins = %d must be within 1 and 1000", name, b.Bins)
	}
	for i, c := range b.Cuts {
		if math.IsNaN(c) || i > 0 && c <= b.Cuts[i-1] {
			return fmt.Errorf("feature %q: the cut points %v must ascend", name, b.Cuts)
		}
	}
	return nil
}

// cut sets the cut points, labels and bins of a numeric feature.
func (a *Axis) cut(l levels, b Binning) {
	bins := b.Bins
	if bins == 0 {
		bins = defaultBins
	}
	given := len(b.Cuts) > 0
	low, high := l.value[0], l.value[len(l.value)-1]
	switch {
	case given:
		a.Cuts, a.Rule = b.Cuts, "cut points given"
	case low == high:
		a.Cuts, a.Rule = []float64{low, high}, "one value"
	case b.Rule == Quantile:
		a.Cuts, a.Rule = quantileCuts(l, bins), fmt.Sprintf("%d bins of equal numbers of items", bins)
	case l.whole():
		a.Cuts = wholeCuts(low, high, b.Bins)
		a.Rule = fmt.Sprintf("%d bins of whole numbers", len(a.Cuts)-1)
		for k := range a.Cuts[1:] {
			first := a.Cuts[k] + 1
			if k == 0 {
				first = low
			}
			label := number(first)
			if first < a.Cuts[k+1] {
				label += " to " + number(a.Cuts[k+1])
			}
			a.Labels = append(a.Labels, label)
		}
	default:
		a.Rule = fmt.Sprintf("%d bins of equal width", bins)
		for k := range bins {
			a.Cuts = append(a.Cuts, low+float64((high-low)*float64(k))/float64(bins))
		}
		a.Cuts = append(a.Cuts, high)
	}
	for k := len(a.Labels); k < len(a.Cuts)-1; k++ {
		open := "("
		if !given && k == 0 {
			open = "["
		}
		a.Labels = append(a.Labels, open+number(a.Cuts[k])+", "+number(a.Cuts[k+1])+"]")
	}
	for i, k := range l.of {
		a.Bin[i] = -1
		if k >= 0 {
			a.Bin[i] = int32(a.binOf(l.value[k], !given))
		}
	}
}

// binOf returns the index of the bin (a, b] that contains v, or −1. If closed is true, the first bin is [a, b].
func (a *Axis) binOf(v float64, closed bool) int {
	k, _ := slices.BinarySearch(a.Cuts, v) // index of the first cut that is not below v
	switch {
	case k == 0 && closed && v == a.Cuts[0]:
		return 0
	case k == 0 || k == len(a.Cuts):
		return -1
	}
	return k - 1
}

// whole reports whether all values are whole numbers that a float64 holds exactly.
func (l levels) whole() bool {
	for _, v := range l.value {
		if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
			return false
		}
	}
	return true
}

// wholeCuts returns the cut points of bins of whole numbers from low to high, each with as many of them. If no number of
// bins is asked for, it is that from three to seven that leaves the fewest numbers over, the nearest to defaultBins of
// these; what is left over widens bins by one, spread over the range.
func wholeCuts(low, high float64, bins int) []float64 {
	span := high - low + 1
	if bins == 0 {
		bins = defaultBins
		for _, n := range []int{4, 6, 7, 3} {
			if math.Mod(span, float64(n)) < math.Mod(span, float64(bins)) {
				bins = n
			}
		}
	}
	bins = int(min(float64(bins), span))
	cuts := []float64{low}
	for k := 1; k <= bins; k++ {
		cuts = append(cuts, low-1+math.Floor(float64(span*float64(k))/float64(bins)))
	}
	return cuts
}

func quantileCuts(l levels, bins int) []float64 {
	var x []float64
	for _, k := range l.of {
		if k >= 0 {
			x = append(x, l.value[k])
		}
	}
	slices.Sort(x)
	cuts := []float64{x[0]}
	for k := 1; k <= bins; k++ {
		cuts = append(cuts, x[max(0, (k*len(x)+bins-1)/bins-1)])
	}
	cuts = slices.Compact(cuts)
	if len(cuts) == 1 {
		cuts = append(cuts, cuts[0])
	}
	return cuts
}

// number formats a value as part of a label: whole numbers in full, others with four significant digits.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
