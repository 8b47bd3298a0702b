// Package simulate draws subjects, items and their responses from a measurement layout, which is then a generator: every
// parameter from its prior, then every response from the layout at these parameters.
package simulate

import (
	"context"
	"errors"
	"fmt"
	"math"

	"achilles/infer/layout"
	"achilles/scenarios/generate"
	"achilles/sim/rng"
)

// Draw draws every parameter of a layout from its prior, and from these the given number of responses of every subject to
// every item. It sets the session's responses, sorted by subject, item and repetition, and its parameters. It returns an
// error if the layout does not fit the items, if its likelihood depends on the mean of the responses, or if the context was
// cancelled.
func Draw(ctx context.Context, s *generate.Session, l *layout.Layout, repetitions int) error {
	candidates, err := s.Candidates()
	if err != nil {
		return err
	}
	public := candidates.Public
	j, err := l.BindJoint(&public.Items, public.Subjects, public.Covariates, public.Manifest.Measures)
	if err != nil {
		return err
	}
	if j.UsesMeans() {
		return errMeans
	}
	theta := make([]float64, j.Len())
	random := rng.Stream(s.Root, "simulate", "parameters")
	j.DrawPrior(&random, theta)
	if s.Parameters, err = named(j, theta); err != nil {
		return err
	}
	return drawResponses(ctx, s, j, candidates, theta, repetitions)
}

var errMeans = errors.New("its likelihood depends on the mean of the responses, so that none can be drawn; a variant with a constant in that place can be simulated")

// named returns the values of theta by parameter and unit.
func named(j *layout.Joint, theta []float64) (map[string]map[string]float64, error) {
	out := map[string]map[string]float64{}
	for i, p := range j.Layout().Parameters {
		out[p.Name] = map[string]float64{}
		for u := range j.Units(i) {
			x := theta[j.First(i)+u]
			if math.IsInf(x, 0) || math.IsNaN(x) {
				return nil, fmt.Errorf("%s drawn from prior %s is not finite: narrow the prior", p.Name, p.Prior)
			}
			out[p.Name][j.UnitName(i, u)] = x
		}
	}
	return out, nil
}

// drawResponses draws the responses at the parameters theta.
func drawResponses(ctx context.Context, s *generate.Session, j *layout.Joint, candidates *generate.Candidates, theta []float64, repetitions int) error {
	random := rng.Stream(s.Root, "simulate", "responses")
	items, measures := s.Battery.Items.Len(), len(j.Layout().Responses)
	s.Responses = make([]generate.Response, len(s.Subjects)*items*repetitions*measures)
	for rep := range repetitions {
		if err := ctx.Err(); err != nil {
			return err
		}
		drawn, err := j.Simulate(theta, &random)
		if err != nil {
			return err
		}
		for k, x := range drawn { // by subject, item and measure
			subject, item := candidates.SubjectAt[x.Subject], candidates.ItemAt[x.Item]
			at := ((subject*items+item)*repetitions+rep)*measures + k%measures
			s.Responses[at] = generate.Response{Subject: subject, Item: item, Repetition: rep, Measure: int(x.Measure), Value: x.Value}
		}
	}
	return nil
}
