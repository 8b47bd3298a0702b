package catalog_test

import (
	"testing"

	"achilles/battery"
	"achilles/battery/catalog"
	"achilles/battery/ctest"
	"achilles/battery/worlds"
	"achilles/sim/longtest"
)

// TestEveryBatteryConforms applies conform to every coding of every suite; with -long, with several seeds. The
// packages of the batteries leave it to this test.
func TestEveryBatteryConforms(t *testing.T) {
	for _, s := range catalog.All() {
		for _, c := range s.Codings {
			seeds, req := uint64(1), battery.Request{Items: 300}
			if longtest.On() {
				seeds, req.Items = 4, 400
			}
			if s.Name == ctest.Suite { // the search for complex series takes seconds
				seeds, req.Items = 1, 45
				if c.Designed && !longtest.On() {
					req.Items, req.Levels = 12, []battery.Factor{{Name: "k", Number: []float64{8, 9}}}
				}
			}
			if !c.Designed {
				seeds = 1
			}
			if c.Name == "own" {
				req.Levels = []battery.Factor{{Name: "series", Text: []string{"abcd", "yyxwwv", "adgj m"}}, {Name: "answers", Number: []float64{5}}}
			}
			if s.Name == worlds.OwnSuite {
				req.Levels = []battery.Factor{{Name: "world", Text: []string{"world 1\nlimit 40\nmap\n..g..\n.###.\n..A..\n", "world 1\nlimit 9\nmap\nA..g\n"}}}
			}
			for req.Root = range seeds {
				t.Run(s.Name+" "+c.Name, func(t *testing.T) {
					conform(t, func() battery.Battery {
						b, err := c.Build(t.Context(), req)
						if err != nil {
							t.Fatal(err)
						}
						return b
					})
				})
			}
		}
	}
}

func TestByName(t *testing.T) {
	s, ok := catalog.ByName("opiaagets")
	if !ok || s.Name != "opiaagets" {
		t.Fatal("opiaagets is not in the catalog")
	}
	if _, ok := s.Coding("released"); !ok {
		t.Error("opiaagets has no released coding")
	}
	if _, ok := s.Coding("relaesed"); ok {
		t.Error("opiaagets has a coding relaesed")
	}
	if _, ok := catalog.ByName("opiagets"); ok {
		t.Error("opiagets is in the catalog")
	}
}
