package viewer

import (
	"strings"

	"achilles/render/replay"
)

// A menu lists the values of one field. If text was typed, it lists only the values that contain the text.
type menu struct {
	field   replay.Field
	typed   string
	entries []entry
	at      int // index of the entry that the key enter picks
}

// An entry is a value to filter by. value is as in replay.Query.Value, where 0 means any value. count is the number of
// rows with the value, or −1 if it is not shown.
type entry struct {
	value int
	text  string
	count int
}

// newMenu returns the menu of the values of a field that contain the typed text. If the query filters by one of them, that is the entry
// which the key enter picks.
func newMenu(f replay.Field, typed string, list *replay.List, q replay.Query) menu {
	values, counts := list.Values(f), list.Counts(f, q)
	n := menu{field: f, typed: typed}
	if typed == "" {
		n.entries = append(n.entries, entry{0, "any", -1})
	}
	for k, v := range values {
		if strings.Contains(strings.ToLower(v), strings.ToLower(typed)) {
			if k+1 == q.Value[f] {
				n.at = len(n.entries)
			}
			n.entries = append(n.entries, entry{k + 1, nonempty(v), counts[k]})
		}
	}
	return n
}

func nonempty(v string) string {
	if v == "" {
		return "(none)"
	}
	return v
}

// pick filters by entry i of the menu and closes the menu.
func (m model) pick(i int) model {
	m.focus = onReplay
	if i < 0 || i >= len(m.menu.entries) {
		return m
	}
	q := m.query
	q.Value[m.menu.field] = m.menu.entries[i].value
	return m.choose(q)
}

// edit returns a line of text after a key was typed. ok is false if the key does not change the line.
func edit(line string, k string) (string, bool) {
	switch r := []rune(k); {
	case k == "space":
		return line + " ", true
	case len(r) == 1:
		return line + string(r), true
	case k == "backspace":
		if b := []rune(line); len(b) > 0 {
			return string(b[:len(b)-1]), true
		}
	}
	return line, false
}

// press handles a key that moves through the menu or changes what is typed.
func (n menu) press(k string, list *replay.List, q replay.Query) menu {
	last := len(n.entries) - 1
	switch k {
	case "down":
		n.at = min(n.at+1, last)
	case "up":
		n.at = max(n.at-1, 0)
	case "page down":
		n.at = min(n.at+10, last)
	case "page up":
		n.at = max(n.at-10, 0)
	case "home":
		n.at = 0
	case "end":
		n.at = max(last, 0)
	default:
		if t, ok := edit(n.typed, k); ok {
			return newMenu(n.field, t, list, q)
		}
	}
	return n
}
