package viewer

import (
	"fmt"
	"strings"

	"achilles/render/picture"
)

// Words says what the viewer shows in words, for who cannot see the picture: the episode, the tick with its event, the panel, and what is
// described. While it plays, the tick is left out, so that a reader is not interrupted at each.
func (v *Viewer) Words() string { return words(v.model) }

func words(m model) string {
	switch {
	case m.focus == onHelp:
		return "Keys; any key goes back.\n" + Keys()
	case m.focus == onMenu:
		return m.menu.words()
	case m.focus == onSearch:
		return fmt.Sprintf("Search: %s. %d of %d episodes.", nonempty(m.query.Search), len(m.rows), m.library.list.Len())
	case m.episode == nil:
		return m.problem
	}
	lines := []string{fmt.Sprintf("%s. Episode %d of %d in the list.", title(m.episode.Episode), m.cursor+1, len(m.rows))}
	if m.Play.Playing {
		lines = append(lines, "Playing.")
	} else {
		at := fmt.Sprintf("Tick %d of %d.", m.Play.Tick, m.Play.Last)
		for _, e := range m.episode.Events {
			if e.Tick == m.Play.Tick {
				at += " " + e.Caption() + "."
			}
		}
		lines = append(lines, at)
	}
	lines = append(lines, "Panel "+m.panel.String()+".")
	switch m.panel {
	case episodePanel:
		if why, ok := picture.WhyOf(m.episode.Episode); ok {
			lines = append(lines, why.Title())
			for _, h := range why.Asked() {
				text := fmt.Sprintf("%s, %s: cleared with %.2f, 90 %% from %.2f to %.2f", h.Name, h.Words(), h.Mean, h.Low, h.High)
				if h.Truth != nil {
					text += fmt.Sprintf(", truth %.2f", *h.Truth)
				}
				lines = append(lines, text)
			}
			lines = append(lines, why.Sentences()...)
		}
		for _, f := range facts(m.episode.Episode, 0) {
			lines = append(lines, f.name+": "+f.value)
		}
		if h, ok := picture.HypothesesOf(m.episode.Episode); ok && !m.Play.Playing {
			lines = append(lines, h.Words(m.episode.Episode, m.Play.Tick)...)
		}
	case profilePanel:
		if p := m.episode.Profile; p != nil {
			for i := range p.Parameters {
				mean, sd, low, high := p.Parameters[i].Reported()
				text := fmt.Sprintf("%s: %.3g, SD %.2g, 90 %% from %.3g to %.3g", p.Parameters[i].Parameter, mean, sd, low, high)
				if t := p.Parameters[i].Truth; t != nil {
					text += fmt.Sprintf(", truth %.3g", *t)
				}
				lines = append(lines, text)
			}
		}
	case batteryPanel:
		if m.overview != nil {
			lines = append(lines, m.overview.headline())
			if m.overviewed() {
				lines = append(lines, m.overview.hint(m.marked))
			}
		}
	}
	if m.description != "" {
		lines = append(lines, m.description)
	}
	return strings.Join(lines, "\n")
}

// words says which entry of the menu the key enter picks.
func (n menu) words() string {
	if len(n.entries) == 0 {
		return fmt.Sprintf("Filter by %s: nothing contains %s.", n.field, n.typed)
	}
	e := n.entries[n.at]
	text := fmt.Sprintf("Filter by %s: %s, entry %d of %d", n.field, e.text, n.at+1, len(n.entries))
	if e.count >= 0 {
		text += fmt.Sprintf(", %d episodes", e.count)
	}
	return text + "."
}
