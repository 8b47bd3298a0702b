package gridworld

// A ThingKind says what touching a thing does.
type ThingKind uint8

const (
	Reward ThingKind = iota // is taken
	Shape                   // is reached and stays
	Key                     // is carried, and opens locks
)

// A State says where a thing is, apart from its cell.
type State uint8

const (
	Ground  State = iota // lies in its cell
	Air                  // above everything: seen over any wall, out of reach
	Hidden               // neither seen nor touched: not there yet, or no longer
	Taken                // collected, or a key that was used up; for good
	Carried              // a key, with the actor
)

var (
	thingNames = [...]string{"reward", "shape", "key"}
	stateNames = [...]string{"ground", "air", "hidden", "taken", "carried"}
)

// String returns the name of k in lower case.
func (k ThingKind) String() string { return nameOf(thingNames[:], int(k)) }

// String returns the name of s in lower case.
func (s State) String() string { return nameOf(stateNames[:], int(s)) }

// A Thing is what is in the world besides its cells. It never blocks motion or sight.
type Thing struct {
	Kind   ThingKind
	State  State
	Pos    Pos
	Size   int // in hundredths of a size unit, 1 … 10000; sets how far it is seen
	Value  int // counted in World.Gain when it is taken; may be negative
	Colour Colour
	Name   string // identity for those who tell things apart, lower-case letters, digits, '_' and '-'; may be empty
	Final  bool   // touching it ends the episode
}

// A Cue changes one thing at one tick: the event phase of a task is a list of cues.
// A cue has no effect on a thing that is taken or carried.
type Cue struct {
	Tick  int // at least 1; the tick whose state shows it
	Thing int
	Pos   Pos
	State State // Ground, Air or Hidden
}

// A Window is a span of ticks, From ≤ t < To.
type Window struct{ From, To int }

// Has says whether tick t is in the window.
func (v Window) Has(t int) bool { return v.From <= t && t < v.To }

func within(windows []Window, t int) bool {
	for _, v := range windows {
		if v.Has(t) {
			return true
		}
	}
	return false
}

// maxSize is the largest size of a thing, in hundredths.
const maxSize = 10000

func validName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return true
}
