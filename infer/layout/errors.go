package layout

import (
	"slices"

	"achilles/sim/record"
)

// Where a subject went that did not pass tells how it went wrong. A layout explains it by the response `error`, a choice among
// record.ErrorWords given that the subject did not pass; no data have such a measure, because it is in the choices of responses.

// inChoices is the index of the measure of such a response, which the record does not have.
const inChoices = -1

// ofErrors reports whether the response is where a subject went that did not pass.
func (r *ResponseModel) ofErrors() bool {
	return r.Measure == record.ErrorMeasure && r.Family == Choice
}

// ExplainsErrors reports whether the layout explains where a subject went that did not pass, besides whether it passed.
func (l *Layout) ExplainsErrors() bool {
	return slices.ContainsFunc(l.Responses, func(r ResponseModel) bool { return r.ofErrors() })
}

// checkErrors checks the response of errors, if there is one.
func (c *checker) checkErrors() error {
	binary := false
	for i := range c.Responses {
		r := &c.Responses[i]
		binary = binary || r.Family == Bernoulli
		if !r.ofErrors() {
			continue
		}
		if n := len(record.ErrorWords()); len(r.nodes) != n {
			return r.places[0].Errorf("%d utilities: an error has %d, of going to A, to where the reward was last seen, to the nearest place, to another, and to none", len(r.nodes), n)
		}
		if err := c.CheckSeparate(); err != nil {
			return r.places[0].Errorf("errors are for layouts that measure subjects one by one: %v", err)
		}
		if !binary {
			return r.places[0].Errorf("errors are of a binary response, which stands before them: define [response.success] first")
		}
	}
	return nil
}

// choose lets who did not pass in responses that were drawn go to a place: category k of record.ErrorWords.
func (d *Design) choose(drawn []record.Response, k int) {
	for i := range drawn {
		x := &drawn[i]
		for m, b := range d.responses {
			if b.measure != int(x.Measure) || !d.Binary(m) {
				continue
			}
			if x.Chosen.Went = record.ToRight; x.Value == 0 {
				x.Chosen.Went = record.ToA + record.Went(k)
			}
		}
	}
}
