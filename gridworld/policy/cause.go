package policy

import "achilles/gridworld"

// A Cause says why an agent did not reach the reward.
type Cause uint8

// The causes.
const (
	None      Cause = iota // the agent reached the reward
	NotSeen                // the agent never saw a reward
	Forgot                 // the agent had seen a reward, and forgot where it was
	OutOfMind              // the agent did not know that a reward out of sight still exists, or did not know where it was
	Wrong                  // the agent went to another place
	Barred                 // the agent did not go as far round something as it had to
	Tired                  // the agent had walked as far as its endurance allows
	Burnt                  // the agent walked into lava
	Stuck                  // the agent got stuck on a ramp
	Fell                   // the agent fell off a platform
	Slipped                // the agent slipped into a hole
	Shy                    // the agent did not set off, because of an occluder's colour
	Lapsed                 // the agent did not try
	NoWay                  // the agent knew of no way to where it wanted to go
	TimeOut                // the time ran out
	causeCount
)

var causeNames = [...]string{"", "not-seen", "forgot", "out-of-mind", "wrong-place", "barred", "tired", "burnt", "stuck", "fell", "slipped", "shy",
	"lapsed", "no-way", "time-out"}

// String returns the name of c, empty for None.
func (c Cause) String() string { return causeNames[c] }

// Cause returns why the agent did not pass the episode that ended in w, or None if it passed.
func (a *Agent) Cause(w *gridworld.World) Cause {
	switch {
	case w.Outcome() == gridworld.Finished:
		return None
	case a.cause != None:
		return a.cause
	case w.Outcome() == gridworld.Died:
		return Burnt
	case a.after != None:
		return a.after
	case w.Trapped():
		return Wrong
	}
	return a.unfinished()
}

// unfinished returns why an agent that had not given up did not reach a reward in time.
func (a *Agent) unfinished() Cause {
	known := false
	for i := range a.traces {
		known = known || a.traces[i].known
	}
	switch {
	case a.Goal.needsReward() && !known:
		return NotSeen
	case a.Goal == NearestVisible && !a.inView():
		return OutOfMind
	}
	return TimeOut
}
