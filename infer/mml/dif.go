package mml

import (
	"math"

	"achilles/sim/num"
)

// A Difference says how an item differs between groups of subjects of the same ability: differential item functioning. The test is a
// likelihood ratio: the item's parameters may differ, against those of one item for all, while the other items are those of all (Thissen,
// Steinberg and Wainer 1993).
type Difference struct {
	Item       int
	LR         float64
	DF         int
	P          float64
	Group      int     // that differs most from the first
	Signed     float64 // mean over the abilities of that group: expected response there less that in the first, by the highest category (Meade 2010)
	Unsigned   float64 // the same of its absolute value
	Purified   bool    // whether the others were compared without those that differ
	Impossible string  // why there is no test; "": there is one
}

// fewestOfGroup is the smallest number of responses of a group to an item for which it is tested.
const fewestOfGroup = 20

// Differences tests each item of data with groups; base is the fit in which no item differs. Where items differ by corrected p-values below
// level, each is tested again, without the help of the others that do.
func Differences(d *Data, s Settings, base *Fit, level float64, corrected func(p []float64) []float64) ([]Difference, error) {
	none := make([]bool, len(d.Categories))
	out := make([]Difference, len(d.Categories))
	test := func(differ []bool, from *Fit, purified bool) error {
		for i := range out {
			now, reference := from, from
			if out[i] = (Difference{Item: i, P: math.NaN(), Purified: purified}); s.Known != nil && s.Known[i] != nil {
				out[i].Impossible = "it is an anchor"
				continue
			}
			if out[i].Impossible = d.untestable(i); out[i].Impossible != "" {
				continue
			}
			var err error
			if differ[i] { // the fit in which it does not
				others := append([]bool{}, differ...)
				others[i] = false
				reference, err = split(d, s, base, others)
			} else {
				others := append([]bool{}, differ...)
				others[i] = true
				now, err = split(d, s, base, others)
			}
			if err != nil {
				return err
			}
			out[i].LR = max(0, 2*(now.LogLik-reference.LogLik))
			out[i].DF = now.Parameters - reference.Parameters
			out[i].P = tail(out[i].LR, float64(out[i].DF))
			out[i].effect(d, now, differ)
		}
		return nil
	}
	if err := test(none, base, false); err != nil {
		return nil, err
	}
	p := make([]float64, len(out))
	for i := range out {
		p[i] = out[i].P
	}
	differ, some, all := make([]bool, len(out)), 0, 0
	for i, x := range corrected(p) {
		if all++; x < level {
			differ[i] = true
			some++
		}
	}
	if some == 0 || some > all/2 { // too few would be left to compare with
		return out, nil
	}
	from, err := split(d, s, base, differ)
	if err != nil {
		return nil, err
	}
	return out, test(differ, from, true)
}

// untestable returns why an item is not tested.
func (d *Data) untestable(i int) string {
	n := num.Rows(d.groups(), d.Categories[i])
	count := func(s int, y int8, w float64) {
		if d.Weight != nil {
			w *= d.Weight[s]
		}
		n[d.Group[s]][y] += w
	}
	for s, row := range d.Responses {
		if row[i] >= 0 {
			count(s, row[i], 1)
		}
	}
	for _, x := range d.Again {
		if int(x.Item) == i {
			count(int(x.Subject), x.Category, float64(x.times()))
		}
	}
	for _, of := range n {
		sum, least := 0.0, math.Inf(1)
		for _, x := range of {
			sum += x
			least = min(least, x)
		}
		switch {
		case sum < fewestOfGroup:
			return "a group has fewer than 20 responses to it"
		case least == 0:
			return "a category does not occur in a group"
		}
	}
	return ""
}

