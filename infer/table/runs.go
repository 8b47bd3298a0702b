package table

import (
	"fmt"
	"slices"

	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// witnesses are the first binary responses of each subject to each item, in the order in which the subject took the items, if it is known for
// all, otherwise by the items' names.
type witnesses struct {
	t      *Table
	order  string    // "taken" or "named"
	of     [][]int32 // subject → its items, in order
	passed [][]bool  // beside of
	by     [][]int32 // subject → where in of its items are, by item
	logit  logits
}

// newWitnesses returns nil unless the responses are binary.
func newWitnesses(t *Table, d *record.Dataset, measure string) *witnesses {
	if !t.Binary {
		return nil
	}
	m, _ := d.Measure(measure)
	place, known := make([]int32, 0, t.Rows()), true
	for _, r := range d.Responses.All() {
		if isRow(r, m) {
			place = append(place, r.Position)
			known = known && r.Position > 0
		}
	}
	w := &witnesses{t: t, order: "taken", of: make([][]int32, len(t.Subjects)), passed: make([][]bool, len(t.Subjects)), by: make([][]int32, len(t.Subjects))}
	rank := make([]int32, len(t.Items))
	if !known {
		w.order = "named"
		at := num.Indices(len(t.Items))
		slices.SortFunc(at, func(a, b int) int { return record.CompareNames(t.Items[a], t.Items[b]) })
		for k, i := range at {
			rank[i] = int32(k)
		}
	}
	bounds := t.Bounds()
	for s := range t.Subjects {
		var rows []int
		for r := bounds[s]; r < bounds[s+1]; r++ {
			if r == bounds[s] || t.Item[r] != t.Item[r-1] {
				rows = append(rows, r)
			}
		}
		slices.SortFunc(rows, func(a, b int) int {
			if known {
				return int(place[a] - place[b])
			}
			return int(rank[t.Item[a]] - rank[t.Item[b]])
		})
		for k, r := range rows {
			w.of[s], w.passed[s], w.by[s] = append(w.of[s], t.Item[r]), append(w.passed[s], t.Value[r] == 1), append(w.by[s], int32(k))
		}
		slices.SortFunc(w.by[s], func(a, b int32) int { return int(w.of[s][a] - w.of[s][b]) })
	}
	w.logit = fit(len(t.Subjects), len(t.Items), w.first)
	return w
}

// logits has the log odds of subjects and of items.
type logits struct{ subject, item []float64 }

// fit returns the log odds of the Rasch model with normal priors of variance priorVariance, by Newton's steps of one side after the other. They depend
// on the numbers of passes alone. each gives the responses: of whom, to what, and 0 or 1.
func fit(subjects, items int, each func(yield func(s, i int, y float64))) logits {
	const priorVariance, sweeps = 4, 12
	n := subjects
	x := make([]float64, n+items)
	slope, curvature := make([]float64, len(x)), make([]float64, len(x))
	for sweep := range 2 * sweeps {
		lo, hi := 0, n
		if sweep%2 == 1 {
			lo, hi = n, len(x)
		}
		for k := lo; k < hi; k++ {
			slope[k], curvature[k] = -x[k]/priorVariance, 1.0/priorVariance
		}
		each(func(s, i int, y float64) {
			p, at := num.Logistic(x[s]+x[n+i]), s
			if lo > 0 {
				at = n + i
			}
			slope[at] += y - p
			curvature[at] += float64(p * (1 - p))
		})
		for k := lo; k < hi; k++ {
			x[k] += min(max(slope[k]/curvature[k], -2), 2)
		}
	}
	return logits{x[:n], x[n:]}
}

// first gives the responses of witnesses.
func (w *witnesses) first(yield func(s, i int, y float64)) {
	for s, items := range w.of {
		for k, i := range items {
			y := 0.0
			if w.passed[s][k] {
				y = 1
			}
			yield(s, int(i), y)
		}
	}
}

// all gives all binary responses of a table, repetitions too.
func (t *Table) all(yield func(s, i int, y float64)) {
	for k, y := range t.Value {
		yield(int(t.Subject[k]), int(t.Item[k]), y)
	}
}

// Limits of the tests by drawn tables.
const (
	tables        = 199     // drawn tables: an observed statistic above all of them has a probability of 1/200, and there are two of runs
	mostTraded    = 1 << 17 // responses of the subjects that the tests look at
	tradesEach    = 3       // trades of a drawn table, for each subject
	fewestOfRow   = 3       // responses of a subject that they look at
	fewestInRun   = 8       // responses of a subject below which its runs are not judged
	fewestToTrade = 4       // subjects
)

// A nullCase is what the tests compare: the observed table, and tables with the same numbers of passes, of every subject and item, that are otherwise
// uniform, which is what a Rasch model gives whatever its parameters are. They are drawn by trades between pairs of subjects (Strona et al. 2014,
// Nature Communications 5) from one hub, so that the observed table and the drawn ones are exchangeable (Besag and Clifford 1989, Biometrika 76).
type nullCase struct {
	*witnesses
	who  []int       // subjects who do not pass or fail everything
	cost [][]float64 // beside their responses: minus the log of the probability of a failure

	longest, end []float64 // of the observed table: the run that costs most, and that at its end
	atLeast      [2]int    // drawn tables whose worst run, and sum of the runs at the end, reach those observed
	most         float64   // the worst run of all drawn tables
	reach        []int     // drawn tables in which the run at a subject's end reaches that observed

	with, mean, square []float64 // item → sum of the abilities of those who pass, observed, and its moments in the drawn tables
}

// null draws the tables. It returns nil if there are too few subjects.
func (w *witnesses) null(random *rng.Rand) *nullCase {
	if w == nil {
		return nil
	}
	n := &nullCase{witnesses: w}
	total := 0
	for s, items := range w.of {
		if len(items) >= fewestOfRow && slices.Contains(w.passed[s], true) && slices.Contains(w.passed[s], false) {
			n.who = append(n.who, s)
			total += len(items)
		}
	}
	if total > mostTraded {
		step := (total + mostTraded - 1) / mostTraded
		kept := n.who[:0]
		for k := 0; k < len(n.who); k += step {
			kept = append(kept, n.who[k])
		}
		n.who = kept
	}
	if len(n.who) < fewestToTrade {
		return nil
	}
	hub, drawn := make([][]bool, len(n.who)), make([][]bool, len(n.who))
	for k, s := range n.who {
		var cost []float64
		for _, i := range w.of[s] {
			cost = append(cost, num.Softplus(w.logit.subject[s]+w.logit.item[i]))
		}
		n.cost, hub[k] = append(n.cost, cost), slices.Clone(w.passed[s])
	}
	numbers := func(of int) []float64 { return make([]float64, of) }
	n.longest, n.end, n.reach = numbers(len(n.who)), numbers(len(n.who)), make([]int, len(n.who))
	items := len(w.t.Items)
	n.with, n.mean, n.square = numbers(items), numbers(items), numbers(items)
	worst, ends := n.judge(hub, n.longest, n.end)
	n.abilities(hub, n.with)
	w.trade(n.who, hub, tradesEach*len(n.who), random)
	longest, end, with := numbers(len(n.who)), numbers(len(n.who)), numbers(items)
	for range tables {
		for k := range drawn {
			drawn[k] = append(drawn[k][:0], hub[k]...)
		}
		w.trade(n.who, drawn, tradesEach*len(n.who), random)
		most, sum := n.judge(drawn, longest, end)
		n.most = max(n.most, most)
		if most >= worst {
			n.atLeast[0]++
		}
		if sum >= ends {
			n.atLeast[1]++
		}
		for k := range n.who {
			if end[k] >= n.end[k] {
				n.reach[k]++
			}
		}
		clear(with)
		n.abilities(drawn, with)
		for i, x := range with {
			n.mean[i] += x / tables
			n.square[i] += float64(x*x) / tables
		}
	}
	return n
}

// abilities adds the ability of everybody to the items that they pass.
func (n *nullCase) abilities(passed [][]bool, with []float64) {
	for k, s := range n.who {
		for a, i := range n.of[s] {
			if passed[k][a] {
				with[i] += n.logit.subject[s]
			}
		}
	}
}

// runs finds the subjects with runs of failures that a Rasch model of the table does not explain: a run anywhere that is less probable than any in the
// drawn tables, or more failures at the end of all subjects together.
func (n *nullCase) runs() Finding {
	f := Finding{Kind: FailureRuns, Grave: true}
	if n == nil {
		return f
	}
	f.Of = len(n.who)
	failures, atEnd := 0, 0
	for k, s := range n.who {
		long := n.atLeast[0] == 0 && n.longest[k] > n.most
		late := n.atLeast[1] == 0 && n.end[k] > 0 && n.reach[k] <= tables/20
		if !long && !late {
			continue
		}
		f.Names = append(f.Names, n.t.Subjects[s])
		length, tail := runLengths(n.passed[s])
		if late {
			length = tail
			atEnd++
		}
		failures += length
	}
	if f.Count = len(f.Names); f.Count == 0 {
		return f
	}
	f.What = fmt.Sprintf("subjects with runs of failures that look like blanks (%.3g in a row on average, in the order in which items are %s)", float64(failures)/float64(f.Count), n.order)
	f.Meaning = "their ability and the difficulty of the items do not explain them: items that were not reached, or runs that broke off, may have been scored as failures"
	f.When, f.Remedy = "If they are blanks", "--blanks ends"
	if atEnd == 0 {
		f.Meaning = "their ability and the difficulty of the items do not explain them: blocks that were not attempted may have been scored as failures, or they lack an ability that the others have; if they are blanks, mark them as missing"
		f.When, f.Remedy = "To leave these subjects out", typed("--leave-out", f.Names)
	}
	f.doubt = "a run of failures looks like blanks"
	return f
}

// judge sets, for each subject, the cost of the run of failures that costs most, and that of the run at the end, and returns the greatest of the
// former and the sum of the latter.
func (n *nullCase) judge(passed [][]bool, longest, end []float64) (worst, ends float64) {
	for k, row := range passed {
		longest[k], end[k] = 0, 0
		if len(row) < fewestInRun {
			continue
		}
		run := 0.0
		for i, pass := range row {
			if run += n.cost[k][i]; pass {
				run = 0
			}
			longest[k] = max(longest[k], run)
		}
		end[k] = run
		worst, ends = max(worst, longest[k]), ends+run
	}
	return worst, ends
}

// runLengths returns the length of the longest run of failures, and of that at the end.
func runLengths(passed []bool) (longest, end int) {
	for _, pass := range passed {
		if end++; pass {
			end = 0
		}
		longest = max(longest, end)
	}
	return longest, end
}

// trade draws pairs of subjects, and hands the passes that one of the two alone has, among the items that both took, out between them anew.
func (w *witnesses) trade(who []int, passed [][]bool, trades int, random *rng.Rand) {
	var at [2][]int32
	for range trades {
		a := random.IntN(len(who))
		b := random.IntN(len(who) - 1)
		if b >= a {
			b++
		}
		sa, sb := who[a], who[b]
		at[0], at[1] = at[0][:0], at[1][:0]
		own := 0
		for i, k := 0, 0; i < len(w.by[sa]) && k < len(w.by[sb]); {
			x, y := w.by[sa][i], w.by[sb][k]
			switch ia, ib := w.of[sa][x], w.of[sb][y]; {
			case ia < ib:
				i++
			case ia > ib:
				k++
			default:
				if passed[a][x] != passed[b][y] {
					at[0], at[1] = append(at[0], x), append(at[1], y)
					if passed[a][x] {
						own++
					}
				}
				i, k = i+1, k+1
			}
		}
		n := len(at[0])
		for j := range n { // the next of those left is a's with the probability that the rest demands
			mine := random.IntN(n-j) < own
			if mine {
				own--
			}
			passed[a][at[0][j]], passed[b][at[1][j]] = mine, !mine
		}
	}
}
