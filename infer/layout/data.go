package layout

import (
	"cmp"
	"fmt"
	"slices"

	"achilles/infer/loglik"
	"achilles/sim/record"
)

// Data are the Cells of one subject, in one block whose plan has all distinct rows (see Design). Equal responses are counted.
type Data struct {
	*Cells
	tallies []Tally
	inputs  []float64
}

// A Tally says how often a subject gave a value of a measure to items of one distinct row.
type Tally struct {
	Measure int // index in Design.Measures
	Row     int // index of the distinct row
	Value   float64
	Count   int
}

// A NoResponse says that a layout uses mean(measure) of a subject that gave no scored response to the measure.
type NoResponse struct{ Layout, Measure, Subject string }

func (e *NoResponse) Error() string {
	if e.Subject != "" {
		return fmt.Sprintf("layout %s: mean(%s) is wanted of subject %s, who has no response to it", e.Layout, e.Measure, e.Subject)
	}
	return fmt.Sprintf("layout %s: mean(%s) is wanted of a subject without a %s response", e.Layout, e.Measure, e.Measure)
}

// NewData counts the responses of one subject. It leaves out responses without a score, and those of measures that the
// layout does not explain. It returns an error for a value that the family of its measure cannot have, for an item out of
// range, and a *NoResponse.
func (d *Design) NewData(responses []record.Response) (*Data, error) {
	out := &Data{Cells: d.cells(nil)}
	out.given = slices.Clone(responses)
	answered := map[string]bool{}
	errors := slices.IndexFunc(d.responses, func(b boundResponse) bool { return b.measure == inChoices })
	for i, r := range responses {
		out.given[i].Subject = 0
		m := slices.IndexFunc(d.responses, func(b boundResponse) bool { return b.measure == int(r.Measure) })
		if m < 0 || r.Unscored != 0 {
			continue
		}
		if r.Item < 0 || int(r.Item) >= len(d.rowOf) {
			return nil, fmt.Errorf("layout %s: response to item number %d of %d", d.layout.Name, r.Item, len(d.rowOf))
		}
		if d.judged == m+1 {
			id := d.items.ID[r.Item]
			if answered[id] {
				return nil, fmt.Errorf("layout %s: a subject has several responses to item %s, which has one true value for all: a judge is for one response per item, so keep one, or leave out judge", d.layout.Name, id)
			}
			answered[id] = true
		}
		out.at, out.used = append(out.at, cellAt{measure: int32(m), row: int32(d.rowOf[r.Item]), value: r.Value}), append(out.used, i)
		out.tallies = append(out.tallies, Tally{m, d.rowOf[r.Item], r.Value, 1})
		if k, ok := r.Chosen.Error(); ok && errors >= 0 && d.Binary(m) && r.Value == 0 {
			out.tallies = append(out.tallies, Tally{errors, d.rowOf[r.Item], float64(k), 1})
		}
	}
	out.tallies = collapse(out.tallies)
	block := &out.blocks[0]
	for _, p := range out.tallies {
		block.obs[p.Measure] = append(block.obs[p.Measure], loglik.Observation{Row: p.Row, Value: p.Value, Count: float64(p.Count)})
	}
	means, err := d.Means(out.given)
	if err != nil {
		return nil, err
	}
	for _, m := range means {
		out.inputs = append(out.inputs, m[0])
	}
	block.inputs = out.inputs
	if _, err := d.plan.NewWorkspace(block.inputs, block.obs); err != nil {
		return nil, fmt.Errorf("layout %s: %w", d.layout.Name, err)
	}
	return out, nil
}

// CompareTallies orders tallies as Data.Tallies has them.
func CompareTallies(a, b Tally) int {
	return cmp.Or(cmp.Compare(a.Measure, b.Measure), cmp.Compare(a.Row, b.Row), cmp.Compare(a.Value, b.Value))
}

// collapse sorts tallies and adds up the counts of those with equal measure, row and value. Each tally in the argument
// must have Count 1.
func collapse(tallies []Tally) []Tally {
	slices.SortFunc(tallies, CompareTallies)
	var out []Tally
	for _, p := range tallies {
		if k := len(out) - 1; k >= 0 && out[k].Measure == p.Measure && out[k].Row == p.Row && out[k].Value == p.Value {
			out[k].Count++
			continue
		}
		out = append(out, p)
	}
	return out
}

// Tallies returns the counts, sorted by measure, row and value. The slice must not be changed.
func (d *Data) Tallies() []Tally { return d.tallies }

// WithoutResponses returns data of the same subject for another design of the layout: without responses, but with the means of all of
// them, where the layout uses these.
func (d *Data) WithoutResponses(other *Design) *Data {
	return &Data{Cells: other.cells(d.inputs), inputs: d.inputs}
}

// cells returns Cells without responses, where the means of responses that the layout uses are these.
func (d *Design) cells(means []float64) *Cells {
	block := cellBlock{plan: d.plan, responses: d.responses, inputs: means, obs: make([][]loglik.Observation, len(d.responses))}
	for i := range d.Len() {
		block.frame.index = append(block.frame.index, i)
	}
	return &Cells{joint: d.Joint, blocks: []cellBlock{block}}
}
