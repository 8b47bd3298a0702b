package scenario

import (
	"slices"

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
		Mixed:    readMixed(t),
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

// mostMixed is the largest number of levels of the key mixed.
const mostMixed = 100

// readMixed reads the key mixed: a probability, or a list of them.
func readMixed(t *conf.Table) []float64 {
	legal := func(x float64) bool { return x >= 0 && x <= bib.MaxMixed }
	if _, list := t.Value("mixed").([]any); list {
		return t.Numbers("mixed", "probabilities from 0 to 0.5, each once", func(x []float64) bool {
			sorted := slices.Sorted(slices.Values(x))
			return len(x) > 0 && len(x) <= mostMixed && len(slices.Compact(sorted)) == len(x) && legal(slices.Min(x)) && legal(slices.Max(x))
		})
	}
	if q := t.Number("mixed", 0, "a probability from 0 to 0.5, or a list of them", legal); q > 0 {
		return []float64{q}
	}
	return nil
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
