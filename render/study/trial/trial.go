// Package trial lets a person take a trial in a grid world: it takes actions, and gives pictures of what the person sees and no
// more. It opens nothing and knows no browser.
package trial

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"achilles/gridworld"
	"achilles/render/board"
	"achilles/render/canvas"
)

// A World is a world and the cells in which a reward could lie, in the form of a study's files. The world is packed, so that no
// glance at a file tells where the reward is.
type World struct {
	World  string   `json:"world"` // binary form of a gridworld.World at tick 0, in base 64
	Places [][2]int `json:"places"`
}

// Pack returns a world in that form. The world does not change.
func Pack(w *gridworld.World, places []gridworld.Pos) World {
	b, _ := w.AppendBinary(nil) // it never fails
	x := World{World: base64.StdEncoding.EncodeToString(b), Places: [][2]int{}}
	for _, p := range places {
		x.Places = append(x.Places, [2]int{p.X, p.Y})
	}
	return x
}

// A Trial is a trial that is being taken.
type Trial struct {
	world  *gridworld.World
	places []gridworld.Pos
	first  string
	blocks bool // whether something stopped the last step
	view   gridworld.View
}

// Open begins a trial in a packed world. An error says what is wrong with it.
func Open(x World) (*Trial, error) {
	b, err := base64.StdEncoding.DecodeString(x.World)
	if err != nil {
		return nil, fmt.Errorf("trial: %w", err)
	}
	t := &Trial{world: &gridworld.World{}}
	if err := t.world.UnmarshalBinary(b); err != nil {
		return nil, fmt.Errorf("trial: %w", err)
	}
	if !t.world.Inside(t.world.Actor().Pos) {
		return nil, fmt.Errorf("trial: a world without an actor")
	}
	for _, p := range x.Places {
		q := gridworld.Pos{X: p[0], Y: p[1]}
		if !t.world.Inside(q) {
			return nil, fmt.Errorf("trial: the place %v is outside of the world", q)
		}
		t.places = append(t.places, q)
	}
	return t, nil
}

// Step carries out an action. An action that the world does not know is an error, and one after the end does nothing.
func (t *Trial) Step(action string) error {
	a, err := gridworld.ParseAction(action)
	if err != nil || !t.world.Rules().Move.Legal(a) {
		return fmt.Errorf("trial: %q is not an action of this world", action)
	}
	if t.Over() {
		return nil
	}
	before, held := t.world.Actor(), t.world.Frozen()
	t.world.Step(a)
	now := t.world.Actor()
	t.blocks = !held && before == now && a != gridworld.Stay && t.world.Outcome() == gridworld.Running && !t.world.Trapped()
	if t.first != "" || now.Pos == before.Pos {
		return nil
	}
	for _, p := range t.places {
		if p == now.Pos && t.world.Outcome() != gridworld.Finished {
			t.first = Wrong
		}
	}
	if t.first == "" && t.world.Outcome() == gridworld.Finished {
		t.first = Right
	}
	return nil
}

// Right and Wrong say whether the first place to which a person went had the reward.
const (
	Right = "right"
	Wrong = "wrong"
)

// Over says whether the trial has ended.
func (t *Trial) Over() bool { return t.world.Outcome() != gridworld.Running }

// Passed says whether the person has passed the trial.
func (t *Trial) Passed() bool { return t.world.Outcome() == gridworld.Finished }

// A Frame is what a page shows of a trial at one tick.
type Frame struct {
	SVG     string  `json:"svg"` // inside of an svg element with the viewBox 0 0 Width Height
	Width   float32 `json:"width"`
	Height  float32 `json:"height"`
	Move    string  `json:"move"` // turning or eight
	Tick    int     `json:"tick"`
	Limit   int     `json:"limit"`
	Held    int     `json:"held"` // for how many ticks no action will have an effect
	Dark    bool    `json:"dark"`
	Trapped bool    `json:"trapped"`
	Blocked bool    `json:"blocked"` // whether something stopped the last step
	Outcome string  `json:"outcome"`
	First   string  `json:"first"` // Right or Wrong: whether the first place that was visited had the reward; empty: none was visited
}

// cell is the side of a cell in a picture, in units of its viewBox.
const cell = 40

// Frame returns what the person sees now.
func (t *Trial) Frame() Frame {
	w := t.world
	w.View(gridworld.Viewer{Watch: gridworld.Everywhere()}, &t.view)
	s := board.State{Actor: w.Actor(), Dark: w.Dark(), Frozen: w.Frozen(), Outcome: w.Outcome(), Seen: t.view.Seen}
	for _, x := range t.view.Things {
		s.Things = append(s.Things, x.Thing)
		s.InSight = append(s.InSight, true)
	}
	if w.Carrying() {
		s.Things = append(s.Things, gridworld.Thing{Kind: gridworld.Key, State: gridworld.Carried, Pos: s.Actor.Pos, Size: 100})
		s.InSight = append(s.InSight, true)
	}
	dst := canvas.New(cell*(float32(w.Width())+0.7), cell*(float32(w.Height())+0.7))
	board.Draw(dst, dst.Bounds(), w, t.places, s).Shown()
	rules := w.Rules()
	return Frame{
		SVG: strings.Join(canvas.SVG(dst), ""), Width: dst.W, Height: dst.H, Move: rules.Move.String(), Tick: w.Tick(), Limit: rules.Limit,
		Held: t.held(), Dark: s.Dark, Trapped: w.Trapped() && !t.Over(), Blocked: t.blocks, Outcome: s.Outcome.String(), First: t.first,
	}
}

// held returns the number of ticks for which no action will have an effect.
func (t *Trial) held() (n int) {
	if !t.world.Frozen() || t.Over() {
		return 0
	}
	for w := t.world.Clone(); w.Frozen() && w.Outcome() == gridworld.Running; n++ {
		w.Step(gridworld.Stay)
	}
	return n
}

// Replay takes a trial by the actions that somebody took, which are separated by spaces, and says whether they pass it. Actions
// of which some are unknown, or that do not end the trial, are an error.
func Replay(x World, actions string) (passed bool, err error) {
	t, err := Open(x)
	if err != nil {
		return false, err
	}
	for _, a := range strings.Fields(actions) {
		if t.Over() {
			return false, fmt.Errorf("trial: it ended before the action %q", a)
		}
		if err := t.Step(a); err != nil {
			return false, err
		}
	}
	if !t.Over() {
		return false, fmt.Errorf("trial: it goes on after all actions")
	}
	return t.Passed(), nil
}

// JSON returns a frame as JSON.
func (f Frame) JSON() string {
	b, err := json.Marshal(f)
	if err != nil {
		panic("trial: a frame must encode")
	}
	return string(b)
}
