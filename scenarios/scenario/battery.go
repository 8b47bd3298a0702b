package scenario

import (
	"achilles/battery"
	"achilles/battery/catalog"
	"achilles/sim/rng"
)

// A Battery says which items are taken.
type Battery struct {
	Suite, Coding string
	Items         int              // of a designed battery; 0: every combination of levels
	Levels        []battery.Factor // of a designed battery: replace default levels
	Where         string           // condition that items must meet; empty: none
	Complete      []string         // features of which items must have a value
	Sample        int              // how many of them, drawn at random; 0: all
}

// defaultItems is the size of a designed battery where a scenario says nothing.
const defaultItems = 600

func readBattery(t *table) Battery {
	var suites []string
	for _, s := range catalog.All() {
		suites = append(suites, s.Name)
	}
	b := Battery{Suite: t.word("suite", suites...)}
	suite, ok := catalog.ByName(b.Suite)
	if !ok { // reported; read on with any suite
		suite = catalog.All()[0]
	}
	var codings []string
	for _, c := range suite.Codings {
		codings = append(codings, c.Name)
	}
	b.Coding = t.word("coding", codings...)
	if coding, ok := suite.Coding(b.Coding); ok && coding.Designed {
		b.Items = t.whole("items", defaultItems, 0, battery.MaxCrossed)
		b.Levels = readLevels(t.table("levels"))
	} else {
		t.designOnly("items", b.Coding)
		t.designOnly("levels", b.Coding)
	}
	if _, there := t.keys["where"]; there {
		b.Where = t.expression("where")
	}
	b.Complete = t.texts("complete")
	b.Sample = t.whole("sample", 0, 0, battery.MaxCrossed)
	t.asked = append(t.asked, "where")
	t.done()
	return b
}

// designOnly reports a key that only a designed battery has.
func (t *table) designOnly(key, coding string) {
	if _, there := t.take(key); there {
		t.d.report(t.at(key), "coding %s has no %s to choose: it belongs to a designed battery", coding, key)
	}
}

func readLevels(t *table) []battery.Factor {
	var levels []battery.Factor
	for _, name := range sortedKeys(t.keys) {
		v, _ := t.take(name)
		list, ok := v.([]any)
		f := battery.Factor{Name: name}
		for _, e := range list {
			if text, is := e.(string); is {
				f.Text = append(f.Text, text)
			} else if x, is := finite(e); is {
				f.Number = append(f.Number, x)
			} else {
				ok = false
			}
		}
		if !ok || len(list) == 0 || f.Text != nil && f.Number != nil {
			t.wrong(name, "a list of levels, such as [0, 1] or [\"cup\", \"grid\"]", v)
		}
		levels = append(levels, f)
	}
	return levels
}

// MakeBattery builds the battery; root names the streams of whatever is drawn. The error is a *Problem.
func (s *Scenario) MakeBattery(root uint64) (battery.Battery, error) {
	if s.Bib != nil {
		return s.Bib.Battery(), nil
	}
	suite, _ := catalog.ByName(s.Battery.Suite)
	coding, _ := suite.Coding(s.Battery.Coding)
	b, err := coding.Build(catalog.Request{Levels: s.Battery.Levels, Items: s.Battery.Items, Root: root})
	if err != nil {
		return b, s.doc.problem("battery.levels", "%v", err)
	}
	if s.Battery.Where != "" {
		if b, err = b.Where(s.Battery.Where); err != nil {
			return b, s.doc.problem("battery.where", "%v", err)
		}
	}
	if b, err = b.Complete(s.Battery.Complete); err != nil {
		return b, s.doc.problem("battery.complete", "%v", err)
	}
	if len(b.Items) == 0 {
		return b, s.doc.problem("battery", "no item is left: where and complete leave out all")
	}
	if n := s.Battery.Sample; n > 0 {
		b = b.Sample(n, rng.Stream(root, "battery", s.Battery.Suite, "sample"))
	}
	if err := b.Check(); err != nil {
		return b, s.doc.problem("battery", "%v", err)
	}
	return b, nil
}
