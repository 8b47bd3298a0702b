package scenario

import (
	"context"
	"fmt"
	"slices"

	"achilles/battery"
	"achilles/battery/catalog"
	"achilles/sim/conf"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A Battery says which items the subjects take.
type Battery struct {
	Suite, Coding string           // names of a suite of package catalog, and of one of its codings: its ways to make a battery
	Items         int              // number of items of a designed battery (items that combine levels of factors); 0: all combinations
	Levels        []battery.Factor // factors whose levels replace the default levels of a designed battery
	Where         string           // condition that items must meet; empty: none
	Complete      []string         // features of which every item must have a value
	Sample        int              // number of items to draw at random from those that meet Where and Complete; 0: all of them

	// Layout is a shipped layout's name or a file; empty: none. If it is given, the subjects, what the items have of their
	// own and the responses are drawn from the priors of the layout. The items are those of the suite or, without a suite,
	// Items items that differ in nothing but that.
	Layout   string
	Subjects int // number of subjects that are drawn from the layout
}

// defaultItems is the number of items of a designed battery if the scenario gives none.
const defaultItems = 600

func readBattery(t *conf.Table) Battery {
	var b Battery
	if t.Has("layout") {
		b.Layout, b.Subjects = t.NeedText("layout", "the name of a shipped layout, or a file"), t.Whole("subjects", 1, 1, maxCount)
		if !t.Has("subjects") {
			t.Missing("subjects", "how many subjects to draw from the layout")
		}
		if !t.Has("suite") {
			if b.Items = t.Whole("items", 1, 1, battery.MaxItems); !t.Has("items") {
				t.Missing("items", "how many items to draw from the layout, or suite = the suite whose items the subjects take")
			}
			return b
		}
	}
	b.readSuite(t)
	return b
}

// readSuite reads which items of a suite the subjects take.
func (b *Battery) readSuite(t *conf.Table) {
	var suites []string
	for _, s := range catalog.All() {
		suites = append(suites, s.Name)
	}
	b.Suite = t.Word("suite", suites...)
	suite, ok := catalog.ByName(b.Suite)
	if !ok { // the fault is recorded in t; read on with any suite
		suite = catalog.All()[0]
	}
	var codings []string
	for _, c := range suite.Codings {
		codings = append(codings, c.Name)
	}
	b.Coding = t.Word("coding", codings...)
	if coding, ok := suite.Coding(b.Coding); ok && coding.Designed {
		b.Items = t.Whole("items", defaultItems, 0, battery.MaxItems)
		b.Levels = readLevels(t.Table("levels"))
	} else {
		designOnly(t, "items", b.Coding)
		designOnly(t, "levels", b.Coding)
	}
	b.Where, _ = t.Expression("where")
	b.Complete = t.Texts("complete")
	b.Sample = t.Whole("sample", 0, 0, battery.MaxItems)
}

// designOnly reports a key that only designed batteries have, if the table has it.
func designOnly(t *conf.Table, key, coding string) {
	if t.Has(key) {
		t.Reportf(key, "coding %s has no %s to choose: it belongs to a designed battery", coding, key)
	}
}

func readLevels(t *conf.Table) []battery.Factor {
	var levels []battery.Factor
	names := t.Keys()
	slices.Sort(names) // item names follow the order of the factors, and must not depend on the order in the file
	for _, name := range names {
		list, ok := t.Value(name).([]any)
		f := battery.Factor{Name: name}
		for _, e := range list {
			if text, is := e.(string); is {
				f.Text = append(f.Text, text)
			} else if x, is := conf.Finite(e); is {
				f.Number = append(f.Number, x)
			} else {
				ok = false
			}
		}
		if !ok || len(list) == 0 || f.Text != nil && f.Number != nil {
			t.Wrong(name, "a list of levels, such as [0, 1] or [\"cup\", \"grid\"]")
		}
		levels = append(levels, f)
	}
	return levels
}

// MakeBattery builds the battery. root is the root seed of everything that is drawn for the battery, and jobs the number of
// goroutines that make items, which changes none. The error is that of the context, or a *conf.Error.
func (s *Scenario) MakeBattery(ctx context.Context, root uint64, jobs int) (battery.Battery, error) {
	if s.Bib != nil {
		return s.Bib.Battery(), nil
	}
	if s.Battery.Suite == "" {
		return plainItems(s.Battery.Items), nil
	}
	suite, _ := catalog.ByName(s.Battery.Suite)
	coding, _ := suite.Coding(s.Battery.Coding)
	b, err := coding.Build(ctx, battery.Request{Levels: s.Battery.Levels, Items: s.Battery.Items, Root: root, Jobs: jobs})
	if ctx.Err() != nil {
		return b, ctx.Err()
	}
	if err != nil {
		return b, s.root.At("battery.levels").Errorf("%v", err)
	}
	if s.Battery.Where != "" {
		if b, err = b.Where(s.Battery.Where); err != nil {
			return b, s.root.At("battery.where").Errorf("%v", err)
		}
	}
	if b, err = b.Complete(s.Battery.Complete); err != nil {
		return b, s.root.At("battery.complete").Errorf("%v", err)
	}
	if b.Items.Len() == 0 {
		return b, s.root.At("battery").Errorf("no item is left: where and complete leave out all")
	}
	if n := s.Battery.Sample; n > 0 {
		b = b.Sample(n, rng.Stream(root, "battery", s.Battery.Suite, "sample"))
	}
	err = b.Check(ctx, jobs)
	if ctx.Err() != nil {
		return b, ctx.Err()
	}
	if err != nil {
		return b, s.root.At("battery").Errorf("%v", err)
	}
	return b, nil
}

// plainItems returns a battery of n items that have nothing but a name: all that tells them apart is drawn from a layout.
func plainItems(n int) battery.Battery {
	const kind = "simulated"
	b := battery.Battery{Suite: kind, Measure: []record.Measure{{Name: "success", Family: record.Binary, Doc: "1 if the response is right"}}}
	for i := range n {
		b.Items.Append(&battery.Item{Name: fmt.Sprintf("item-%03d", i+1), Suite: kind, Paradigm: kind, Task: kind})
	}
	return b
}
