package viewer

import (
	"fmt"
	"strings"

	"achilles/render/picture"
	"achilles/render/replay"
)

// A binding assigns an action to a key. Keys have the names that canvas.Input gives them.
type binding struct {
	Key    string
	action action
	Doc    string // text in the help; empty: the help adds the key to the line of the binding before
	group  string
}

// Keys returns the keys of the viewer and what they do, one per line.
func Keys() string {
	var b strings.Builder
	for _, k := range bindings() {
		if k.Doc != "" {
			fmt.Fprintf(&b, "  %-16s%s\n", k.Key, k.Doc)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// bindings returns the bindings of all keys, in the order of the help. Every control has a key.
func bindings() []binding {
	b := func(k string, v verb, n int, doc string) binding {
		return binding{Key: k, action: action{v, n}, Doc: doc}
	}
	list := group("Replay",
		b("space", playPause, 0, "play or pause"),
		b("left", step, -1, "one tick back"), b("right", step, 1, "one tick forward"),
		b(",", step, -10, "ten ticks back"), b(".", step, 10, "ten ticks forward"),
		b("[", previousEvent, 0, "the previous event"), b("]", nextEvent, 0, "the next event"),
		b("home", toStart, 0, "to the start"), b("end", toEnd, 0, "to the end"),
		b("-", slower, 0, "half as fast"), b("+", faster, 0, "twice as fast"), b("=", faster, 0, ""),
		b("l", loop, 0, "loop"))
	list = append(list, group("Overlays",
		b("v", overlay, int(picture.Sight), "what the actor sees"), b("b", overlay, int(picture.Belief), "what it believes"),
		b("g", overlay, int(picture.Goals), "goals and surprise of an observer"), b("r", overlay, int(picture.Prediction), "the predicted paths"),
		b("i", overlay, int(picture.Others), "paths of the other subjects on the item"),
		b("k", observe, 1, "next observer"), b("j", observe, -1, "previous observer"),
		b("shift up", moveProbe, 0, "move the probe, or the mark"), b("shift right", moveProbe, 1, ""),
		b("shift down", moveProbe, 2, ""), b("shift left", moveProbe, 3, ""))...)
	list = append(list, group("Episodes",
		b("up", goRows, -1, "the previous episode"), b("down", goRows, 1, "the next episode"),
		b("page up", goPage, -1, "one page up"), b("page down", goPage, 1, "one page down"),
		b("control home", goTo, 0, "the first episode"), b("control end", goTo, 1<<30, "the last episode"),
		b("/", search, 0, "search"),
		b("s", filter, int(replay.Suite), "filter by suite"), b("p", filter, int(replay.Paradigm), "by paradigm"),
		b("t", filter, int(replay.Task), "by task"), b("a", filter, int(replay.Agent), "by agent"),
		b("o", filter, int(replay.Outcome), "by outcome"), b("c", filter, int(replay.Cause), "by cause of failure"),
		b("u", filter, int(replay.Surprise), "by surprise"), b("z", sortRows, 0, "change sort order"),
		b("n", sortRows, int(replay.MostWrong), "sort by the most wrong prediction (p against the truth)"), b("e", sortRows, int(replay.WorstPath), "sort by the largest path error (RMSE)"),
		b("x", clearAll, 0, "clear search and filters"))...)
	return append(list, group("Window",
		b("1", showPanel, int(episodePanel), "about the episode"), b("2", showPanel, int(profilePanel), "the subject's profile"),
		b("3", showPanel, int(batteryPanel), "the battery: errors by paradigm, or observers by task"), b("shift page down", scrollSide, 1, "scroll the panel down"), b("shift page up", scrollSide, -1, "scroll it up"),
		b("enter", cell, -1, "the episodes of the marked cell of the battery"),
		b("w", wide, 0, "picture only, on or off"), b("f", firstPerson, 0, "what the actor sees in first person, on or off"),
		b(">", zoom, 1, "everything larger"), b("<", zoom, -1, "everything smaller"),
		b("?", help, 0, "these keys"), b("escape", leave, 0, "leave what is open"), b("q", quit, 0, "quit"))...)
}

func group(name string, list ...binding) []binding {
	for i := range list {
		list[i].group = name
	}
	return list
}

// keyOf returns the first key of an action, and its text in the help. Both are empty if the action has no key.
func keyOf(a action) (k string, doc string) {
	for _, b := range bindings() {
		if b.action == a {
			return b.Key, b.Doc
		}
	}
	return "", ""
}

// Press handles a key. Its effect depends on the focus.
func (m model) Press(k string) model {
	m.Rev++
	switch m.focus {
	case onMenu:
		switch k {
		case "escape":
			m.focus = onReplay
		case "enter":
			return m.pick(m.menu.at)
		default:
			m.menu = m.menu.press(k, m.library.list, m.query)
		}
		return m
	case onSearch:
		return m.pressInSearch(k)
	case onHelp:
		m.focus = onReplay
		return m
	}
	for _, b := range bindings() {
		if b.Key == k {
			return m.do(b.action)
		}
	}
	return m
}

// pressInSearch handles a key that is pressed in the search. Whenever the text changes, the rows that match it are
// selected anew.
func (m model) pressInSearch(k string) model {
	switch k {
	case "enter", "escape", "tab":
		m.focus = onReplay
		return m
	case "up", "down", "page up", "page down":
		for _, b := range bindings() {
			if b.Key == k {
				return m.do(b.action)
			}
		}
	}
	if t, ok := edit(m.query.Search, k); ok {
		q := m.query
		q.Search = t
		return m.choose(q)
	}
	return m
}

// Keys returns keys that have the same effect now as a click on the hit region id. It returns nil if there are no such
// keys, and an empty list if the click would change nothing.
func (m model) Keys(id string) []string {
	a, ok := parseAction(id)
	if !ok {
		return nil
	}
	switch a.verb {
	case goTo:
		return times(m.cursor, a.n, "up", "down")
	case pick:
		return append(times(m.menu.at, a.n, "up", "down"), "enter")
	case seek, timeline:
		return append([]string{"home"}, times(0, a.n, "left", "right")...)
	case cell:
		width := len(m.overview.paradigms) + 1
		return append(append(times(m.marked/width, a.n/width, "shift up", "shift down"), times(m.marked%width, a.n%width, "shift left", "shift right")...), "enter")
	case observeBy:
		return times(m.observer, a.n, "j", "k")
	case scrollTrack:
		return []string{"page down"}
	case pictureArea:
		return []string{"shift right"}
	}
	if k, _ := keyOf(a); k != "" {
		return []string{k}
	}
	return nil
}

// times returns the key more or the key less, repeated as often as is needed to get from the number from to the number
// to.
func times(from, to int, less, more string) []string {
	keys := []string{}
	for ; from < to; from++ {
		keys = append(keys, more)
	}
	for ; from > to; from-- {
		keys = append(keys, less)
	}
	return keys
}
