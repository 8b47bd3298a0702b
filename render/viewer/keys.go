package viewer

import "achilles/render/replay"

// A Key is the character that a key writes, or the name of one that writes none: space, enter, escape, backspace, tab,
// left, right, up, down, home, end, page up, page down, with "shift " or "control " before it where that is held.
type Key string

// A Binding is a key with what it does.
type Binding struct {
	Key    Key
	Action Action
	Doc    string // for the help; empty: listed with the one before
	Group  string
}

// Bindings are all keys, in the order of the help. Nothing in the viewer is out of reach of them.
func Bindings() []Binding {
	b := func(k Key, v Verb, n int, doc string) Binding { return Binding{Key: k, Action: Action{v, n}, Doc: doc} }
	list := group("Replay",
		b("space", PlayPause, 0, "play or pause"),
		b("left", Step, -1, "a tick back"), b("right", Step, 1, "a tick on"),
		b(",", Step, -10, "ten ticks back"), b(".", Step, 10, "ten ticks on"),
		b("[", PrevEvent, 0, "the event before"), b("]", NextEvent, 0, "the next event"),
		b("home", ToStart, 0, "to the start"), b("end", ToEnd, 0, "to the end"),
		b("-", Slower, 0, "half as fast"), b("+", Faster, 0, "twice as fast"), b("=", Faster, 0, ""),
		b("l", Loop, 0, "play over and over"))
	list = append(list, group("Overlays",
		b("v", Overlay, 0, "what the actor sees"), b("b", Overlay, 1, "what it believes"),
		b("g", Overlay, 2, "goals and surprise of an observer"), b("r", Overlay, 3, "the predicted routes"),
		b("shift up", MoveProbe, 0, "ask about a cell: move the probe"), b("shift right", MoveProbe, 1, ""),
		b("shift down", MoveProbe, 2, ""), b("shift left", MoveProbe, 3, ""))...)
	list = append(list, group("Episodes",
		b("up", GoRows, -1, "the episode before"), b("down", GoRows, 1, "the next episode"),
		b("page up", GoPage, -1, "a page up"), b("page down", GoPage, 1, "a page down"),
		b("control home", GoTo, 0, "the first episode"), b("control end", GoTo, 1<<30, "the last episode"),
		b("/", Search, 0, "search"),
		b("s", Filter, int(replay.Suite), "filter by suite"), b("p", Filter, int(replay.Paradigm), "by paradigm"),
		b("t", Filter, int(replay.Task), "by task"), b("a", Filter, int(replay.Agent), "by agent"),
		b("o", Filter, int(replay.Outcome), "by outcome"), b("c", Filter, int(replay.Cause), "by cause of failure"),
		b("u", Filter, int(replay.Surprise), "by surprise"), b("z", Sort, 0, "sort otherwise"), b("x", ClearAll, 0, "clear search and filters"))...)
	return append(list, group("Window",
		b("1", ShowPanel, int(EpisodePanel), "about the episode"), b("2", ShowPanel, int(ProfilePanel), "the subject's profile"),
		b("3", ShowPanel, int(BatteryPanel), "the whole battery"), b("w", Wide, 0, "nothing but the picture, and back"),
		b("?", Help, 0, "these keys"), b("escape", Leave, 0, "leave what is open"), b("q", Quit, 0, "quit"))...)
}

func group(name string, list ...Binding) []Binding {
	for i := range list {
		list[i].Group = name
	}
	return list
}

// keyOf returns the first key of an action; empty where it has none of its own.
func keyOf(a Action) (k Key, doc string) {
	for _, b := range Bindings() {
		if b.Action == a {
			return b.Key, b.Doc
		}
	}
	return "", ""
}

// Press does what a key does now.
func (m Model) Press(k Key) Model {
	m.Rev++
	switch m.focus {
	case OnMenu:
		return m.pressInMenu(k)
	case OnSearch:
		return m.pressInSearch(k)
	case OnHelp:
		m.focus = OnReplay
		return m
	}
	for _, b := range Bindings() {
		if b.Key == k {
			return m.Do(b.Action)
		}
	}
	return m
}

// pressInSearch writes what is searched for; the list follows every character.
func (m Model) pressInSearch(k Key) Model {
	switch k {
	case "enter", "escape", "tab":
		m.focus = OnReplay
		return m
	case "up", "down", "page up", "page down":
		for _, b := range Bindings() {
			if b.Key == k {
				return m.Do(b.Action)
			}
		}
	}
	if t, ok := edit(m.choice.Search, k); ok {
		c := m.choice
		c.Search = t
		return m.choose(c)
	}
	return m
}

// Keys returns keys that have the same effect as a click on a hit region would have now, perhaps none where that
// changes nothing; nil where no keys do.
func (m Model) Keys(id string) []Key {
	a, ok := ParseAction(id)
	if !ok {
		return nil
	}
	switch a.Verb {
	case GoTo:
		return times(m.cursor, a.N, "up", "down")
	case Pick:
		return append(times(m.menu.at, a.N, "up", "down"), "enter")
	case Seek, timeline:
		return append([]Key{"home"}, times(0, a.N, "left", "right")...)
	case scrollTrack:
		return []Key{"page down"}
	case stageArea:
		return []Key{"shift right"}
	}
	if k, _ := keyOf(a); k != "" {
		return []Key{k}
	}
	return nil
}

// times is as many keys as lead from one number to another.
func times(from, to int, less, more Key) []Key {
	keys := []Key{}
	for ; from < to; from++ {
		keys = append(keys, more)
	}
	for ; from > to; from-- {
		keys = append(keys, less)
	}
	return keys
}
