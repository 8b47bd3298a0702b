package scenario

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"achilles/agents"
	"achilles/battery"
	"achilles/sim/conf"
	"achilles/sim/expr"
)

// LayoutFault returns an error of the layout that draws the responses, with the place of its name in the scenario.
func (s *Scenario) LayoutFault(err error) error {
	return s.root.At("battery.layout").Errorf("%v", err)
}

// ChoiceFault returns the error for a scenario whose items cannot be chosen.
func (s *Scenario) ChoiceFault(err error) error { return s.root.At("adaptive").Errorf("%v", err) }

// TooMany returns the error for a scenario with more than limit responses.
func (s *Scenario) TooMany(limit int) error {
	return s.root.At("responses.repetitions").Errorf("more than %d responses: subjects × trials × repetitions", limit)
}

// Place turns an error of package agents into a *conf.Error with the line and key of the scenario file. It returns
// other errors as they are.
func (s *Scenario) Place(err error) error {
	var pe *agents.PopulationError
	if errors.As(err, &pe) {
		for i, p := range s.Populations {
			if p.Name == pe.Population {
				return s.root.At(pathOf("population", i)+"."+pe.Key).Errorf("%v", pe.Err)
			}
		}
	}
	var re *agents.RuleError
	if errors.As(err, &re) {
		key := s.pathOfSubject(re.Agent)
		if re.Rule >= 0 {
			key += fmt.Sprintf(".%s[%d].%s", re.List, re.Rule, re.Part)
		}
		where := "agent " + re.Agent
		if re.Item != "" {
			where += ": item " + re.Item
		}
		return s.root.At(key).Errorf("%s: %v", where, re.Err)
	}
	return err
}

// pathOfSubject returns the path of the table that declares a subject, or "" if none does.
func (s *Scenario) pathOfSubject(name string) string {
	for i, a := range s.Agents {
		if a.Name == name {
			return pathOf("agent", i)
		}
	}
	for i, p := range s.Populations {
		if number, ok := strings.CutPrefix(name, p.Name+"-"); ok && strings.Trim(number, "0123456789") == "" {
			return pathOf("population", i)
		}
	}
	for i, c := range s.Collectives {
		if c.Name == name {
			return pathOf("collective", i)
		}
	}
	return ""
}

// ItemsOf returns what agents that respond by rules may know of the items of a battery. Many goroutines may use the
// result.
func ItemsOf(b *battery.Battery) agents.Items {
	names := make([]string, b.Items.Len())
	for i := range names {
		names[i] = b.Items.Name(i)
	}
	var mu sync.Mutex
	columns := map[string]expr.Column{} // read once for all agents, and only what one asks for: a large battery has large columns
	return agents.Items{Names: names, Known: b.ColumnNames(), Column: func(name string) (c expr.Column, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if c, ok = columns[name]; ok {
			return c, true
		}
		if c, ok = b.Column(name); ok {
			columns[name] = c
		}
		return c, ok
	}}
}

// checkFit builds the battery and the subjects. It returns an error for each subject that does not fit the battery, but
// at most one for each key.
func (s *Scenario) checkFit(ctx context.Context, root uint64) []error {
	b, err := s.MakeBattery(ctx, root, 1)
	if err != nil {
		return []error{err}
	}
	if s.Battery.Layout != "" {
		return nil // what draws the responses checks whether the layout fits the items
	}
	specs, err := s.Subjects(root)
	if err != nil {
		return []error{err}
	}
	var all []error
	items, tasks, seen := ItemsOf(&b), TasksOf(&b), map[string]bool{}
	for i := range specs {
		if err := s.fits(&specs[i], items, tasks); err != nil {
			placed := s.Place(err)
			if p, ok := placed.(*conf.Error); ok {
				if seen[p.Key] {
					continue
				}
				seen[p.Key] = true
			}
			all = append(all, placed)
		}
	}
	return all
}

// fits returns an error if a subject cannot take the battery.
func (s *Scenario) fits(spec *agents.Spec, items agents.Items, tasks Tasks) error {
	if len(spec.Rule) > 0 {
		_, err := agents.Compile(spec, items)
		return err
	}
	if err := s.CanTake(spec, tasks); err != nil || len(spec.Body) == 0 {
		return err
	}
	_, err := agents.Embody(spec, items)
	return err
}

// Tasks says what the items of a battery ask of subjects.
type Tasks struct {
	items  int
	asks   bool   // whether the first item is a question
	silent string // name of the first item that is none; empty if all are
	still  string // name of the first item without a world to act in; empty if all have one
}

// TasksOf returns the tasks of a battery, whose items have names.
func TasksOf(b *battery.Battery) Tasks {
	t := Tasks{items: b.Items.Len()}
	var it battery.Item
	for i := range t.items {
		b.Items.Read(i, &it)
		_, _, asks := b.Question(i)
		t.asks = t.asks || i == 0 && asks
		if !asks && t.silent == "" {
			t.silent = it.Name
		}
		if t.still == "" && !slices.ContainsFunc(it.Trials, func(t battery.Trial) bool { return !t.World.Empty() }) {
			t.still = it.Name
		}
	}
	return t
}

// CanTake returns an error that names the first item which a subject cannot take. Bodies need items with a world to act
// in, and solvers need questions. A program answers if the first item is a question, and acts if not; then all items
// must be of that kind. The error is a *conf.Error.
func (s *Scenario) CanTake(spec *agents.Spec, t Tasks) error {
	if len(spec.Rule) > 0 || spec.Collective != nil || t.items == 0 {
		return nil
	}
	switch answers := spec.Solver != nil || t.asks && len(spec.Body) == 0; {
	case answers && t.silent != "":
		return s.root.At(s.pathOfSubject(spec.Name)).Errorf("%s answers questions, and item %s asks none: choose a battery of questions, such as suite = \"ctest\"", spec.Name, t.silent)
	case !answers && t.still != "":
		return s.root.At(s.pathOfSubject(spec.Name)).Errorf("%s acts, and item %s has no world to act in: choose a battery of worlds, such as coding = \"worlds\"", spec.Name, t.still)
	}
	return nil
}
