package table

import (
	"fmt"
	"slices"
	"strconv"

	"achilles/sim/num"
	"achilles/sim/record"
)

const partsUnconnected = "parts that nothing connects"

// Apart returns a sentence for what stands beside numbers that compare subjects or items: that findings have parts that nothing connects;
// "" if they have none.
func Apart(findings []Finding) string {
	for _, f := range findings {
		if f.Kind == Disconnected {
			return "There are " + strconv.Itoa(f.Count) + " " + partsUnconnected + ": compare within a part only."
		}
	}
	return ""
}

// Parts returns the finding that nothing connects parts of the responses to a measure, for those who look for no other; none if all are
// connected. It returns an error for an unknown measure, and if there is no response.
func Parts(d *record.Dataset, measure string) ([]Finding, error) {
	t, err := degrees(d, measure)
	if err != nil {
		return nil, err
	}
	j := &Judgement{}
	j.part(t, d)
	return j.Findings, nil
}

// part finds the sets of subjects and items that no response connects.
func (j *Judgement) part(t *Table, d *record.Dataset) {
	measure, _ := d.Measure(t.Measure)
	part, n := d.Parts(func(r record.Response) bool { return isRow(r, measure) })
	if n < 2 {
		return
	}
	subjects, items := make([]int, n+1), make([]int, n+1)
	for v, k := range part {
		if k == 0 {
			continue
		}
		if v < len(t.Subjects) {
			subjects[k]++
		} else {
			items[k]++
		}
	}
	f := Finding{Kind: Disconnected, Grave: true, What: partsUnconnected, Count: n, Of: len(t.Subjects), When: "To look at the first part alone", Remedy: "--part 1",
		Meaning: "no subject took items of two parts: subjects and items are compared within a part only. Across parts only the prior would compare them: give all subjects some items in common"}
	for k := 1; k <= n; k++ {
		f.Names = append(f.Names, fmt.Sprintf("part %d: %s, %s", k, num.Counted(subjects[k], "subject"), num.Counted(items[k], "item")))
	}
	j.about(nil, f)
	j.Parts = map[string]int{}
	for s, id := range t.Subjects {
		j.Parts[id] = part[s]
	}
}

// mostLinked is the largest product of subjects and items, and of responses, for which links that rest on two are looked for.
const mostLinked = 1 << 26

// links finds the subjects and items, alone or in pairs, without which a table falls into parts of two or more subjects each.
func (j *Judgement) links(t *Table) {
	g := t.graph()
	single := g.cuts(-1)
	f := Finding{Kind: WeakLink, Of: len(t.Subjects) + len(t.Items)}
	for _, c := range single {
		f.Names = append(f.Names, g.named(t, c.at)+c.between())
	}
	if len(single) == 0 && !g.held() && float64(len(g.to))*float64(len(t.Item)) <= mostLinked {
		for v := range g.to {
			for _, c := range g.cuts(v) {
				if c.at > v {
					f.Names = append(f.Names, g.named(t, v)+" and "+g.named(t, c.at)+c.between())
				}
			}
		}
	}
	if f.Count = len(f.Names); f.Count > 0 {
		f.What = "links that rest on one or two subjects or items"
		f.Meaning = "subjects on one side are compared with those on the other by these alone, so that a single odd response moves one side as a whole: add subjects or items in common"
	}
	j.about(nil, f)
}

// A graph has the neighbours of each subject and, behind them, of each item: who responded to what.
type graph struct {
	to       [][]int32
	subjects int
}

func (t *Table) graph() *graph {
	g := &graph{make([][]int32, len(t.Subjects)+len(t.Items)), len(t.Subjects)}
	for r, s := range t.Subject {
		g.to[s] = append(g.to[s], int32(g.subjects)+t.Item[r])
	}
	for s := range g.subjects {
		slices.Sort(g.to[s])
		g.to[s] = slices.Compact(g.to[s])
		for _, i := range g.to[s] {
			g.to[i] = append(g.to[i], int32(s))
		}
	}
	return g
}

// held reports whether no two vertices cut a graph into parts that have subjects and items, because three subjects or more responded to
// all items, or three items or more have all subjects: one of them is left.
func (g *graph) held() bool {
	full := 0
	for _, list := range g.to[:g.subjects] {
		if len(list) == len(g.to)-g.subjects {
			full++
		}
	}
	taken := 0
	for _, list := range g.to[g.subjects:] {
		if len(list) == g.subjects {
			taken++
		}
	}
	return full > 2 || taken > 2
}

func (g *graph) named(t *Table, v int) string {
	if v < g.subjects {
		return "subject " + t.Subjects[v]
	}
	return "item " + t.Items[v-g.subjects]
}

// A cut is a vertex without which the graph falls apart, with the sizes of the largest piece that comes off and of what is left.
type cut struct{ at, off, offItems, rest, restItems int }

func (c cut) between() string {
	return fmt.Sprintf(" (between %s, %s and %s, %s)", num.Counted(c.off, "subject"), num.Counted(c.offItems, "item"), num.Counted(c.rest, "subject"), num.Counted(c.restItems, "item"))
}

// cuts returns the cuts of a graph from which a vertex is gone (−1: none) that leave two or more subjects on both sides (Hopcroft and
// Tarjan 1973, without recursion).
func (g *graph) cuts(gone int) (out []cut) {
	n := len(g.to)
	seen, low, parent, next := make([]int, n), make([]int, n), make([]int, n), make([]int, n)
	subjects, all := make([]int, n), make([]int, n) // of the tree below a vertex
	clock := 0
	for root := range g.to {
		if seen[root] > 0 || root == gone || len(g.to[root]) == 0 {
			continue
		}
		parent[root] = -1
		var tree []int // in the order of discovery
		stack := []int{root}
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			if seen[v] == 0 {
				clock++
				seen[v], low[v], all[v] = clock, clock, 1
				if v < g.subjects {
					subjects[v] = 1
				}
				tree = append(tree, v)
			}
			if next[v] < len(g.to[v]) {
				w := int(g.to[v][next[v]])
				next[v]++
				switch {
				case w == gone:
				case seen[w] == 0:
					parent[w] = v
					stack = append(stack, w)
				case w != parent[v]:
					low[v] = min(low[v], seen[w])
				}
				continue
			}
			stack = stack[:len(stack)-1]
			if p := parent[v]; p >= 0 {
				low[p] = min(low[p], low[v])
				subjects[p] += subjects[v]
				all[p] += all[v]
			}
		}
		best := map[int]cut{}
		for _, v := range tree {
			p := parent[v]
			if p < 0 || low[v] < seen[p] {
				continue
			}
			own := 0
			if p < g.subjects {
				own = 1
			}
			c := cut{at: p, off: subjects[v], offItems: all[v] - subjects[v], rest: subjects[root] - subjects[v] - own}
			c.restItems = all[root] - all[v] - 1 - c.rest
			if c.off >= 2 && c.rest >= 2 && c.offItems > 0 && c.restItems > 0 && c.off > best[p].off {
				best[p] = c
			}
		}
		for _, v := range tree {
			if c, ok := best[v]; ok {
				out = append(out, c)
			}
		}
	}
	slices.SortFunc(out, func(a, b cut) int { return a.at - b.at })
	return out
}
