package table

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"achilles/sim/num"
	"achilles/sim/record"
)

// A Likeness is how much residuals of one cluster are alike: their intraclass correlation, 0 if they are independent. The standard error is that of the
// jackknife over clusters.
type Likeness struct {
	Correlation float64 `json:"correlation"`
	SE          float64 `json:"se"`
	Clusters    int     `json:"clusters"` // with several residuals
	Size        float64 `json:"size"`     // mean number of residuals of these, each counted as often as it has others beside it
}

// Z returns the correlation in standard errors.
func (l Likeness) Z() float64 { return l.Correlation / l.SE }

// Inflation returns by how much the variance of a mean grows, beside that of independent residuals (Kish 1965); at least 1.
func (l Likeness) Inflation() float64 { return max(1, 1+float64((l.Size-1)*l.Correlation)) }

// fewestClusters is the least number of clusters for a likeness.
const fewestClusters = 5

// LikenessOf returns the likeness of residuals within clusters, which are numbered from 0; a negative number is none. fitted is the number of
// parameters that were fitted to them, which makes residuals of independent responses a little unlike. ok is false if there are too few clusters with several
// residuals, or no residual differs from 0.
func LikenessOf(residual []float64, cluster []int, fitted int) (l Likeness, ok bool) {
	type sums struct{ n, e, ee float64 }
	var by []sums
	for k, e := range residual {
		c := cluster[k]
		if c < 0 {
			continue
		}
		for len(by) <= c {
			by = append(by, sums{})
		}
		by[c].n, by[c].e, by[c].ee = by[c].n+1, by[c].e+e, by[c].ee+float64(e*e)
	}
	var n, square, pairs, product float64
	for _, b := range by {
		n, square = n+b.n, square+b.ee
		if b.n > 1 {
			l.Clusters++
			pairs += float64(b.n * (b.n - 1))
			product += float64(b.e*b.e) - b.ee
		}
	}
	if l.Clusters < fewestClusters || !(square > 0) || !(n > 0) {
		return l, false
	}
	more := 0.0
	for _, b := range by {
		if b.n > 1 {
			more += b.n
		}
	}
	l.Size = 1 + pairs/more
	shrunk := float64(fitted) / n // of the expectation of each product, in variances
	of := func(product, pairs, square, n float64) float64 { return product/pairs/(square/n) + shrunk }
	l.Correlation = of(product, pairs, square, n)
	var sum, squares, k float64
	for _, b := range by {
		if b.n < 2 {
			continue
		}
		x := of(product-float64(b.e*b.e)+b.ee, pairs-float64(b.n*(b.n-1)), square-b.ee, n-b.n)
		sum, squares, k = sum+x, squares+float64(x*x), k+1
	}
	l.SE = math.Sqrt(max(0, squares-float64(sum*sum)/k) * (k - 1) / k)
	return l, !math.IsNaN(l.Correlation)
}

// A Clustering is a way in which responses may be alike: by item, if it was taken several times, or by the values of a column of the items.
type Clustering struct {
	Name string // item, repetition, or the name of the column
	Of   []int  // row → cluster, numbered from 0; −1: none
}

// Names of the clusterings by item, where a subject has taken items several times, and by repetition.
const (
	Item       = "item"
	Repetition = "repetition"
	NameStart  = "beginning of item names" // of passage3-q2 or 3a, passage3 or 3, where no column says more
)

// Clusterings returns the ways in which the responses of one subject may be alike. at has the index of each response's item. A cluster is never
// of two subjects.
func Clusterings(items *record.Items, responses []record.Response) (out []Clustering) {
	type key struct{ subject, of int32 }
	add := func(name string, of func(x *record.Response) int32) {
		c := Clustering{Name: name, Of: make([]int, len(responses))}
		number, size := num.Numbering[key]{}, []int{}
		for i := range responses {
			c.Of[i] = -1
			label := of(&responses[i])
			if label < 0 {
				continue
			}
			n := number.Of(key{responses[i].Subject, label})
			if n == len(size) {
				size = append(size, 0)
			}
			c.Of[i] = n
			size[n]++
		}
		own := map[int32]int{} // subject → its clusters
		for k := range number {
			own[k.subject]++
		}
		several := 0
		for k, n := range number {
			if own[k.subject] > 1 && size[n] > 1 {
				several++
			}
		}
		for i := range responses {
			if own[responses[i].Subject] < 2 {
				c.Of[i] = -1
			}
		}
		if several >= fewestClusters {
			out = append(out, c)
		}
	}
	add(Item, func(x *record.Response) int32 { return x.Item })
	add(Repetition, func(x *record.Response) int32 { return int32(x.Repetition) })
	without := len(out)
	for i := range items.Columns {
		c := items.Values(i)
		if c.Kind != record.Text {
			continue
		}
		number, of := num.Numbering[string]{}, make([]int32, len(c.Text))
		for k, text := range c.Text {
			if of[k] = int32(number.Of(text)); c.Missing != nil && c.Missing[k] {
				of[k] = -1
			}
		}
		add(c.Name, func(x *record.Response) int32 { return of[x.Item] })
	}
	if of := starts(items.ID); len(out) == without && of != nil {
		add(NameStart, func(x *record.Response) int32 { return of[x.Item] })
	}
	return out
}

