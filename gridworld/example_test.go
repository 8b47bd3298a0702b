package gridworld_test

import (
	"fmt"

	"achilles/gridworld"
)

func ExampleWorld() {
	const text = `world 1
limit 20
map
.T.g
.T..
A...
`
	w, err := gridworld.Parse(text)
	if err != nil {
		panic(err)
	}
	var view gridworld.View
	var field gridworld.TurnField
	for w.Outcome() == gridworld.Running {
		w.View(gridworld.Viewer{HalfAngle: 60, Acuity: 800}, &view)
		if len(view.Things) > 0 {
			goal := gridworld.BoardOf(view.Things[0].Pos)
			field.Toward(w, &goal)
		}
		w.Step(field.Next(w.Actor())) // the action is Stay if no goal can be reached
	}
	fmt.Println(w.Outcome(), "at tick", w.Tick(), "with", w.Gain())
	// Output: finished at tick 7 with 1
}
