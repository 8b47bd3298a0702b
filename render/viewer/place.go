package viewer

import (
	"net/url"
	"strconv"
	"strings"

	"achilles/render/replay"
)

// place returns the episode, the tick and the panel that the viewer shows, without a Title. Before an episode is open,
// it returns the zero Options.
func (v *Viewer) place() (o Options) {
	m := &v.model
	if m.episode == nil {
		return o
	}
	r := m.library.list.Row(int(m.row))
	return Options{Subject: r.Subject, Item: r.Item, Trial: r.Trial, Repetition: r.Repetition, Tick: m.Play.Tick, Panel: strings.ToLower(m.panel.String())}
}

// Fragment returns the episode, the tick and the panel that the viewer shows, as the fragment of an address. Options.At
// reads such a fragment. Before an episode is open, Fragment returns "".
func (v *Viewer) Fragment() string {
	o := v.place()
	q := url.Values{}
	set := func(key, value string) {
		if value != "" && value != "0" {
			q.Set(key, value)
		}
	}
	set("subject", o.Subject)
	set("item", o.Item)
	set("trial", strconv.Itoa(o.Trial))
	set("repetition", strconv.Itoa(o.Repetition))
	set("tick", strconv.Itoa(o.Tick))
	set("panel", o.Panel)
	return q.Encode()
}

// At returns options with the title of o and the episode, tick and panel that a fragment names. It returns o if the
// fragment names no item. A number that cannot be read counts as 0.
func (o Options) At(fragment string) Options {
	q, err := url.ParseQuery(strings.TrimPrefix(fragment, "#"))
	if err != nil || q.Get("item") == "" {
		return o
	}
	number := func(key string) int {
		n, err := strconv.Atoi(q.Get(key))
		if err != nil {
			return 0
		}
		return max(n, 0)
	}
	return Options{Title: o.Title, Subject: q.Get("subject"), Item: q.Get("item"), Trial: number("trial"), Repetition: number("repetition"), Tick: number("tick"), Panel: q.Get("panel")}
}

// row returns the row that the options name. ok is false if no episode has the subject and the item. If none of their episodes has the trial and
// repetition, row returns the first of them.
func (o Options) row(a *replay.Archive) (row int, ok bool) {
	first, err := a.Find(o.Subject, o.Item)
	if err != nil {
		return 0, false
	}
	for i := first; i < len(a.Rows); i++ {
		r := &a.Rows[i]
		if r.Subject == a.Rows[first].Subject && r.Item == a.Rows[first].Item && r.Trial == o.Trial && r.Repetition == o.Repetition {
			return i, true
		}
	}
	return first, true
}

// panel returns the panel that the options name. If they name none, it returns the battery's where there is an overview and no episode
// is named, otherwise the first one.
func (o Options) panel(overview *overview) panel {
	for p := range panels {
		if strings.EqualFold(p.String(), o.Panel) {
			return p
		}
	}
	if o.Subject == "" && o.Item == "" && len(overview.subjects) > 0 {
		return batteryPanel
	}
	return episodePanel
}
