package record

// Parts returns the part of each subject and, behind them, of each item, and how many parts there are: the sets of subjects and items that no response
// connects, of those that use wants. They are numbered from 1 by their first subjects; 0 is none, for lack of responses.
func (d *Dataset) Parts(use func(r Response) bool) (part []int, n int) {
	subjects := len(d.Subjects)
	to := make([]int, subjects+d.Items.Len())
	for i := range to {
		to[i] = i
	}
	root := func(i int) int {
		for to[i] != i {
			to[i] = to[to[i]]
			i = to[i]
		}
		return i
	}
	for _, r := range d.Responses.All() {
		if use(r) {
			a, b := root(int(r.Subject)), root(subjects+int(r.Item))
			to[max(a, b)] = min(a, b)
		}
	}
	part = make([]int, len(to))
	for _, r := range d.Responses.All() { // sorted by subject
		if !use(r) {
			continue
		}
		k := root(int(r.Subject))
		if part[k] == 0 {
			n++
			part[k] = n
		}
		part[r.Subject], part[subjects+int(r.Item)] = part[k], part[k]
	}
	return part, n
}

// Only returns the data of some subjects and items: those with these indices, which ascend, and the responses between them that use wants. Subjects without
// a response stay out.
func (d *Dataset) Only(subjects, items []int, use func(r Response) bool) *Dataset {
	out := *d
	item, subject := make([]int32, d.Items.Len()), make([]int32, len(d.Subjects))
	for i := range item {
		item[i] = -1
	}
	for k, i := range items {
		item[i] = int32(k)
	}
	wanted := make([]bool, len(d.Subjects))
	for _, s := range subjects {
		wanted[s] = true
	}
	var list []Response
	there := make([]bool, len(d.Subjects))
	for _, r := range d.Responses.All() {
		if wanted[r.Subject] && item[r.Item] >= 0 && use(r) {
			list = append(list, r)
			there[r.Subject] = true
		}
	}
	var kept []int
	out.Subjects = nil
	for s, id := range d.Subjects {
		if there[s] {
			subject[s] = int32(len(kept))
			kept = append(kept, s)
			out.Subjects = append(out.Subjects, id)
		}
	}
	for i := range list {
		list[i].Subject, list[i].Item = subject[list[i].Subject], item[list[i].Item]
	}
	out.Responses = PackResponses(list)
	out.Covariates = nil
	for _, c := range d.Covariates {
		out.Covariates = append(out.Covariates, c.Rows(kept))
	}
	out.Items = *d.Items.rows(items)
	return &out
}
