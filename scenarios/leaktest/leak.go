// Package leaktest looks for leaks of sealed labels through the form of a public directory: a function of the ids, the
// order, the numbers of rows or the shards that predicts a label.
//
// It does not look at the content, which is what items ask and how subjects respond. The content can and should depend
// on the labels.
package leaktest

import (
	"fmt"
	"io/fs"
	"math"
	"slices"

	"achilles/sim/num"
	"achilles/sim/record"
)

// Alpha is the probability of any finding in a directory without a leak, over all checks of a Probe together.
const Alpha = 1e-6

// A Report has the checks of a Probe.
type Report struct {
	Checks   []Check // all of them
	Limit    float64 // the z above which a check is a finding, from Alpha and the number of checks
	Findings []Check // the checks with z above Limit
}

// A Check tests whether a clue predicts the labels of subjects or items.
type Check struct {
	Of   string  // subjects or items
	Clue string  // for instance "place in the file", "digit 3 of the id"
	Z    float64 // about standard normal if the clue is independent of the labels
}

// String returns what a check found: which clue predicts the label.
func (c Check) String() string {
	return fmt.Sprintf("%s: %s predicts the label (z = %.1f)", c.Of, c.Clue, c.Z)
}

// Probe reads a public directory and tests every clue in its form against labels, id → label. It leaves out ids without
// a label. If there are no labels of subjects, or of items, it does not test these. It cannot test a label that fewer
// than some dozens of ids have. The error is that of reading the directory.
func Probe(public fs.FS, subjects, items map[string]string) (*Report, error) {
	d, err := record.Read(public)
	if err != nil {
		return nil, err
	}
	trajectories, err := record.OpenTrajectories(public, &d.Manifest)
	if err != nil {
		return nil, err
	}
	defer trajectories.Close()
	worlds, err := record.Worlds(public, &d.Manifest)
	if err != nil {
		return nil, err
	}
	r := new(Report)
	s := newEntities("subjects", d.Subjects, subjects)
	s.form(&d.Responses, func(x record.Response) int32 { return x.Subject })
	s.trajectories(trajectories, func(k record.Key) string { return k.Subject })
	r.check(s)
	i := newEntities("items", d.Items.ID, items)
	i.form(&d.Responses, func(x record.Response) int32 { return x.Item })
	i.trajectories(trajectories, func(k record.Key) string { return k.Item })
	i.worlds(worlds)
	r.check(i)
	r.judge()
	return r, nil
}

// judge sets Limit and Findings.
func (r *Report) judge() {
	if len(r.Checks) == 0 {
		return
	}
	p := Alpha / float64(len(r.Checks))
	r.Limit = num.NormalQuantile(1 - p)
	for _, c := range r.Checks {
		if c.Z > r.Limit {
			r.Findings = append(r.Findings, c)
		}
	}
}

// entities has the subjects or items of a directory that have a label, in file order.
type entities struct {
	kind  string
	id    []string
	label []int          // number of the label, 0 … n−1
	n     int            // number of different labels
	place map[string]int // id → index in id
	row   []int          // place in the file, counting entities without a label too
	clues []clue
}

// A clue is a number for each entity that anybody can compute from the form of the directory.
type clue struct {
	name  string
	value []float64
}

func newEntities(kind string, ids []string, label map[string]string) *entities {
	e := &entities{kind: kind, place: map[string]int{}}
	number := map[string]int{}
	for row, id := range ids {
		l, ok := label[id]
		if !ok {
			continue
		}
		if _, ok := number[l]; !ok {
			number[l] = len(number)
		}
		e.place[id] = len(e.id)
		e.id, e.label, e.row = append(e.id, id), append(e.label, number[l]), append(e.row, row)
	}
	e.n = len(number)
	return e
}

func (e *entities) clue(name string, value func(i int) float64) {
	c := clue{name: name, value: make([]float64, len(e.id))}
	for i := range e.id {
		c.value[i] = value(i)
	}
	e.clues = append(e.clues, c)
}

// form adds the clues in the ids, in the order and in the numbers of response rows.
func (e *entities) form(responses *record.Responses, of func(record.Response) int32) {
	e.clue("place in the file", func(i int) float64 { return float64(e.row[i]) })
	for _, m := range []int{2, 3, 4, 5, 7, 8} {
		e.clue(fmt.Sprintf("place in the file modulo %d", m), func(i int) float64 { return float64(e.row[i] % m) })
	}
	e.clue("length of the id", func(i int) float64 { return float64(len(e.id[i])) })
	longest := 0
	for _, id := range e.id {
		longest = max(longest, len(id))
	}
	for k := range longest {
		character := func(i int) int {
			if k >= len(e.id[i]) {
				return -1
			}
			c := e.id[i][k]
			if c >= 'a' && c <= 'f' {
				return int(c-'a') + 10 // value of the hex digit, so that its parity is the digit's
			}
			return int(c)
		}
		e.clue(fmt.Sprintf("character %d of the id", k+1), func(i int) float64 { return float64(character(i)) })
		e.clue(fmt.Sprintf("parity of character %d of the id", k+1), func(i int) float64 { return float64(character(i) % 2) })
	}
	e.clue("sum of the characters of the id", func(i int) float64 {
		sum := 0
		for _, b := range []byte(e.id[i]) {
			sum += int(b)
		}
		return float64(sum)
	})
	rows := map[int32]int{}
	for _, x := range responses.All() {
		rows[of(x)]++
	}
	e.clue("number of response rows", func(i int) float64 { return float64(rows[int32(e.row[i])]) })
}

