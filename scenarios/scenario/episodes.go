package scenario

import (
	"achilles/agents/goaldirected"
	"achilles/battery/bib"
	"achilles/sim/expr"
)

// Episodes says which episodes are made for observers to watch, and who plays in them.
type Episodes struct {
	bib.Design
	Actors []goaldirected.Actor // one of each manner; empty: those of package generate
}

// DefaultEpisodes is the number of episodes of each task where a scenario says nothing: a multiple of 12, which balances
// every nuisance exactly.
const DefaultEpisodes = 120

// readEpisodes reads the table [bib].
func readEpisodes(t *table) *Episodes {
	e := &Episodes{Design: bib.Design{
		Episodes: t.whole("episodes", DefaultEpisodes, 1, bib.MaxEpisodes),
		Tasks:    readTasks(t),
		Split:    bib.Split(t.word("split", string(bib.Default), string(bib.Collinear))),
		Shapes:   bib.Shapes(t.word("shapes", string(bib.Seen), string(bib.New))),
		GoOn:     t.flag("goOn", false),
	}}
	first := map[goaldirected.Manner]string{}
	for i, a := range t.tables("actor") {
		actor := readActor(a)
		if other, taken := first[actor.Manner]; taken {
			t.d.report(a.at("manner"), "%s is %s already: want one actor that is %q and one that makes a %q", other, actor.Manner, goaldirected.Direct, goaldirected.Detour)
		}
		first[actor.Manner] = pathOf(t.at("actor"), i)
		e.Actors = append(e.Actors, actor)
	}
	if len(e.Actors) == 1 {
		t.d.report(t.at("actor"), "want one actor that is %q and one that makes a %q, or none for the usual two", goaldirected.Direct, goaldirected.Detour)
	}
	t.done()
	return e
}

// readTasks reads the list of tasks; without one it is the evaluation tasks.
func readTasks(t *table) []bib.Task {
	tasks := bib.Evaluation()
	known := words(append(bib.Evaluation(), bib.Background()...))
	if _, there := t.keys["tasks"]; there {
		tasks = nil
	}
	seen := map[string]bool{}
	for _, name := range t.texts("tasks") {
		task := bib.Task(name)
		switch {
		case !task.Known():
			t.d.report(t.at("tasks"), "%q is not one of %s%s", name, quoted(known), expr.DidYouMean(name, known))
		case seen[name]:
			t.d.report(t.at("tasks"), "%q is listed twice", name)
		}
		seen[name] = true
		tasks = append(tasks, task)
	}
	if len(tasks) == 0 {
		t.d.report(t.at("tasks"), "no task: want some of %s, or leave the key out", quoted(known))
	}
	return tasks
}

func readActor(t *table) goaldirected.Actor {
	d := goaldirected.Default(t.needText("name", "what the actor is called"), goaldirected.Direct)
	checkName(t.d, t.at("name"), d.Name)
	d.Doc = t.text("doc")
	d.Manner = goaldirected.Manner(t.word("manner", string(goaldirected.Direct), string(goaldirected.Detour)))
	d.Contact = t.whole("contact", d.Contact, 1, 15)
	d.Pace = t.whole("pace", d.Pace, 1, 8)
	t.done()
	return d
}

// watchedOnly reports the keys of a battery that subjects take, in a scenario whose episodes observers watch.
func watchedOnly(t *table) {
	for _, key := range []string{"battery", "responses", "scale", "agent", "population"} {
		if _, there := t.take(key); there {
			t.d.report(key, "nobody takes a battery in a scenario with [bib], whose episodes are watched: remove it, or [bib]")
		}
	}
}

// readObservers reads published accuracies: observer → kind of episode → per cent.
func readObservers(t *table) map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	known := bib.Kinds()
	for _, observer := range sortedKeys(t.keys) {
		scores := t.table(observer)
		out[observer] = map[string]float64{}
		for _, kind := range known {
			if _, there := scores.keys[kind]; there {
				out[observer][kind] = scores.number(kind, 0, "an accuracy in per cent, 0 to 100", func(x float64) bool { return x >= 0 && x <= 100 })
			}
			scores.asked = append(scores.asked, kind)
		}
		scores.done()
	}
	return out
}
