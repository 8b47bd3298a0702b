package viewer

import (
	"strconv"
	"strings"

	"achilles/render/picture"
	"achilles/render/replay"
)

// A verb is a kind of action of the viewer.
type verb string

// Verbs. A comment says what the number of the action means. If there is no comment, the number means nothing.
const (
	playPause     verb = "play"
	step          verb = "step" // number of ticks; negative: back
	seek          verb = "seek" // tick to go to
	nextEvent     verb = "next-event"
	previousEvent verb = "previous-event"
	toStart       verb = "start"
	toEnd         verb = "end"
	slower        verb = "slower"
	faster        verb = "faster"
	loop          verb = "loop"
	overlay       verb = "overlay" // a picture.Overlay
	goRows        verb = "rows"    // number of rows down the list; negative: up
	goTo          verb = "row"     // index into the list
	goPage        verb = "page"    // number of pages down the list; negative: up
	search        verb = "search"
	filter        verb = "filter" // the replay.Field whose menu to open
	pick          verb = "pick"   // index of an entry of the open menu
	sortRows      verb = "sort"   // a replay.Order; 0: the next one
	clearAll      verb = "clear"
	showPanel     verb = "panel"        // a panel
	scrollSide    verb = "scroll-panel" // number of steps; negative: up
	wide          verb = "wide"
	firstPerson   verb = "first person"
	zoom          verb = "zoom" // number of steps; negative: smaller
	help          verb = "help"
	cell          verb = "cell"     // cell of the overview: subject × (paradigms + 1) + paradigm
	observe       verb = "observe"  // the argument is the number of observers to step forward in the list; negative: backward
	observeBy     verb = "observer" // index of the observer
	moveProbe     verb = "probe"    // direction: 0 up, 1 right, 2 down, 3 left
	leave         verb = "leave"    // closes the menu, the search, the help or the probe
	quit          verb = "quit"

	// Regions in which the position of the pointer matters.
	pictureArea verb = "picture"
	timeline    verb = "timeline"
	scrollTrack verb = "scroll"
)

// An action is a verb with a number. Its text is the id of a hit region: a click on the region performs the action.
type action struct {
	verb verb
	n    int
}

// String returns the id, for instance "row 7".
func (a action) String() string { return string(a.verb) + " " + strconv.Itoa(a.n) }

// parseAction returns the action whose id this is. ok is false if it is not the id of an action.
func parseAction(id string) (a action, ok bool) {
	name, number, found := strings.Cut(id, " ")
	n, err := strconv.Atoi(number)
	return action{verb(name), n}, found && err == nil
}

// do performs an action. It changes nothing if the action is impossible now.
func (m model) do(a action) model {
	m.Rev++
	if a.verb == overlay && m.absent(picture.Overlay(a.n)) != "" {
		m.description = m.overlayHint(a)
		return m
	}
	if next, ok := m.control(a); ok {
		m.stage = next
		return m.describe()
	}
	if next, ok := m.travel(a, m.page(m.library)); ok {
		m.selection = next
		return m
	}
	switch a.verb {
	case observe:
		return m.do(action{observeBy, m.observer + a.n})
	case observeBy:
		i, ok := m.library.observerAt(a.n)
		if !ok {
			m.description = "nobody watches these episodes: subjects act in them"
			return m
		}
		m.observer = i
	case cell:
		if !m.overviewed() {
			return m
		}
		if a.n < 0 {
			a.n = m.marked
		}
		q, ok := m.overview.query(a.n, m.library.list)
		if !ok {
			return m
		}
		m.panel = episodePanel
		m = m.choose(q).do(action{goTo, 0})
		m.stage = m.ended(m.Row())
		return m
	case search:
		m.focus = onSearch
	case filter:
		if f := replay.Field(a.n); f < replay.Fields && m.library.list.Values(f) != nil {
			m.focus, m.menu = onMenu, newMenu(f, "", m.library.list, m.query)
		}
	case pick:
		return m.pick(a.n)
	case sortRows:
		q, ok := m.ordered(replay.Order(a.n), m.library.list)
		if !ok {
			m.description = "this directory has no values for that sort order: " + replay.Order(a.n).String()
			return m
		}
		return m.choose(q).do(action{goTo, 0})
	case clearAll:
		return m.choose(replay.Query{Order: m.query.Order})
	case showPanel:
		m.panel, m.scrolledBy = panel(min(max(a.n, 0), int(panels)-1)), 0
	case scrollSide:
		return m.scrollPanel(scrollStep * float32(a.n))
	case wide:
		m.wide = !m.wide
	case firstPerson:
		m.firstPerson = !m.firstPerson
	case zoom:
		m.zoom = min(max(m.zoom+a.n, -mostZoom), mostZoom)
	case help:
		m.focus = onHelp
	case moveProbe:
		if m.overviewed() {
			m.marked = m.overview.move(m.marked, a.n)
			m.description = m.overview.hint(m.marked)
			return m
		}
		return m.moveProbe(a.n)
	case leave:
		return m.leave()
	case quit:
		m.leaving = true
	}
	return m
}

// leave closes the menu, the search or the help. If none is open, it removes the probe.
func (m model) leave() model {
	switch {
	case m.focus != onReplay:
		m.focus = onReplay
	case m.probe:
		m.probe, m.description = false, ""
	}
	return m
}
