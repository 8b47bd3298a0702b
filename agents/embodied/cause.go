package embodied

// A Cause says why an episode was not passed.
type Cause uint8

// The causes. None is that of a passed episode.
const (
	None      Cause = iota
	NotSeen         // it never saw a reward
	Forgot          // it had seen it, and forgot where
	OutOfMind       // what it no longer saw did not exist for it
	Wrong           // it went to another place
	Tired           // it had walked as far as it could
	Burnt           // it walked into lava
	Stuck           // on a ramp
	Fell            // off a platform
	Slipped         // into a hole
	Shy             // of the colour of an occluder
	Lapsed          // it did not try
	NoWay           // it knew of no way to where it wanted
	TimeOut         // it was still on its way
	causeCount
)

var causeNames = [causeCount]string{"", "not-seen", "forgot", "out-of-mind", "wrong-place", "tired", "burnt", "stuck", "fell", "slipped", "shy",
	"lapsed", "no-way", "time-out"}

// String returns the name of c, empty for None.
func (c Cause) String() string { return causeNames[c] }

// Causes lists the names of all causes but None.
func Causes() []string { return causeNames[1:] }
