package embodied

import (
	"fmt"
	"math"
)

// A Trait is a number in which bodies differ.
type Trait struct {
	Name, Part, Unit, Doc string
	Default               float64 // +Inf: no limit
	Low, High             float64 // the range of legal values
}

// Legal reports whether x is a legal value of the trait.
func (t Trait) Legal(x float64) bool { return x >= t.Low && x <= t.High }

// Limits returns the legal values in words, such as "a number from 0 to 1".
func (t Trait) Limits() string {
	if math.IsInf(t.High, 1) {
		if math.IsInf(t.Low, -1) {
			return "a number"
		}
		return fmt.Sprintf("a number from %v", t.Low)
	}
	return fmt.Sprintf("a number from %v to %v", t.Low, t.High)
}

// The indices of the traits, in the order of Traits.
const (
	visual = iota
	acuity
	fieldOfView
	persistence
	memory
	effort
	op
	capacity
	lookAlike
	tracking
	tubes
	timing
	openings
	sizes
	when
	number
	visits
	unbaited
	flatNav
	retreat
	rightLeft
	lava
	ramp
	platform
	slip
	pullLeft
	pullRight
	inhibition
	rationality
	shyRed
	shyGreen
	shyBlue
	noise
	chance
	traitCount
)

// Traits returns all traits, ordered by the five parts of a body (Trait.Part).
func Traits() []Trait {
	inf := math.Inf(1)
	level := func(name, part, unit, doc string) Trait { return Trait{name, part, unit, doc, inf, -inf, inf} }
	share := func(name, part, doc string, otherwise float64) Trait {
		return Trait{name, part, "probability", doc, otherwise, 0, 1}
	}
	return []Trait{
		visual:      level("visual", "perception", "size", "a reward is seen where a draw around this is not below how much smaller it is than the largest"),
		acuity:      {"acuity", "perception", "cells a size", "a reward is seen up to its size times so many cells away", inf, 0.01, inf},
		fieldOfView: {"fieldOfView", "perception", "degrees", "what lies so far off the heading to either side is seen; 180: all round", 180, 1, 180},
		persistence: share("persistence", "belief", "a reward out of sight goes on to exist for the body; where it does not, it is out of mind", 1),
		memory:      level("memory", "belief", "time", "what is out of sight is remembered for a time drawn around this"),
		effort:      {"effort", "belief", "time a place", "added to that time for every other place in which the reward could lie: who would have to search for longer remembers for longer", 0, -inf, inf},
		op:          level("op", "belief", "places", "where a hidden reward lies is known where a draw around this is not below the number of other places in which it could lie"),
		capacity:    {"capacity", "belief", "rewards", "so many hidden rewards are kept in mind", inf, 0, inf},
		lookAlike:   share("lookAlike", "belief", "the place of a hidden reward is mistaken for another that looks the same", 0),
		tracking:    level("tracking", "belief", "moves", "a hidden reward is followed where a draw around this is not below how often its cover came to a place; otherwise it is taken to be where it vanished"),
		tubes:       share("tubes", "belief", "a reward that went into a tube is taken to be at its end; where it is not, straight on, if there is a place", 1),
		timing:      share("timing", "belief", "where a reward would have been seen by now it is not; where this is not known, it is taken to be at the nearest end of its tube", 1),
		openings:    share("openings", "belief", "a reward is not taken to be behind an opening that is too narrow for it", 1),
		sizes:       share("sizes", "belief", "a reward is not taken to be under a cover that is smaller than it", 1),
		when:        share("when", "belief", "a reward has perished for the body when one like it has vanished in the open", 1),
		number:      level("number", "belief", "rewards", "so many rewards at one place are told from fewer at another where a draw around this is not below their number; otherwise the body goes to the fewer"),
		visits:      level("visits", "belief", "places", "the body keeps away from the places that it saw emptied, where a draw around this is not below their number; otherwise it goes to one of them"),
		unbaited:    level("unbaited", "belief", "places", "the body keeps away from the places in which it saw none of several rewards, where a draw around this is not below their number; otherwise it goes to one of them"),
		flatNav:     level("flatNav", "plan", "distance", "the body walks no farther than a distance drawn around this"),
		retreat:     level("retreat", "plan", "cells", "round a barrier the body goes away from where it wants to go by no more than a draw around this"),
		rightLeft:   {"rightLeft", "plan", "distance", "added to that distance for what lies on the right, and taken off on the left", 0, -inf, inf},
		lava:        share("lava", "act", "lava is survived; where it is not, the body walks into it", 1),
		ramp:        share("ramp", "act", "ramps are mastered; where they are not, the body is stuck on the first", 1),
		platform:    share("platform", "act", "platforms are mastered; where they are not, the body falls off the first and lies there", 1),
		slip:        share("slip", "act", "at every step past lava or a hole, the body slips into it", 0),
		pullLeft:    share("pullLeft", "act", "the body goes to the place farthest on the left, whatever it believes", 0),
		pullRight:   share("pullRight", "act", "the body goes to the place farthest on the right, whatever it believes", 0),
		inhibition:  level("inhibition", "act", "hidings", "the body does not go back to where it saw the reward hidden and found before, where a draw around this is not below how often that was"),
		rationality: level("rationality", "act", "nats", "inverse temperature of a Boltzmann choice: the body goes to where the reward is for it with odds of exp(rationality) to 1 against each other place"),
		shyRed:      share("shyRed", "act", "an occluder of which red is above 200 keeps the body from setting off", 0),
		shyGreen:    share("shyGreen", "act", "an occluder of which green is above 200 keeps the body from setting off", 0),
		shyBlue:     share("shyBlue", "act", "an occluder of which blue is above 200 keeps the body from setting off", 0),
		noise:       share("noise", "act", "a coin decides instead of everything else", 0),
		chance:      share("chance", "act", "rate at which that coin walks to the reward with full information; otherwise the body stays", 0),
	}
}
