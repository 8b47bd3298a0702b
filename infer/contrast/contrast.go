// Package contrast compares subjects, or groups of them, by the responses that they gave to the same items, and by posterior draws of their
// parameters: which differ, by how much, and how many more items would tell.
package contrast

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer/table"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/record"
)

// Settings say what is compared.
type Settings struct {
	Measure string `setting:"measure" doc:"the measure that is compared, if there are several"`
	Cluster string `setting:"cluster" doc:"a column of items whose values group items with dependent responses, such as a passage or a template (default: every item by itself)"`
	By      string `setting:"by" doc:"a column of subjects: its groups are compared instead of subjects; or directory: the subjects of two directories are two groups"`
	Ordered bool   `setting:"ordered" doc:"the categories of the measure are ordered, and count as 0, 1, 2 …"`
}

const (
	alpha = 0.05 // level of all comparisons together
	power = 0.8  // with which a difference is to be found
	few   = 30   // clusters that differ, or subjects of both groups, below which tests are exact
)

// A Source is a data set, and the name that tells its subjects from those of others; empty if there is one alone.
type Source struct {
	Name string
	Data *record.Dataset
}

// Responses are the mean responses of subjects to items. Epochs of one item count as one.
type Responses struct {
	Subjects []string
	Measure  string
	Unit     string   // what a cluster is: item, or the name of a column
	clusters []int32  // item → cluster
	scale    float64  // greatest difference that two responses can have, or had
	columns  []column // text columns of items by which differences may go together
	of       [][]mean // subject → by item
	group    []string // subject → group
	part     []int    // subject → part of its data that responses connect
}

// A mean of the responses of a subject to an item.
type mean struct {
	item int32
	x    float64
}

// A column of items, by the index of its value; −1: none.
type column struct {
	name string
	of   []int32
}

// Read reads the scored test responses to a measure. Subjects of several sources, whose items are the same where they have the same names, have the
// name of the source before theirs.
func Read(s Settings, sources ...Source) (*Responses, error) {
	r := &Responses{Measure: s.Measure, Unit: "item"}
	if s.Cluster != "" {
		r.Unit = s.Cluster
	}
	items, labels := map[string]int32{}, num.Numbering[string]{}
	columns := map[string][]string{} // name → item → value
	var names []string
	low, high, bounded := math.Inf(1), math.Inf(-1), true
	for _, from := range sources {
		d := from.Data
		m, err := measureOf(d, r.Measure, s.Ordered)
		if err != nil {
			return nil, err
		}
		family := d.Manifest.Measures[m].Family
		r.Measure, bounded = d.Manifest.Measures[m].Name, bounded && (family == record.Binary || family == record.Unit)
		at := make([]int32, d.Items.Len())
		var text []record.Column
		for k := range d.Items.Columns {
			if c := d.Items.Values(k); c.Kind == record.Text {
				text = append(text, c)
				if columns[c.Name] == nil {
					columns[c.Name] = []string{}
					names = append(names, c.Name)
				}
			}
		}
		cluster, err := clusterOf(d, s.Cluster)
		if err != nil {
			return nil, err
		}
		for i, id := range d.Items.ID {
			label := id
			if cluster != nil {
				if label = cluster(i); label == "" {
					return nil, fmt.Errorf("--cluster %s: item %s has no value; give each item one, its own where it stands alone", s.Cluster, id)
				}
			}
			n := int32(labels.Of(label))
			old, known := items[id]
			if known && r.clusters[old] != n {
				return nil, fmt.Errorf("item %s is another in %s: its %s differs, so responses to it are not compared", id, from.Name, s.Cluster)
			}
			if !known {
				old = int32(len(items))
				items[id], r.clusters = old, append(r.clusters, n)
			}
			at[i] = old
			for _, c := range text {
				for len(columns[c.Name]) <= int(old) {
					columns[c.Name] = append(columns[c.Name], "")
				}
				if value := c.Text[i]; known && columns[c.Name][old] != value {
					return nil, fmt.Errorf("item %s is another in %s: its %s is %q and not %q, so responses to it are not compared", id, from.Name, c.Name, value, columns[c.Name][old])
				}
				columns[c.Name][old] = c.Text[i]
			}
		}
		group, err := groupOf(from, s.By)
		if err != nil && len(sources) > 1 {
			err = fmt.Errorf("%s: %w", from.Name, err)
		}
		if err != nil {
			return nil, err
		}
		used := func(x record.Response) bool { return x.Measure == m && x.Phase == record.Test && x.Unscored == 0 }
		part, _ := d.Parts(used)
		type sum struct{ n, x float64 }
		sums := make([]map[int32]sum, len(d.Subjects))
		for _, x := range d.Responses.All() {
			if !used(x) {
				continue
			}
			if sums[x.Subject] == nil {
				sums[x.Subject] = map[int32]sum{}
			}
			n, y := float64(max(1, x.Trials)), x.Value
			low, high, bounded = min(low, y/n), max(high, y/n), bounded || x.Trials > 0
			old := sums[x.Subject][at[x.Item]]
			sums[x.Subject][at[x.Item]] = sum{old.n + n, old.x + y}
		}
		order := num.Indices(len(d.Subjects))
		slices.SortFunc(order, func(a, b int) int { return record.CompareNames(d.Subjects[a], d.Subjects[b]) })
		for _, i := range order {
			id := d.Subjects[i]
			own := make([]mean, 0, len(sums[i]))
			for item, s := range sums[i] {
				own = append(own, mean{item, s.x / s.n})
			}
			slices.SortFunc(own, func(a, b mean) int { return int(a.item) - int(b.item) })
			if from.Name != "" {
				id = from.Name + ":" + id
			}
			r.Subjects, r.of, r.group = append(r.Subjects, id), append(r.of, own), append(r.group, group(i))
			r.part = append(r.part, part[i])
		}
	}
	if r.scale = 1; !bounded {
		r.scale = max(0, high-low)
	}
	for _, name := range names {
		r.addColumn(name, columns[name], len(items), s.Cluster)
	}
	return r, nil
}

