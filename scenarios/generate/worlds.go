package generate

import (
	"fmt"
	"strings"

	"achilles/battery"
	"achilles/gridworld"
	"achilles/sim/record"
)

// publicWorld returns the public world of a trial, which w has and text describes, but for its item and number: the text, after up
// to two comment lines: what subjects are told, and the places where a reward could be. It has everything from which the item's
// features were measured, and nothing about subjects.
func publicWorld(w *gridworld.World, text string, it *battery.Item, trial int) record.World {
	t := &it.Trials[trial]
	var b strings.Builder
	b.Grow(len(text) + len(it.Brief) + 16*len(t.Places) + 32)
	if it.Brief != "" {
		fmt.Fprintf(&b, "// %s\n", it.Brief)
	}
	if len(t.Places) > 0 {
		b.WriteString("// places")
		for _, p := range t.Places {
			fmt.Fprintf(&b, " %s", p)
		}
		b.WriteByte('\n')
	}
	b.WriteString(text)
	return record.World{Movement: movementOf(w.Rules().Move), Text: b.String()}
}

func movementOf(m gridworld.Mode) record.Movement {
	if m == gridworld.Eight {
		return record.EightNeighbour
	}
	return record.FourHeading
}
