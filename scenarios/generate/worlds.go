package generate

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"achilles/battery"
	"achilles/gridworld"
	"achilles/sim/record"
)

// publicWorlds gives the public worlds, sorted by item and trial. A public world is the text of a trial's world, after up to
// two comment lines: what subjects are told, and the places where a reward could be. It has everything from which the
// item's features were measured, and nothing about subjects.
func (s *Session) publicWorlds(id *identity) iter.Seq2[record.World, error] {
	return func(yield func(record.World, error) bool) {
		var memory gridworld.World
		for _, i := range id.itemAt {
			worlds, err := worldsOf(&memory, &s.Battery.Items[i], func(trial int) int { return id.publicTrial(i, trial) })
			if err != nil {
				yield(record.World{}, err)
				return
			}
			for _, w := range worlds {
				if w.Item = id.item[i]; !yield(w, nil) {
					return
				}
			}
		}
	}
}

// worldsOf returns the public worlds of an item, sorted by the public numbers of their trials, and without the item's id. Memory is
// for one world.
func worldsOf(memory *gridworld.World, it *battery.Item, public func(trial int) int) (worlds []record.World, err error) {
	for t := range it.Trials {
		if it.Trials[t].World.Empty() && len(it.Trials[t].Places) == 0 {
			continue
		}
		w, err := publicWorld(memory, it, t)
		if err != nil {
			return nil, fmt.Errorf("item %q: trial %d: %w", it.Name, t, err)
		}
		w.Trial = public(t)
		worlds = append(worlds, w)
	}
	slices.SortFunc(worlds, func(a, b record.World) int { return a.Trial - b.Trial })
	return worlds, nil
}

func publicWorld(w *gridworld.World, it *battery.Item, trial int) (record.World, error) {
	t := &it.Trials[trial]
	if err := t.Read(w); err != nil {
		return record.World{}, err
	}
	var b strings.Builder
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
	b.WriteString(t.World.String())
	return record.World{Movement: movementOf(w.Rules().Move), Text: b.String()}, nil
}

func movementOf(m gridworld.Mode) record.Movement {
	if m == gridworld.Eight {
		return record.EightNeighbour
	}
	return record.FourHeading
}
