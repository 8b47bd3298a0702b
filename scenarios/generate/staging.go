// Package generate makes Baby-Intuitions-like episodes: it brings the scenes of package bib and the actors of package
// agents together, on several goroutines.
package generate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"achilles/agents/goaldirected"
	"achilles/battery/bib"
)

// A Plan says which episodes are made and who plays in them. It can be decoded from TOML.
type Plan struct {
	bib.Design
	Actors []goaldirected.Actor `toml:"actor"` // one of each manner; empty: Actors()
}

// Actors returns the actors that play where a plan has none.
func Actors() []goaldirected.Actor {
	return []goaldirected.Actor{
		goaldirected.Default("rational", goaldirected.Direct),
		goaldirected.Default("irrational", goaldirected.Detour),
	}
}

// Check completes p with its defaults and reports what is wrong with it, if anything.
func (p *Plan) Check() error {
	if err := p.Design.Check(); err != nil {
		return err
	}
	if len(p.Actors) == 0 {
		p.Actors = Actors()
	}
	_, err := p.cast()
	return err
}

func (p *Plan) cast() (c bib.Cast, err error) {
	for i := range p.Actors {
		a := &p.Actors[i]
		if err := a.Check(); err != nil {
			return c, err
		}
		role := &c.Rational
		if a.Manner == goaldirected.Detour {
			role = &c.Irrational
		}
		if *role != nil {
			return c, fmt.Errorf("actor %s: there is an actor with manner %q already", a.Name, a.Manner)
		}
		*role = a
	}
	if c.Rational == nil || c.Irrational == nil {
		return c, errors.New("actor: one with manner \"direct\" and one with manner \"detour\" are needed")
	}
	return c, nil
}

// A Crew makes the episodes of a plan, each when it is asked for. It may be used by many goroutines.
type Crew struct {
	plan       Plan
	root       uint64
	generators sync.Pool
}

// NewCrew returns a crew for a plan, whose episodes depend on root and the plan only. The error says what is wrong with
// the plan.
func NewCrew(p Plan, root uint64) (*Crew, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	cast, err := p.cast()
	if err != nil {
		return nil, err
	}
	c := &Crew{plan: p, root: root}
	c.generators.New = func() any { return bib.NewGenerator(p.Design, cast) }
	return c, nil
}

// Len is the number of episodes.
func (c *Crew) Len() int { return len(c.plan.Tasks) * c.plan.Episodes }

// Name is the task and index of episode i: task by task, in the order of their indices.
func (c *Crew) Name(i int) (t bib.Task, index int) {
	return c.plan.Tasks[i/c.plan.Episodes], i % c.plan.Episodes
}

// Episode makes episode i.
func (c *Crew) Episode(i int) (bib.Episode, error) {
	g := c.generators.Get().(*bib.Generator)
	defer c.generators.Put(g)
	t, index := c.Name(i)
	return g.Episode(c.root, t, index)
}

// Make makes all episodes of a plan: task by task, in the order of their indices. They depend on root and the plan
// only, never on jobs, the number of goroutines.
func Make(ctx context.Context, p Plan, root uint64, jobs int) ([]bib.Episode, error) {
	c, err := NewCrew(p, root)
	if err != nil {
		return nil, err
	}
	episodes := make([]bib.Episode, c.Len())
	errs := make([]error, len(episodes))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range max(jobs, 1) {
		workers.Go(func() {
			for i := int(next.Add(1) - 1); i < len(episodes) && ctx.Err() == nil; i = int(next.Add(1) - 1) {
				episodes[i], errs[i] = c.Episode(i)
			}
		})
	}
	workers.Wait()
	return episodes, errors.Join(ctx.Err(), firstOf(errs))
}

func firstOf(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
