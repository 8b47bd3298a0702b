package infer

import (
	"slices"

	"achilles/infer/table"
	"achilles/sim/record"
)

// judge returns what the responses cannot tell, and what is doubtful about them, of all that bears on the layout; nil if there are none.
// Demands connect parts, and say how hard an item is; where subjects differ in several abilities, runs of failures and subjects who agree are what
// the layout is to explain.
func (r *run) judge() (*table.Judgement, error) {
	l := r.Layout
	scored := func(x record.Response) bool {
		return x.Unscored == 0 && x.Phase == record.Test && r.data.Manifest.Measures[x.Measure].Name == l.Responses[0].Measure
	}
	if l == nil || r.data == nil || !r.data.Responses.ContainsFunc(scored) {
		return nil, nil
	}
	j, err := table.Judge(r.data, l.Responses[0].Measure)
	if err != nil {
		return nil, err
	}
	linked, together := len(l.Metafeatures) > 0, l.Joint()
	if linked {
		j.Parts = nil
	}
	for i := range j.Findings {
		if f := &j.Findings[i]; f.Kind == table.Clustered && r.data.Responses.Len() <= mostWidened {
			f.Grave = false // what the layout leaves of it widens the posterior (clustered.widen)
		}
	}
	j.Findings = slices.DeleteFunc(j.Findings, func(f table.Finding) bool {
		switch f.Kind {
		case table.Disconnected, table.WeakLink:
			return linked
		case table.NoResponse, table.Blanks:
			return false
		}
		return linked && !together
	})
	return j, nil
}
