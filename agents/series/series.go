// Package series has the nine simple agents of Chmait et al. (2017, table 1) that continue a series of letters. They
// are response models: each returns the next letter of a series and needs no world to act in.
package series

import (
	"fmt"
	"slices"

	"achilles/sim/rng"
)

// A Kind is a way to continue a series. Of equally good letters or distances the first in the series counts.
type Kind string

const (
	Random            Kind = "random"             // a random option, with equal probabilities
	Mode              Kind = "mode"               // the most frequent letter
	MinRepetition     Kind = "min-repetition"     // the least frequent letter of the series
	MinDistance       Kind = "min-distance"       // the last letter plus the least distance between neighbours
	RarestDistance    Kind = "rarest-distance"    // the last letter plus the rarest distance: the paper's formula for min-distance
	MaxDistance       Kind = "max-distance"       // the last letter plus the largest distance
	CommonestDistance Kind = "commonest-distance" // the last letter plus the most frequent distance: the paper's formula for max-distance
	Pattern           Kind = "pattern"            // continues the pattern of the distances between letters Lag apart
)

// Kinds returns all kinds. Where the paper's text and its formula differ, there is a kind for each.
func Kinds() []Kind {
	return []Kind{Random, Mode, MinRepetition, MinDistance, RarestDistance, MaxDistance, CommonestDistance, Pattern}
}

// A Solver continues series in one way.
type Solver struct {
	Kind Kind `json:"kind"`
	Lag  int  `json:"lag,omitempty"` // for Pattern: number of letters from one compared letter to the next, 1 or more; otherwise 0
}

// Check reports an unknown kind, a pattern without a lag, or a lag without a pattern.
func (s Solver) Check() error {
	switch {
	case !slices.Contains(Kinds(), s.Kind):
		return fmt.Errorf("%q is not a way to continue a series", s.Kind)
	case s.Kind == Pattern && s.Lag < 1:
		return fmt.Errorf("a pattern needs a lag, 1 or more: how far apart the letters are")
	case s.Kind != Pattern && s.Lag != 0:
		return fmt.Errorf("only a pattern has a lag")
	}
	return nil
}

// Answer returns the index of the option that continues the series, or −1 if the solver finds no letter or it is not an
// option. Series and options are letters from a to z. Only Random draws from r.
func (s Solver) Answer(series string, options []string, r *rng.Rand) int {
	if s.Kind == Random {
		return r.IntN(len(options))
	}
	letters := make([]int, len(series))
	for i := range series {
		letters[i] = int(series[i] - 'a')
		if series[i] < 'a' || series[i] > 'z' {
			return -1
		}
	}
	next, ok := s.next(letters)
	if !ok {
		return -1
	}
	return slices.Index(options, string(rune('a'+next)))
}

// next returns the next letter, from 0 to 25; ok is false if the series is too short.
func (s Solver) next(series []int) (int, bool) {
	n := len(series)
	if n == 0 {
		return 0, false
	}
	switch s.Kind {
	case Mode:
		return commonest(series, 1), true
	case MinRepetition:
		return commonest(series, -1), true
	case Pattern:
		if d := distances(series, s.Lag); len(d) > 0 {
			return circular(series[n-s.Lag] + continued(d)), true
		}
		return 0, false
	}
	d := distances(series, 1)
	if len(d) == 0 {
		return 0, false
	}
	var step int
	switch s.Kind {
	case MinDistance:
		step = slices.Min(d)
	case MaxDistance:
		step = slices.Max(d)
	case RarestDistance:
		step = commonest(d, -1)
	case CommonestDistance:
		step = commonest(d, 1)
	}
	return circular(series[n-1] + step), true
}

const alphabet = 26

func circular(letter int) int { return (letter%alphabet + alphabet) % alphabet }

// distances returns, for each letter after the first lag letters, its distance in the circular alphabet from the letter
// that is lag positions earlier in the series: 0 to 25.
func distances(series []int, lag int) []int {
	var d []int
	for i := lag; i < len(series); i++ {
		d = append(d, circular(series[i]-series[i-lag]))
	}
	return d
}

// commonest returns the most frequent element if sign is 1, the least frequent one if sign is −1; of several the first.
func commonest(list []int, sign int) int {
	best, most := list[0], 0
	for i, x := range list {
		n := 0
		for _, y := range list {
			if x == y {
				n += sign
			}
		}
		if i == 0 || n > most {
			best, most = x, n
		}
	}
	return best
}

// continued returns the distance that follows (Chmait et al. 2017, algorithm 1). A place is an index of d at which all
// distinct distances follow each other, in the order in which they first appear. The pattern is the part of d from the
// first place up to the second. If there are fewer than two places, the pattern is d without its last element. The
// result is the element of the pattern whose index is the number of distances minus the pattern's length times the
// number of places. Beyond the end of the pattern, where the algorithm would read outside the pattern, counting starts
// again at its beginning.
func continued(d []int) int {
	var distinct []int
	for _, x := range d {
		if !slices.Contains(distinct, x) {
			distinct = append(distinct, x)
		}
	}
	var at []int
	for i := 0; i+len(distinct) <= len(d); i++ {
		if slices.Equal(d[i:i+len(distinct)], distinct) {
			at = append(at, i)
		}
	}
	pattern := d
	switch {
	case len(at) > 1:
		pattern = d[at[0]:at[1]]
	case len(d) > 1:
		pattern = d[:len(d)-1]
	}
	into := len(d) - len(pattern)*len(at)
	return pattern[max(into, 0)%len(pattern)]
}
