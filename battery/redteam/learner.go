package redteam

import (
	"cmp"
	"math"
	"slices"

	"achilles/gridworld"
)

// fitLearner boosts trees (Friedman 2001) that say of a place how likely it is the right one, by the log-odds, from what is known of
// the room before anything happens. The actor then goes to the likeliest place.
func fitLearner(fitted []*try) func(*try) bool {
	var rows [][]float64
	var right []float64
	for _, x := range fitted {
		for k := range x.places {
			rows, right = append(rows, x.features(k)), append(right, float64(is(x.right[k])))
		}
	}
	m := boost(rows, right)
	return func(x *try) bool {
		best, most := 0, math.Inf(-1)
		for k := range x.places {
			if s := m.score(x.features(k)); s > most {
				best, most = k, s
			}
		}
		return x.right[best]
	}
}

// features returns what a program can know of place k before anything happens: where it is and where the others are, how far it is, what
// stands there and on the way, the clock, and the covers.
func (x *try) features(k int) []float64 {
	p, w := x.places[k], x.world
	dx, dy := p.X-x.start.Pos.X, p.Y-x.start.Pos.Y
	nearer, west, south, alike := 0, 0, 0, 0
	gapWest, gapEast := gridworld.MaxSide, gridworld.MaxSide
	mirrored := false
	for i, q := range x.places {
		if i == k {
			continue
		}
		nearer += is(x.away(i) < x.away(k))
		alike += is(x.away(i) == x.away(k))
		west, south = west+is(q.X < p.X), south+is(q.Y < p.Y)
		if q.X < p.X {
			gapWest = min(gapWest, p.X-q.X)
		} else if q.X > p.X {
			gapEast = min(gapEast, q.X-p.X)
		}
		mirrored = mirrored || q.X-x.start.Pos.X == -dx && q.Y == p.Y
	}
	n := len(x.places)
	opening := 0 // cells of the opening to the north
	if q := (gridworld.Pos{X: p.X, Y: p.Y + 1}); w.Inside(q) {
		for _, step := range []int{-1, 1} {
			for r := q; w.Inside(r) && w.At(r).Kind == gridworld.Floor && opening < 8; r.X += step {
				opening++
			}
		}
	}
	blocked := 0 // cells between that one cannot enter, straight to the south
	for y := x.start.Pos.Y + 1; y < p.Y; y++ {
		blocked += is(!w.At(gridworld.Pos{X: p.X, Y: y}).Kind.Passable())
	}
	largest, cover := 0, 0
	for i := range w.Len() {
		if t := w.Thing(i); t.Kind != gridworld.Reward {
			largest = max(largest, t.Size)
			if max(t.Pos.X-p.X, p.X-t.Pos.X) == 0 && max(t.Pos.Y-p.Y, p.Y-t.Pos.Y) <= 1 {
				cover = t.Size
			}
		}
	}
	limit := w.Rules().Limit
	return []float64{
		float64(dx), math.Abs(float64(dx)), float64(dy), float64(x.away(k)), float64(x.away(k) % 2), float64(x.away(k) % 4),
		float64(x.ticks[k]), float64(x.ticks[k] - x.away(k)),
		float64(nearer), float64(n - 1 - nearer - alike), float64(alike), float64(n), float64(len(x.all)),
		float64(west), float64(n - 1 - west), float64(south), float64(gapWest), float64(gapEast), float64(is(mirrored)),
		float64(p.X), float64(w.Width() - p.X), float64(w.Height() - p.Y),
		float64(limit - x.free - 2*x.ticks[k]), float64(limit - x.free - 3*x.ticks[k]), float64(limit - 2*x.ticks[k]), float64((limit - 2*x.away(k)) % 50),
		float64((x.free + x.ticks[k]) % 50), float64(x.free + x.ticks[k]),
		float64(opening), float64(blocked), float64(cover), float64(cover - largest), float64(w.At(p).Kind),
	}
}

// The sizes of the learner: trees of three questions in a row, each fitted to what those before it leave.
const (
	trees  = 60
	depth  = 3
	step   = 0.2
	least  = 20 // rows in a leaf
	bins   = 24 // thresholds tried of a feature
	shrink = 1.0
)

// A node of a tree asks whether a feature is at most a threshold; a leaf has a value.
type node struct {
	feature  int // −1: a leaf
	at       float64
	low, top *node
	value    float64
}

type boosted []*node

func (m boosted) score(row []float64) float64 {
	sum := 0.0
	for _, t := range m {
		sum += t.of(row)
	}
	return sum
}

func (t *node) of(row []float64) float64 {
	for t.feature >= 0 {
		if row[t.feature] <= t.at {
			t = t.low
		} else {
			t = t.top
		}
	}
	return t.value
}

// boost fits trees to rows, of which right says whether they are right places.
func boost(rows [][]float64, right []float64) boosted {
	if len(rows) == 0 {
		return nil
	}
	cuts := make([][]float64, len(rows[0]))
	column := make([]float64, len(rows))
	for f := range cuts {
		for i, r := range rows {
			column[i] = r[f]
		}
		slices.Sort(column)
		for b := range bins {
			cuts[f] = append(cuts[f], column[(b+1)*(len(column)-1)/(bins+1)])
		}
		cuts[f] = slices.Compact(cuts[f])
	}
	score, slope, bend := make([]float64, len(rows)), make([]float64, len(rows)), make([]float64, len(rows))
	every := make([]int, len(rows))
	for i := range every {
		every[i] = i
	}
	var m boosted
	for range trees {
		for i := range rows {
			p := 1 / (1 + math.Exp(-score[i]))
			slope[i], bend[i] = right[i]-p, p*(1-p)
		}
		g := grower{rows, cuts, slope, bend}
		t := g.grow(every, depth)
		m = append(m, t)
		for i, r := range rows {
			score[i] += t.of(r)
		}
	}
	return m
}

// A grower grows one tree on the slope and the bend of the log-likelihood in the scores of rows.
type grower struct {
	rows        [][]float64
	cuts        [][]float64
	slope, bend []float64
}

func (g *grower) grow(some []int, deep int) *node {
	s, b := g.sums(some)
	leaf := &node{feature: -1, value: step * s / (b + shrink)}
	if deep == 0 {
		return leaf
	}
	best, gain := node{feature: -1}, 1e-9
	for f, cuts := range g.cuts {
		low := make([][3]float64, len(cuts)+1) // by bin: rows, slope, bend
		for _, i := range some {
			k, _ := slices.BinarySearchFunc(cuts, g.rows[i][f], func(c, x float64) int { return cmp.Compare(c, x) })
			low[k][0]++
			low[k][1] += g.slope[i]
			low[k][2] += g.bend[i]
		}
		var n, ls, lb float64
		for k, c := range cuts {
			n, ls, lb = n+low[k][0], ls+low[k][1], lb+low[k][2]
			if n < least || float64(len(some))-n < least {
				continue
			}
			if x := ls*ls/(lb+shrink) + (s-ls)*(s-ls)/(b-lb+shrink) - s*s/(b+shrink); x > gain {
				best, gain = node{feature: f, at: c}, x
			}
		}
	}
	if best.feature < 0 {
		return leaf
	}
	var low, top []int
	for _, i := range some {
		if g.rows[i][best.feature] <= best.at {
			low = append(low, i)
		} else {
			top = append(top, i)
		}
	}
	best.low, best.top = g.grow(low, deep-1), g.grow(top, deep-1)
	return &best
}

func (g *grower) sums(some []int) (s, b float64) {
	for _, i := range some {
		s, b = s+g.slope[i], b+g.bend[i]
	}
	return s, b
}
