package infer

import (
	"slices"

	"achilles/infer/layout"
	"achilles/infer/misfit"
	"achilles/infer/posterior"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// checkTogether compares all responses with the layout that was fitted to them together (misfit.CheckWhole). It returns nil where they are
// not checked: too many, or too few, or a likelihood that depends on means of the same responses.
func (r jointly) checkTogether(cells *layout.Cells, use []record.Response, post *posterior.Posterior) *misfit.Result {
	j := cells.Joint()
	d := &misfit.Whole{Subjects: r.data.Subjects, Items: r.data.Items.ID}
	used := cells.Used()
	repeated := false
	for n, k := range used {
		x := use[k]
		repeated = repeated || n > 0 && x.Subject == use[used[n-1]].Subject && x.Item == use[used[n-1]].Item
		d.Subject, d.Item, d.Value = append(d.Subject, x.Subject), append(d.Item, int32(x.Item)), append(d.Value, x.Value)
	}
	if !d.Checked() || j.UsesMeans() {
		return nil
	}
	own := 0
	for _, p := range j.Layout().Parameters {
		if p.Group == layout.Item && p.Per == "" {
			own++
		}
	}
	d.ItemFree, d.SlopeFree = own > 0, own > 1
	t := cells.NewTarget(make([]bool, len(j.Layout().Parameters)), 1)
	draws := thin(post.Draws, checkDraws)
	d.Expected, d.Variance = make([]float64, len(used)), make([]float64, len(used))
	one := make([]float64, len(used))
	for _, theta := range draws {
		t.Expected(theta, one)
		for i, x := range one {
			d.Expected[i] += x / float64(len(draws))
		}
	}
	random := rng.Stream(r.Seed, "infer", Everybody, "misfit")
	next := 0
	d.Replicate = func(out []float64) {
		for block := range cells.Blocks() {
			from, to := cells.InBlock(block)
			t.DrawResponses(block, draws[next%len(draws)], &random, out[from:to])
		}
		next += stride(len(draws))
	}
	d.Variance = variances(d)
	if repeated {
		all := misfit.Labels{Name: "item", OfItems: true, Groups: d.Items}
		for i := range d.Items {
			all.Of = append(all.Of, int32(i))
		}
		d.Labels = append(d.Labels, all)
	}
	for k := range r.data.Items.Columns {
		c := r.data.Items.Values(k)
		if l, ok := labelsOf(&c, true); ok {
			d.Labels = append(d.Labels, l)
		}
	}
	for _, c := range r.data.Covariates {
		if l, ok := labelsOf(&c, false); ok && len(l.Groups)*len(d.Items) <= mostCrossed {
			d.Labels = append(d.Labels, l)
		}
	}
	out := misfit.CheckWhole(d, alarm, &random)
	return &out
}

// mostCrossed is the largest number of pairs of a group of subjects and an item that are looked at.
const mostCrossed = 1 << 14

// stride returns a step with which all of n draws are taken in turn, each a little ahead of the one before in its chain.
func stride(n int) int {
	for step := max(1, n*7/100); ; step++ {
		a, b := n, step
		for b > 0 {
			a, b = b, a%b
		}
		if a == 1 {
			return step
		}
	}
}

// variances returns the variance of each response: p(1 − p) of those that are 0 or 1, and otherwise that of replicates.
func variances(d *misfit.Whole) []float64 {
	out := make([]float64, len(d.Value))
	if !slices.ContainsFunc(d.Value, func(v float64) bool { return v != 0 && v != 1 }) {
		for i, p := range d.Expected {
			out[i] = float64(p * (1 - p))
		}
		return out
	}
	const n = 200
	mean, one := make([]float64, len(out)), make([]float64, len(out))
	for k := range n {
		d.Replicate(one)
		for i, y := range one {
			was := mean[i]
			mean[i] += (y - was) / float64(k+1)
			out[i] += float64((y-was)*(y-mean[i])) / (n - 1)
		}
	}
	return out
}

// labelsOf returns the groups of items or subjects by a column of text that groups some and tells others apart.
func labelsOf(c *record.Column, items bool) (misfit.Labels, bool) {
	l := misfit.Labels{Name: c.Name, OfItems: items}
	if c.Kind != record.Text {
		return l, false
	}
	count := map[string]int{}
	for i, x := range c.Text {
		if c.Missing == nil || !c.Missing[i] {
			count[x]++
		}
	}
	for x, n := range count {
		if n > 1 {
			l.Groups = append(l.Groups, x)
		}
	}
	slices.Sort(l.Groups)
	for _, x := range c.Text {
		k, ok := slices.BinarySearch(l.Groups, x)
		if !ok {
			k = -1
		}
		l.Of = append(l.Of, int32(k))
	}
	return l, len(l.Groups) > 0 && len(count) > 1
}
