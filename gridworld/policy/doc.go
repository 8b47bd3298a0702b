// Package policy has the ways in which somebody who acts in a gridworld chooses where to go and walks there. It is the
// one theory of behaviour that everybody shares: synthetic subjects act by it, inference predicts by it, and the
// shortcuts of a battery are policies that lack parts of it. It is public; what is sealed are the numbers that go in.
//
// An Agent is cut into five parts, each a file: what it sees (sight.go), what it believes about what it no longer sees
// (belief.go), where it goes (choose.go), which way it takes (route.go), and what goes wrong on it (walk.go). Parameters
// say what its abilities amount to in one episode; Demands say what the episode has asked of them. An ability that
// amounts to less than was asked breaks the episode off there, and changes nothing before: so what a weaker agent does
// follows from what a stronger one was asked.
//
// An agent knows the Room: the cells, and in which of them a reward could lie. Of what happens in it, it knows what it
// sees. docs/theory/walking.md explains the theory.
package policy
