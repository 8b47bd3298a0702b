package generate

import (
	"slices"

	"achilles/agents"
	"achilles/battery"
)

// A slot names a trial by the indices of its item and of the trial in the item.
type slot struct{ item, trial int }

// An assignment says what each subject takes of a battery: items as a whole, or the trials with a world to act in.
type assignment struct {
	subjects []agents.Spec
	asks     bool   // the items are questions
	whole    []slot // one for each item; nil if no subject takes items as a whole
	trials   []slot // all trials with a world to act in, item by item
	places   bool   // such a trial has places to go to
}

// assign lists what subjects take.
func assign(items *battery.Items, subjects []agents.Spec, asks bool) *assignment {
	n := items.Len()
	a := &assignment{subjects: subjects, asks: asks, trials: make([]slot, 0, n)} // most batteries have one trial an item
	if slices.ContainsFunc(subjects, func(x agents.Spec) bool { return a.takesItems(&x) }) {
		a.whole = make([]slot, n)
		for i := range a.whole {
			a.whole[i].item = i
		}
	}
	var it battery.Item
	for i := range n {
		items.Read(i, &it)
		for t := range it.Trials {
			if !it.Trials[t].World.Empty() {
				a.trials = append(a.trials, slot{i, t})
				a.places = a.places || len(it.Trials[t].Places) > 0
			}
		}
	}
	return a
}

// takesItems returns whether a subject responds to items as a whole. Other subjects act in the trials of items.
func (a *assignment) takesItems(spec *agents.Spec) bool {
	switch {
	case spec.Collective != nil:
		return !slices.ContainsFunc(spec.Collective.Members, func(name string) bool {
			m := a.subject(name)
			return m >= 0 && !a.takesItems(&a.subjects[m])
		})
	case spec.Outside():
		return a.asks
	}
	return len(spec.Rule) > 0 || spec.Solver != nil
}

// takes returns the number of items or trials that a subject takes, without repetitions.
func (a *assignment) takes(spec *agents.Spec) int {
	if a.takesItems(spec) {
		return len(a.whole)
	}
	return len(a.trials)
}

// slots returns the trials that a subject takes: one for each item if it takes items as a whole, else all trials with a
// world to act in.
func (a *assignment) slots(subject int) []slot {
	if a.takesItems(&a.subjects[subject]) {
		return a.whole
	}
	return a.trials
}

// subject returns the index of the subject with a name, or −1 if there is none.
func (a *assignment) subject(name string) int {
	for i := range a.subjects {
		if a.subjects[i].Name == name {
			return i
		}
	}
	return -1
}
