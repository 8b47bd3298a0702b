package score

import (
	"slices"

	"achilles/agents"
	"achilles/infer/layout"
	"achilles/sim/record"
)

// trueChances gives the probabilities of success under the truth: by the subject's rule, or by the layout at its true parameters.
type trueChances struct {
	e        *Explainer
	rule     *agents.ResponseModel
	expected []float64 // by row of the design; nil: not known
}

// turnTo makes it the chances of a subject.
func (c *trueChances) turnTo(id string) error {
	c.expected = nil
	in := &c.e.in
	if c.rule = ruleOf(in.Sealed, id, &in.Public.Items); c.rule != nil || c.e.chances == nil {
		return nil
	}
	subject, ok := slices.BinarySearch(in.Public.Subjects, id)
	truth := trueParameters(in.Sealed, id, in.Result.Settings.Layout.SHA256)
	if !ok || len(truth) == 0 {
		return nil
	}
	design, responses, err := c.e.chances.taken(subject)
	if err != nil {
		return err
	}
	theta, all := vectorOf(truth, design.Parameters())
	if !all {
		return nil
	}
	data, err := design.NewData(responses)
	if err != nil {
		return nil // the layout gives the subject no chances
	}
	rows := design.Rows()
	expected := make([]float64, rows*len(design.Measures()))
	design.NewTarget(data).Predict(theta, expected)
	c.expected = expected[c.e.chances.measure*rows:][:rows]
	return nil
}

// vectorOf returns the parameter vector of named values. all is false if one has no value.
func vectorOf(values map[string]float64, parameters []layout.Parameter) (theta []float64, all bool) {
	all = true
	for _, p := range parameters {
		x, ok := values[p.Name]
		theta, all = append(theta, x), all && ok
	}
	return theta, all
}

// of returns the probability of success of a response of the subject. ok is false if it is not known.
func (c *trueChances) of(r *record.Response) (p float64, ok bool) {
	switch {
	case c.rule != nil:
		return c.rule.P(int(r.Item)), true
	case c.expected == nil:
		return 0, false
	}
	return c.expected[c.e.chances.Row(r)], true
}
