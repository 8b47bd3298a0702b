package generate

import (
	"errors"
	"fmt"
	"sync"

	"achilles/agents/goaldirected"
	"achilles/battery/bib"
	"achilles/scenarios/scenario"
)

// Actors returns the actors in the episodes of scenarios that declare none.
func Actors() []goaldirected.Actor {
	return []goaldirected.Actor{
		goaldirected.Default("rational", goaldirected.Direct),
		goaldirected.Default("irrational", goaldirected.Detour),
	}
}

// Scenes returns a function that makes the episode with a given index. An episode depends on root, e and the index
// alone. Many goroutines may call the function. The error says what is wrong with e.
func Scenes(e scenario.Episodes, root uint64) (func(i int) (bib.Episode, error), error) {
	if err := e.Design.Check(); err != nil {
		return nil, err
	}
	if len(e.Actors) == 0 {
		e.Actors = Actors()
	}
	actors, err := byManner(e.Actors)
	if err != nil {
		return nil, err
	}
	generators := sync.Pool{New: func() any { return bib.NewGenerator(e.Design, actors) }}
	return func(i int) (bib.Episode, error) {
		g := generators.Get().(*bib.Generator)
		defer generators.Put(g)
		t, index := e.At(i)
		return g.Episode(root, t, index)
	}, nil
}

// byManner returns the direct actor and the detour actor of a list. It returns an error if either is missing or occurs
// twice.
func byManner(list []goaldirected.Actor) (a bib.Actors, err error) {
	for i := range list {
		x := &list[i]
		if err := x.Check(); err != nil {
			return a, err
		}
		place := &a.Rational
		if x.Manner == goaldirected.Detour {
			place = &a.Irrational
		}
		if *place != nil {
			return a, fmt.Errorf("actor %s: there is an actor with manner %q already", x.Name, x.Manner)
		}
		*place = x
	}
	if a.Rational == nil || a.Irrational == nil {
		return a, errors.New("actor: one with manner \"direct\" and one with manner \"detour\" are needed")
	}
	return a, nil
}
