package policy

import (
	"math"

	"achilles/gridworld"
)

// A Goal says where an agent goes.
type Goal string

// The goals. All except Reward, Oracle and Nothing are degenerate: they use no inference about where a hidden reward
// is.
const (
	Reward         Goal = "reward"          // the most valuable reward it knows of, in sight or inferred
	Oracle         Goal = "oracle"          // where the reward will lie in the end, with full information
	Nothing        Goal = "nothing"         // nowhere: it stays
	LastSeen       Goal = "last-seen"       // where it last saw the reward
	NearestVisible Goal = "nearest-visible" // the nearest reward in sight
	NearestPlace   Goal = "nearest-place"   // the place nearest to the start
	Left           Goal = "left"            // the nearest place on its left, as it stands at the start
	Right          Goal = "right"           // the nearest place on its right, as it stands at the start
	Motion         Goal = "motion"          // onward in the direction in which it last saw the reward move
	Search         Goal = "search"          // from place to place, each time to the nearest (the first of equally near ones), until it sees the reward
	Habit          Goal = "habit"           // where it saw the reward hidden and found most often
	Cover          Goal = "cover"           // where it last saw the cover under which the reward vanished
	LargestCover   Goal = "largest-cover"   // the place under the largest cover in sight; where there is none, where it last saw the reward
	Avoid          Goal = "avoid"           // the place nearest to the start, other than the one nearest to where it last saw the reward
	LargestArea    Goal = "largest-area"    // where the rewards that it saw have the largest total area
	MostPieces     Goal = "most-pieces"     // where it saw most things that look like rewards
	LastGone       Goal = "last-gone"       // where a reward, of whatever value, vanished last
	BestSeen       Goal = "best-seen"       // where it last saw the most valuable reward, even if that is gone
	Sweep          Goal = "sweep"           // like Search, but of equally near places it takes the one to which its route leads
	Ahead          Goal = "ahead"           // straight on
	Random         Goal = "random"          // a random action at every tick
)

// A Fallback says what an agent does when it has forgotten where the reward is.
type Fallback string

// The fallbacks.
const (
	StayPut      Fallback = "stay"   // stays where it is
	GuessPlace   Fallback = "guess"  // goes to a place drawn with equal probabilities
	SearchPlaces Fallback = "search" // goes from place to place, the nearest first
)

// NoPlace is the index that means no place.
const NoPlace = -1

