package table

import "achilles/infer/misfit"

// alike finds subjects whose binary responses agree beyond chance, given how many each passes and how hard the items are. It
// leaves out pairs of whom both are doubted for another reason, such as blanks, which are alike.
func (t *Table) alike(m margins, doubted map[string][]string) Finding {
	f := Finding{Kind: CopiedSubjects, Grave: true, Of: len(t.Subjects), What: "subjects whose responses agree beyond chance", Meaning: "one copied the other, or they have something in common that is not ability; they count as one subject, not two"}
	if !t.Binary || float64(len(t.Subjects))*float64(t.Rows()) > mostCompared {
		return f
	}
	bounds := t.Bounds()
	var all []misfit.Answers
	for s, id := range t.Subjects {
		a := misfit.Answers{Subject: id}
		p := (m.subject[s].sum + 0.5) / (m.subject[s].n + 1)
		for r := bounds[s]; r < bounds[s+1]; r++ {
			if n := len(a.Key); n > 0 && a.Key[n-1] >= int(t.Item[r]) {
				continue // the first response to an item
			}
			a.Key, a.Passed, a.P = append(a.Key, int(t.Item[r])), append(a.Passed, t.Value[r] == 1), append(a.P, p)
		}
		all = append(all, a)
	}
	seen, others := map[string]bool{}, map[string]bool{}
	var second []string
	for _, p := range misfit.Alike(all, alarm) {
		if doubted[p.Subject] != nil && doubted[p.Other] != nil {
			continue
		}
		if !others[p.Subject] && !others[p.Other] {
			others[p.Other] = true
			second = append(second, p.Other)
		}
		for _, id := range []string{p.Subject, p.Other} {
			if !seen[id] {
				f.Names = append(f.Names, id)
			}
			seen[id] = true
		}
	}
	f.When, f.Remedy = "To keep one of each pair", typed("--leave-out", second)
	f.Count, f.doubt = len(f.Names), "responses agree beyond chance with those of another subject"
	return f
}
