package viewer

import (
	"net/url"
	"strconv"
	"strings"

	"achilles/render/replay"
)

// place returns what the viewer shows: the episode, the tick and the panel. Its Title is empty; so is all of it before an
// episode is open.
func (m model) place() (o Options) {
	if m.episode == nil {
		return o
	}
	r := m.library.list.Row(int(m.row))
	return Options{Subject: r.Subject, Item: r.Item, Trial: r.Trial, Repetition: r.Repetition, Tick: m.Play.Tick, Panel: strings.ToLower(m.panel.String())}
}

// Fragment returns what the viewer shows as the fragment of an address, which Options.At reads; "" before an episode is open.
func (v *Viewer) Fragment() string {
	o := v.model.place()
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

// At returns the options with what a fragment says to show first. It ignores a fragment that names no item, and numbers that
// are none.
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

// start goes to the place that the options name, if there is such an episode.
func (m model) start(a *replay.Archive, o Options) model {
	first, err := a.Find(o.Subject, o.Item)
	if err != nil {
		return m
	}
	row := first
	for i := first; i < len(a.Rows); i++ {
		r := &a.Rows[i]
		if r.Subject == a.Rows[first].Subject && r.Item == a.Rows[first].Item && r.Trial == o.Trial && r.Repetition == o.Repetition {
			row = i
			break
		}
	}
	for p := range panels {
		if strings.EqualFold(p.String(), o.Panel) {
			m.panel = p
		}
	}
	m.resume = o.Tick
	return m.GoToRow(int32(row))
}
