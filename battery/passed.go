package battery

import (
	"slices"

	"achilles/sim/record"
)

// HiddenFeature is the name of the feature that is 1 on items that test object permanence and 0 on controls.
const HiddenFeature = "requiresOP"

// A Share is a number of items, and how many of them are passed.
type Share struct{ Passed, Of int }

// Rate returns Passed/Of, from 0 to 1, and 0 if Of is 0.
func (s Share) Rate() float64 { return float64(s.Passed) / float64(max(s.Of, 1)) }

func (s *Share) add(passed bool) {
	s.Of++
	if passed {
		s.Passed++
	}
}

// Passed says how many of the items that test object permanence one shortcut passes.
type Passed struct {
	Shortcut string  // name of the shortcut's feature
	Hidden   []Share // by paradigm, in the order of the first result of ByShortcuts
	All      Share   // over all paradigms
}

// ByShortcuts returns, for every shortcut feature of the schema, how many of the items that test object permanence the
// shortcut passes. paradigms has the names of the paradigms with such items, sorted. Both results are nil if the schema
// lacks HiddenFeature.
func (b *Battery) ByShortcuts() (paradigms []string, list []Passed) {
	hidden, ok := b.Feature(HiddenFeature)
	if !ok {
		return nil, nil
	}
	tests := b.keep(func(i int) bool { return b.Items.Values(i).At(hidden).Number == 1 })
	for _, it := range tests.Items.All() {
		if p := it.Paradigm; !slices.Contains(paradigms, p) {
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

// by returns how many items the shortcut of feature f passes, by paradigm and over all. It leaves out items without a value
// of f.
func (b *Battery) by(f int, paradigms []string) Passed {
	p := Passed{Shortcut: b.Schema[f].Name, Hidden: make([]Share, len(paradigms))}
	for _, it := range b.Items.All() {
		if v := it.Values.At(f); !v.Missing {
			p.Hidden[slices.Index(paradigms, it.Paradigm)].add(v.Number == 1)
			p.All.add(v.Number == 1)
		}
	}
	return p
}
