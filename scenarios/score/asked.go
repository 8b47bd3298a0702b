package score

import (
	"slices"

	"achilles/infer/voe"
	"achilles/sim/table"
)

// An Asked says what an observer that is a language model was asked about all videos, and what that took.
type Asked struct {
	Observer  string  `json:"observer"`
	Videos    int     `json:"videos"`
	Silent    int     `json:"silent"` // videos for which it has no surprise
	Requests  int     `json:"requests"`
	Refused   int     `json:"refused"`
	Malformed int     `json:"malformed"`
	Input     int     `json:"input"`
	Output    int     `json:"output"`
	Cost      float64 `json:"cost"`
	Latency   float64 `json:"latency"` // mean per request, in seconds
}

// sumAsked returns one row for each language model, in the order of the rows.
func sumAsked(rows []voe.Asked) (out []Asked) {
	for _, r := range rows {
		i := slices.IndexFunc(out, func(x Asked) bool { return x.Observer == r.Observer })
		if i < 0 {
			i, out = len(out), append(out, Asked{Observer: r.Observer})
		}
		x := &out[i]
		x.Videos++
		if r.Failed != "" {
			x.Silent++
		}
		x.Requests, x.Refused, x.Malformed = x.Requests+int(r.Requests), x.Refused+int(r.Refused), x.Malformed+int(r.Malformed)
		x.Input, x.Output, x.Cost, x.Latency = x.Input+int(r.Input), x.Output+int(r.Output), x.Cost+r.Cost, x.Latency+r.Seconds
	}
	for i := range out {
		out[i].Latency /= float64(max(out[i].Requests, 1))
	}
	return out
}

// askedTable returns what language models that observe were asked; nil if none does.
func askedTable(s *Scores) *table.Table {
	if s.Asked == nil {
		return nil
	}
	count := func(of func(x Asked) int) func(Asked) table.Value {
		return func(x Asked) table.Value { return table.Int(of(x)) }
	}
	return table.Of(table.Table{
		Name: "language-models", Title: "Language models that observe", Key: []string{"observer"},
		Foot: []string{"An episode with a video without a surprise counts as half right."},
	}, s.Asked, []table.Field[Asked]{
		table.Col(table.Column{Name: "observer", Kind: table.Text}, func(x Asked) table.Value { return table.String(x.Observer) }),
		table.Col(table.Column{Name: "videos", Kind: table.Count}, count(func(x Asked) int { return x.Videos })),
		table.Col(table.Column{Name: "silent", Head: "without surprise", Kind: table.Count, Doc: "videos whose last answer refused or was malformed"}, count(func(x Asked) int { return x.Silent })),
		table.Col(table.Column{Name: "requests", Kind: table.Count, Weight: 1}, count(func(x Asked) int { return x.Requests })),
		table.Col(table.Column{Name: "refused", Kind: table.Count, Doc: "answers that refuse"}, count(func(x Asked) int { return x.Refused })),
		table.Col(table.Column{Name: "malformed", Kind: table.Count, Doc: "answers that are not what was asked for"}, count(func(x Asked) int { return x.Malformed })),
		table.Col(table.Column{Name: "input", Head: "tokens read", Kind: table.Count, Weight: 2}, count(func(x Asked) int { return x.Input })),
		table.Col(table.Column{Name: "output", Head: "written", Kind: table.Count, Weight: 2}, count(func(x Asked) int { return x.Output })),
		table.Col(table.Column{Name: "cost", Digits: 4}, func(x Asked) table.Value { return table.Float(x.Cost) }),
		table.Col(table.Column{Name: "latency", Unit: "s", Digits: 2, Doc: "mean per request"}, func(x Asked) table.Value { return table.Float(x.Latency) }),
	})
}
