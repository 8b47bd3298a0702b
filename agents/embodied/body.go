package embodied

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"achilles/sim/expr"
)

// A Body declares an embodied subject. The zero Body has no limits: it sees, remembers and reaches whatever can be
// seen, inferred and reached.
type Body struct {
	Trait map[string]float64 `json:"trait,omitempty"` // by name; one that is absent has its default
	Goal  Goal               `json:"goal,omitempty"`  // what it goes for; empty: Reward
	Lost  Lost               `json:"lost,omitempty"`  // what it does when it has forgotten; empty: StayPut
}

// A Goal says what a body goes for.
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
	Search         Goal = "search"          // one place after the other, the nearest first, until it sees the reward
	Ahead          Goal = "ahead"           // straight on
	Random         Goal = "random"          // a random step at every tick
)

// Goals lists all goals.
func Goals() []Goal {
	return []Goal{Reward, Oracle, Nothing, LastSeen, NearestVisible, NearestPlace, Left, Right, Motion, Search, Ahead, Random}
}

// Lost says what a body does that knew of a reward and has forgotten it.
type Lost string

// The ways to be lost.
const (
	StayPut      Lost = "stay"   // it stays where it is
	GuessPlace   Lost = "guess"  // it goes to one of the places, each as likely
	SearchPlaces Lost = "search" // it goes from place to place, the nearest first
)

// LostWays lists all ways to be lost.
func LostWays() []Lost { return []Lost{StayPut, GuessPlace, SearchPlaces} }

// A FieldError is a fault in one key of a Body.
type FieldError struct{ Key, Msg string }

// Error is the message with its key.
func (e *FieldError) Error() string { return e.Key + ": " + e.Msg }

// Check reports a trait that does not exist or has no legal value, and a goal or way to be lost that is none. The error
// is a *FieldError.
func (b *Body) Check() error {
	_, err := New(*b)
	return err
}

// A Policy is a checked Body, ready to act. It is safe for concurrent use.
type Policy struct {
	level [traitCount]float64
	goal  Goal
	lost  Lost
}

// New makes the Policy of a Body. The error is a *FieldError.
func New(b Body) (*Policy, error) {
	p := &Policy{goal: b.Goal, lost: b.Lost}
	var names []string
	for i, t := range Traits() {
		p.level[i] = t.Default
		names = append(names, t.Name)
		if x, ok := b.Trait[t.Name]; ok {
			if !t.Legal(x) {
				return nil, &FieldError{t.Name, fmt.Sprintf("want %s, not %v", t.Limits(), x)}
			}
			p.level[i] = x
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.Trait)) {
		if !slices.Contains(names, name) {
			return nil, &FieldError{name, "unknown trait" + expr.DidYouMean(name, names)}
		}
	}
	if p.goal == "" {
		p.goal = Reward
	}
	if p.lost == "" {
		p.lost = StayPut
	}
	if err := oneOf("goal", p.goal, Goals()); err != nil {
		return nil, err
	}
	if err := oneOf("lost", p.lost, LostWays()); err != nil {
		return nil, err
	}
	return p, nil
}

func oneOf[W ~string](key string, word W, list []W) error {
	if slices.Contains(list, word) {
		return nil
	}
	var names []string
	for _, w := range list {
		names = append(names, string(w))
	}
	return &FieldError{key, fmt.Sprintf("%q is not one of %s%s", word, strings.Join(names, ", "), expr.DidYouMean(string(word), names))}
}