// addColumn keeps a text column of items if values of it are shared and it is not that of the clusters.
func (r *Responses) addColumn(name string, text []string, items int, cluster string) {
	c := column{name, make([]int32, items)}
	number := num.Numbering[string]{}
	for i := range c.of {
		c.of[i] = -1
		if i < len(text) && text[i] != "" {
			c.of[i] = int32(number.Of(text[i]))
		}
	}
	if name != cluster && len(number) > 1 && len(number) < items {
		r.columns = append(r.columns, c)
	}
}

// measureOf returns the index of a measure that has a mean.
func measureOf(d *record.Dataset, name string, ordered bool) (uint8, error) {
	m, err := table.Measure(d, name)
	if err == nil && d.Manifest.Measures[m].Family == record.Choice && !ordered {
		err = fmt.Errorf("measure %s has categories, which have no mean: with --ordered they count as 0, 1, 2 …; if only one is right, code it 1 and the others 0", d.Manifest.Measures[m].Name)
	}
	return m, err
}

// clusterOf returns the values of a column of items as text; nil for no column.
func clusterOf(d *record.Dataset, name string) (func(item int) string, error) {
	if name == "" {
		return nil, nil
	}
	c, ok := d.Items.Column(name)
	if !ok {
		names := []string{"suite", "paradigm", "task"}
		for i := range d.Items.Columns {
			names = append(names, d.Items.Columns[i].Name)
		}
		return nil, fmt.Errorf("--cluster %s: items have no such column%s", name, expr.Listed(name, "They have", names))
	}
	return textOf(&c), nil
}

// textOf returns the values of a column as text; "" for those that are missing.
func textOf(c *record.Column) func(i int) string {
	return func(i int) string {
		switch {
		case c.Missing != nil && c.Missing[i]:
			return ""
		case c.Kind == record.Text:
			return c.Text[i]
		}
		return fmt.Sprint(c.Number[i])
	}
}

// byDirectory groups the subjects of several sources by their source: a column that is constant in each of them was not imported.
const byDirectory = "directory"

