package battery

import (
	"context"
	"math/bits"

	"achilles/sim/rng"
)

// A Rule forbids some combinations of levels.
type Rule struct {
	// Faults returns the number of faults of a point, 0 if it is allowed. It must not keep the point.
	Faults func(point []int) int
	// Alike returns a small number from 0 for a level of a factor. The faults of a point may depend on these numbers of its levels only;
	// so it is 0 for every level of a factor that Faults does not look at.
	Alike func(factor, level int) int
}

// alike returns Rule.Alike by factor and level; nil for a factor of which it is the same for all levels.
func (rule Rule) alike(factors []Factor) [][]int {
	all := make([][]int, len(factors))
	for f, fac := range factors {
		levels, same := make([]int, fac.Levels()), true
		for level := range levels {
			levels[level] = rule.Alike(f, level)
			same = same && levels[level] == levels[0]
		}
		if !same {
			all[f] = levels
		}
	}
	return all
}

// A repairer exchanges levels between points, so that no point has a fault. Points whose levels are alike are of one kind: an exchange
// helps all or none of them, and the next one that it helps is found without trying the points between.
type repairer struct {
	Rule
	alike  [][]int
	points [][]int
	kinds  map[string]int // the numbers of Alike, as text → kind
	of     []int          // point → its kind
	sets   []*indexSet    // kind → its points
	helps  map[[2]int]int // kinds of a point with faults and of another → the first factor whose exchange helps the first, or −1
	key    []byte
}

// repair exchanges levels until no point has a fault. It returns false if it finds no exchange that helps, or the context is cancelled.
func (rule Rule) repair(ctx context.Context, r *rng.Rand, points, alike [][]int) bool {
	p := &repairer{Rule: rule, alike: alike, points: points, kinds: map[string]int{}, of: make([]int, len(points)), helps: map[[2]int]int{}}
	for i := range points {
		p.sort(i)
	}
	for i := range points {
		for rule.Faults(points[i]) > 0 {
			if ctx.Err() != nil || !p.exchange(i, r.IntN(len(points))) {
				return false
			}
		}
	}
	return true
}

// sort puts point i into the set of its kind.
func (p *repairer) sort(i int) {
	p.key = p.key[:0]
	for f, alike := range p.alike {
		if alike != nil {
			x := alike[p.points[i][f]]
			p.key = append(p.key, byte(x), byte(x>>8))
		}
	}
	kind, known := p.kinds[string(p.key)]
	if !known {
		kind = len(p.sets)
		p.kinds[string(p.key)] = kind
		p.sets = append(p.sets, newIndexSet(len(p.points)))
	}
	p.of[i] = kind
	p.sets[kind].add(i)
}

// exchange exchanges one level between point i and another point, so that point i gets fewer faults and the other point no more
// than it had: the first such point from `first` on, in turn. It returns false if no exchange does this.
func (p *repairer) exchange(i, first int) bool {
	other, nearest, factor := -1, len(p.points), 0
	for kind, set := range p.sets {
		at := set.next(first)
		if at < 0 {
			continue
		}
		if distance := (at - first + len(p.points)) % len(p.points); distance < nearest {
			if f := p.help(i, at, kind); f >= 0 {
				other, nearest, factor = at, distance, f
			}
		}
	}
	if other < 0 {
		return false
	}
	x, y := p.points[i], p.points[other]
	p.sets[p.of[i]].remove(i)
	p.sets[p.of[other]].remove(other)
	x[factor], y[factor] = y[factor], x[factor]
	p.sort(i)
	p.sort(other)
	return true
}

// help returns the first factor of which an exchange between point i and point k, which is of a kind, helps point i, or −1.
func (p *repairer) help(i, k, kind int) int {
	key := [2]int{p.of[i], kind}
	if f, known := p.helps[key]; known {
		return f
	}
	p.helps[key] = -1
	x, y := p.points[i], p.points[k]
	before, others := p.Faults(x), p.Faults(y)
	for f := range x {
		x[f], y[f] = y[f], x[f]
		helps := p.Faults(x) < before && p.Faults(y) <= others
		x[f], y[f] = y[f], x[f]
		if helps {
			p.helps[key] = f
			break
		}
	}
	return p.helps[key]
}

// An indexSet is a set of numbers from 0 to below some n.
type indexSet struct {
	words []uint64 // a bit for each number
	some  []uint64 // a bit for each word that is not 0
}

func newIndexSet(n int) *indexSet {
	words := (n + 63) / 64
	return &indexSet{words: make([]uint64, words), some: make([]uint64, (words+63)/64)}
}

func (s *indexSet) add(i int) {
	s.words[i/64] |= 1 << (i % 64)
	s.some[i/4096] |= 1 << (i / 64 % 64)
}

func (s *indexSet) remove(i int) {
	if s.words[i/64] &^= 1 << (i % 64); s.words[i/64] == 0 {
		s.some[i/4096] &^= 1 << (i / 64 % 64)
	}
}

// next returns the smallest number of the set from i on, or the smallest of all if there is none, or −1 if the set is empty.
func (s *indexSet) next(i int) int {
	if at := s.from(i); at >= 0 {
		return at
	}
	return s.from(0)
}

// from returns the smallest number of the set from i on, or −1.
func (s *indexSet) from(i int) int {
	w := i / 64
	if rest := s.words[w] >> (i % 64); rest != 0 {
		return i + bits.TrailingZeros64(rest)
	}
	for k := (w + 1) / 64; k < len(s.some); k++ {
		rest := s.some[k]
		if k == (w+1)/64 {
			rest = rest >> ((w + 1) % 64) << ((w + 1) % 64)
		}
		if rest != 0 {
			w = k*64 + bits.TrailingZeros64(rest)
			return w*64 + bits.TrailingZeros64(s.words[w])
		}
	}
	return -1
}
