package seal

import (
	"fmt"
	"strconv"
	"strings"

	"achilles/gridworld"
)

// moveNames are the names of actions in Episode.Moves, by action.
var moveNames = [gridworld.Actions]string{".", "f", "l", "r", "N", "NE", "E", "SE", "S", "SW", "W", "NW"}

// EncodeMoves returns actions, one for each tick, as a text of words. A word is the name of an action (. stay, f
// forward, l left, r right, and N, NE, E … for steps in eight directions), followed by the number of times that it is
// repeated, if that is more than one: "f3 l" is three steps forward and a turn.
func EncodeMoves(actions []gridworld.Action) string {
	b := make([]byte, 0, 64)
	for i := 0; i < len(actions); {
		n := 1
		for i+n < len(actions) && actions[i+n] == actions[i] {
			n++
		}
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, moveNames[actions[i]]...)
		if n > 1 {
			b = strconv.AppendInt(b, int64(n), 10)
		}
		i += n
	}
	return string(b)
}

// MaxMoves is the largest number of actions in an episode.
const MaxMoves = 1 << 20

// DecodeMoves appends to dst the actions of a text of EncodeMoves. The error quotes the first wrong word, or says that
// there are more than MaxMoves actions.
func DecodeMoves(dst []gridworld.Action, moves string) ([]gridworld.Action, error) {
	for word := range strings.FieldsSeq(moves) {
		name, n := word, 1
		for len(name) > 0 && name[len(name)-1]-'0' <= 9 {
			name = name[:len(name)-1]
		}
		if digits := word[len(name):]; digits != "" {
			var err error
			if n, err = strconv.Atoi(digits); err != nil || n < 2 || digits[0] == '0' {
				return dst, fmt.Errorf("moves: %q: want a count from 2 after the action", word)
			}
		}
		action := -1
		for a, m := range moveNames {
			if m == name {
				action = a
			}
		}
		if action < 0 {
			return dst, fmt.Errorf("moves: %q is not an action: want one of %s", word, strings.Join(moveNames[:], " "))
		}
		if len(dst)+n > MaxMoves {
			return dst, fmt.Errorf("moves: more than %d", MaxMoves)
		}
		for range n {
			dst = append(dst, gridworld.Action(action))
		}
	}
	return dst, nil
}
