package seal

import (
	"fmt"
	"strconv"
	"strings"

	"achilles/gridworld"
	"achilles/gridworld/policy"
)

// A Belief is what a body believed, from one tick on, about the place of the reward that it wanted.
type Belief struct {
	Tick  int
	How   string        // unaware, sees, infers, goes or lost
	Place gridworld.Pos // the believed place if How is sees, infers or goes; else Nowhere
}

// placed returns whether a belief with the word `how` has a place, and whether the word is known.
func placed(how string) (placed, known bool) {
	switch how {
	case policy.Sees.String(), policy.Infers.String(), policy.Goes.String():
		return true, true
	case policy.Unaware.String(), policy.AtALoss.String():
		return false, true
	}
	return false, false
}

// EncodeBeliefs returns beliefs as a text such as "0 sees 9,5; 3 infers 9,5; 12 lost": for each its tick, word and
// place.
func EncodeBeliefs(list []policy.Belief) string {
	b := make([]byte, 0, 64)
	for i, x := range list {
		if i > 0 {
			b = append(b, "; "...)
		}
		b = strconv.AppendInt(b, int64(x.Tick), 10)
		b = append(append(b, ' '), x.How.String()...)
		if has, _ := placed(x.How.String()); has {
			b = x.Place.Append(append(b, ' '))
		}
	}
	return string(b)
}

// DecodeBeliefs reads a text of EncodeBeliefs. An empty text has no beliefs. The error quotes the first belief that is
// malformed, or that has an earlier tick than the belief before it.
func DecodeBeliefs(text string) ([]Belief, error) {
	if text == "" {
		return nil, nil
	}
	var list []Belief
	for word := range strings.SplitSeq(text, "; ") {
		b, ok := decodeBelief(word)
		if !ok || len(list) > 0 && list[len(list)-1].Tick > b.Tick {
			return nil, fmt.Errorf("beliefs: %q: want a tick, not before the last one, a word and the place that belongs to it", word)
		}
		list = append(list, b)
	}
	return list, nil
}

func decodeBelief(text string) (b Belief, ok bool) {
	parts := strings.Split(text, " ")
	if len(parts) < 2 {
		return b, false
	}
	has, known := placed(parts[1])
	tick, err := strconv.Atoi(parts[0])
	if err != nil || tick < 0 || tick > MaxMoves || !known || has != (len(parts) == 3) || len(parts) > 3 {
		return b, false
	}
	b = Belief{Tick: tick, How: parts[1], Place: gridworld.Nowhere()}
	if !has {
		return b, true
	}
	x, y, _ := strings.Cut(parts[2], ",")
	px, err1 := strconv.Atoi(x)
	py, err2 := strconv.Atoi(y)
	b.Place = gridworld.Pos{X: px, Y: py}
	return b, err1 == nil && err2 == nil && b.Place.String() == parts[2] && min(px, py) >= 0 && max(px, py) < gridworld.MaxSide
}
