package voe

import (
	"fmt"
	"slices"
	"strings"

	"achilles/sim/expr"
	"achilles/sim/record"
)

// An Observer watches videos.
type Observer interface {
	// Watch says how surprising the test trial of v is after its familiarisation trials. It depends on v alone.
	Watch(v *View) Report
}

// A Report is what an observer makes of a video.
type Report struct {
	Surprise float64  // of the test trial: the larger, the less expected. Only comparable within an observer
	Beliefs  []Belief // after every trial, the test trial last; nil for observers without beliefs
}

// A Belief is what an observer thinks of one trial, and of its actor after it.
type Belief struct {
	Actor      string // identity of the actor
	Surprise   float64
	MaxStep    float64  // greatest and mean surprise of a single step: −log of its probability, in nats
	MeanStep   float64  //
	Goals      []Share  // what the actor was after in this trial
	Preference []Share  // what it would be after, were everything within reach
	Manner     []Share  // how it goes about it: temperatures in half cells, and other manners
	Moments    []Moment // one a frame in which the actor moved, and one for its stop; nil unless View.Moments
}

// A Share is a probability with its name: the identity of an object, or a manner.
type Share struct {
	Name string
	P    float64
}

// A Moment is what a frame adds to what an observer thinks.
type Moment struct {
	Frame  int
	Step   float64   // −log probability of what the frame shows, given all before it
	Shift  float64   // how far the beliefs have moved since the trial began, in nats
	Regret float64   // pixels wasted in this frame on the way to the likeliest goal
	Goals  []float64 // posterior probabilities of Belief.Goals
}

// A Named observer is an observer with the name it is reported under.
type Named struct {
	Name string
	Observer
}

// Observers returns every observer of the package, ours first. Root names the stream of the one that guesses.
func Observers(root uint64) []Named {
	return []Named{
		{"achilles", DefaultPlanner()}, {"hbtom", HBToM{}}, {"random", guess{root}},
		{"closest_euclid", baseline(closestEuclid)}, {"closest_path", baseline(closestPath)},
		{"previous_location", baseline(previousLocation)}, {"previous_path", baseline(previousPath)},
		{"any_object", baseline(anyObject)}, {"key_first", baseline(keyFirst)}, {"key_if_barrier", baseline(keyIfBarrier)},
		{"goto_object", baseline(gotoObject)}, {"duration", baseline(duration)}, {"familiarity", baseline(familiarity)},
		{"new_agent", baseline(newAgent)},
	}
}

// Select returns the observers with these names, in the order of Observers; none: all. The error says which name there
// is not.
func Select(names []string, root uint64) ([]Named, error) {
	all := Observers(root)
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, o := range all {
		known = append(known, o.Name)
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, fmt.Errorf("no observer is called %q%s; there are %s", n, expr.DidYouMean(n, known), strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(all, func(o Named) bool { return !slices.Contains(names, o.Name) }), nil
}

// identity is what tells things apart: icon and colour.
func identity(s *record.Shape) string {
	const hex = "0123456789abcdef"
	b := make([]byte, 0, len(s.Icon)+7)
	b = append(append(b, s.Icon...), '#')
	for _, c := range s.Colour {
		b = append(b, hex[c>>4], hex[c&15])
	}
	return string(b)
}
