package embodied

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"achilles/gridworld/policy"
	"achilles/sim/conf"
	"achilles/sim/expr"
)

// A Body declares an embodied subject. The zero Body has no limits: it sees, remembers, infers and reaches everything
// that is possible.
type Body struct {
	Trait    map[string]float64 `json:"trait,omitempty"`    // by name; an absent trait has its default (Traits)
	Goal     policy.Goal        `json:"goal,omitempty"`     // where the body goes; empty: policy.Reward
	Fallback policy.Fallback    `json:"lost,omitempty"`     // what the body does when it has forgotten the reward; empty: policy.StayPut
	Learning *Learning          `json:"learning,omitempty"` // how traits change over the battery; nil: they do not
}

// Goals returns the goals that a body can have.
func Goals() []policy.Goal {
	return []policy.Goal{
		policy.Reward, policy.Oracle, policy.Nothing, policy.LastSeen, policy.NearestVisible, policy.NearestPlace, policy.Left, policy.Right,
		policy.Motion, policy.Habit, policy.Cover, policy.LargestCover, policy.LargestArea, policy.MostPieces, policy.LastGone, policy.BestSeen, policy.Avoid, policy.Search, policy.Ahead, policy.Random,
	}
}

// Fallbacks returns what a body can do when it has forgotten where the reward is.
func Fallbacks() []policy.Fallback {
	return []policy.Fallback{policy.StayPut, policy.GuessPlace, policy.SearchPlaces}
}

// A FieldError is a fault in one key of a Body.
type FieldError struct{ Key, Msg string }

// Error returns the key and the message.
func (e *FieldError) Error() string { return e.Key + ": " + e.Msg }

// Check reports an unknown trait, an illegal value of a trait or of its learning, or an unknown goal or fallback. The error is a
// *FieldError.
func (b *Body) Check() error {
	_, err := New(*b)
	return err
}

// A Disposition is a checked Body, from which the parameters of each episode are drawn. It is safe for concurrent use.
type Disposition struct {
	level    [traitCount]float64
	goal     policy.Goal
	fallback policy.Fallback
	learns   bool                  // a trait changes
	learning [traitCount]*Learning // by trait; nil: it does not change
}

// New returns the Disposition of a Body. The error is a *FieldError.
func New(b Body) (*Disposition, error) {
	d := &Disposition{goal: cmp.Or(b.Goal, policy.Reward), fallback: cmp.Or(b.Fallback, policy.StayPut)}
	var names []string
	for i, t := range Traits() {
		d.level[i] = t.Default
		names = append(names, t.Name)
		if x, ok := b.Trait[t.Name]; ok {
			if !t.Legal(x) {
				return nil, &FieldError{t.Name, fmt.Sprintf("want %s, not %v", t.Limits(), x)}
			}
			d.level[i] = x
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.Trait)) {
		if !slices.Contains(names, name) {
			return nil, &FieldError{name, "unknown trait" + expr.DidYouMean(name, names)}
		}
	}
	if err := oneOf("goal", d.goal, Goals()); err != nil {
		return nil, err
	}
	if err := oneOf("lost", d.fallback, Fallbacks()); err != nil {
		return nil, err
	}
	if b.Learning != nil {
		return d, d.learn(b.Learning)
	}
	return d, nil
}

func oneOf[W ~string](key string, word W, list []W) error {
	if slices.Contains(list, word) {
		return nil
	}
	var names []string
	for _, w := range list {
		names = append(names, string(w))
	}
	return &FieldError{key, fmt.Sprintf("%q is not one of %s%s", word, conf.Quoted(names), expr.DidYouMean(string(word), names))}
}