// groupOf returns the group of each subject; "" without groups.
func groupOf(from Source, name string) (func(subject int) string, error) {
	if name == "" {
		return func(int) string { return "" }, nil
	}
	d := from.Data
	var names []string
	for i := range d.Covariates {
		if d.Covariates[i].Name == name {
			return textOf(&d.Covariates[i]), nil
		}
		names = append(names, d.Covariates[i].Name)
	}
	switch {
	case from.Name != "" && name == byDirectory:
		return func(int) string { return from.Name }, nil
	case from.Name != "":
		return nil, fmt.Errorf("--by %s: subjects have no such column%s; --by %s compares those of one directory with those of the other", name, expr.Hint(name, names), byDirectory)
	case names == nil:
		return nil, fmt.Errorf("--by %s: there is no table of subjects; give one with --subjects FILE", name)
	}
	return nil, fmt.Errorf("--by %s: subjects have no such column%s", name, expr.Listed(name, "They have", names))
}

// A Difference is by how much A's mean response is above B's.
type Difference struct {
	A, B      string
	Items     int // that both have taken
	Clusters  int // of these; for groups, the number of subjects
	Different int // clusters in which A and B differ
	Mean      float64
	SE        float64 // NaN: not known from one cluster
	Low, High float64 // ends of the 95 % interval of this difference alone
	P         float64 // that responses of subjects who do not differ are as far apart; NaN: nothing to compare
	Exact     bool
	Holm      float64 // P corrected for the number of pairs (Holm 1979)
	More      int     // clusters that are needed beside these to find a difference such as Mean with probability 0.8; 0: none, or Mean says nothing
	Findable  float64 // difference that would be found with probability 0.8 by so many clusters; NaN: none, or not known

	variance float64 // of one cluster's part in the mean
	step     float64 // size of the difference of a cluster in which A and B differ
	most     float64 // greatest difference that there can be
	sizes    [2]int  // of groups
}

// Found returns 1 if A is above B, −1 if below, and 0 if the responses cannot tell.
func (d *Difference) Found() int {
	switch {
	case !(d.Holm <= alpha):
		return 0
	case d.Mean > 0:
		return 1
	}
	return -1
}

// Pairs compares all pairs of these subjects, in their order. It returns an error for a name that no subject has.
func (r *Responses) Pairs(names []string) ([]Difference, error) {
	at := make([]int, len(names))
	for k, name := range names {
		if at[k] = slices.Index(r.Subjects, name); at[k] < 0 {
			return nil, fmt.Errorf("there is no subject %s%s", name, expr.Hint(name, r.Subjects))
		}
		if slices.Contains(names[:k], name) {
			return nil, fmt.Errorf("subject %s is named twice", name)
		}
	}
	var out []Difference
	for i, a := range at {
		for _, b := range at[i+1:] {
			out = append(out, r.pair(a, b))
		}
	}
	correct(out)
	return out, nil
}

// pair compares two subjects, without the correction for their number.
func (r *Responses) pair(a, b int) Difference {
	d := Difference{A: r.Subjects[a], B: r.Subjects[b]}
	by := map[int32]*cluster{}
	var list []*cluster
	r.shared(a, b, func(item int32, x float64) {
		c := by[r.clusters[item]]
		if c == nil {
			c = new(cluster)
			by[r.clusters[item]], list = c, append(list, c)
		}
		c.n, c.sum = c.n+1, c.sum+x
		d.Items++
	})
	d.test(list, r.scale)
	return d
}

// shared calls use with the difference of the responses of two subjects to each item that both have taken.
func (r *Responses) shared(a, b int, use func(item int32, x float64)) {
	x, y := r.of[a], r.of[b]
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0].item < y[0].item:
			x = x[1:]
		case x[0].item > y[0].item:
			y = y[1:]
		default:
			use(x[0].item, x[0].x-y[0].x)
			x, y = x[1:], y[1:]
		}
	}
}

// correct sets the corrected p-values, and by the level of each of the pairs that can be compared what more clusters would find.
func correct(list []Difference) {
	p := make([]float64, len(list))
	var order []int
	for i := range list {
		if p[i] = list[i].P; !math.IsNaN(p[i]) {
			order = append(order, i)
		}
		list[i].Findable = math.NaN()
	}
	for i, x := range num.Holm(p) {
		list[i].Holm = x
	}
	level := alpha / float64(max(1, len(order)))
	for _, i := range order {
		list[i].plan(level)
	}
}
