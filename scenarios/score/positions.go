package score

import (
	"achilles/infer/layout"
	"achilles/sim/record"
)

// A sequence is the trials of one subject (record.Items.ByPosition), to which a layout is bound that names the position of a response.
type sequence struct {
	design *layout.Design
	row    map[[2]int32]int // item and position → row of design
}

// newTrialChances returns the chances by a layout that names the position of a response: those of a subject are of its own
// trials alone.
func newTrialChances(in Input, l *layout.Layout) (*Chances, error) {
	design, err := l.Bind(in.Public.Items.Taken(&in.Public.Responses), in.Public.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	c := newChances(in, l, design)
	if c != nil {
		c.sequences = map[string]*sequence{}
	}
	return c, nil
}

// taken returns the responses of a subject, and the design that they are of. If the layout names the position of a response, it binds
// the layout to the subject's trials, so that the items of the responses are these.
func (c *Chances) taken(subject int) (*layout.Design, []record.Response, error) {
	mine := c.data.Responses.Of(subject)
	if c.sequences == nil || len(mine) == 0 {
		return c.design, mine, nil
	}
	items, responses := c.data.Items.ByPosition(mine)
	design, err := c.layout.Bind(items, c.data.Manifest.Measures)
	if err != nil {
		return nil, nil, err
	}
	t := &sequence{design: design, row: map[[2]int32]int{}}
	for i, r := range mine {
		t.row[[2]int32{r.Item, r.Position}] = design.Row(int(responses[i].Item))
	}
	c.sequences[c.data.Subjects[subject]] = t
	return design, responses, nil
}
