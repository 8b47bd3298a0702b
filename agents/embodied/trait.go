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
	ratio
	area
	cohesion
	gone
	decoys
	boards
	tools
	winRate
	lossRate
	ruleRate
	spanRate
	flatNav
	retreat
	reach
	rightLeft
	lava
	ramp
	platform
	slip
	pullLeft
	pullRight
	inhibition
	restraint
	fading
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
		visual:      level("visual", "perception", "size", "a reward is seen if a draw around this is at least the largest size minus its size"),
		acuity:      {"acuity", "perception", "cells per size", "a reward is seen up to this many cells per unit of its size away", inf, 0.01, inf},
		fieldOfView: {"fieldOfView", "perception", "degrees", "field of view to either side of the heading; 180: all round", 180, 1, 180},
		persistence: share("persistence", "belief", "a reward out of sight is still represented; otherwise it is forgotten", 1),
		memory:      level("memory", "belief", "time", "what is out of sight is remembered for a time drawn around this"),
		effort:      {"effort", "belief", "time per place", "added to that time for every other place in which the reward could lie: who would have to search for longer remembers for longer", 0, -inf, inf},
		op:          level("op", "belief", "places", "the place of a hidden reward is known if a draw around this is at least the number of other possible places"),
		capacity:    {"capacity", "belief", "rewards", "number of hidden rewards that are kept in mind", inf, 0, inf},
		lookAlike:   share("lookAlike", "belief", "the place of a hidden reward is mistaken for another that looks the same", 0),
		tracking:    level("tracking", "belief", "moves", "a hidden reward is tracked if a draw around this is at least the number of moves of its cover; otherwise it is believed to be where it vanished"),
		tubes:       share("tubes", "belief", "a reward that entered a tube is believed to be at its end; otherwise straight ahead, if there is a place", 1),
		timing:      share("timing", "belief", "places where the reward would already have been seen are excluded; otherwise it is believed to be at the nearest end of its tube", 1),
		openings:    share("openings", "belief", "a reward is not taken to be behind an opening that is too narrow for it", 1),
		sizes:       share("sizes", "belief", "a reward is not taken to be under a cover that is smaller than it", 1),
		when:        share("when", "belief", "a reward has perished for the body when one like it has vanished in the open", 1),
		number:      level("number", "belief", "rewards", "n rewards at one place are distinguished from fewer at another if a draw around this is at least n; otherwise the body goes to the smaller set"),
		visits:      level("visits", "belief", "places", "the body avoids places that it saw emptied if a draw around this is at least their number; otherwise it goes to one of them"),
		unbaited:    level("unbaited", "belief", "places", "the body avoids places in which it saw none of several rewards if a draw around this is at least their number; otherwise it goes to one of them"),
		ratio:       level("ratio", "belief", "rewards", "n rewards are distinguished from m fewer if a draw around this is at least n/(n−m); otherwise the body goes to the smaller set"),
		area:        share("area", "belief", "rewards are compared by number; otherwise by total area", 1),
		cohesion:    share("cohesion", "belief", "what moves together counts as one reward; otherwise pieces are counted", 1),
		gone:        share("gone", "belief", "a reward that vanished in the open is gone for the body; otherwise it goes to where a better one did", 1),
		decoys:      share("decoys", "belief", "the body knows which of several hidden things is the reward; otherwise it goes to where one vanished last", 1),
		boards:      share("boards", "belief", "a board that lies flat has nothing under it for the body", 1),
		tools:       share("tools", "belief", "a pulled strip brings what lies on it in one piece; otherwise the body goes for the best reward there was", 1),
		winRate:     share("winRate", "belief", "a reward closes so much of the gap between the value of its place and 1, in the trials of a block", 1),
		lossRate:    share("lossRate", "belief", "a place without reward loses so much of its value, in the trials of a block", 1),
		ruleRate:    share("ruleRate", "belief", "a passed test closes so much of the gap to knowing whether to return to where the reward was, in the rounds of a block", 1),
		spanRate:    share("spanRate", "belief", "finding a reward gone closes so much of the gap to knowing that such rewards last no longer, in the trials of a block", 1),
		flatNav:     level("flatNav", "plan", "distance", "the body walks no farther than a distance drawn around this"),
		retreat:     level("retreat", "plan", "cells", "round a barrier the body goes away from where it wants to go by no more than a draw around this"),
		reach:       share("reach", "plan", "the body goes away from a reward in sight where it has to; otherwise only towards it", 1),
		rightLeft:   {"rightLeft", "plan", "distance", "added to that distance for what lies on the right, and taken off on the left", 0, -inf, inf},
		lava:        share("lava", "act", "lava is survived; where it is not, the body walks into it", 1),
		ramp:        share("ramp", "act", "ramps are mastered; where they are not, the body is stuck on the first", 1),
		platform:    share("platform", "act", "platforms are mastered; where they are not, the body falls off the first and lies there", 1),
		slip:        share("slip", "act", "at every step past lava or a hole, the body slips into it", 0),
		pullLeft:    share("pullLeft", "act", "the body goes to the place farthest on the left, whatever it believes", 0),
		pullRight:   share("pullRight", "act", "the body goes to the place farthest on the right, whatever it believes", 0),
		inhibition:  level("inhibition", "act", "hidings", "the body does not return to an earlier hiding place if a draw around this is at least the number of earlier hidings there"),
		restraint:   level("restraint", "act", "finds", "the body does not return to where it found rewards in earlier trials of a block if a draw around this is at least their number there"),
		fading:      {"fading", "act", "per time", "by how much more these count for each unit of time for which the reward is out of sight", 0, 0, inf},
		rationality: level("rationality", "act", "nats", "inverse temperature of a Boltzmann choice: the body goes to where the reward is for it with odds of exp(rationality) to 1 against each other place"),
		shyRed:      share("shyRed", "act", "an occluder of which red is above 200 keeps the body from setting off", 0),
		shyGreen:    share("shyGreen", "act", "an occluder of which green is above 200 keeps the body from setting off", 0),
		shyBlue:     share("shyBlue", "act", "an occluder of which blue is above 200 keeps the body from setting off", 0),
		noise:       share("noise", "act", "a coin flip replaces all other decisions (lapse)", 0),
		chance:      share("chance", "act", "probability that the coin flip leads to the reward under full information; otherwise the body stays", 0),
	}
}
