package embedding

import (
	"slices"

	"achilles/sim/num"
)

// mostAlike is the largest number of subjects, or of items, over which the prediction for a new one is averaged.
const mostAlike = 100

// fillUnseen predicts for subjects and items without training responses. A new subject counts as one of the subjects with
// responses, each with the same probability, and a new item as one of the items with responses, if possible of those that need
// the same skills. Their own parameters, the means of the priors, would predict for an average subject and an average item, which
// is not the average prediction.
func (m *Model) fillUnseen(subject, item []int32, p []float64) {
	hasSubject, hasItem := make([]bool, len(m.t.Subjects)), make([]bool, len(m.t.Items))
	for i, s := range m.t.Subject {
		hasSubject[s], hasItem[m.t.Item[i]] = true, true
	}
	subjects, items := marked(hasSubject), marked(hasItem)
	if len(subjects) == 0 {
		return
	}
	known := map[[2]int32]float64{} // means, by subject and item; −1 stands for all new subjects
	for i, s := range subject {
		j := item[i]
		if hasSubject[s] && hasItem[j] {
			continue
		}
		of, at := []int32{s}, []int32{j}
		if !hasSubject[s] {
			s, of = -1, spaced(subjects)
		}
		mean, ok := known[[2]int32{s, j}]
		if !ok {
			if !hasItem[j] {
				at = spaced(m.alike(j, items))
			}
			mean = m.meanOver(of, at)
			known[[2]int32{s, j}] = mean
		}
		p[i] = mean
	}
}

// marked returns the indices of the elements that are true.
func marked(has []bool) (out []int32) {
	for i, h := range has {
		if h {
			out = append(out, int32(i))
		}
	}
	return out
}

// alike returns those of the items that need the same skills as item j, or all if there are none.
func (m *Model) alike(j int32, items []int32) []int32 {
	if m.mask == nil {
		return items
	}
	same := slices.DeleteFunc(slices.Clone(items), func(i int32) bool { return !slices.Equal(m.mask[i], m.mask[j]) })
	if len(same) == 0 {
		return items
	}
	return same
}

// spaced returns all elements of xs, or mostAlike of them at equal distances.
func spaced(xs []int32) []int32 {
	if len(xs) <= mostAlike {
		return xs
	}
	out := make([]int32, mostAlike)
	for k := range out {
		out[k] = xs[k*len(xs)/mostAlike]
	}
	return out
}

// meanOver returns the mean prediction over all pairs of these subjects and items.
func (m *Model) meanOver(subjects, items []int32) float64 {
	var s, j []int32
	for _, a := range subjects {
		for _, b := range items {
			s, j = append(s, a), append(j, b)
		}
	}
	p := make([]float64, len(s))
	m.predict(s, j, p)
	return num.Mean(p)
}
