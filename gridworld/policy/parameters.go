package policy

import (
	"math"

	"achilles/gridworld"
)

// A Goal says what an agent goes for.
type Goal string

// The goals. All but Reward, Oracle and Nothing are degenerate: they need no idea of where a hidden reward is.
const (
	Reward         Goal = "reward"          // the most valuable reward it knows of, in sight or inferred
	Oracle         Goal = "oracle"          // where the reward will end, with full information
	Nothing        Goal = "nothing"         // stays
	LastSeen       Goal = "last-seen"       // where it last saw the reward
	NearestVisible Goal = "nearest-visible" // the nearest reward in sight
	NearestPlace   Goal = "nearest-place"   // the place nearest to the start
	Left           Goal = "left"            // the nearest place on the left of where it looked at first
	Right          Goal = "right"           // … on the right
	Motion         Goal = "motion"          // on in the direction in which it last saw the reward move
	Search         Goal = "search"          // one place after the other, the nearest first, until it sees the reward; of equally near ones the first
	Habit          Goal = "habit"           // where it saw the reward hidden and found most often
	Cover          Goal = "cover"           // where it last saw the cover under which the reward vanished
	Sweep          Goal = "sweep"           // as Search; of equally near places that to which the first of the cheapest ways leads
	Ahead          Goal = "ahead"           // straight on
	Random         Goal = "random"          // a random step at every tick
)

// A Fallback says what an agent does that knew of a reward and has forgotten where it is.
type Fallback string

// The fallbacks.
const (
	StayPut      Fallback = "stay"   // it stays where it is
	GuessPlace   Fallback = "guess"  // it goes to one of the places, each as likely
	SearchPlaces Fallback = "search" // it goes from place to place, the nearest first
)

// NoPlace is the index of no place.
const NoPlace = -1

// Parameters are what an agent is after and what its abilities amount to in one episode, in the units of the demands that
// they meet. Perfect has no limits; the zero Parameters can do nothing.
type Parameters struct {
	Goal     Goal
	Fallback Fallback // empty: StayPut

	// What it sees.
	Visual    float64 // a reward is made out that is at most this much smaller than the largest
	Acuity    float64 // … up to its size times so many cells away
	HalfAngle int     // of the field of view, in degrees to each side of the heading; 0: all round

	// What it believes.
	Persists bool    // a reward out of sight goes on to exist for it
	Memory   float64 // time for which it knows what it no longer sees
	Effort   float64 // time that is added to Memory for every other place in which the reward could lie
	Exclude  float64 // it knows where a hidden reward is if it could lie in at most so many other places
	Capacity float64 // so many hidden rewards are kept in mind, the most valuable
	Alike    bool    // the place of a hidden reward is mistaken for one that looks the same
	Follow   float64 // a hidden reward is followed if its cover comes to a place at most so many times
	Tubes    bool    // a reward that goes into a tube is expected at its end; otherwise straight on, if there is a place
	Timing   bool    // … and not at an end where it would have been seen by now

	// Where it goes.
	Balks bool // it does not set off for a reward
	Pull  int  // index of the place to which it goes instead of to the reward, even if that is in sight; NoPlace: none
	Wrong int  // index of the place to which it goes where Exclude does not suffice; NoPlace: another possible one, drawn

	Rational float64 // it goes to where the reward is for it if there are at most exp(Rational) other places
	Inhibit  float64 // it does not go back to where it saw the reward hidden before, if that was at most so many times

	// How far it comes.
	Endurance        float64 // distance after which it stops
	RightLeft        float64 // added to that for what lies on the right, taken off on the left
	Lava, Ramp, Edge bool    // it masters lava, ramps, and the edges of platforms
	Slip             float64 // probability of slipping into a hole, at every step past one

	// What a Random agent does at every tick, each as likely; nil: ahead twice as often as a turn to either side or, in
	// worlds without turns, a step to any neighbour.
	Moves []gridworld.Action
}

// Perfect has no limits: it sees, remembers, infers and reaches whatever can be.
func Perfect(g Goal) Parameters {
	inf := math.Inf(1)
	return Parameters{
		Goal: g, Visual: inf, Acuity: inf, Persists: true, Memory: inf, Exclude: inf, Capacity: inf, Pull: NoPlace, Wrong: NoPlace,
		Follow: inf, Tubes: true, Timing: true, Rational: inf, Inhibit: inf,
		Endurance: inf, Lava: true, Ramp: true, Edge: true,
	}
}

// Demands are what an episode has asked of an agent so far.
type Demands struct {
	Steps  int     // steps for which endurance had to last, with the one that was decided on last
	Unseen int     // ticks for which memory had to last for the last decision; 0: nothing had to be remembered
	Hidden bool    // the reward was out of sight when the agent set off for it
	Others []int   // places in which it could have lain besides then, in the order of their index; valid until the next Reset
	Side   float64 // on which the agent set off: −1 left of where it looked at first, 1 right, 0 neither
}
