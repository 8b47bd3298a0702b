package generate

import (
	"achilles/battery"
	"achilles/gridworld"
	"achilles/sim/record"
)

// publicWorld returns the public world of a trial, which w has, but for its item and number: the text of w, after up to two comment
// lines: what subjects are told, and the places where a reward could be. It has everything from which the item's features were
// measured, and nothing about subjects.
func publicWorld(w *gridworld.World, it *battery.Item, trial int) record.World {
	t := &it.Trials[trial]
	var room [2048]byte
	b := room[:0]
	if it.Brief != "" {
		b = append(append(append(b, "// "...), it.Brief...), '\n')
	}
	if len(t.Places) > 0 {
		b = append(b, "// places"...)
		for _, p := range t.Places {
			b = append(append(b, ' '), p.String()...)
		}
		b = append(b, '\n')
	}
	b, _ = w.AppendText(b) // it never fails
	return record.World{Movement: movementOf(w.Rules().Move), Text: string(b)}
}

func movementOf(m gridworld.Mode) record.Movement {
	if m == gridworld.Eight {
		return record.EightNeighbour
	}
	return record.FourHeading
}
