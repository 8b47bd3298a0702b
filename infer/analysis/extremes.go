package analysis

import (
	"cmp"
	"slices"
	"strings"

	"achilles/infer/table"
	sheet "achilles/sim/table"
)

// An ExtremeRow is one of the easiest or hardest items for a set of subjects, among the items that need a skill.
type ExtremeRow struct {
	Class, Family string // skill and prefix of subjects' names; "" of either: all
	End           string // easiest or hardest
	Rank          float64
	Item          string
	SuccessRate   float64
	Responses     float64
}

// extremes is the number of items at each end.
const extremes = 5

// extremeRows returns the easiest and hardest items by skill and by family of subjects, ties in the order of the items. Of fewer than twice
// as many items as are wanted at each end, an item is at the end to which it is nearer.
func extremeRows(t *table.Table, skills, families []string) (rows []ExtremeRow) {
	fs, _ := t.Select(skills)
	for _, family := range append([]string{""}, families...) {
		sum, n := make([]float64, len(t.Items)), make([]float64, len(t.Items))
		for i, s := range t.Subject {
			if strings.HasPrefix(t.Subjects[s], family) {
				sum[t.Item[i]] += t.Value[i]
				n[t.Item[i]]++
			}
		}
		for k := -1; k < len(fs); k++ {
			class, items := "", []int(nil)
			if k >= 0 {
				class = skills[k]
			}
			for j := range t.Items {
				if k >= 0 {
					if v, ok := fs[k].At(j); !ok || !(v > 0) {
						continue
					}
				}
				if n[j] > 0 {
					items = append(items, j)
				}
			}
			slices.SortStableFunc(items, func(a, b int) int { return cmp.Compare(sum[b]/n[b], sum[a]/n[a]) })
			easy, hard := min(extremes, (len(items)+1)/2), min(extremes, len(items)/2)
			for r := range easy {
				rows = append(rows, ExtremeRow{class, family, "easiest", float64(r + 1), t.Items[items[r]], sum[items[r]] / n[items[r]], n[items[r]]})
			}
			for r := range hard {
				j := items[len(items)-1-r]
				rows = append(rows, ExtremeRow{class, family, "hardest", float64(r + 1), t.Items[j], sum[j] / n[j], n[j]})
			}
		}
	}
	return rows
}

var extremesAre = sheet.Table{Name: "extremes", Title: "Easiest and hardest items, by skill and by family of subjects", Key: []string{"class", "family", "end", "rank"}, FileOnly: true}

var extremeColumns = []column[ExtremeRow]{
	col(sheet.Column{Name: "class", Doc: "skill that the items need; empty: all items"}, func(r *ExtremeRow) any { return &r.Class }),
	col(sheet.Column{Name: "family", Doc: "prefix of the subjects' names; empty: all subjects"}, func(r *ExtremeRow) any { return &r.Family }),
	col(sheet.Column{Name: "end"}, func(r *ExtremeRow) any { return &r.End }),
	col(sheet.Column{Name: "rank"}, func(r *ExtremeRow) any { return &r.Rank }),
	col(sheet.Column{Name: "item"}, func(r *ExtremeRow) any { return &r.Item }),
	col(sheet.Column{Name: "success_rate", Digits: 3}, func(r *ExtremeRow) any { return &r.SuccessRate }),
	col(sheet.Column{Name: "responses"}, func(r *ExtremeRow) any { return &r.Responses }),
}