// trajectories adds the clues in the trajectories of an entity: their number and first shard.
func (e *entities) trajectories(t *record.Trajectories, of func(record.Key) string) {
	if t.Len() == 0 {
		return
	}
	first, count := make([]float64, len(e.id)), make([]float64, len(e.id))
	for i := range t.Len() {
		k, _ := t.Key(i)
		if p, ok := e.place[of(k)]; ok {
			if count[p] == 0 {
				first[p] = float64(t.Shard(i))
			}
			count[p]++
		}
	}
	e.clue("shard of the first trajectory", func(i int) float64 { return first[i] })
	e.clue("number of trajectories", func(i int) float64 { return count[i] })
}

// worlds adds the number of worlds of an item as a clue. The shards of worlds are no clue of their own, because they
// follow from the item's place.
func (e *entities) worlds(w []record.World) {
	if len(w) == 0 {
		return
	}
	count := make([]float64, len(e.id))
	for _, x := range w {
		if p, ok := e.place[x.Item]; ok {
			count[p]++
		}
	}
	e.clue("number of worlds", func(i int) float64 { return count[i] })
}

// check tests every clue against the labels, and each label against those one to eight places before it in file order.
func (r *Report) check(e *entities) {
	for _, c := range e.clues {
		if z, ok := association(bins(c.value, len(e.id)/(10*max(e.n, 1))), e.label); ok {
			r.Checks = append(r.Checks, Check{e.kind, c.name, z})
		}
	}
	for lag := 1; lag <= 8 && lag < len(e.label); lag++ {
		if z, ok := association(e.label[lag:], e.label[:len(e.label)-lag]); ok {
			r.Checks = append(r.Checks, Check{e.kind, fmt.Sprintf("label of the one %d places before", lag), z})
		}
	}
}

// bins sorts values into categories. If there are at most n different values, each is a category; otherwise there are n
// categories of about equal size, and equal values share a category. n is limited to 2 … 16.
func bins(value []float64, n int) []int {
	n = max(2, min(n, 16))
	sorted := slices.Sorted(slices.Values(value))
	few := slices.Compact(slices.Clone(sorted))
	bin := make([]int, len(value))
	for i, v := range value {
		if len(few) <= n {
			bin[i], _ = slices.BinarySearch(few, v)
			continue
		}
		first, _ := slices.BinarySearch(sorted, v)
		bin[i] = first * n / len(value)
	}
	return bin
}

// association tests two categorical variables for independence: Pearson's chi-square, transformed to a standard
// normal by the cube root (Wilson and Hilferty 1931). It leaves out categories with expected counts below five (see
// common). ok is false if fewer than two categories of a or b are left.
func association(a, b []int) (z float64, ok bool) {
	a, b = common(a, b)
	rows, columns := count(a), count(b)
	if len(rows) < 2 || len(columns) < 2 {
		return 0, false
	}
	cell := map[[2]int]float64{}
	for i := range a {
		cell[[2]int{a[i], b[i]}]++
	}
	n, chi := float64(len(a)), 0.0
	for _, x := range keys(rows) {
		for _, y := range keys(columns) {
			expected := rows[x] * columns[y] / n
			o := cell[[2]int{x, y}] - expected
			chi += o * o / expected
		}
	}
	df := float64((len(rows) - 1) * (len(columns) - 1))
	return (math.Cbrt(chi/df) - (1 - 2/(9*df))) / math.Sqrt(2/(9*df)), true
}

// common drops the rarest category of a or b, again and again, until no expected count is below five.
func common(a, b []int) ([]int, []int) {
	for {
		rows, columns := count(a), count(b)
		least := func(m map[int]float64) float64 {
			v := math.Inf(1)
			for _, k := range keys(m) {
				v = min(v, m[k])
			}
			return v
		}
		n := float64(len(a))
		x, y := least(rows), least(columns)
		var keep func(i int) bool
		switch {
		case len(a) == 0 || x*y >= 5*n:
			return a, b
		case x <= y:
			keep = func(i int) bool { return rows[a[i]] > x }
		default:
			keep = func(i int) bool { return columns[b[i]] > y }
		}
		var a2, b2 []int
		for i := range a {
			if keep(i) {
				a2, b2 = append(a2, a[i]), append(b2, b[i])
			}
		}
		a, b = a2, b2
	}
}

func count(v []int) map[int]float64 {
	m := map[int]float64{}
	for _, x := range v {
		m[x]++
	}
	return m
}

func keys(m map[int]float64) []int {
	k := make([]int, 0, len(m))
	for x := range m {
		k = append(k, x)
	}
	slices.Sort(k)
	return k
}
