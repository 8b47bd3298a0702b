package generate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"achilles/battery"
	"achilles/gridworld"
	"achilles/sim/record"
)

// redactWorlds returns the files with the public worlds, path → content, and their descriptions for the manifest. A
// public world is the text of a trial's world, after up to two comment lines: what subjects are told, and the places
// where a reward could be. It has everything from which the item's features were measured, and nothing about subjects.
func redactWorlds(s *Session, id *identity) (map[string][]byte, []record.File, error) {
	var worlds []record.World
	for _, i := range id.itemAt {
		it := &s.Battery.Items[i]
		first := len(worlds)
		for t := range it.Trials {
			if it.Trials[t].World == "" && len(it.Trials[t].Places) == 0 {
				continue
			}
			w, err := publicWorld(it, t)
			if err != nil {
				return nil, nil, fmt.Errorf("item %q: trial %d: %w", it.Name, t, err)
			}
			w.Item, w.Trial = id.item[i], id.publicTrial(i, t)
			worlds = append(worlds, w)
		}
		slices.SortFunc(worlds[first:], func(a, b record.World) int { return a.Trial - b.Trial })
	}
	files, err := record.EncodeWorlds(worlds)
	if err != nil {
		return nil, nil, err
	}
	var list []record.File
	for _, path := range slices.Sorted(maps.Keys(files)) {
		list = append(list, record.NewFile(path, files[path]))
	}
	return files, list, nil
}

func publicWorld(it *battery.Item, trial int) (record.World, error) {
	t := &it.Trials[trial]
	w, err := t.Open()
	if err != nil {
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
	b.WriteString(t.World)
	return record.World{Movement: movementOf(w.Rules().Move), Text: b.String()}, nil
}

func movementOf(m gridworld.Mode) record.Movement {
	if m == gridworld.Eight {
		return record.EightNeighbour
	}
	return record.FourHeading
}
