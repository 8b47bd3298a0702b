package score

import (
	"cmp"
	"slices"
	"strings"

	"achilles/agents"
	"achilles/sim/num"
	"achilles/sim/table"
)

// A Taker is a subject as one among others of several kinds: what it did with the battery, and what asking it took.
type Taker struct {
	Name     string `json:"name"`
	ID       string `json:"id"`
	Kind     string `json:"kind"`               // agents.ByBody and so on
	Engine   string `json:"model,omitempty"`    // name of the language model
	N        int    `json:"n"`                  // scored responses
	Correct  *Share `json:"success,omitempty"`  // share of them that succeed; nil without any, or if they are not binary
	Unscored int    `json:"unscored,omitempty"` // trials that began and have no score

	Calls *TakerCalls `json:"calls,omitempty"` // nil if it is no language model
}

// TakerCalls says what a language model was asked in all trials, and what that took.
type TakerCalls struct {
	Requests  int      `json:"requests"`
	Refused   int      `json:"refused"`
	Malformed int      `json:"malformed"`
	Input     int      `json:"input"`
	Output    int      `json:"output"`
	Cost      float64  `json:"cost"`
	Latency   *float64 `json:"latency,omitempty"` // median over requests, in seconds
	Late      *float64 `json:"late,omitempty"`    // 95th percentile
}

// notTaken is the reason of trials that nobody took (external.NotTaken).
const notTaken = "not taken"

// gradeTakers sets the takers if a program, a person or a language model is among the subjects.
func gradeTakers(s *Scores, in Input) {
	if in.Sealed == nil || !slices.ContainsFunc(in.Public.Subjects, func(id string) bool {
		spec := in.Sealed.Subjects[id]
		return spec.Outside()
	}) {
		return
	}
	right, unscored, binary := make([]tallyShare, len(in.Public.Subjects)), make([]int, len(in.Public.Subjects)), true
	for _, r := range in.Public.Responses.All() {
		switch {
		case r.Measure != 0 || r.Unscored != 0 && in.Public.Reasons[r.Unscored] == notTaken:
		case r.Unscored != 0:
			unscored[r.Subject]++
		default:
			binary = binary && (r.Value == 0 || r.Value == 1)
			right[r.Subject].add(r.Value == 1)
		}
	}
	calls := map[string]*agents.Calls{}
	for _, c := range in.Sealed.Calls {
		if calls[c.Subject] == nil {
			calls[c.Subject] = &agents.Calls{}
		}
		calls[c.Subject].Add(c.Calls)
	}
	for i, id := range in.Public.Subjects {
		spec := in.Sealed.Subjects[id]
		x := Taker{Name: spec.Name, ID: id, Kind: spec.Kind(), N: right[i].n, Unscored: unscored[i]}
		if binary {
			x.Correct = right[i].share()
		}
		if spec.Model != nil {
			x.Engine, x.Calls = spec.Model.Model, takerCalls(spec.Model, calls[id])
		}
		s.Takers = append(s.Takers, x)
	}
	sortByName(s.Takers, func(x Taker) string { return x.Name })
	slices.SortStableFunc(s.Takers, func(a, b Taker) int { return cmp.Compare(a.Kind, b.Kind) })
}

func takerCalls(m *agents.LanguageModel, c *agents.Calls) *TakerCalls {
	if c == nil {
		c = &agents.Calls{}
	}
	out := &TakerCalls{Requests: c.Requests, Refused: c.Refused, Malformed: c.Malformed, Input: c.Input, Output: c.Output, Cost: m.Cost(*c)}
	if len(c.Seconds) > 0 {
		sorted := slices.Sorted(slices.Values(c.Seconds))
		median, late := num.SortedQuantile(sorted, 0.5), num.SortedQuantile(sorted, 0.95)
		out.Latency, out.Late = &median, &late
	}
	return out
}

