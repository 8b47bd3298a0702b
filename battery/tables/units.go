package tables

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// mostTimesWider is by how many times the range of one column of numbers may exceed that of another before they must have different units. Columns of
// one unit, such as times of easy and of hard tasks, differ tenfold.
const mostTimesWider = 50

// oneUnit returns an error if columns of numbers cannot have one unit: one has counts of trials, another milliseconds. Columns of which
// most are called alike but for digits are of one instrument, and so are degrees from 0 to 1.
func oneUnit(file string, responses []*profile) error {
	var narrow, wide *profile
	named := map[string]int{}
	for _, c := range responses {
		stem := strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return -1
			}
			return r
		}, c.name)
		if named[stem]++; 2*named[stem] > len(responses) && len(responses) > 2 {
			return nil
		}
		if c.width() == 0 || !c.numeric() {
			continue
		}
		if narrow == nil || c.width() < narrow.width() {
			narrow = c
		}
		if wide == nil || c.width() > wide.width() {
			wide = c
		}
	}
	if narrow == nil || wide.lo >= 0 && wide.hi <= 1 {
		return nil
	}
	if wide.width() <= mostTimesWider*narrow.width() {
		return apartUnits(file, responses)
	}
	var others []string
	for _, c := range responses {
		if c.width() > mostTimesWider*narrow.width() {
			others = append(others, c.name)
		}
	}
	return fmt.Errorf("%s: columns of different units: %s is from %g to %g, %s from %g to %g; import those of one unit at a time, and leave the others out: --leave-out %s; if they have one unit, use --family real", file, narrow.name, narrow.lo, narrow.hi, wide.name, wide.lo, wide.hi, strconv.Quote(strings.Join(others, ",")))
}

// timesApart is by how many times the least number of one column may exceed the largest of all others before it must have another unit: Elo points beside
// percentages.
const timesApart = 5

// apartUnits returns an error if one column's numbers lie far above those of all others.
func apartUnits(file string, responses []*profile) error {
	for _, c := range responses {
		most := 0.0
		for _, o := range responses {
			if o != c {
				most = max(most, o.hi)
			}
		}
		if len(responses) > 2 && c.numeric() && most > 1 && c.lo > timesApart*most {
			return fmt.Errorf("%s: columns of different units: %s is from %g to %g, the others at most %g; import those of one unit at a time, and leave the others out: --leave-out %s; if they have one unit, use --family real", file, c.name, c.lo, c.hi, most, strconv.Quote(c.name))
		}
	}
	return nil
}

// width is how far the numbers of a column are apart, without numbers that people use for no value beside few others.
func (c *profile) width() float64 {
	if c.many {
		return c.hi - c.lo
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range c.values {
		if x, ok := number(v); ok && !isCode(v) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	if hi < lo || hi-lo >= math.Abs(c.hi) { // all are codes, or these are within the others' range
		return c.hi - c.lo
	}
	return hi - lo
}
