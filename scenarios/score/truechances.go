package score

import (
	"math"
	"slices"

	"achilles/agents"
	"achilles/sim/record"
)

// trueChances gives the probabilities of success under the truth: at the values that a layout drew, by the subject's rule, or by the layout at
// its true parameters.
type trueChances struct {
	e        *Explainer
	drawn    *drawnTruth // nil: no layout drew the responses
	rule     *agents.ResponseModel
	expected []float64 // by row of the design; nil: not known
}

// turnTo makes it the chances of a subject.
func (c *trueChances) turnTo(id string) error {
	c.expected = nil
	in := &c.e.in
	if c.rule = ruleOf(in.Sealed, id, &in.Public.Items); c.drawn != nil || c.rule != nil || c.e.chances == nil {
		return nil
	}
	subject, ok := slices.BinarySearch(in.Public.Subjects, id)
	truth := trueParameters(in.Sealed, id, c.e.layout, in.Result.Settings.Layout.SHA256)
	if !ok || len(truth.values) == 0 {
		return nil
	}
	design, responses, err := c.e.chances.taken(subject)
	if err != nil {
		return err
	}
	theta, all := truth.vector(design.Parameters())
	if !all {
		return nil
	}
	data, err := design.NewData(responses)
	if err != nil {
		return nil // the layout gives the subject no chances
	}
	rows := design.Rows()
	expected := make([]float64, rows*len(design.Measures()))
	sure, with := truth.sure(theta, design.Parameters())
	design.NewTarget(data).Predict(sure, expected)
	c.expected = expected[c.e.chances.measure*rows:][:rows]
	for i, p := range c.expected {
		c.expected[i] = with(p)
	}
	return nil
}

// of returns the probability of success of a response of the subject. ok is false if it is not known.
func (c *trueChances) of(r *record.Response) (p float64, ok bool) {
	switch {
	case c.drawn != nil:
		return c.drawn.of(r)
	case c.rule != nil:
		return c.rule.P(int(r.Item)), true
	case c.expected == nil:
		return 0, false
	}
	p = c.expected[c.e.chances.Row(r)]
	return p, !math.IsNaN(p)
}
