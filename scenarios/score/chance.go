package score

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer"
	"achilles/infer/layout"
	"achilles/sim/record"
)

// chanceDraws is the largest number of posterior draws of a subject for which chances of success are computed. For figures there are
// fewer, but not fewer than leastDraws, if these have more than shownChances chances.
const (
	chanceDraws  = 200
	leastDraws   = 16
	shownChances = 1 << 26
)

// Chances computes the chances of success on all items that a layout gives a subject, one set of chances for each
// posterior draw. Success is the first binary measure.
type Chances struct {
	data      *record.Dataset
	design    *layout.Design
	layout    *layout.Layout
	sequences map[string]*sequence   // by opaque id, of the subjects that Of was asked for; nil unless the layout names the position of a response
	measure   int                    // index of the measure of success in the design
	draws     infer.Draws            // nil: none
	most      int                    // largest number of draws of a subject
	known     map[string][][]float64 // opaque id → chances that the method Of has computed, of at most mostKnown subjects
}

// mostKnown is the largest number of subjects whose chances are kept: those of a figure of many subjects.
const mostKnown = 128

// NewChances binds the layout of a result to the items. It returns nil if the layout does not model success, if it
// measures all subjects together, whose chances depend on items' parameters too, or if its text is not at hand.
func NewChances(in Input) (*Chances, error) {
	l, err := LayoutOf(in.Layouts, in.Result)
	if l == nil || err != nil || l.Joint() {
		return nil, err
	}
	if l.ByPosition(&in.Public.Items) {
		return newTrialChances(in, l)
	}
	design, err := l.Bind(&in.Public.Items, in.Public.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	return newChances(in, l, design), nil
}

// newChances returns the chances by a design. It returns nil if its layout does not model success.
func newChances(in Input, l *layout.Layout, design *layout.Design) *Chances {
	measure := -1
	if m := firstBinary(in.Public); m >= 0 {
		measure = slices.Index(design.Measures(), in.Public.Manifest.Measures[m].Name)
	}
	if measure < 0 {
		return nil
	}
	return &Chances{data: in.Public, design: design, layout: l, measure: measure, draws: in.Result.Draws, most: chanceDraws, known: map[string][][]float64{}}
}

// Shown returns the chances for figures, which have fewer draws if there would be too many chances.
func (c *Chances) Shown() *Chances {
	few := *c
	few.most = min(chanceDraws, max(leastDraws, shownChances/max(1, c.design.Rows())))
	few.known = map[string][][]float64{} // those of c may be of more draws
	return &few
}

// Size returns the largest number of draws of a subject, and the number of rows of a draw.
func (c *Chances) Size() (draws, rows int) { return c.most, c.design.Rows() }

// Row returns the row of the chances of a response's subject to which the response belongs. Responses in the same row have
// equal chances. Of must have been asked for the subject before.
func (c *Chances) Row(r *record.Response) int {
	if c.sequences == nil {
		return c.design.Row(int(r.Item))
	}
	return c.sequences[c.data.Subjects[r.Subject]].row[[2]int32{r.Item, r.Position}]
}

// An UnexplainedError says that a layout has no likelihood of the responses of a subject, so that it gives them no chances.
type UnexplainedError struct {
	Subject string // opaque id
	Err     error
}

// Error names the subject, and says what the layout cannot explain.
func (e *UnexplainedError) Error() string {
	return fmt.Sprintf("score: subject %s: %v", e.Subject, e.Err)
}

// Unwrap returns the reason.
func (e *UnexplainedError) Unwrap() error { return e.Err }

// Of returns the chances of a subject, given by its opaque id: draw → row of the design → chance of success. It returns
// nil if any parameter has no draws for the subject, and an UnexplainedError if the layout cannot explain its responses.
func (c *Chances) Of(id string) ([][]float64, error) {
	if p, ok := c.known[id]; ok {
		return p, nil
	}
	subject, ok := slices.BinarySearch(c.data.Subjects, id)
	if !ok {
		return nil, nil
	}
	design, responses, err := c.taken(subject)
	if err != nil {
		return nil, err
	}
	data, err := design.NewData(responses)
	if err != nil {
		return nil, &UnexplainedError{Subject: id, Err: err}
	}
	target := design.NewTarget(data)
	rows := design.Rows()
	expected := make([]float64, rows*len(design.Measures()))
	vectors, err := vectors(c.draws, id, design.Parameters(), c.most)
	if err != nil {
		return nil, err
	}
	var out [][]float64
	for _, theta := range vectors {
		target.Predict(theta, expected)
		out = append(out, slices.Clone(expected[c.measure*rows:][:rows]))
	}
	if len(c.known) == mostKnown {
		clear(c.known)
	}
	c.known[id] = out
	return out, nil
}

// vectors returns up to n draws of all parameters of a subject, evenly spaced among all its draws. It returns nil if
// a draw lacks a parameter.
func vectors(draws infer.Draws, subject string, parameters []layout.Parameter, n int) (out [][]float64, err error) {
	if draws == nil {
		return nil, nil
	}
	d, err := draws.Of(subject)
	if d == nil || err != nil {
		return nil, err
	}
	rows := len(d.Draw)
	n = min(n, rows)
	for i := range n {
		theta := make([]float64, len(parameters))
		for j, p := range parameters {
			k := slices.Index(draws.Parameters(), p.Name)
			if k < 0 {
				return nil, nil
			}
			if theta[j] = d.Values[k][(2*i+1)*rows/(2*n)]; math.IsNaN(theta[j]) {
				return nil, nil
			}
		}
		out = append(out, theta)
	}
	return out, nil
}
