package generate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"achilles/agents"
	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/scenarios/generate"
	"achilles/sim/longtest"
)

// A secret is something sealed that still influences public data, because it is the key or an argument of a hash: the
// root seed, and names.
type secret struct {
	name   string
	change func(s *generate.Session)
}

func secrets() []secret {
	return []secret{
		{"the root seed", func(s *generate.Session) { s.Root += 1001 }},
		{"names of subjects", func(s *generate.Session) {
			s.Subjects = slices.Clone(s.Subjects)
			for i := range s.Subjects {
				s.Subjects[i].Name += canary
			}
		}},
		{"names of items", func(s *generate.Session) {
			for i := range s.Battery.Items.Len() {
				batterytest.Edit(&s.Battery.Items, i, func(it *battery.Item) { it.Name += canary })
			}
		}},
	}
}

// A plant hides something in public data, as a careless generator or publisher would.
type plant struct {
	name string
	in   func(s *generate.Session)
	of   string // the secret that the test must find; empty: nothing may be found
}

// withDoc sets a doc text in the schema of a session, after cloning the schema.
func withDoc(s *generate.Session, doc string) {
	s.Battery.Schema = slices.Clone(s.Battery.Schema)
	s.Battery.Measure = slices.Clone(s.Battery.Measure)
	if len(s.Battery.Schema) > 0 {
		s.Battery.Schema[0].Doc = doc
		return
	}
	s.Battery.Measure[0].Doc = doc
}

func plants() []plant {
	return []plant{
		{"nothing", func(*generate.Session) {}, ""},
		{"a subject's name in a feature's doc", func(s *generate.Session) { withDoc(s, "path, as "+s.Subjects[0].Name+" sees it") }, "names of subjects"},
		{"an item's name in a feature's doc", func(s *generate.Session) { withDoc(s, "as in "+s.Battery.Items.Name(1)) }, "names of items"},
		{"the root seed in a feature's doc", func(s *generate.Session) { withDoc(s, fmt.Sprintf("path, version %x", s.Root)) }, "the root seed"},
		{"the root seed in the number of spaces of the column task", func(s *generate.Session) {
			for i := range s.Battery.Items.Len() {
				batterytest.Edit(&s.Battery.Items, i, func(it *battery.Item) { it.Task = "to" + strings.Repeat(" ", 1+int(s.Root>>i&1)) + "watch" })
			}
		}, "the root seed"},
		{"the length of a name in the number of spaces of the column task", func(s *generate.Session) {
			for i := range s.Battery.Items.Len() {
				batterytest.Edit(&s.Battery.Items, i, func(it *battery.Item) { it.Task = "to" + strings.Repeat(" ", len(it.Name)) + "watch" })
			}
		}, "names of items"},
		{"a count in a doc", func(s *generate.Session) {
			n := 0
			for _, x := range s.Subjects {
				n += strings.Count(x.Name, "a")
			}
			withDoc(s, fmt.Sprint("asked of ", n))
		}, "names of subjects"},
		{"the root seed in what subjects are told", func(s *generate.Session) {
			batterytest.Edit(&s.Battery.Items, 0, func(it *battery.Item) { it.Brief = fmt.Sprint("Find it within ", s.Root%997, " steps.") })
		}, "the root seed"},
		{"the root seed in the order of the measures", func(s *generate.Session) {
			s.Battery.Measure = slices.Clone(s.Battery.Measure)
			s.Battery.Measure[0].Doc = []string{"ate it", "found it"}[s.Root%2]
		}, "the root seed"},
	}
}

// TestHiddenLeaks compares all public files, byte for byte, between runs that differ in the root seed or in names.
// Before, it undoes the ids and the order of outcomes, which depend on the root seed and the names (see undoing).
// Nothing else may differ, unless a plant hides something: then the comparison must find it.
func TestHiddenLeaks(t *testing.T) {
	watched := watchedSession(t, 11, "episodes=1")
	watched.Scene = once(watched.Scene)
	acted := run(t, acting(t, "battery.items=12", "population[0].count=1", "responses.repetitions=1"), generate.Config{Seed: 11})
	for kind, base := range map[string]*generate.Session{"answered": session(11, 3, 4), "acted": acted, "watched": watched} {
		for _, p := range plants() {
			if p.of == "names of subjects" && len(base.Subjects) == 0 || strings.Contains(p.name, "told") && base.Scene != nil || strings.Contains(p.name, "measures") && len(base.Battery.Measure) == 0 || strings.Contains(p.name, "doc") && len(base.Battery.Schema)+len(base.Battery.Measure) == 0 {
				continue // these data have no place for this plant
			}
			t.Run(kind+", "+p.name, func(t *testing.T) {
				before := undoneWith(t, base, p, func(*generate.Session) {})
				for _, x := range secrets() {
					after := undoneWith(t, base, p, x.change)
					if found := !maps.EqualFunc(before, after, bytes.Equal); found != (x.name == p.of) {
						t.Errorf("%s changed: found in what is public: %v", x.name, found)
					}
				}
			})
		}
	}
}

// undoneWith publishes a copy of a session with a secret changed and a plant in it, and returns the public files as
// undone converts them.
func undoneWith(t *testing.T, base *generate.Session, p plant, change func(*generate.Session)) map[string][]byte {
	t.Helper()
	s := *base
	s.Subjects = append([]agents.Spec(nil), base.Subjects...)
	change(&s)
	p.in(&s)
	public, sealed := publishBy(t, &s, 1)
	return undone(t, base, public, sealed)
}

// TestFormHidesTheRoot checks that what a manifest says about features and measures does not depend on the root seed,
// for every kind of battery. The same must hold for the names of suites, paradigms and tasks, except in embodied and
// permanence, whose items are drawn at random. TestHiddenLeaks checks the step from a session to public files.
func TestFormHidesTheRoot(t *testing.T) {
	form := func(name string, root uint64, settings ...string) (string, []string) {
		public, _ := publishBy(t, run(t, open(t, name, settings...), generate.Config{Seed: root}), 1)
		d := read(t, public)
		labels := slices.Concat(d.Items.Suite, d.Items.Paradigm, d.Items.Task)
		slices.Sort(labels)
		said, err := json.Marshal([]any{d.Manifest.Features, d.Manifest.Measures})
		if err != nil {
			t.Fatal(err)
		}
		return string(said), slices.Compact(labels)
	}
	for name, settings := range map[string][]string{
		"quickstart": nil, "embodied": {"battery.items=60", "population[0].count=1"}, "permanence": {"population[0].count=1"},
		"ctest": nil, "bib": {"episodes=1"},
	} {
		said, labels := form(name, 1, settings...)
		last := uint64(2)
		if longtest.On() {
			last = 3
		}
		for root := uint64(2); root <= last; root++ {
			if said2, labels2 := form(name, root, settings...); said2 != said || !strings.Contains("embodied permanence", name) && !slices.Equal(labels, labels2) {
				t.Errorf("%s: root seeds 1 and %d give other words:\n%s\n%s\n%q\n%q", name, root, said, said2, labels, labels2)
			}
		}
	}
}
