package generate

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"
	"sync"

	"achilles/scenarios/scenario"
)

// Act lets the programs of a share of the subjects take the battery: of every subject whose number, from 0, leaves the
// remainder index when divided by of. It stores what they did in the journal, where Run finds it, and does nothing else.
// It returns the names under which the journal has it, and a digest of everything that it depends on. There are no names
// if none of these subjects is a program.
func Act(ctx context.Context, s *scenario.Scenario, c Config, index, of int) (names []string, key string, err error) {
	journal := &listed{Journal: c.Journal, names: map[string]bool{}}
	c.Journal = journal
	r, err := newRunner(ctx, s, c)
	if err != nil {
		return nil, "", err
	}
	if err := r.act(ctx, func(subject int) bool { return subject%of == index && r.acts(subject) }); err != nil {
		return nil, "", err
	}
	for name := range journal.names {
		names = append(names, name)
	}
	slices.Sort(names)
	sum := r.key.Sum("shards", s.Text)
	return names, hex.EncodeToString(sum[:16]), nil
}

// act lets the programs of those subjects act for which acts is true.
func (r *runner) act(ctx context.Context, acts func(subject int) bool) error {
	if r.choice != nil {
		return r.choose(ctx, acts)
	}
	r.commands = slices.DeleteFunc(r.commands, func(subject int) bool { return !acts(subject) })
	each(ctx, len(r.commands), r.Config, func(i int) { r.failed.note(i, r.command(ctx, r.commands[i])) })
	return cmp.Or(ctx.Err(), r.firstError())
}

// HasPrograms reports whether a subject of a scenario is a program or a language model.
func HasPrograms(s *scenario.Scenario, root uint64) (bool, error) {
	subjects, err := s.Subjects(root)
	for i := range subjects {
		if subjects[i].Outside() {
			return true, err
		}
	}
	return false, err
}

// A listed journal keeps the names of what it has.
type listed struct {
	Journal
	mu    sync.Mutex
	names map[string]bool
}

// Get implements Journal.
func (l *listed) Get(name string) ([]byte, error) {
	b, err := l.Journal.Get(name)
	if b != nil {
		l.add(name)
	}
	return b, err
}

// Put implements Journal.
func (l *listed) Put(name string, data []byte) error {
	l.add(name)
	return l.Journal.Put(name, data)
}

func (l *listed) add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.names[name] = true
}
