package ctest

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// A Cost is the number of instructions that a program executes, times 2 to the power of its length. Its binary
// logarithm is LT = length + log2(time) (Levin 1973). A Cost is an integer, so that comparisons are exact. 0 means no
// program.
type Cost uint64

func costOf(length, steps int) Cost { return Cost(steps) << length }

// LT returns the cost in bits.
func (c Cost) LT() float64 { return math.Log2(float64(c)) }

// Floor returns LT rounded down, −1 for Cost 0.
func (c Cost) Floor() int { return bits.Len64(uint64(c)) - 1 }

// A Series is a list of letters as distances from the first one, which is 0. The alphabet of the machine is circular,
// so that a series and its rotations have the same programs.
type Series []uint8

// ParseSeries returns the series of a text of at least one letter, from a to z.
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

// relative returns the series of letters given as 0 (a) to 25 (z).
func relative(letters []uint8) Series {
	s := make(Series, len(letters))
	for i, l := range letters {
		s[i] = distance(letters[0], l)
	}
	return s
}

// Text returns the series as text. first is its first letter, 0 for a.
func (s Series) Text(first uint8) string {
	text := make([]byte, len(s))
	for i, d := range s {
		text[i] = 'a' + (first+d)%Letters
	}
	return string(text)
}

// distance returns how many letters y comes after x, from 0 to 25.
func distance(x, y uint8) uint8 { return (y + Letters - x) % Letters }

// Measured is the letter, counted from 1, at which the complexity of a series is measured. A program that does not
// reach it explains nothing.
const Measured = 7

// An Explanation of a series is a program that writes it and at least one letter more, and at least Measured letters.
type Explanation struct {
	Program  Program
	Cost     Cost  // when the last letter of the series is written
	Measured Cost  // when letter Measured is written
	Next     uint8 // the letter that the program writes after the series, as a distance from the first
}

// K returns the complexity of the series by this explanation: LT in bits when letter Measured is written, rounded down.
func (e *Explanation) K() int { return e.Measured.Floor() }

// compare orders explanations by cost, then by cost at letter Measured, by length, by next letter and by instructions.
func (e Explanation) compare(o Explanation) int {
	return cmp.Or(cmp.Compare(e.Cost, o.Cost), cmp.Compare(e.Measured, o.Measured), cmp.Compare(len(e.Program), len(o.Program)),
		cmp.Compare(e.Next, o.Next), slices.Compare(e.Program, o.Program))
}

// A Limit bounds the search of Explain, in bits.
type Limit struct {
	Best  float64 // largest LT of the best explanation
	Above float64 // how far the LT of other explanations may be above that of the best
}

// Explain returns the cheapest explanation of a series and, for every other next letter, the cheapest one that writes
// it, sorted by cost. It tries every program within the limits, so that anything left out is proved to be dearer. It
// fails if no program is within the limits, if the limits exceed 22 bits, or if the series is too long.
func Explain(s Series, l Limit) ([]Explanation, error) {
	if !(l.Best >= 0 && l.Above >= 0 && l.Best+l.Above <= 22) || len(s) > maxSeries-4 {
		return nil, fmt.Errorf("series %s: up to %d letters and 22 bits can be searched, not %v and %v above", s.Text(0), maxSeries-4, l.Best, l.Above)
	}
	g := goal{series: s}
	// The bound doubles until there is an explanation: most of the work is in the last bound.
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
