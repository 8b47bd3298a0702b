package ctest

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// A Cost is the number of instructions that a program executes, times two for every instruction that it has. Its binary
// logarithm is LT = length + log2(time) (Levin 1973): costs are compared exactly. 0 is no cost at all.
type Cost uint64

func costOf(length, steps int) Cost { return Cost(steps) << length }

// LT returns the cost in bits.
func (c Cost) LT() float64 { return math.Log2(float64(c)) }

// Floor returns LT without its fraction, −1 for no cost.
func (c Cost) Floor() int { return bits.Len64(uint64(c)) - 1 }

// A Series is letters as distances from the first one, which is 0. The alphabet of the machine is circular, so a series
// and its rotations have the same programs.
type Series []uint8

// ParseSeries reads letters from a to z.
func ParseSeries(text string) (Series, error) {
	if text == "" {
		return nil, fmt.Errorf("a series has letters")
	}
	letters := make([]uint8, len(text))
	for i := range text {
		if text[i] < 'a' || text[i] > 'z' {
			return nil, fmt.Errorf("series %q: letter %d is not one of a to z", text, i+1)
		}
		letters[i] = text[i] - 'a'
	}
	return relative(letters), nil
}

// relative is the series of letters from 0 (a) to 25 (z).
func relative(letters []uint8) Series {
	s := make(Series, len(letters))
	for i, l := range letters {
		s[i] = distance(letters[0], l)
	}
	return s
}

// Text returns the series with that first letter, 0 for a.
func (s Series) Text(first uint8) string {
	text := make([]byte, len(s))
	for i, d := range s {
		text[i] = 'a' + (first+d)%Letters
	}
	return string(text)
}

// distance returns how many letters y comes after x, from 0 to 25.
func distance(x, y uint8) uint8 { return (y + Letters - x) % Letters }

// Measured is the letter at which the complexity of a series is measured, and which a program must reach to count.
const Measured = 7

// An Explanation of a series is a program that writes it and goes on, by one letter at least and to letter Measured.
type Explanation struct {
	Program  Program
	Cost     Cost  // when the last letter of the series is written
	Measured Cost  // when letter Measured is written
	Next     uint8 // the letter that it writes after the series, as a distance from the first
}

// K is the complexity that an explanation gives its series.
func (e *Explanation) K() int { return e.Measured.Floor() }

// compare orders explanations: the cheaper comes first, then the one that is cheaper at letter Measured, then the
// shorter, then by what it writes next and by its instructions.
func (e Explanation) compare(o Explanation) int {
	return cmp.Or(cmp.Compare(e.Cost, o.Cost), cmp.Compare(e.Measured, o.Measured), cmp.Compare(len(e.Program), len(o.Program)),
		cmp.Compare(e.Next, o.Next), slices.Compare(e.Program, o.Program))
}

// A Limit bounds what Explain looks for, in bits.
type Limit struct {
	Best  float64 // LT of the best explanation
	Above float64 // how much the others may be above it
}

// Explain returns the cheapest explanation of a series and, for every other next letter, the cheapest one that gives
// it, from the cheapest on. What it leaves out is proved to be dearer than the limits: every program that is not has been
// tried. The error says that there is none, or that the limits are beyond 22 bits.
func Explain(s Series, l Limit) ([]Explanation, error) {
	if !(l.Best >= 0 && l.Above >= 0 && l.Best+l.Above <= 22) || len(s) > maxSeries-4 {
		return nil, fmt.Errorf("series %s: up to %d letters and 22 bits can be searched, not %v and %v above", s.Text(0), maxSeries-4, l.Best, l.Above)
	}
	g := goal{series: s}
	// Costs double until there is an explanation: most of the work is in the last bound.
	for bits := 4.0; len(g.best) == 0; bits++ {
		if bits >= l.Best+1 {
			return nil, fmt.Errorf("series %s: no program of LT ≤ %v bits explains it", s.Text(0), l.Best)
		}
		g.bound = Cost(math.Exp2(min(bits, l.Best)))
		explain(&g)
	}
	g.bound = Cost(float64(g.best[0].Cost) * math.Exp2(l.Above))
	explain(&g)
	return g.best, nil
}
