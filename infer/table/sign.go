package table

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// promisingSign is how many standard deviations an item lies too low, if its probability is computed: fewer never suffice.
const promisingSign = 2.5

// falling is how many standard errors of Fisher's z a correlation lies below 0, if it is: an item that has nothing to do with the others, which is too low
// beside those of a Rasch model too, falls as much one time in ten. One time in twenty (1.645) would leave one reversed key in six of 60 × 16 without a word.
const falling = 1.2816

// passing returns who passes an item among the subjects that the tests look at, given how many do.
func (n *nullCase) passing(item int) (o orderOfPassing) {
	for _, s := range n.who {
		for k, i := range n.of[s] {
			if int(i) == item {
				o.ability = append(o.ability, n.logit.subject[s])
				if n.passed[s][k] {
					o.passes++
				}
			}
		}
	}
	return o
}

// correlations returns Fisher's z of each item's correlation, NaN if it is not judged, between responses beyond its mean and what rest says of the subject
// of a row, and the number of its pairs: one of each subject, who are independent.
func (t *Table) correlations(m margins, rest func(r int) (x float64, ok bool)) (fisher, pairs []float64) {
	type sums struct{ n, x, xx, y, yy, xy float64 }
	by := make([]sums, len(t.Items))
	for r, v := range t.Value {
		if t.again(r) {
			continue
		}
		x, ok := rest(r)
		if !ok {
			continue
		}
		e := v - m.item[t.Item[r]].mean()
		b := &by[t.Item[r]]
		b.n, b.x, b.xx, b.y, b.yy, b.xy = b.n+1, b.x+x, b.xx+float64(x*x), b.y+e, b.yy+float64(e*e), b.xy+float64(x*e)
	}
	for _, b := range by {
		vx, vy := b.xx-float64(b.x*b.x)/b.n, b.yy-float64(b.y*b.y)/b.n
		z := math.NaN()
		if b.n >= fewestForSign && vx > 0 && vy > 0 {
			c := (b.xy - float64(b.x*b.y)/b.n) / math.Sqrt(float64(vx*vy))
			z = math.Atanh(min(max(c, -1+1e-12), 1-1e-12))
		}
		fisher, pairs = append(fisher, z), append(pairs, b.n)
	}
	return fisher, pairs
}

// again reports whether row r is not the first of its subject and item.
func (t *Table) again(r int) bool {
	return r > 0 && t.Subject[r-1] == t.Subject[r] && t.Item[r-1] == t.Item[r]
}

// reversed finds the items in which those are low who otherwise are high: whose correlation with the mean of a subject's other responses, beyond the
// difficulty of all items, is below 0 (falling), and too low: for binary responses, those who pass are less able than in any table that a Rasch model would
// give with these numbers of passes (nullCase), otherwise the correlation is below the median of all items, or 0, by Fisher's z. Bonferroni's limit over items keeps
// the probability that any is found in a table of a Rasch model, or without differences between subjects, at alarm. Where so many are reversed that the
// other responses say nothing of a subject, they are those that go against most of the others (opposed).
func (t *Table) reversed(m margins, drawn *nullCase) Finding {
	rest := make([]float64, len(t.Subjects)) // sum of residuals of a subject
	for r, v := range t.Value {
		rest[t.Subject[r]] += v - m.item[t.Item[r]].mean()
	}
	fisher, pairs := t.correlations(m, func(r int) (float64, bool) {
		s := t.Subject[r]
		return (rest[s] - (t.Value[r] - m.item[t.Item[r]].mean())) / (m.subject[s].n - 1), m.subject[s].n >= 3
	})
	level := alarm / 2 / float64(len(t.Items)) // half, for the moments of the drawn tables are estimates
	limit := -num.NormalQuantile(level)
	judged := slices.DeleteFunc(slices.Clone(fisher), math.IsNaN)
	usual := 0.0
	if len(judged) > 0 {
		slices.Sort(judged)
		usual = max(0, num.SortedQuantile(judged, 0.5))
	}
	var opposed []bool
	if low := count(fisher, func(z float64) bool { return z < 0 }); low >= 2 && float64(low) >= opposedShare*float64(len(t.Items)) && t.Rows() <= mostOpposed {
		opposed = t.opposed(m, limit)
	}
	f := named(t.Items, func(i int) bool {
		if opposed != nil {
			return opposed[i]
		}
		errors := math.Sqrt(pairs[i] - 3) // in one unit of Fisher's z
		if !(fisher[i]*errors < -falling) {
			return false
		}
		if drawn != nil {
			z := (drawn.with[i] - drawn.mean[i]) / math.Sqrt(max(0, drawn.square[i]-float64(drawn.mean[i]*drawn.mean[i])))
			return z < -promisingSign && drawn.passing(i).tail(z) < level
		}
		return (fisher[i]-usual)*errors < -limit
	}, Finding{
		Kind: Reversed, Grave: true,
		What:    "items with negative discrimination",
		Meaning: "subjects who do well on the other items do badly on these: look at the key, at the direction of the scale, and at what else the item asks",
		doubt:   "negative discrimination: those who do well on the others do badly on it",
	})
	if t.Binary {
		f.Meaning += "; layout 2pl-signed has slopes of either sign"
	}
	if 3*f.Count > f.Of {
		f.Meaning += "; they are so many that it may be the others that are reversed"
	}
	f.When, f.Remedy = "If the key is reversed", typed("--reverse", f.Names)
	return f
}
