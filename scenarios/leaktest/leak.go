// Package leaktest looks for ways in which the form of a public directory, not its content, gives away what is sealed: a
// function of ids, of order, of row counts or of the files in which something lies that predicts a label.
//
// What subjects do and what items ask is content: it may and should tell them apart.
package leaktest

import (
	"fmt"
	"io/fs"
	"math"
	"slices"

	"achilles/sim/num"
	"achilles/sim/record"
)

// Alpha is the probability that a Probe of a directory without leak finds something, over all its checks together.
const Alpha = 1e-6

// A Report says how many checks were made and which of them found something.
type Report struct {
	Checks   []Check // all of them
	Limit    float64 // the z beyond which a check counts as a finding, from Alpha and the number of checks
	Findings []Check // those beyond Limit
}

// A Check is one clue held against the labels of subjects or items.
type Check struct {
	Of   string  // subjects or items
	Clue string  // for instance "place in the file", "digit 3 of the id"
	Z    float64 // standard normal where the clue says nothing about the label
}

// String says what the clue gives away.
func (c Check) String() string {
	return fmt.Sprintf("%s: %s predicts the label (z = %.1f)", c.Of, c.Clue, c.Z)
}

// Probe reads a public directory and holds everything about its form against labels, id → label. Ids without label are
// left out; without labels of one kind that kind is not checked. A label needs some dozens of ids to be seen.
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
	s.form(d.Responses, func(x *record.Response) int32 { return x.Subject })
	s.trajectories(trajectories, func(k record.Key) string { return k.Subject })
	r.check(s)
	i := newEntities("items", d.Items.ID, items)
	i.form(d.Responses, func(x *record.Response) int32 { return x.Item })
	i.trajectories(trajectories, func(k record.Key) string { return k.Item })
	i.worlds(worlds)
	r.check(i)
	r.judge()
	return r, nil
}

// judge sets the limit and the findings.
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

// entities are the labelled subjects or items of a directory, in file order.
type entities struct {
	kind  string
	id    []string
	label []int // 0 … labels−1
	n     int   // labels
	place map[string]int
	row   []int // place in the whole file, by place among the labelled
	clues []clue
}

// A clue is a number that anybody can take from the form of the directory, for each entity.
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

// form collects what ids, order and row counts show.
func (e *entities) form(responses []record.Response, of func(*record.Response) int32) {
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
				return int(c-'a') + 10 // as a hex digit, so that its parity means something
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
	for i := range responses {
		rows[of(&responses[i])]++
	}
	e.clue("number of response rows", func(i int) float64 { return float64(rows[int32(e.row[i])]) })
}

// trajectories collects where the trajectories of an entity lie.
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

// worlds collects how many worlds an item has; their shard follows from its place.
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

// check holds every clue against the labels, and the labels against those of the neighbours in file order.
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

// bins gives every value a category: its own where there are no more than n different ones, otherwise one of n (from 2
// to 16) of about equal size, equal values together.
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

// association tests two categories for independence: Pearson's chi-square, brought to a standard normal by the cube
// root (Wilson and Hilferty 1931). Categories that expect fewer than five are left out. ok is false where too little
// is left to test.
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

// common drops the categories whose smallest expected count is below five, until none is left.
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
