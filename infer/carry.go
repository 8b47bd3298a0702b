package infer

import (
	"fmt"
	"io/fs"
	"math"
	"slices"

	"achilles/infer/chargrid"
	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/table"
)

// A Carried has the priors of one subject that come from its posterior in another result.
type Carried struct {
	Subject string           `json:"subject"`
	Priors  []layout.Carried `json:"priors"`
}

// A carriedOver says how well the posteriors of one parameter are carried over.
type carriedOver struct {
	parameter   string
	subjects    int
	distance    float64 // the largest
	farthest    string  // the subject that has it
	correlation float64 // the largest in absolute value, of any subject, with another that is carried over; NaN if there is none
	with        string
}

// Carry returns the priors that approximate what a result says of the subjects of a public directory, for parameters that the layout and the
// result share by name, and a table of what the approximation leaves out. Each parameter is carried over by itself: correlations are lost.
// Subjects that the result does not have keep the layout's priors. No subject or no parameter in common, and what layout.Carry
// refuses, are errors, as is a layout that measures all subjects together.
func Carry(public fs.FS, res *Result, l *layout.Layout) ([]Carried, *table.Table, error) {
	if l.Joint() {
		return nil, nil, fmt.Errorf("layout %s measures all subjects together: no subject has priors of its own", l.Name)
	}
	if res.Draws == nil {
		return nil, nil, fmt.Errorf("the result has no draws to carry over")
	}
	data, err := record.Read(public)
	if err != nil {
		return nil, nil, err
	}
	items := &data.Items
	if l.ByPosition(items) {
		items = items.Taken(&data.Responses)
	}
	d, err := l.Bind(items, data.Manifest.Measures)
	if err != nil {
		return nil, nil, err
	}
	var at []int // by parameter of the layout: its index in the draws, or −1
	for _, name := range d.Names() {
		at = append(at, slices.Index(res.Draws.Parameters(), name))
	}
	if !slices.ContainsFunc(at, func(k int) bool { return k >= 0 }) {
		return nil, nil, fmt.Errorf("the result has no parameter of layout %s", l.Name)
	}
	var out []Carried
	over := map[string]*carriedOver{}
	for _, id := range data.Subjects {
		of, err := res.Draws.Of(id)
		if err != nil {
			return nil, nil, err
		}
		if of == nil {
			continue
		}
		draws := make([][]float64, len(of.Draw))
		for i := range draws {
			for _, k := range at {
				x := math.NaN()
				if k >= 0 {
					x = of.Values[k][i]
				}
				draws[i] = append(draws[i], x)
			}
		}
		c, distance, err := d.Carry(draws)
		if err != nil {
			return nil, nil, fmt.Errorf("subject %s: %w", id, err)
		}
		out = append(out, Carried{id, c})
		note(over, id, c, distance, of, res.Draws.Parameters())
	}
	if out == nil {
		return nil, nil, fmt.Errorf("the result has none of these subjects, such as %s", data.Subjects[0])
	}
	return out, carriedTable(d.Names(), over), nil
}

// note adds to over what is lost of one subject.
func note(over map[string]*carriedOver, id string, priors []layout.Carried, distance []float64, of *SubjectDraws, parameters []string) {
	values := func(name string) []float64 { return of.Values[slices.Index(parameters, name)] }
	for i, c := range priors {
		x := over[c.Parameter]
		if x == nil {
			x = &carriedOver{parameter: c.Parameter, correlation: math.NaN()}
			over[c.Parameter] = x
		}
		if x.subjects++; x.farthest == "" || distance[i] > x.distance {
			x.distance, x.farthest = distance[i], id
		}
		for k, o := range priors {
			if r := chargrid.Pearson(values(c.Parameter), values(o.Parameter), nil); k != i && r == r && !(math.Abs(r) <= math.Abs(x.correlation)) {
				x.correlation, x.with = r, o.Parameter
			}
		}
	}
}

func carriedTable(order []string, over map[string]*carriedOver) *table.Table {
	var rows []*carriedOver
	for _, name := range order {
		if x := over[name]; x != nil {
			rows = append(rows, x)
		}
	}
	t := table.Table{Name: "carried", Title: "Posteriors carried over as priors", Key: []string{"parameter"},
		Foot: []string{"Each posterior is approximated by one distribution (normal, of the logarithm where positive, beta between bounds), each parameter by itself: correlations are lost."}}
	return table.Of(t, rows, []table.Field[*carriedOver]{
		table.Col(table.Column{Name: "parameter", Kind: table.Text}, func(x *carriedOver) table.Value { return table.String(x.parameter) }),
		table.Col(table.Column{Name: "subjects", Kind: table.Count}, func(x *carriedOver) table.Value { return table.Int(x.subjects) }),
		table.Col(table.Column{Name: "distance", Digits: 3, Doc: "largest distance between the distribution functions of draws and prior, over subjects"}, func(x *carriedOver) table.Value { return table.Float(x.distance) }),
		table.Col(table.Column{Name: "at", Kind: table.Text, Doc: "subject that has it"}, func(x *carriedOver) table.Value { return table.String(x.farthest) }),
		table.Col(table.Column{Name: "correlation", Digits: 2, Doc: "largest correlation of draws that is lost, over subjects"}, func(x *carriedOver) table.Value { return table.Maybe(num.Finite(x.correlation)) }),
		table.Col(table.Column{Name: "with", Kind: table.Text, Doc: "the other parameter"}, func(x *carriedOver) table.Value { return table.String(x.with) }),
	})
}

// carrying returns the run in which the subject has the priors that are carried over to it; the run itself if there are none.
func carrying(r *run, id string) (*run, error) {
	i := slices.IndexFunc(r.Carried, func(c Carried) bool { return c.Subject == id })
	if i < 0 {
		return r, nil
	}
	own := *r
	own.Layout = layout.WithPriors(r.Layout, r.Carried[i].Priors)
	if own.byPosition() { // it is bound to the trials of the subject, later
		return &own, nil
	}
	return &own, own.bindTo(&r.data.Items)
}
