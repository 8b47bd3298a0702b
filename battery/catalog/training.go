package catalog

import (
	"context"
	"strings"

	"achilles/battery"
	"achilles/battery/worlds"
)

// A Task is a kind of worlds to train in: a coding of generated worlds, or one of its paradigms.
type Task struct {
	Name          string // such as CupTask; that of a whole coding has no ending, such as Permanence
	Suite, Coding string
	Paradigm      string // empty: all of the coding
	factor        string // that chooses the paradigm
	coding        *worlds.Coding
}

// Tasks returns every task, each coding before its paradigms.
func Tasks() (tasks []Task) {
	for _, c := range []struct {
		name, suite, coding string
		worlds              *worlds.Coding
	}{
		{"Opiaagets", "opiaagets", "worlds", worlds.OPIAAGETS()},
		{"Permanence", worlds.Suite, "paradigms", worlds.Displaced()},
		{"Comparative", worlds.Suite, "comparative", worlds.Comparative()},
		{"Physical", worlds.Suite, "physical", worlds.Physical()},
		{"Radial", worlds.Suite, "radial", worlds.Radial()},
	} {
		t := Task{Name: c.name, Suite: c.suite, Coding: c.coding, coding: c.worlds}
		tasks = append(tasks, t)
		paradigms := c.worlds.Factors()[0]
		for _, p := range paradigms.Text {
			t.Name, t.Paradigm, t.factor = nameOf(p)+"Task", p, paradigms.Name
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// nameOf returns the name of a paradigm without hyphens, each part with a capital: ANotB for a-not-b.
func nameOf(paradigm string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(paradigm, "-") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// Doc returns what the worlds of the task are, in one line.
func (t Task) Doc() string {
	of := "coding " + t.Coding + " of suite " + t.Suite
	if t.Paradigm == "" {
		return "all paradigms of " + of
	}
	return "paradigm " + t.Paradigm + " of " + of
}

// Training returns a number of worlds to train in. No battery has random streams of these names, whatever its root seed.
func (t Task) Training(ctx context.Context, seed uint64, worlds, jobs int) (battery.Battery, error) {
	r := battery.Request{Items: worlds, Root: seed, Training: true, Jobs: jobs}
	if t.Paradigm != "" {
		r.Levels = []battery.Factor{{Name: t.factor, Text: []string{t.Paradigm}}}
	}
	return t.coding.Design(ctx, r)
}