// Parameters are the goal of an agent and its abilities in one episode, in the units of the demands on them. Perfect
// has no limits; the zero Parameters have no abilities.
type Parameters struct {
	Goal     Goal
	Fallback Fallback // empty: StayPut

	// What it sees.
	Visual    float64 // largest difference in size between the largest reward and a reward that it can see
	Acuity    float64 // cells per unit of size: it sees a reward up to Acuity times its size away
	HalfAngle int     // half the field of view, in degrees to each side of the heading; 0: every direction

	// What it believes.
	Persists bool    // knows that a reward out of sight still exists
	Memory   float64 // time for which it remembers what it no longer sees
	Effort   float64 // added to Memory for every other place in which the reward could lie
	Exclude  float64 // if more other places than this are possible, it does not know where a hidden reward is
	Capacity float64 // largest number of hidden rewards that it remembers; it forgets the least valuable
	Alike    bool    // mistakes the place of a hidden reward for another that looks the same
	Follow   float64 // if the cover of a hidden reward comes to places more often than this, it loses track
	Tubes    bool    // expects a reward that went into a tube at the tube's end; if false, at a place straight on, if any
	Timing   bool    // excludes tube ends at which it would have seen the reward come out by now
	Openings bool    // excludes places to which only openings lead that are too narrow for the reward
	Sizes    bool    // excludes places under covers that are smaller than the reward
	When     bool    // knows that a reward has perished when one like it, in sight for no longer, has vanished in the open
	Number   float64 // if more rewards than this are at one place, it cannot tell them from the fewer at another, and goes there
	Visits   float64 // if it has seen rewards taken from more places than this, it goes back to one of those
	Unbaited float64 // if there are more places than this in which it has seen no reward of several, it goes to one of those
	Ratio    float64 // if n rewards are at one place, m at another, and n/(n−m) is more than this, it goes to the fewer
	Area     bool    // goes by the number of rewards; if false, by their total area
	Cohesion bool    // counts what moves together as one reward; if false, it counts the pieces
	Gone     bool    // knows that a reward which vanished in the open is gone; if false, it goes to the place nearest to there
	Decoys   bool    // knows which of several hidden things is the reward; if false, it goes to where one vanished last
	Boards   bool    // knows that a board under which something lies does not lie flat
	Tools    bool    // knows that a pulled strip brings only what lies on it in one piece; if false, it goes for the best reward there was

	// Where it goes.
	Balks bool // never sets off for a reward
	Pull  int  // index of a place to which it goes instead of to the reward, even if that is in sight; NoPlace: none
	Wrong int  // index of the place to which it goes if more than Exclude others are possible; NoPlace: a random one of them

	Rational float64 // if there are more than exp(Rational) other places, it goes to a random one of them
	Inhibit  float64 // if the reward was hidden more often than this at another place, it goes back to that place

	// What it learned in the trials before, if they belong to a block (Past).
	Win, Loss float64 // by how much a reward, or none, changes the value of a place: shares of the gap, 0 to 1
	Rule      float64 // by how much a passed test teaches the rule: a share of the gap, 0 to 1
	Span      float64 // by how much to find a reward gone teaches for how long such rewards last: a share of the gap, 0 to 1
	Sharp     float64 // inverse temperature of the choice between places by their values
	Restraint float64 // if it has found more rewards than this at another place, it goes back to that place
	Fading    float64 // by how much more they count for each unit of time for which the reward is out of sight

	// How far it gets.
	Endurance        float64 // largest distance that it walks
	Retreat          float64 // largest number of cells by which it goes farther away from its target than it has been
	Reach            bool    // goes away from a reward in sight where it has to; if false, only towards it
	RightLeft        float64 // added to Endurance if the target lies on the right, and subtracted if on the left
	Lava, Ramp, Edge bool    // can handle lava, ramps, and the edges of platforms
	Slip             float64 // probability of slipping into a hole or lava in a neighbouring cell, at every tick on its way

	// The actions from which a Random agent draws at every tick, with equal probabilities; nil: forward twice as often
	// as a turn to either side or, in worlds without turns, a step to any neighbour.
	Moves []gridworld.Action
}

// Perfect returns parameters without limits: the agent sees, remembers, infers and reaches everything that is possible.
func Perfect(g Goal) Parameters {
	inf := math.Inf(1)
	return Parameters{
		Goal: g, Visual: inf, Acuity: inf, Persists: true, Memory: inf, Exclude: inf, Capacity: inf, Pull: NoPlace, Wrong: NoPlace,
		Follow: inf, Tubes: true, Timing: true, Openings: true, Sizes: true, When: true, Number: inf, Visits: inf, Unbaited: inf, Rational: inf, Inhibit: inf,
		Ratio: inf, Area: true, Cohesion: true, Gone: true, Decoys: true, Boards: true, Tools: true, Reach: true,
		Win: 1, Loss: 1, Rule: 1, Span: 1, Sharp: inf, Restraint: inf,
		Endurance: inf, Retreat: inf, Lava: true, Ramp: true, Edge: true,
	}
}

// Demands are what an episode has asked of an agent so far.
type Demands struct {
	Steps  int     // number of steps that the agent needed to walk, including the one decided on last
	Unseen int     // ticks for which the agent needed to remember the reward, for the last decision; 0: none
	Hidden bool    // the reward was out of sight when the agent set off for it
	Others []int   // the other places in which the reward could have lain at that time, by index; valid until the next Reset
	Side   float64 // side on which the target lay, as the agent stands at the start: −1 left, 1 right, 0 neither
}
