package analysis

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer/table"
	sheet "achilles/sim/table"
)

// A ComparedRow has the success of a chosen subject on the items that need a skill, and the items at which it differs most from the others.
type ComparedRow struct {
	Subject, Class string // Class "all": all items
	Items          int    // that it took
	SuccessRate    float64
	Passed, Failed string  // the item with the least success of the others that it passed, and that with the most that it failed; "" if there is none
	PassedBy       float64 // success rate of the others on Passed; NaN without it
	FailedBy       float64 // the same on Failed
}

// compared returns the rows of the chosen subjects, by skill. Of a measure between 0 and 1 a value of one half or more is passed.
func compared(t *table.Table, subjects, skills []string) (rows []ComparedRow, err error) {
	if len(subjects) == 0 {
		return nil, nil
	}
	fs, _ := t.Select(skills)
	sum, n := make([]float64, len(t.Items)), make([]float64, len(t.Items))
	for i, j := range t.Item {
		sum[j] += t.Value[i]
		n[j]++
	}
	bounds := t.Bounds()
	for _, id := range subjects {
		s := slices.Index(t.Subjects, id)
		if s < 0 {
			return nil, fmt.Errorf("key prediction.compared: subject %q is not in the data", id)
		}
		mine, took := make([]float64, len(t.Items)), make([]float64, len(t.Items)) // a subject may take an item several times
		for i := bounds[s]; i < bounds[s+1]; i++ {
			mine[t.Item[i]] += t.Value[i]
			took[t.Item[i]]++
		}
		for k := -1; k < len(fs); k++ {
			r := ComparedRow{Subject: id, Class: "all", PassedBy: math.NaN(), FailedBy: math.NaN()}
			if k >= 0 {
				r.Class = skills[k]
			}
			for j := range t.Items {
				if took[j] == 0 {
					continue
				}
				if k >= 0 {
					if v, ok := fs[k].At(j); !ok || !(v > 0) {
						continue
					}
				}
				r.Items++
				rate, others := mine[j]/took[j], (sum[j]-mine[j])/(n[j]-took[j])
				r.SuccessRate += rate
				switch {
				case math.IsNaN(others): // nobody else took it
				case rate >= 0.5 && !(others >= r.PassedBy):
					r.Passed, r.PassedBy = t.Items[j], others
				case rate < 0.5 && !(others <= r.FailedBy):
					r.Failed, r.FailedBy = t.Items[j], others
				}
			}
			r.SuccessRate /= float64(r.Items) // NaN of none
			rows = append(rows, r)
		}
	}
	return rows, nil
}

var comparedAre = sheet.Table{Name: "compared", Title: "Chosen subjects side by side, by skill", Key: []string{"subject", "class"}, View: &sheet.View{Down: "class", Across: "subject", Cell: "success_rate", Below: []string{"passed", "failed"}},
	Foot: []string{"Below the success rate: the hardest item passed and the easiest failed, by the success rate of all other subjects."}}

var comparedColumns = []column[ComparedRow]{
	col(sheet.Column{Name: "subject"}, func(r *ComparedRow) any { return &r.Subject }),
	col(sheet.Column{Name: "class", Doc: "skill that the items need, or all"}, func(r *ComparedRow) any { return &r.Class }),
	col(sheet.Column{Name: "items", Doc: "that the subject took"}, func(r *ComparedRow) any { return &r.Items }),
	col(sheet.Column{Name: "success_rate", Digits: 3}, func(r *ComparedRow) any { return &r.SuccessRate }),
	col(sheet.Column{Name: "passed", Head: "hardest passed", Doc: "item"}, func(r *ComparedRow) any { return &r.Passed }),
	col(sheet.Column{Name: "passed_by", Head: "others there", Digits: 3, Doc: "their success rate"}, func(r *ComparedRow) any { return &r.PassedBy }),
	col(sheet.Column{Name: "failed", Head: "easiest failed", Doc: "item"}, func(r *ComparedRow) any { return &r.Failed }),
	col(sheet.Column{Name: "failed_by", Head: "others there", Digits: 3, Doc: "their success rate"}, func(r *ComparedRow) any { return &r.FailedBy }),
}
