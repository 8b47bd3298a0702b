package score

import (
	"cmp"
	"slices"

	"achilles/battery/bib"
	"achilles/sim/table"
)

// A Psychometric says how often an observer is right where actors have taken the other object with one probability.
type Psychometric struct {
	Observer   string
	Degenerate bool // whether it is a shortcut baseline
	Task       bib.Task
	Mixed      float64   // probability with which the actor took the other object in a familiarisation trial
	Nats       float64   // expected evidence of the preference (bib.Evidence)
	Ideal      float64   // accuracy, in per cent, of an observer that knows how the episodes are made but for the preference
	N          int       // items
	Accuracy   float64   // in per cent, ties half
	Interval   *Interval // 95 %, Clopper–Pearson, in per cent
}

// Psychometrics returns how often each observer is right at each level of bib.mixed, by observer and task, from the most evidence
// to the least; none if the episodes have one level.
func (s *Scores) Psychometrics() (out []Psychometric) {
	type cell struct {
		task  bib.Task
		mixed float64
	}
	rights := map[cell]map[string][]float64{}
	var cells []cell
	for i := range s.Seen {
		x := &s.Seen[i]
		if x.Mixed == nil || x.Right == nil {
			continue
		}
		c := cell{x.Task, *x.Mixed}
		if rights[c] == nil {
			rights[c] = map[string][]float64{}
			cells = append(cells, c)
		}
		for o, r := range x.Right {
			rights[c][o] = append(rights[c][o], r)
		}
	}
	for _, o := range s.ObserverNames() {
		for _, c := range cells {
			nats, ideal, ok := bib.Evidence(c.task, c.mixed)
			if right := rights[c][o]; ok && len(right) > 0 {
				won, ties := 0, 0
				for _, r := range right {
					switch r {
					case 1:
						won++
					case 0.5:
						ties++
					}
				}
				share, interval := relative(won, ties, len(right))
				out = append(out, Psychometric{o, !contends(o), c.task, c.mixed, nats, 100 * ideal, len(right), share, interval})
			}
		}
	}
	order := s.ObserverNames()
	slices.SortStableFunc(out, func(a, b Psychometric) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Observer), slices.Index(order, b.Observer)), cmp.Compare(a.Task, b.Task), cmp.Compare(a.Mixed, b.Mixed))
	})
	return out
}

// psychometricTable returns the accuracy of observers by the evidence that episodes give; nil if all give as much.
func psychometricTable(s *Scores) *table.Table {
	rows := s.Psychometrics()
	if rows == nil {
		return nil
	}
	return table.Of(table.Table{
		Name: "psychometric", Title: "Psychometric curves: relative accuracy in per cent by evidence", Key: []string{"observer", "task", "mixed"},
		View: &table.View{Where: "degenerate", Is: "false"},
		Foot: []string{"Nats are the expected log odds of the preferred object after familiarisation, all preferences equally likely beforehand; ideal is who counts by just these odds."},
	}, rows, []table.Field[Psychometric]{
		table.Col(table.Column{Name: "observer", Kind: table.Text}, func(r Psychometric) table.Value { return table.String(r.Observer) }),
		table.Col(table.Column{Name: "task", Kind: table.Text}, func(r Psychometric) table.Value { return table.String(string(r.Task)) }),
		table.Col(table.Column{Name: "mixed", Digits: 2, Doc: "probability with which the actor took the other object in a familiarisation trial"}, func(r Psychometric) table.Value { return table.Float(r.Mixed) }),
		table.Col(table.Column{Name: "nats", Digits: 2, Doc: "expected log odds of the preferred object after familiarisation"}, func(r Psychometric) table.Value { return table.Float(r.Nats) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Weight: 1, Doc: "items"}, func(r Psychometric) table.Value { return table.Int(r.N) }),
		table.Col(table.Column{Name: "accuracy", Digits: 1, Low: "low", High: "high", Doc: "items whose unexpected outcome surprised more, ties half"}, func(r Psychometric) table.Value { return table.Float(r.Accuracy) }),
		table.Col(table.Column{Name: "low"}, func(r Psychometric) table.Value { return low(r.Interval) }),
		table.Col(table.Column{Name: "high"}, func(r Psychometric) table.Value { return high(r.Interval) }),
		table.Col(table.Column{Name: "ideal", Digits: 1, Doc: "accuracy of an observer that knows all but the preference"}, func(r Psychometric) table.Value { return table.Float(r.Ideal) }),
		table.Col(table.Column{Name: "degenerate", Kind: table.Flag, Hidden: true, Doc: "whether it is a shortcut baseline"}, func(r Psychometric) table.Value { return table.Bool(r.Degenerate) }),
	})
}
