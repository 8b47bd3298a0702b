package viewer

import (
	"path"
	"strings"

	"achilles/render/replay"
)

// A library has the viewer's information about a directory as a whole. It does not change.
type library struct {
	title    string
	list     *replay.List
	unsealed bool     // whether the seal was opened
	reading  bool     // whether the list is still being read
	notes    []string // warnings about the directory

	observers []string // names of the observers whose surprises are known
	observer  string   // name of the observer whose surprises the list has
}

// fields returns the fields by whose values rows can be filtered.
func (l *library) fields() (fields []replay.Field) {
	for f := range replay.Fields {
		if l.list.Values(f) != nil {
			fields = append(fields, f)
		}
	}
	return fields
}

// note returns the latest note about a file that could not be read, or "" if there is none. e is the open episode, or nil.
func (l *library) note(e *opened) string {
	notes := l.notes
	if e != nil {
		notes = append(notes[:len(notes):len(notes)], e.notes...)
	}
	if len(notes) == 0 {
		return ""
	}
	return notes[len(notes)-1]
}

// observerAt returns the index of observer i. If there are n observers, the number n stands for the first one again, and −1 for the last
// one. ok is false if there are none.
func (l *library) observerAt(i int) (index int, ok bool) {
	n := len(l.observers)
	if n == 0 {
		return 0, false
	}
	return (i%n + n) % n, true
}

// lacks returns the name of observer i, if the list does not have the surprises of this observer.
func (l *library) lacks(i int) (observer string, ok bool) {
	if len(l.observers) == 0 {
		return "", false
	}
	return l.observers[i], l.observers[i] != l.observer
}

// caption returns what the bar says, each in several lengths: the directory, and whether names are sealed; and once it is read the result,
// nil if there is none.
func (l *library) caption(o *overview) (of, result []string) {
	state := ""
	switch {
	case l.unsealed:
		state = separator + "unsealed"
	case !l.reading:
		state = separator + "sealed: subjects' names and beliefs are not shown"
	}
	if o != nil {
		result = o.headlines
	}
	name, rest, _ := strings.Cut(l.title, separator)
	if rest != "" {
		rest = separator + rest
	}
	short := path.Base(name) + rest
	return []string{l.title + state, short + state, short}, result
}

// separator stands between the parts of the bar.
const separator = "   ·   "