// split fits data in which items that differ are other items in each group: those of the first group stand where they stood, those of others follow.
func split(d *Data, s Settings, base *Fit, differ []bool) (*Fit, error) {
	x := &Data{Categories: append([]int{}, d.Categories...), Group: d.Group, Weight: d.Weight, Responses: make([][]int8, len(d.Responses)), Alike: d.Alike}
	start := &engine{parameters: parameters{model: base.e.model, items: append([]item{}, base.e.items...), groups: base.e.groups, corr: base.e.corr}}
	known := append([]*Item{}, s.Known...)
	of := map[[2]int]int{}
	for i, is := range differ {
		for g := 1; is && g < d.groups(); g++ {
			of[[2]int{i, g}] = len(x.Categories)
			x.Categories = append(x.Categories, d.Categories[i])
			start.items = append(start.items, base.e.items[i])
			if s.Known != nil {
				known = append(known, nil)
			}
		}
	}
	for n, row := range d.Responses {
		to := make([]int8, len(x.Categories))
		copy(to, row)
		for k := len(row); k < len(to); k++ {
			to[k] = -1
		}
		for i, is := range differ {
			if g := d.Group[n]; is && g > 0 {
				to[of[[2]int{i, g}]], to[i] = row[i], -1
			}
		}
		x.Responses[n] = to
	}
	for _, a := range d.Again {
		if k, ok := of[[2]int{int(a.Item), d.Group[a.Subject]}]; ok {
			a.Item = int32(k)
		}
		x.Again = append(x.Again, a)
	}
	if s.Known != nil {
		s.Known = known
	}
	s.Start = &Fit{Model: s.Model, e: start}
	return estimate(x, s, base.Nodes)
}

// effect fills how much an item differs, by the fit in which it does.
func (x *Difference) effect(d *Data, now *Fit, differ []bool) {
	at := len(d.Categories)
	for i := range x.Item {
		if differ[i] {
			at += d.groups() - 1
		}
	}
	top := float64(d.Categories[x.Item] - 1)
	for g := 1; g < d.groups(); g++ {
		signed, unsigned := now.e.groups[g].apart(top, now, at+g-1, now, x.Item)
		if unsigned > x.Unsigned {
			x.Group, x.Signed, x.Unsigned = g, signed, unsigned
		}
	}
}

// apart returns the mean over the abilities of a group of the expected response to an item of one fit less that to an item of another, by the
// highest category, and that of its absolute value.
func (g *group) apart(top float64, here *Fit, i int, there *Fit, k int) (signed, unsigned float64) {
	sum := 0.0
	for q := -40; q <= 40; q++ {
		z := float64(q) / 10
		theta := []float64{g.mean + float64(z*g.sd)}
		w := num.Exp(-float64(z*z) / 2)
		a, _ := here.Curve(i, theta)
		b, _ := there.Curve(k, theta)
		signed += float64(w*(a-b)) / top
		unsigned += float64(w*math.Abs(a-b)) / top
		sum += w
	}
	return signed / sum, unsigned / sum
}

// Drift tests each known item: whether its parameters have changed, by a likelihood ratio of them estimated against them known. base is the fit with
// all of them known.
func Drift(d *Data, s Settings, base *Fit) ([]Difference, error) {
	n := 0
	for _, k := range s.Known {
		if k != nil {
			n++
		}
	}
	out := []Difference{}
	for i, k := range s.Known {
		if k == nil {
			continue
		}
		x := Difference{Item: i, P: math.NaN()}
		if n < 2 {
			x.Impossible = "it is the only anchor"
			out = append(out, x)
			continue
		}
		free := s
		free.Known = append([]*Item{}, s.Known...)
		free.Known[i], free.Start = nil, base
		now, err := estimate(d, free, base.Nodes)
		if err != nil {
			return nil, err
		}
		x.LR = max(0, 2*(now.LogLik-base.LogLik))
		if x.DF = now.Parameters - base.Parameters; s.Model.OneSlope() {
			x.DF = len(k.Intercept)
		}
		x.LR *= now.share(i, k)
		x.P = tail(x.LR, float64(x.DF))
		x.Signed, x.Unsigned = now.e.groups[0].apart(float64(d.Categories[i]-1), now, i, base, i)
		out = append(out, x)
	}
	return out, nil
}

// share returns how much of the variances of the differences between the parameters of an item, estimated in a rough fit, and known ones is that of
// the estimates; the rest is the square of the standard errors of the known ones. A likelihood ratio that takes these as exact is too large by as much.
func (f *Fit) share(i int, k *Item) float64 {
	if len(k.InterceptSE) == 0 {
		return 1
	}
	f.rough = false
	f.report()
	here, known := f.Items[i].InterceptSE, k.InterceptSE
	if !f.Model.OneSlope() {
		here, known = append(here, f.Items[i].SlopeSE...), append(known, k.SlopeSE...)
	}
	sum, n := 0.0, 0.0
	for j, x := range here {
		if x > 0 {
			sum += float64(x*x) / (float64(x*x) + float64(known[j]*known[j]))
			n++
		}
	}
	if n == 0 {
		return 1
	}
	return sum / n
}
