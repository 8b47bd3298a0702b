package report

import (
	"maps"
	"slices"

	"achilles/render/figure"
)

func observerTable(m *figure.Material) table {
	s := m.Scores
	names, kinds := s.ObserverNames(), s.EpisodeKinds()
	t := table{Head: []column{{Name: "episodes"}, {Name: "n", Number: true}}}
	if len(s.PublishedObservers) > 0 {
		t.Head = append(t.Head, column{Name: "best published", Number: true})
	}
	for _, o := range names {
		t.Head = append(t.Head, column{Name: o, Number: true})
		if s.PublishedObservers[o] != nil {
			t.Head = append(t.Head, column{Name: o + ", published", Number: true})
		}
	}
	for _, kind := range kinds {
		row := []tableCell{text(kind), {}}
		if len(s.PublishedObservers) > 0 {
			row = append(row, tableCell{})
		}
		for _, o := range names {
			x, ok := s.Observers[o][kind]
			if !ok {
				row = append(row, text("–"))
			} else {
				row[1] = count(x.N)
				if len(s.PublishedObservers) > 0 {
					row[2] = optional(x.Best, 1)
				}
				row = append(row, inInterval(x.Accuracy, x.Interval, 1))
			}
			if p, there := s.PublishedObservers[o]; there {
				if v, ok := p[kind]; ok {
					row = append(row, number(v, 1))
				} else {
					row = append(row, tableCell{})
				}
			}
		}
		t.Rows = append(t.Rows, tableRow{Cells: row})
	}
	t.Foot = append(t.Foot, "Below each accuracy its exact 95 % interval.")
	if s.Source != "" {
		t.Foot = append(t.Foot, "Published: "+s.Source+". Theirs are of the benchmark's own episodes.")
	}
	return t
}

// publishedTable returns a table of the published accuracies of observers.
func publishedTable(m *figure.Material) table {
	s := m.Scores
	kinds := s.EpisodeKinds()
	names := slices.Sorted(maps.Keys(s.PublishedObservers))
	t := table{Title: "Published accuracies", Head: append([]column{{Name: "episodes"}}, numbers(names...)...)}
	if len(names) == 0 {
		return t
	}
	for _, kind := range kinds {
		row, some := []tableCell{text(kind)}, false
		for _, o := range names {
			v, ok := s.PublishedObservers[o][kind]
			if !ok {
				row = append(row, tableCell{})
				continue
			}
			row, some = append(row, number(v, 1)), true
		}
		if some {
			t.Rows = append(t.Rows, tableRow{Cells: row})
		}
	}
	t.Foot = append(t.Foot, "Of the benchmark's own episodes: to stand beside ours, not to be compared digit by digit.")
	return t
}
