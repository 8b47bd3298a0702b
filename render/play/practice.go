package play

import (
	"fmt"

	"achilles/gridworld"
)

// PracticeBrief is the instruction for the practice trial.
const PracticeBrief = "Touch the reward. It falls into one of four holes."

// practice is a world where the reward falls into one of four holes while the actor is held. %[1]s is a
// gridworld.Mode: how the actor moves; %[2]s is the row with the holes, and %[3]d the column of the reward.
const practice = `world 1
move %[1]s
limit 60
legend r hole + reward air size 2 value 1 final
map
............
%[2]s
............
............
............
.....A......

cue 5 thing 0 %[3]d,4 ground
freeze 0 9
`

// PracticeWorld returns the world of a practice trial, in which the actor moves by the rules of the mode move and the reward falls
// into one of the four holes, 0 to 3 from the west, and the places where the reward could be.
func PracticeWorld(move gridworld.Mode, hole int) (w *gridworld.World, places []gridworld.Pos) {
	at := 1 + 3*hole
	row := []byte(".H..H..H..H.")
	row[at] = 'r'
	w, err := gridworld.Parse(fmt.Sprintf(practice, move, row, at))
	if err != nil {
		panic("play: the world for practice does not parse")
	}
	return w, []gridworld.Pos{{X: 1, Y: 4}, {X: 4, Y: 4}, {X: 7, Y: 4}, {X: 10, Y: 4}}
}
