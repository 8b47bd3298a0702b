// Package policy is the theory of how an actor in a gridworld chooses where to go and walks there. All parts of the
// project share it: synthetic subjects act by it, inference predicts by it, and the shortcuts of a battery are policies
// that lack parts of it. It is public; only the values of the parameters are sealed.
//
// An Agent has five parts, one per file: what it sees (sight.go), what it believes about what it no longer sees
// (belief.go), where it goes (choose.go), which way it takes (route.go), and what goes wrong on the way (walk.go).
// Parameters are its abilities in one episode; Demands are what the episode has asked of them. An ability that falls
// short of a demand changes what happens from that point on, and nothing before. Hence the behaviour of a weaker agent
// can be computed from what a stronger one was asked.
//
// An agent knows the Room: the cells, and in which of them a reward could lie. Of events it knows only what it sees.
// docs/theory/embodied.md and paths.md explain the theory.
package policy
