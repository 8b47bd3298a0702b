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

// openMenu opens the menu of a field, if the field has values to filter by.
func (m model) openMenu(f replay.Field) model {
	if f >= replay.Fields || m.library.list.Values(f) == nil {
		return m
	}
	m.focus = onMenu
	m.menu = menu{field: f}
	return m.narrow("")
}

// narrow makes the menu list the values that contain the typed text. If the menu then lists the value by which rows are
// filtered now, narrow makes that the entry which the key enter picks.
func (m model) narrow(typed string) model {
	f := m.menu.field
	values, counts := m.library.list.Values(f), m.library.list.Counts(f, m.query)
	n := menu{field: f, typed: typed}
	if typed == "" {
		n.entries = append(n.entries, entry{0, "any", -1})
	}
	for k, v := range values {
		if strings.Contains(strings.ToLower(v), strings.ToLower(typed)) {
			if k+1 == m.query.Value[f] {
				n.at = len(n.entries)
			}
			n.entries = append(n.entries, entry{k + 1, nonempty(v), counts[k]})
		}
	}
	m.menu = n
	m.Rev++
	return m
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

// pressInMenu handles a key while a menu is open.
func (m model) pressInMenu(k string) model {
	last := len(m.menu.entries) - 1
	switch k {
	case "escape":
		m.focus = onReplay
	case "enter":
		return m.pick(m.menu.at)
	case "down":
		m.menu.at = min(m.menu.at+1, last)
	case "up":
		m.menu.at = max(m.menu.at-1, 0)
	case "page down":
		m.menu.at = min(m.menu.at+10, last)
	case "page up":
		m.menu.at = max(m.menu.at-10, 0)
	case "home":
		m.menu.at = 0
	case "end":
		m.menu.at = max(last, 0)
	default:
		if t, ok := edit(m.menu.typed, k); ok {
			return m.narrow(t)
		}
	}
	return m
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
