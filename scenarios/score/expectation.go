package score

import (
	"maps"
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
	Published     bool     // whether this is from the literature, which says Near alone
	Apart         *float64 // mean distance between expected and walked ways, in pixels (see voe.Expectation); nil if the observer says no ways
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
	type tally struct {
		videos, there, near, paths int
		apart                      float64
	}
	count := map[cell]*tally{}
	var order []cell
	for i := range surprises {
		s := &surprises[i]
		task, ok := as[video{s.Item, s.Video}]
		if !ok || s.Goal == nil {
			continue
		}
		c := cell{task, s.Observer}
		if count[c] == nil {
			count[c] = &tally{}
			order = append(order, c)
		}
		n := count[c]
		n.videos++
		if *s.Reached {
			n.there++
		}
		if *s.Nearest {
			n.near++
		}
		if s.Apart != nil {
			n.paths++
			n.apart += *s.Apart
		}
	}
	var out []Expected
	for _, c := range order {
		n := count[c]
		e := Expected{Observer: c.observer, Task: c.task, N: n.videos}
		e.There, e.ThereInterval = relative(n.there, 0, n.videos)
		e.Near, e.NearInterval = relative(n.near, 0, n.videos)
		if n.paths > 0 {
			mean := n.apart / float64(n.paths)
			e.Apart = &mean
		}
		out = append(out, e)
	}
	byTask(out)
	return out
}

// byTask sorts rows by task, in the order of all tables, and leaves rows of one task in their order.
func byTask(rows []Expected) {
	slices.SortStableFunc(rows, func(a, b Expected) int { return slices.Index(bib.All(), a.Task) - slices.Index(bib.All(), b.Task) })
}

// expectationTable returns where observers expect actors to go; nil if none says.
func expectationTable(s *Scores) *table.Table {
	if s.Expected == nil {
		return nil
	}
	rows := slices.Clone(s.Expected)
	for _, observer := range slices.Sorted(maps.Keys(s.PublishedNearest)) {
		for kind, x := range s.PublishedNearest[observer] {
			rows = append(rows, Expected{Observer: observer, Task: bib.Task(kind), Near: x, Published: true})
		}
	}
	byTask(rows)
	t := table.Of(table.Table{
		Name: "expectations", Title: "Where observers expect actors to go, in per cent", Key: []string{"task", "observer", "published"},
		Foot: []string{"Of the videos whose outcome is expected, before the actor of the test trial sets out. There: the object or key at which the actor ends; in the task preference, the preferred object."},
	}, rows, []table.Field[Expected]{
		table.Col(table.Column{Name: "task", Kind: table.Text}, func(r Expected) table.Value { return table.String(string(r.Task)) }),
		table.Col(table.Column{Name: "observer", Kind: table.Text}, func(r Expected) table.Value { return table.String(r.Observer) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Weight: 1, Doc: "videos"}, func(r Expected) table.Value { return r.unlessPublished(table.Int(r.N)) }),
		table.Col(table.Column{Name: "there", Digits: 1, Low: "low", High: "high", Doc: "to the object at which the actor ends"}, func(r Expected) table.Value { return r.unlessPublished(table.Float(r.There)) }),
		table.Col(table.Column{Name: "low"}, func(r Expected) table.Value { return low(r.ThereInterval) }),
		table.Col(table.Column{Name: "high"}, func(r Expected) table.Value { return high(r.ThereInterval) }),
		table.Col(table.Column{Name: "nearest", Digits: 1, Low: "nearest_low", High: "nearest_high", Doc: "to the object nearest to the actor's start in a straight line"}, func(r Expected) table.Value { return table.Float(r.Near) }),
		table.Col(table.Column{Name: "nearest_low"}, func(r Expected) table.Value { return low(r.NearInterval) }),
		table.Col(table.Column{Name: "nearest_high"}, func(r Expected) table.Value { return high(r.NearInterval) }),
		table.Col(table.Column{Name: "apart", Digits: 1, Unit: "pixels", Weight: 1, Doc: "mean distance between the way that it expects and the walk (modified Hausdorff distance)"}, func(r Expected) table.Value { return table.Maybe(r.Apart) }),
		table.Col(table.Column{Name: "published", Kind: table.Flag, Weight: 1, Doc: "whether the row is from the literature"}, func(r Expected) table.Value { return table.Bool(r.Published) }),
	})
	if len(s.PublishedNearest) > 0 {
		t.Foot = append(t.Foot, s.from(true)...)
	}
	return t
}

func (r *Expected) unlessPublished(v table.Value) table.Value {
	if r.Published {
		return table.None
	}
	return v
}
