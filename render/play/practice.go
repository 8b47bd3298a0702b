package play

import (
	"fmt"

	"achilles/gridworld"
)

// PracticeBrief is the instruction for the practice trial.
const PracticeBrief = "Touch the reward. It falls into one of four holes."

// practice is a world where the reward falls into the third of four holes while the actor is held. %s is a
// gridworld.Mode: how the actor moves.
const practice = `world 1
move %s
limit 60
legend r hole + reward air size 2 value 1 final
map
............
.H..H..r..H.
............
............
............
.....A......

cue 5 thing 0 7,4 ground
freeze 0 9
`

// PracticeWorld returns the world of the practice trial, in which the actor moves by the rules of the mode move, and
// the places where the reward could be.
func PracticeWorld(move gridworld.Mode) (w *gridworld.World, places []gridworld.Pos) {
	w, err := gridworld.Parse(fmt.Sprintf(practice, move))
	if err != nil {
		panic("play: the world for practice does not parse")
	}
	return w, []gridworld.Pos{{X: 1, Y: 4}, {X: 4, Y: 4}, {X: 7, Y: 4}, {X: 10, Y: 4}}
}
