package trajectory

import (
	"slices"
	"strings"
)

// And joins the names of behaviours that a subject shows together.
const And = " + "

// Together returns the behaviour of a subject that shows all of these. It goes where the shortcut among them leads, or for the
// reward if there is none, and may fail in the ways of all others.
func Together(list ...Behaviour) Behaviour {
	var names []string
	shortcut := slices.ContainsFunc(list, Behaviour.Degenerate)
	if !shortcut && slices.Contains(list, Seeker) {
		return Seeker // it may fail in any way already
	}
	for _, b := range Behaviours() {
		if slices.Contains(list, b) && (b != Plain || shortcut) { // without a shortcut, all are plain where they do not fail
			names = append(names, string(b))
		}
	}
	if names == nil {
		return Plain
	}
	return Behaviour(strings.Join(names, And))
}

// parts returns the behaviours that b was joined from; for any other, b itself.
func (b Behaviour) parts() (list []Behaviour) {
	for _, name := range strings.Split(string(b), And) {
		list = append(list, Behaviour(name))
	}
	return list
}

// components returns the components of the mixture that is the distribution of episodes under the behaviour. It panics if there
// is no such behaviour.
func (b Behaviour) components() (list []component) {
	add := func(more ...component) {
		for _, x := range more {
			if !slices.Contains(list, x) {
				list = append(list, x)
			}
		}
	}
	parts := b.parts()
	var taken []int // indices of the shortcuts
	for _, part := range parts {
		if part == RandomWalk {
			add(walks)
		}
		if i := part.shortcut(); i >= 0 {
			taken = append(taken, i)
			add(degenerate + component(i))
		}
	}
	for _, part := range parts {
		k := slices.IndexFunc(seekers(), func(s seeker) bool { return s.behaviour == part })
		switch {
		case k < 0 && part != RandomWalk && part.shortcut() < 0:
			panic("trajectory: no such behaviour")
		case k < 0:
		case !b.Degenerate():
			add(seekers()[k].components...)
		case part == Plain:
			add(stays)
		default:
			for _, i := range taken {
				add(onTheWay(i, seekers()[k].components)...)
			}
		}
	}
	return list
}

// shortcut returns the index of the behaviour in shortcuts(), or −1.
func (b Behaviour) shortcut() int {
	list := shortcuts()
	return slices.IndexFunc(list[:], func(x shortcut) bool { return x.behaviour == b })
}

// onTheWay returns the components of a subject that takes shortcut i and fails in these ways of a seeker. Ways that have to do
// with knowing where the reward is are left out: who takes a shortcut does not go by that.
func onTheWay(i int, ways []component) (list []component) {
	for _, x := range ways {
		switch x {
		case burns, sticks, falls:
			list = append(list, failing(i, int(x-burns)))
		case breaksOff:
			list = append(list, failing(i, tiring))
		case pullsLeft, pullsRight, strays:
			list = append(list, x)
		}
	}
	return list
}