// starts numbers the beginnings of names; it returns nil if a name has none.
func starts(names []string) (of []int32) {
	number := num.Numbering[string]{}
	for _, name := range names {
		start := beginning(name)
		if start == "" {
			return nil
		}
		of = append(of, int32(number.Of(start)))
	}
	return of
}

// beginning returns passage3 of passage3-q2 and of passage3q2, and 3 of 3a; "" of names such as q2.
func beginning(name string) string {
	if at := strings.LastIndexAny(name, "-_./: "); at > 0 && at < len(name)-1 {
		return name[:at]
	}
	letters := strings.TrimRight(name, "0123456789")
	start := strings.TrimRightFunc(letters, unicode.IsLetter)
	if start == letters || strings.TrimRight(start, "0123456789") == start {
		return ""
	}
	return start
}

// fewestFitted is the number of subjects from which the difficulties of items are taken off, before responses are compared within clusters.
const fewestFitted = 10

// mostNamed is the number of subjects up to which those are named whose own responses are alike.
const mostNamed = 50

// clustered finds responses that are alike within an item that was taken several times, a repetition, or a text column of the items, beyond
// the subject's success rate and, if there are ten subjects or more, the difficulty of the item.
func (t *Table) clustered(d *record.Dataset, m margins, w *witnesses) (out []Finding) {
	measure, _ := d.Measure(t.Measure)
	var list []record.Response
	for _, r := range d.Responses.All() {
		if isRow(r, measure) {
			list = append(list, r)
		}
	}
	beyond, took := "the subject's success rate", 0
	for _, x := range m.subject {
		took += int(min(x.n, 1))
	}
	residual := make([]float64, len(list))
	byItem := w != nil && took >= fewestFitted
	var all logits
	if byItem {
		beyond, all = "ability and difficulty", w.logit
		firsts := 0
		for _, items := range w.of {
			firsts += len(items)
		}
		if firsts < t.Rows() { // what the first responses say of ability is not what all say, and what they miss is alike in a cell
			all = fit(len(t.Subjects), len(t.Items), t.all)
		}
	}
	for k, v := range t.Value {
		s, i := t.Subject[k], t.Item[k]
		residual[k] = v - m.subject[s].mean()
		if byItem {
			residual[k] = v - num.Logistic(all.subject[s]+all.item[i])
		}
	}
	ways := Clusterings(&d.Items, list)
	level := alarm / float64(max(len(ways), 1))
	for _, c := range ways {
		fitted := took
		if byItem && c.Name == Item {
			fitted += len(t.Items)
		}
		l, ok := LikenessOf(residual, c.Of, fitted)
		if !ok {
			continue
		}
		f := Finding{Kind: Clustered, By: c.Name, Count: l.Clusters, Of: l.Clusters, What: fmt.Sprintf("clusters of responses by %s (within them, responses correlate by %.2f, SE %.2f, beyond %s)", c.Name, l.Correlation, l.SE, beyond)}
		if f.Grave = l.Alike(level); !f.Grave {
			if c.Name == Item {
				f.What = fmt.Sprintf("items that a subject took several times (responses to one correlate by %.2f, SE %.2f, beyond %s)", l.Correlation, l.SE, beyond)
				f.Meaning = "they are no more alike than others"
				out = append(out, f)
			}
			continue
		}
		f.Meaning = fmt.Sprintf("a mean over them has %.3g times the standard error of independent responses; infer widens its intervals as far as its layout does not explain this", math.Sqrt(l.Inflation()))
		if took <= mostNamed {
			f.Names = t.alikeWithin(residual, c, level/float64(took))
		}
		out = append(out, f)
	}
	return out
}

// Alike reports whether the correlation is above 0 at a level, by Student's t with as many degrees of freedom as clusters but one.
func (l Likeness) Alike(level float64) bool {
	return l.Correlation > 0 && l.Z() > num.StudentTQuantile(1-level, float64(l.Clusters-1))
}

// alikeWithin returns the subjects whose own responses are alike within clusters.
func (t *Table) alikeWithin(residual []float64, c Clustering, level float64) (names []string) {
	bounds := t.Bounds()
	for s, id := range t.Subjects {
		own, first := []int{}, num.Numbering[int]{}
		for k := bounds[s]; k < bounds[s+1]; k++ {
			n := first.Of(c.Of[k])
			if c.Of[k] < 0 {
				n = -1
			}
			own = append(own, n)
		}
		if l, ok := LikenessOf(residual[bounds[s]:bounds[s+1]], own, 1); ok && l.Alike(level) {
			names = append(names, id)
		}
	}
	return names
}
