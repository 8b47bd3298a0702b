package gridworld

// A ThingKind says what happens when the actor touches a thing.
type ThingKind uint8

const (
	Reward ThingKind = iota // the actor takes it
	Shape                   // the actor touches it, and it stays
	Key                     // the actor carries it; it opens locks
)

// A State says whether a thing lies on the ground, is in the air, is hidden, was taken, or is carried.
type State uint8

const (
	Ground  State = iota // lies in its cell
	Air                  // above everything: seen over any wall, cannot be touched
	Hidden               // cannot be seen or touched: not yet or no longer there
	Taken                // taken for good: a collected reward, or a used key
	Carried              // a key that the actor carries
)

var (
	thingNames = [...]string{"reward", "shape", "key"}
	stateNames = [...]string{"ground", "air", "hidden", "taken", "carried"}
)

// String returns the name of k in lower case.
func (k ThingKind) String() string { return nameOf(thingNames[:], int(k)) }

// String returns the name of s in lower case.
func (s State) String() string { return nameOf(stateNames[:], int(s)) }

// A Thing is an object besides the cells. It never blocks motion or sight.
type Thing struct {
	Kind   ThingKind
	State  State
	Pos    Pos
	Size   int // in hundredths of a size unit, 1 … 10000; the distance at which it is seen depends on it
	Value  int // added to World.Gain when it is taken; may be negative
	Colour Colour
	Name   string // tells things apart: lower-case letters, digits, '_' and '-'; may be empty
	Final  bool   // touching it ends the episode
}

// A Cue changes one thing at one tick; a list of cues is the script of a task. It has no effect on a thing that is
// taken or carried.
type Cue struct {
	Tick  int // at least 1; the change is part of the state at this tick
	Thing int
	Pos   Pos
	State State // Ground, Air or Hidden
}

// A Window is a span of ticks: From ≤ t < To.
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
