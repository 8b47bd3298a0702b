package score

import (
	"cmp"
	"slices"

	"achilles/battery/bib"
	"achilles/sim/table"
)

// A Psychometric says how often an observer is right in the episodes of one dial.
type Psychometric struct {
	Observer   string
	Degenerate bool // whether it is a shortcut baseline
	Task       bib.Task
	bib.Dial
	Nats     float64   // mean log odds of the expected outcome for the ideal observer (bib.Episode)
	Ideal    float64   // in per cent, how often these odds favour the expected outcome, ties half
	N        int       // items
	Accuracy float64   // in per cent, ties half
	Interval *Interval // 95 %, Clopper–Pearson, in per cent
}

// Psychometrics returns how often each observer is right at each dial, by observer and task, from the most evidence to the least;
// none if the episodes have no dials, or the tasks no evidence that is known.
func (s *Scores) Psychometrics() (out []Psychometric) {
	type level struct {
		task bib.Task
		bib.Dial
	}
	items := map[level][]*Seen{}
	for i := range s.Seen {
		if x := &s.Seen[i]; x.Dial != nil && x.Nats != nil && x.Right != nil {
			l := level{x.Task, *x.Dial}
			items[l] = append(items[l], x)
		}
	}
	for l, all := range items {
		ideal := sights{}
		nats := 0.0
		for _, x := range all {
			nats += *x.Nats / float64(len(all))
			ideal.add(larger(*x.Nats, 0))
		}
		best, _ := ideal.accuracy()
		for _, o := range s.ObserverNames() {
			n := sights{}
			for _, x := range all {
				if r, ok := x.Right[o]; ok {
					n.add(r)
				}
			}
			if n.n > 0 {
				share, interval := n.accuracy()
				out = append(out, Psychometric{o, !contends(o), l.task, l.Dial, nats, best, n.n, share, interval})
			}
		}
	}
	order := s.ObserverNames()
	slices.SortFunc(out, func(a, b Psychometric) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Observer), slices.Index(order, b.Observer)), cmp.Compare(a.Task, b.Task), cmp.Compare(b.Nats, a.Nats), a.Dial.Compare(b.Dial))
	})
	return out
}

// sights counts answers: right ones, and ties.
type sights struct{ n, won, tied int }

// add adds an answer: 1 right, ½ a tie, 0 wrong.
func (t *sights) add(right float64) {
	t.n++
	switch right {
	case 1:
		t.won++
	case 0.5:
		t.tied++
	}
}

func (t *sights) accuracy() (float64, *Interval) { return relative(t.won, t.tied, t.n) }

// psychometricTable returns the accuracy of observers by the evidence that episodes give; nil if it is not known. Of the dials it has
// those that an episode uses.
func psychometricTable(s *Scores) *table.Table {
	rows := s.Psychometrics()
	if rows == nil {
		return nil
	}
	t := table.Table{
		Name: "psychometric", Title: "Psychometric curves: relative accuracy in per cent by evidence", Key: []string{"observer", "task"},
		View: &table.View{Where: "degenerate", Is: "false"},
		Foot: []string{"Nats: mean log odds of the expected outcome for an observer that knows how episodes are made, but not what actors prefer (in efficiency_path, pixels wasted over the noise, which bounds no observer); ideal is how often they favour it."},
	}
	fields := []table.Field[Psychometric]{
		table.Col(table.Column{Name: "observer", Kind: table.Text}, func(r Psychometric) table.Value { return table.String(r.Observer) }),
		table.Col(table.Column{Name: "task", Kind: table.Text}, func(r Psychometric) table.Value { return table.String(string(r.Task)) }),
	}
	for _, c := range []struct {
		table.Column
		of func(d bib.Dial) table.Value
	}{
		{table.Column{Name: "mixed", Digits: 2, Doc: "probability with which the actor took the other object in a familiarisation trial"}, func(d bib.Dial) table.Value { return table.Float(d.Mixed) }},
		{table.Column{Name: "noise", Unit: "pixels", Digits: 2, Doc: "temperature of walks"}, func(d bib.Dial) table.Value { return table.Float(d.Noise) }},
		{table.Column{Name: "hidden", Digits: 2, Doc: "proportion of familiar walks that is not shown"}, func(d bib.Dial) table.Value { return table.Float(d.Hidden) }},
		{table.Column{Name: "trials", Kind: table.Count, Doc: "familiarisation trials"}, func(d bib.Dial) table.Value { return table.Int(d.Shown()) }},
		{table.Column{Name: "distractors", Kind: table.Count, Doc: "objects to which nobody goes"}, func(d bib.Dial) table.Value { return table.Int(d.Distractors) }},
	} {
		none := c.of(bib.Dial{}).Text()
		if slices.ContainsFunc(rows, func(r Psychometric) bool { return c.of(r.Dial).Text() != none }) {
			t.Key = append(t.Key, c.Name)
			fields = append(fields, table.Col(c.Column, func(r Psychometric) table.Value { return c.of(r.Dial) }))
		}
	}
	return table.Of(t, rows, append(fields,
		table.Col(table.Column{Name: "nats", Digits: 2, Doc: "mean log odds of the expected outcome for the ideal observer"}, func(r Psychometric) table.Value { return table.Float(r.Nats) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Weight: 1, Doc: "items"}, func(r Psychometric) table.Value { return table.Int(r.N) }),
		table.Col(table.Column{Name: "accuracy", Digits: 1, Low: "low", High: "high", Doc: "items whose unexpected outcome surprised more, ties half"}, func(r Psychometric) table.Value { return table.Float(r.Accuracy) }),
		table.Col(table.Column{Name: "low"}, func(r Psychometric) table.Value { return low(r.Interval) }),
		table.Col(table.Column{Name: "high"}, func(r Psychometric) table.Value { return high(r.Interval) }),
		table.Col(table.Column{Name: "ideal", Digits: 1, Doc: "accuracy of an observer that knows everything except the preference"}, func(r Psychometric) table.Value { return table.Float(r.Ideal) }),
		table.Col(table.Column{Name: "degenerate", Kind: table.Flag, Hidden: true, Doc: "whether it is a shortcut baseline"}, func(r Psychometric) table.Value { return table.Bool(r.Degenerate) }),
	))
}
