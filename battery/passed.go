package battery

import (
	"slices"

	"achilles/sim/record"
)

// HiddenFeature is the feature by which a battery says of an item, with 1, that it tests object permanence; the others
// are controls.
const HiddenFeature = "requiresOP"

// A Share is how many of some items are passed.
type Share struct{ Passed, Of int }

// Rate is the share as a number from 0 to 1, 0 of no items.
func (s Share) Rate() float64 { return float64(s.Passed) / float64(max(s.Of, 1)) }

func (s *Share) add(passed bool) {
	s.Of++
	if passed {
		s.Passed++
	}
}

// Passed says which of the items that test object permanence a shortcut passes.
type Passed struct {
	Shortcut string  // its feature
	Hidden   []Share // by paradigm
	All      Share
}

// ByShortcuts returns for every shortcut of the schema which of the items that test object permanence it passes, by the
// paradigms that have such items, sorted by name. There are none where the battery does not say which items these are.
func (b *Battery) ByShortcuts() (paradigms []string, list []Passed) {
	hidden, ok := b.Feature(HiddenFeature)
	if !ok {
		return nil, nil
	}
	tests := b.keep(func(i int) bool { return b.Items[i].Values[hidden].Number == 1 })
	for i := range tests.Items {
		if p := tests.Items[i].Paradigm; !slices.Contains(paradigms, p) {
			paradigms = append(paradigms, p)
		}
	}
	slices.Sort(paradigms)
	for f, feature := range b.Schema {
		if feature.Role == record.Shortcut {
			list = append(list, tests.by(f, paradigms))
		}
	}
	return paradigms, list
}

// by is what the shortcut with feature f passes. Items that do not say it are left out.
func (b *Battery) by(f int, paradigms []string) Passed {
	p := Passed{Shortcut: b.Schema[f].Name, Hidden: make([]Share, len(paradigms))}
	for i := range b.Items {
		if v := b.Items[i].Values[f]; !v.Missing {
			p.Hidden[slices.Index(paradigms, b.Items[i].Paradigm)].add(v.Number == 1)
			p.All.add(v.Number == 1)
		}
	}
	return p
}
