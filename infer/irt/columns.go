package irt

import (
	"fmt"
	"math"

	"achilles/sim/expr"
	"achilles/sim/record"
)

// covariate returns a column of the subjects.
func covariate(d *record.Dataset, flag, name string) (*record.Column, error) {
	var names []string
	for i := range d.Covariates {
		if d.Covariates[i].Name == name {
			return &d.Covariates[i], nil
		}
		names = append(names, d.Covariates[i].Name)
	}
	if names == nil {
		return nil, fmt.Errorf("--%s %s: there is no table of subjects: give one with --subjects FILE", flag, name)
	}
	return nil, fmt.Errorf("--%s %s: subjects have no such column%s", flag, name, expr.Listed(name, "They have", names))
}

// weights returns how many subjects each row stands for; nil: one.
func (in *input) weights(d *record.Dataset, name string) ([]float64, error) {
	if name == "" {
		return nil, nil
	}
	c, err := covariate(d, "count", name)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(d.Subjects))
	for i := range out {
		switch {
		case c.Kind != record.Number || c.Missing != nil && c.Missing[i]:
			return nil, fmt.Errorf("--count %s: subject %s has no number there", name, d.Subjects[i])
		case !(c.Number[i] >= 0) || c.Number[i] != math.Trunc(c.Number[i]):
			return nil, fmt.Errorf("--count %s: subject %s has %g there: want a whole number from 0", name, d.Subjects[i], c.Number[i])
		}
		out[i] = c.Number[i]
	}
	return out, nil
}
