package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/agents/goaldirected"
	"achilles/battery/bib"
	"achilles/sim/conf"
	"achilles/sim/expr"
)

// An Episodes says which episodes are made for observers to watch, and which actors appear in them.
type Episodes struct {
	bib.Design
	Actors []goaldirected.Actor // one direct and one with a detour; empty: those of generate.Actors
}

// defaultEpisodes is the number of episodes of each task if the scenario gives none. It is a multiple of 12, so that
// every nuisance factor can be balanced exactly.
const defaultEpisodes = 120

// readEpisodes reads the table [bib].
func readEpisodes(t *conf.Table) *Episodes {
	e := &Episodes{Design: bib.Design{
		Episodes: t.Whole("episodes", defaultEpisodes, 1, bib.MaxEpisodes),
		Tasks:    readTasks(t),
		Split:    bib.Split(t.Word("split", string(bib.Natural), string(bib.Telling), string(bib.Collinear))),
		Shapes:   bib.Shapes(t.Word("shapes", string(bib.Seen), string(bib.New))),
		Motion:   bib.Motion(t.Word("motion", string(bib.Measured), string(bib.Ideal))),
		Dials:    readDials(t),
		Apart:    t.Whole("apart", bib.MaxApart, bib.MinApart, bib.MaxApart),
		GoOn:     t.Flag("go_on", false),
	}}
	first := map[goaldirected.Manner]string{}
	for i, a := range t.Tables("actor") {
		actor := readActor(a)
		if other, taken := first[actor.Manner]; taken {
			a.Reportf("manner", "%s is %s already: want one actor that is %q and one that makes a %q", other, actor.Manner, goaldirected.Direct, goaldirected.Detour)
		}
		first[actor.Manner] = pathOf("bib.actor", i)
		e.Actors = append(e.Actors, actor)
	}
	if len(e.Actors) == 1 {
		t.Reportf("actor", "want one actor that is %q and one that makes a %q, or none for the usual two", goaldirected.Direct, goaldirected.Detour)
	}
	return e
}

// mostLevels is the largest number of levels of a dial.
const mostLevels = 100

// readDials reads the keys of dials: each has a number, or a list with one for each level. Those that have a list have equally many
// levels. The result is nil if no key changes anything.
func readDials(t *conf.Table) []bib.Dial {
	dials := make([]bib.Dial, 1)
	for _, k := range []struct {
		key, want string
		none      float64
		set       func(d *bib.Dial, x float64) // x as the key has it
		whole     bool
		low, high float64
	}{
		{"mixed", "probability", 0, func(d *bib.Dial, x float64) { d.Mixed = x }, false, 0, bib.MaxMixed},
		{"noise", "temperature in pixels", 0, func(d *bib.Dial, x float64) { d.Noise = x }, false, 0, bib.MaxNoise},
		{"hidden", "proportion", 0, func(d *bib.Dial, x float64) { d.Hidden = x }, false, 0, bib.MaxHidden},
		{"trials", "whole number", 8, func(d *bib.Dial, x float64) { d.Trials = int(x) % 8 }, true, 1, 8},
		{"distractors", "whole number", 0, func(d *bib.Dial, x float64) { d.Distractors = int(x) }, true, 0, bib.MaxDistractors},
	} {
		legal := func(x float64) bool { return x >= k.low && x <= k.high && (!k.whole || x == math.Trunc(x)) }
		span := fmt.Sprintf("from %v to %v", k.low, k.high)
		var levels []float64
		if _, list := t.Value(k.key).([]any); list {
			levels = t.Numbers(k.key, "a list of a "+k.want+" "+span+" for each level, 1 to "+strconv.Itoa(mostLevels), func(x []float64) bool {
				return len(x) > 0 && len(x) <= mostLevels && !slices.ContainsFunc(x, func(v float64) bool { return !legal(v) })
			})
		} else {
			levels = []float64{t.Number(k.key, k.none, "a "+k.want+" "+span+", or a list of them", legal)}
		}
		switch {
		case len(levels) > 1 && len(dials) == 1:
			dials = slices.Repeat(dials, len(levels))
		case len(levels) > 1 && len(levels) != len(dials):
			t.Reportf(k.key, "%d levels, and another key of a dial has %d: want one number, or as many", len(levels), len(dials))
			continue
		}
		for i := range dials {
			if len(levels) > 0 {
				k.set(&dials[i], levels[min(i, len(levels)-1)])
			}
		}
	}
	for i := range dials {
		if dials[i].Hidden > 0 && dials[i].Noise == 0 {
			t.Reportf("hidden", "want noise above 0 with it: the first steps of an exact walk reveal where it leads")
			break
		}
		if slices.Contains(dials[:i], dials[i]) {
			t.Reportf("mixed", "two levels are the same: want each once")
			break
		}
	}
	if slices.Equal(dials, []bib.Dial{{}}) {
		return nil
	}
	return dials
}

// readTasks reads the list of tasks. The default is the evaluation tasks.
func readTasks(t *conf.Table) []bib.Task {
	tasks := bib.Evaluation()
	known := words(bib.All())
	if t.Has("tasks") {
		tasks = nil
	}
	seen := map[string]bool{}
	for _, name := range t.Texts("tasks") {
		task := bib.Task(name)
		switch {
		case !task.Known():
			t.Reportf("tasks", "%q is not one of %s%s", name, conf.Quoted(known), expr.DidYouMean(name, known))
		case seen[name]:
			t.Reportf("tasks", "%q is listed twice", name)
		}
		seen[name] = true
		tasks = append(tasks, task)
	}
	if len(tasks) == 0 {
		t.Reportf("tasks", "no task: want some of %s, or leave the key out", conf.Quoted(known))
	}
	return tasks
}

func readActor(t *conf.Table) goaldirected.Actor {
	d := goaldirected.Default(t.NeedText("name", "what the actor is called"), goaldirected.Direct)
	checkName(t, d.Name)
	d.Doc = t.Text("doc")
	d.Manner = goaldirected.Manner(t.Word("manner", string(goaldirected.Direct), string(goaldirected.Detour)))
	d.Contact = t.Whole("contact", d.Contact, 1, 15)
	d.Pace = t.Whole("pace", d.Pace, 1, 8)
	return d
}

// watchedOnly reports keys about subjects that take a battery. A scenario whose episodes observers watch must not have
// them.
func watchedOnly(t *conf.Table) {
	for _, key := range []string{"battery", "adaptive", "responses", "scale", "population", "collective"} {
		if t.Has(key) {
			t.Reportf(key, "nobody takes a battery in a scenario with [bib], whose episodes are watched: remove it, or [bib]")
		}
	}
}

// readObservers reads published accuracies: observer → kind of episode → per cent.
func readObservers(t *conf.Table) map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	known := bib.Kinds()
	for _, observer := range t.Keys() {
		scores := t.Table(observer)
		out[observer] = map[string]float64{}
		for _, kind := range known {
			if scores.Has(kind) {
				out[observer][kind] = scores.Number(kind, 0, "an accuracy in per cent, 0 to 100", func(x float64) bool { return x >= 0 && x <= 100 })
			}
		}
	}
	return out
}
