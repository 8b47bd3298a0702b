package battery

import (
	"context"
	"fmt"
	"go/token"
	"math"
	"strings"

	"achilles/sim/record"
)

// Check reports the first fault of a battery, such as a feature name that no expression could mention, an item name
// that is empty or occurs twice, a value of the wrong kind or outside its declared range, a world in which no trial can begin,
// or a question whose options lack the answer. Up to jobs goroutines, at least one, look at items; the fault does not depend on their
// number. If the context is cancelled, the error is that of the context.
func (b *Battery) Check(ctx context.Context, jobs int) error {
	if err := b.checkSchema(); err != nil {
		return err
	}
	type checked struct {
		name  string
		fault error
	}
	seen := make(map[string]bool, b.Items.Len())
	return InOrder(ctx, jobs, Ahead, b.Items.Len(), func() *Item { return new(Item) },
		func(it *Item, i int) checked {
			b.Items.Read(i, it)
			fault := b.checkItem(it)
			if fault == nil {
				fault = b.checkQuestion(i, it.Answer)
			}
			return checked{it.Name, fault}
		},
		func(i int, c checked) error {
			if c.name == "" || seen[c.name] {
				return fmt.Errorf("battery %s: item %d: name %q is empty or taken", b.Suite, i, c.name)
			}
			seen[c.name] = true
			if c.fault != nil {
				return fmt.Errorf("battery %s: item %s: %w", b.Suite, c.name, c.fault)
			}
			return nil
		})
}

func (b *Battery) checkSchema() error {
	seen := map[string]bool{"suite": true, "paradigm": true, "task": true}
	for _, f := range b.Schema {
		if !token.IsIdentifier(f.Name) || seen[f.Name] {
			return fmt.Errorf("battery %s: feature %q: not a name that an expression can mention, or taken", b.Suite, f.Name)
		}
		seen[f.Name] = true
		if f.Kind != record.Number && f.Kind != record.Text {
			return fmt.Errorf("battery %s: feature %s: unknown kind %q", b.Suite, f.Name, f.Kind)
		}
	}
	if len(b.Measure) == 0 || b.Items.Len() == 0 {
		return fmt.Errorf("battery %s: needs a measure and an item", b.Suite)
	}
	return nil
}

func (b *Battery) checkItem(it *Item) error {
	if it.Suite == "" || it.Paradigm == "" || it.Task == "" {
		return fmt.Errorf("needs suite, paradigm and task")
	}
	if n := it.Values.Len(); n != len(b.Schema) {
		return fmt.Errorf("%d values for %d features", n, len(b.Schema))
	}
	for i, v := range it.Values.All() {
		if err := checkValue(&b.Schema[i], v); err != nil {
			return fmt.Errorf("feature %s: %w", b.Schema[i].Name, err)
		}
	}
	if strings.ContainsAny(it.Brief, "\r\n") {
		return fmt.Errorf("the brief is one line")
	}
	for i := range it.Trials {
		if it.Trials[i].World.Empty() && len(it.Trials[i].Places) == 0 {
			continue
		}
		if err := it.Trials[i].check(); err != nil {
			return fmt.Errorf("trial %d: %w", i, err)
		}
	}
	return nil
}

func checkValue(f *record.Feature, v Value) error {
	switch {
	case v.Missing:
		if v.Number != 0 || v.Text != "" {
			return fmt.Errorf("missing, and yet it has a value")
		}
	case f.Kind == record.Text:
		if v.Number != 0 || v.Text == "" {
			return fmt.Errorf("want a text, not %q and %v", v.Text, v.Number)
		}
	case v.Text != "" || math.IsNaN(v.Number) || math.IsInf(v.Number, 0):
		return fmt.Errorf("want a finite number, not %v %q", v.Number, v.Text)
	case f.Range != nil && (v.Number < f.Range[0] || v.Number > f.Range[1]):
		return fmt.Errorf("%v is outside its range %v to %v", v.Number, f.Range[0], f.Range[1])
	}
	return nil
}
