package compare_test

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"achilles/infer/compare"
)

// TestEveryDemandHasAHeel checks, for every shipped candidate set, that each column of the layouts among its candidates, which lack
// something of everything, has an Achilles heel of its own: another candidate model that names the column, or, of a side, that is
// drawn to it. Learning and tiring are the weaknesses at the position of a response.
func TestEveryDemandHasAHeel(t *testing.T) {
	dir := filepath.Join("..", "..", "scenarios")
	sets, err := filepath.Glob(filepath.Join(dir, "candidates", "*.toml"))
	if err != nil || len(sets) == 0 {
		t.Skip("no scenarios beside this package: ", err)
	}
	read := func(name string) compare.Text {
		b, err := os.ReadFile(filepath.Join(dir, "candidates", name))
		if err != nil {
			t.Fatal(err)
		}
		return compare.Text{File: name, Text: string(b)}
	}
	for _, file := range sets {
		s := compare.Source{Text: read(filepath.Base(file))}
		names, err := compare.List(s.Text)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			s.Rivals = append(s.Rivals, read(n))
		}
		set, err := compare.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		whole := func(r *compare.Rival) bool { return strings.HasPrefix(r.File, "../layouts/") }
		heels, layouts := map[string][]string{}, 0
		for _, r := range set.Rivals {
			if !whole(r) && strings.Contains(r.Text, "[[classification.weakness]]") && strings.Contains(r.Text, `"achilles-heel"`) {
				for _, m := range r.Layout.Metafeatures {
					heels[m.Column] = append(heels[m.Column], r.Layout.Name)
				}
				if strings.HasSuffix(r.Layout.Name, "-bias") {
					heels["rightLeft"] = append(heels["rightLeft"], r.Layout.Name)
				}
			}
		}
		for _, r := range set.Rivals {
			if !whole(r) {
				continue
			}
			layouts++
			for _, m := range r.Layout.Metafeatures {
				column := m.Column
				if column == "position" && strings.Contains(r.Text, `"learns"`) && strings.Contains(r.Text, `"tires"`) {
					continue
				}
				if len(heels[column]) == 0 || column == "rightLeft" && len(heels[column]) < 2 {
					t.Errorf("%s: %s asks for %s, and no candidate is weak at it", set.Name, path.Base(r.File), column)
				}
			}
		}
		if layouts == 0 {
			t.Errorf("%s: no layout among its candidates", set.Name)
		}
		t.Logf("%s: %v", set.Name, slices.Sorted(maps.Keys(heels)))
	}
}
