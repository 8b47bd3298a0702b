package policy

import "achilles/gridworld"

// A Cause says why an agent did not come to the reward.
type Cause uint8

// The causes.
const (
	None      Cause = iota // it came
	NotSeen                // it never saw a reward
	Forgot                 // it had seen it, and forgot where
	OutOfMind              // what it no longer saw did not exist for it
	Wrong                  // it went to another place
	Tired                  // it had walked as far as it could
	Burnt                  // it walked into lava
	Stuck                  // on a ramp
	Fell                   // off a platform
	Slipped                // into a hole
	Shy                    // of the colour of an occluder
	Lapsed                 // it did not try
	NoWay                  // it knew of no way to where it wanted
	TimeOut                // it was still on its way
	causeCount
)

var causeNames = [...]string{"", "not-seen", "forgot", "out-of-mind", "wrong-place", "tired", "burnt", "stuck", "fell", "slipped", "shy",
	"lapsed", "no-way", "time-out"}

// String returns the name of c, empty for None.
func (c Cause) String() string { return causeNames[c] }

// Cause says why the episode that ended in w was not passed; None where it was.
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

// unfinished says why an agent had not come to a reward when the time was out.
func (a *Agent) unfinished() Cause {
	known := false
	for i := range a.traces {
		known = known || a.traces[i].known
	}
	switch a.Goal {
	case Reward, LastSeen, Motion, NearestVisible, Habit, Cover:
		if !known {
			return NotSeen
		}
		if a.Goal == NearestVisible && !a.inView() {
			return OutOfMind
		}
	}
	return TimeOut
}
