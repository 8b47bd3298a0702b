package voe

import (
	"fmt"
	"slices"

	"achilles/sim/expr"
	"achilles/sim/record"
)

// An Observer watches videos.
type Observer interface {
	// Watch returns how surprising the test trial of v is after the familiarisation trials. The report depends on v
	// alone.
	Watch(v *View) Report
}

// A Report is the result of an observer that has watched a video.
type Report struct {
	Surprise float64      // surprise at the test trial, larger if it was less expected; not comparable between observers
	Beliefs  []Belief     // beliefs after every trial, the test trial last; nil for observers without beliefs
	Expected *Expectation // where the observer expects the actor of the test trial to go; nil if it does not say
	ahead    *ahead       // the same before it is compared with what happened
}

// A Belief is what an observer believes about a trial and its actor at the end of the trial.
type Belief struct {
	Actor      string   // identity of the actor
	Surprise   float64  // surprise at the trial, on the scale of Report.Surprise
	MaxStep    float64  // greatest surprise of a step: −log of its probability, in nats
	MeanStep   float64  // mean surprise of the steps, in nats
	Goals      []Share  // probabilities of the actor's goal in this trial
	Preference []Share  // probabilities of the actor's next goal if it could reach everything
	Manner     []Share  // probabilities of the actor's manners: temperatures, in half cells, and others
	ahead      *guide   // to where the observer expected the actor to go, before it set out; nil: it did not say
	Moments    []Moment // one for each frame in which the actor moved, and one for its stop; nil unless View.Moments is set
}

// A Share is the probability of an object or of a manner. Name is the identity of the object or the name of the manner.
type Share struct {
	Name string
	P    float64
}

// A Moment says how one frame of a trial changed an observer's beliefs.
type Moment struct {
	Frame  int
	Step   float64   // −log probability of what the frame shows, given all earlier frames
	Shift  float64   // how far the beliefs have moved in the trial: achilles in nats, hbtom as total variation distances
	Regret float64   // pixels wasted in this frame on the way to the most probable goal
	Goals  []float64 // posterior probabilities of the goals, in the order of Belief.Goals
}

// A Named is an observer with its name in reports.
type Named struct {
	Name string
	Observer
}

// Observers returns the observers that watch unless others are named, achilles first. root is the seed of the observer random, which
// guesses.
func Observers(root uint64) []Named {
	return []Named{
		{"achilles", DefaultPlanner()}, {"hbtom", HBToM{}}, {"random", guess{root}},
		{"closest_euclid", seeker(closestEuclid)}, {"closest_path", seeker(closestPath)},
		{"previous_location", location{}}, {"previous_path", baseline(previousPath)},
		{"any_object", baseline(anyObject)}, {"key_first", seeker(keyFirst)}, {"key_if_barrier", seeker(keyIfBarrier)},
		{"goto_object", seeker(gotoObject)}, {"duration", baseline(duration)}, {"familiarity", baseline(familiarity)},
		{"new_agent", baseline(newAgent)}, {"last_goal", seeker(lastGoal)}, {"usual_goal", seeker(usualGoal)}, {"straight", baseline(straight)},
	}
}

// All returns every observer of the package: Observers, then Minds.
func All(root uint64) []Named { return append(Observers(root), Minds()...) }

// Select returns the observers with these names, in the order of All. It returns Observers if names is empty. The error
// names a name that no observer has.
func Select(names []string, root uint64) ([]Named, error) {
	if len(names) == 0 {
		return Observers(root), nil
	}
	all := All(root)
	var known []string
	for _, o := range all {
		known = append(known, o.Name)
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, fmt.Errorf("no observer is called %q%s", n, expr.Listed(n, "There are", known))
		}
	}
	return slices.DeleteFunc(all, func(o Named) bool { return !slices.Contains(names, o.Name) }), nil
}

// identity returns the icon and the colour of a shape, as icon#rrggbb. Observers take shapes of equal identity for the
// same thing.
func identity(s *record.Shape) string {
	const hex = "0123456789abcdef"
	b := make([]byte, 0, len(s.Icon)+7)
	b = append(append(b, s.Icon...), '#')
	for _, c := range s.Colour {
		b = append(b, hex[c>>4], hex[c&15])
	}
	return string(b)
}
