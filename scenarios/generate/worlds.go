package generate

import (
	"achilles/battery"
	"achilles/gridworld"
	"achilles/sim/record"
)

// publicWorld returns the public world of a trial, which r.start is, but for its item and number: the text of that, after up to two
// comment lines: what subjects are told, and the places where a reward could be. It has everything from which the item's features
// were measured, and nothing about subjects.
func (r *recorder) publicWorld(it *battery.Item, trial int) record.World {
	t := &it.Trials[trial]
	b := r.text[:0]
	if it.Brief != "" {
		b = append(append(append(b, "// "...), it.Brief...), '\n')
	}
	if len(t.Places) > 0 {
		b = append(b, "// places"...)
		for _, p := range t.Places {
			b = p.Append(append(b, ' '))
		}
		b = append(b, '\n')
	}
	r.text, _ = r.start.AppendText(b) // it never fails
	return record.World{Movement: movementOf(r.start.Rules().Move), Text: r.shared(r.text)}
}

// shared returns a text as a string in memory that such strings share.
func (r *recorder) shared(text []byte) string {
	const together = 1 << 15
	if r.strings.Cap()-r.strings.Len() < len(text) {
		r.strings.Reset()
		r.strings.Grow(max(together, len(text)))
	}
	n := r.strings.Len()
	r.strings.Write(text)
	return r.strings.String()[n:]
}

func movementOf(m gridworld.Mode) record.Movement {
	if m == gridworld.Eight {
		return record.EightNeighbour
	}
	return record.FourHeading
}
