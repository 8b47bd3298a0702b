package agents

import "achilles/gridworld"

// A Trial is what somebody who acts is put before.
type Trial struct {
	Brief  string           // what it is told, in one line
	World  *gridworld.World // at tick 0, to act in
	Places []gridworld.Pos  // where a reward could lie; it must not be changed
	Seed   uint64           // for whoever needs random numbers: its own in every trial, and the same in every run
	Number int              // which of the subject's Of trials it is, from 0
	Of     int
}
