package score

import (
	"slices"

	"achilles/battery"
	"achilles/battery/bib"
	"achilles/infer/voe"
	"achilles/sim/record"
	"achilles/sim/table"
)

// An Expected says where an observer expects actors to go in the test trials of a task, of those videos whose outcome is expected.
type Expected struct {
	Observer      string
	Task          bib.Task
	N             int       // videos
	There         float64   // in per cent, to the object at which the actor ends
	ThereInterval *Interval // 95 %, Clopper–Pearson, in per cent
	Near          float64   // in per cent, to the object nearest to the actor's start in a straight line
	NearInterval  *Interval
}

// expectations returns where observers expect actors to go, by task and observer. Surprises without a goal are left out.
func expectations(surprises []voe.Surprise, labels []bib.Label) []Expected {
	type cell struct {
		task     bib.Task
		observer string
	}
	as := map[video]bib.Task{} // videos with the expected outcome
	for i := range labels {
		l := &labels[i]
		as[video{l.Item, record.VideoName(slices.Index(l.Outcome, battery.Expected))}] = l.Task
	}
	count := map[cell]*[3]int{}
	var order []cell
	for i := range surprises {
		s := &surprises[i]
		task, ok := as[video{s.Item, s.Video}]
		if !ok || s.Goal == nil {
			continue
		}
		c := cell{task, s.Observer}
		if count[c] == nil {
			count[c] = &[3]int{}
			order = append(order, c)
		}
		n := count[c]
		n[0]++
		if *s.Reached {
			n[1]++
		}
		if *s.Nearest {
			n[2]++
		}
	}
	slices.SortStableFunc(order, func(a, b cell) int { return slices.Index(bib.All(), a.task) - slices.Index(bib.All(), b.task) })
	var out []Expected
	for _, c := range order {
		n := count[c]
		e := Expected{Observer: c.observer, Task: c.task, N: n[0]}
		e.There, e.ThereInterval = relative(n[1], 0, n[0])
		e.Near, e.NearInterval = relative(n[2], 0, n[0])
		out = append(out, e)
	}
	return out
}

// expectationTable returns where observers expect actors to go; nil if none says.
func expectationTable(s *Scores) *table.Table {
	if s.Expected == nil {
		return nil
	}
	return table.Of(table.Table{
		Name: "expectations", Title: "Where observers expect actors to go, in per cent", Key: []string{"task", "observer"},
		Foot: []string{"Before the actor of a test trial sets out, of the videos whose outcome is expected. There: the object at which the actor ends, in preference the preferred one."},
	}, s.Expected, []table.Field[Expected]{
		table.Col(table.Column{Name: "task", Kind: table.Text}, func(r Expected) table.Value { return table.String(string(r.Task)) }),
		table.Col(table.Column{Name: "observer", Kind: table.Text}, func(r Expected) table.Value { return table.String(r.Observer) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Weight: 1, Doc: "videos"}, func(r Expected) table.Value { return table.Int(r.N) }),
		table.Col(table.Column{Name: "there", Digits: 1, Low: "low", High: "high", Doc: "to the object at which the actor ends"}, func(r Expected) table.Value { return table.Float(r.There) }),
		table.Col(table.Column{Name: "low"}, func(r Expected) table.Value { return low(r.ThereInterval) }),
		table.Col(table.Column{Name: "high"}, func(r Expected) table.Value { return high(r.ThereInterval) }),
		table.Col(table.Column{Name: "nearest", Digits: 1, Low: "nearest_low", High: "nearest_high", Doc: "to the object nearest to the actor's start in a straight line"}, func(r Expected) table.Value { return table.Float(r.Near) }),
		table.Col(table.Column{Name: "nearest_low"}, func(r Expected) table.Value { return low(r.NearInterval) }),
		table.Col(table.Column{Name: "nearest_high"}, func(r Expected) table.Value { return high(r.NearInterval) }),
	})
}
