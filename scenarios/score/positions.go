package score

import (
	"achilles/infer/layout"
	"achilles/sim/record"
)

// A sequence is the trials of one subject (record.Items.ByPosition), to which a layout is bound that names the position of a response.
type sequence struct {
	design    *layout.Design
	responses []record.Response
	row       map[[2]int32]int // item and position → row of design
}

// newTrialChances returns the chances by a layout that names the position of a response: those of a subject are of its own
// trials alone.
func newTrialChances(in Input, l *layout.Layout) (*Chances, error) {
	all, _ := in.Public.Items.ByPosition(in.Public.Responses)
	design, err := l.Bind(all, in.Public.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	c := newChances(in, design)
	if c == nil {
		return nil, nil
	}
	c.sequences = map[string]*sequence{}
	for _, id := range in.Public.Subjects {
		items, responses := in.Public.Items.ByPosition(c.responses[id])
		if len(responses) == 0 {
			continue
		}
		t := &sequence{responses: responses, row: map[[2]int32]int{}}
		if t.design, err = l.Bind(items, in.Public.Manifest.Measures); err != nil {
			return nil, err
		}
		for i, r := range c.responses[id] {
			t.row[[2]int32{r.Item, r.Position}] = t.design.Row(int(responses[i].Item))
		}
		c.sequences[id] = t
	}
	return c, nil
}
