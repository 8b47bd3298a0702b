package catalog_test

import (
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/battery/catalog"
	"achilles/battery/ctest"
)

// TestEveryBatteryConforms applies batterytest.Conform to every coding of every suite, with several seeds.
func TestEveryBatteryConforms(t *testing.T) {
	for _, s := range catalog.All() {
		for _, c := range s.Codings {
			seeds, items := uint64(3), 300
			if s.Name == ctest.Suite {
				seeds, items = 1, 45 // the search for series takes seconds
			}
			for root := range seeds {
				t.Run(s.Name+" "+c.Name, func(t *testing.T) {
					batterytest.Conform(t, func() battery.Battery {
						b, err := c.Build(t.Context(), battery.Request{Items: items, Root: root})
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
