package analysis

import (
	"achilles/infer/table"
	"achilles/sim/num"
	sheet "achilles/sim/table"
)

// A ClassRow is the success of a subject on the items of a class: those that need a skill.
type ClassRow struct {
	Subject, Class         string
	Responses, SuccessRate float64
}

// A SimilarityRow says how alike two subjects respond to the items that both took. Of a measure between 0 and 1 a success counts by its
// degree.
type SimilarityRow struct {
	A, B      string
	Items     float64
	Agreement float64 // proportion of items on which both succeed or both fail; Liu et al. (2023) call it Jaccard similarity
	Jaccard   float64 // of the items on which either succeeds, the proportion on which both do; NaN if neither ever does
}

// mostSimilar is the largest number of subjects of whom all pairs are compared.
const mostSimilar = 500

// classRows returns the success of every subject on the items that need each skill.
func classRows(t *table.Table, skills []string) (rows []ClassRow) {
	fs, _ := t.Select(skills)
	bounds := t.Bounds()
	for s, id := range t.Subjects {
		for k, f := range fs {
			r := ClassRow{Subject: id, Class: skills[k]}
			for i := bounds[s]; i < bounds[s+1]; i++ {
				if v, ok := f.At(int(t.Item[i])); ok && v > 0 {
					r.Responses++
					r.SuccessRate += t.Value[i]
				}
			}
			r.SuccessRate /= r.Responses // NaN of none
			rows = append(rows, r)
		}
	}
	return rows
}

// similarityRows returns how alike all pairs of subjects respond, by their mean responses to each item; nil for too many subjects.
func similarityRows(t *table.Table) (rows []SimilarityRow) {
	if len(t.Subjects) > mostSimilar {
		return nil
	}
	means, n := num.Rows(len(t.Subjects), len(t.Items)), num.Rows(len(t.Subjects), len(t.Items))
	for i, s := range t.Subject {
		means[s][t.Item[i]] += t.Value[i]
		n[s][t.Item[i]]++
	}
	for s := range means {
		for j := range means[s] {
			if n[s][j] > 0 {
				means[s][j] /= n[s][j]
			}
		}
	}
	for a := range means {
		for b := range a {
			r := SimilarityRow{A: t.Subjects[b], B: t.Subjects[a]}
			both, either := 0.0, 0.0
			for j := range t.Items {
				if n[a][j] == 0 || n[b][j] == 0 {
					continue
				}
				x, y := means[a][j], means[b][j]
				r.Items++
				r.Agreement += 1 - max(x, y) + min(x, y)
				both, either = both+min(x, y), either+max(x, y)
			}
			r.Agreement, r.Jaccard = r.Agreement/r.Items, both/either
			rows = append(rows, r)
		}
	}
	return rows
}

var classesAre = sheet.Table{Name: "classes", Title: "Success of subjects by skill that items need", Key: []string{"subject", "class"}, View: &sheet.View{Down: "subject", Across: "class", Cell: "success_rate"}}

var classColumns = []column[ClassRow]{
	col(sheet.Column{Name: "subject"}, func(r *ClassRow) any { return &r.Subject }),
	col(sheet.Column{Name: "class", Doc: "skill that the items need"}, func(r *ClassRow) any { return &r.Class }),
	col(sheet.Column{Name: "responses"}, func(r *ClassRow) any { return &r.Responses }),
	col(sheet.Column{Name: "success_rate", Digits: 3}, func(r *ClassRow) any { return &r.SuccessRate }),
}

var similarityIs = sheet.Table{Name: "similarity", Title: "How alike two subjects respond", Key: []string{"a", "b"}, FileOnly: true,
	Foot: []string{"Agreement: items on which both succeed or both fail, which Liu et al. (2023) call Jaccard similarity. Jaccard: of the items on which either succeeds, those on which both do."}}

var similarityColumns = []column[SimilarityRow]{
	col(sheet.Column{Name: "a", Head: "subject"}, func(r *SimilarityRow) any { return &r.A }),
	col(sheet.Column{Name: "b", Head: "other subject"}, func(r *SimilarityRow) any { return &r.B }),
	col(sheet.Column{Name: "items"}, func(r *SimilarityRow) any { return &r.Items }),
	col(sheet.Column{Name: "agreement", Digits: 3}, func(r *SimilarityRow) any { return &r.Agreement }),
	col(sheet.Column{Name: "jaccard", Head: "Jaccard", Digits: 3}, func(r *SimilarityRow) any { return &r.Jaccard }),
}