// takerTable returns the subjects side by side; nil if all are of this program.
func takerTable(s *Scores) *table.Table {
	if s.Takers == nil {
		return nil
	}
	types := map[string]string{}
	if s.Verdicts != nil {
		for _, r := range s.Verdicts.Rows {
			types[r.Subject] = r.Family
		}
	}
	share := func(of func(*Share) float64) func(Taker) table.Value {
		return func(x Taker) table.Value {
			if x.Correct == nil {
				return table.None
			}
			return table.Float(of(x.Correct))
		}
	}
	asked := func(of func(*TakerCalls) table.Value) func(Taker) table.Value {
		return func(x Taker) table.Value {
			if x.Calls == nil {
				return table.None
			}
			return of(x.Calls)
		}
	}
	count := func(of func(*TakerCalls) int) func(Taker) table.Value {
		return asked(func(c *TakerCalls) table.Value { return table.Int(of(c)) })
	}
	return table.Of(table.Table{
		Name: "subjects", Title: "Subjects of every kind on the same battery", Key: []string{"subject"},
		Foot: []string{"Success: proportion of scored responses, with its exact 95 % interval. Refused and malformed answers are counted each time; a trial is unscored where the last one is."},
	}, s.Takers, []table.Field[Taker]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(x Taker) table.Value { return table.String(x.Name) }),
		table.Col(table.Column{Name: "kind", Kind: table.Text}, func(x Taker) table.Value { return table.String(strings.ReplaceAll(x.Kind, "-", " ")) }),
		table.Col(table.Column{Name: "model", Kind: table.Text, Weight: 4}, func(x Taker) table.Value { return table.Named(x.Engine) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "scored responses"}, func(x Taker) table.Value { return table.Int(x.N) }),
		table.Col(table.Column{Name: "success", Digits: 3, Low: "low", High: "high", Better: table.More}, share(func(p *Share) float64 { return p.Share })),
		table.Col(table.Column{Name: "low"}, share(func(p *Share) float64 { return p.Interval[0] })),
		table.Col(table.Column{Name: "high"}, share(func(p *Share) float64 { return p.Interval[1] })),
		table.Col(table.Column{Name: "classification", Kind: table.Text, Weight: 3}, func(x Taker) table.Value { return table.Named(types[x.ID]) }),
		table.Col(table.Column{Name: "unscored", Kind: table.Count, Weight: 1, Doc: "trials that began and have no score"}, func(x Taker) table.Value { return table.Int(x.Unscored) }),
		table.Col(table.Column{Name: "requests", Kind: table.Count, Weight: 2, Doc: "answered by the language model"}, count(func(c *TakerCalls) int { return c.Requests })),
		table.Col(table.Column{Name: "refused", Kind: table.Count, Weight: 1, Doc: "answers that refuse"}, count(func(c *TakerCalls) int { return c.Refused })),
		table.Col(table.Column{Name: "malformed", Kind: table.Count, Weight: 1, Doc: "answers that are not what was asked for"}, count(func(c *TakerCalls) int { return c.Malformed })),
		table.Col(table.Column{Name: "input", Head: "tokens read", Kind: table.Count, Weight: 5}, count(func(c *TakerCalls) int { return c.Input })),
		table.Col(table.Column{Name: "output", Head: "written", Kind: table.Count, Weight: 5}, count(func(c *TakerCalls) int { return c.Output })),
		table.Col(table.Column{Name: "cost", Digits: 4, Weight: 2, Doc: "in the unit of the scenario's prices"}, asked(func(c *TakerCalls) table.Value { return table.Float(c.Cost) })),
		table.Col(table.Column{Name: "latency", Digits: 2, Unit: "s", Weight: 2, Doc: "median per request"}, asked(func(c *TakerCalls) table.Value { return table.Maybe(c.Latency) })),
		table.Col(table.Column{Name: "late", Head: "95 %", Digits: 2, Unit: "s", Weight: 6, Doc: "95th percentile of the latency"}, asked(func(c *TakerCalls) table.Value { return table.Maybe(c.Late) })),
		table.Col(table.Column{Name: "id", Kind: table.Text, Weight: 9}, func(x Taker) table.Value { return table.String(x.ID) }),
	})
}
