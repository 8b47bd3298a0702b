package battery

import (
	"math"
	"slices"
)

// A sieve rules out most exchanges of a balancer in a few additions. It joins factors to groups, so that one number, the code of a
// point, says its levels in all factors of a group. What an exchange does to a sum of squares is then the sum of one table entry
// for each group. Tables add in another order than the balancer, so that an exchange about which rounding could
// decide is not ruled out.
type sieve struct {
	balancer *balancer
	groups   []*group
	codes    []code // by point
	digits   []digit
	squares  float64 // the largest sum of the groups' squares
	values   float64 // the sum of the absolute values of all levels

	digit                   // of the factor whose levels are exchanged
	contrasts []contrastSum // of this factor
	changes   int           // number of exchanges since their tables were computed from the balancer's sums
}

const (
	mostCodes  = 32 // of a group
	mostGroups = 8
)

// A code has the combination of levels of a point in each group.
type code [mostGroups]uint8

// A group is some of the factors.
type group struct {
	factors  []int
	size     int                            // number of combinations of their classes
	products [mostCodes][mostCodes]float64  // of two codes: the sum over contrasts of the product of their values
	squares  [mostCodes * mostCodes]float32 // of two codes: the sum over contrasts of the square of their difference
}

// A digit says where codes have the levels of a factor. Levels with the same value are of one class.
type digit struct {
	group, stride int
	class         []uint8          // [level]
	level         []int            // [class]: one of its levels
	of            [mostCodes]uint8 // [code]: class
	value         []float64        // [class]: standardised value; of a text factor by how much the class has more of its own indicator
	first, next   int              // the contrast of class c is first + c·next
}

// A contrastSum says how much a contrast correlates with all others.
type contrastSum struct {
	value  []float64                      // [class]
	sums   [mostGroups][mostCodes]float64 // [group][code]: sum over contrasts of other factors of their values times b.sum
	margin float64                        // bounds by how much rounding can change a result
}

// newSieve returns the sieve of a balancer, or nil, which rules out nothing, if there are too many levels for it.
func newSieve(b *balancer) *sieve {
	s := &sieve{balancer: b, codes: make([]code, len(b.points))}
	for f := range len(b.first) - 1 {
		if !s.add(f) {
			return nil
		}
	}
	for g := range s.groups {
		s.squares += s.groups[g].square()
	}
	for p, levels := range b.points {
		for f, level := range levels {
			at := &s.digits[f]
			s.codes[p][at.group] += at.class[level] * uint8(at.stride)
		}
	}
	return s
}

// add adds a factor to the first group that has room. It returns false if there is none.
func (s *sieve) add(f int) bool {
	at := digit{}
	at.first = s.balancer.first[f]
	if !at.classify(s.balancer.value[at.first:s.balancer.first[f+1]]) {
		return false
	}
	for at.group < len(s.groups) && s.groups[at.group].size*len(at.level) > mostCodes {
		at.group++
	}
	if at.group == mostGroups {
		return false
	}
	if at.group == len(s.groups) {
		s.groups = append(s.groups, &group{size: 1})
	}
	g := s.groups[at.group]
	at.stride = g.size
	g.factors = append(g.factors, f)
	g.size *= len(at.level)
	for c := range at.of {
		at.of[c] = uint8(c / at.stride % len(at.level))
	}
	products := s.balancer.products(f, at.level)
	for i := g.size - 1; i >= 0; i-- { // downwards, because entry i is made from entry i%stride
		for j := g.size - 1; j >= 0; j-- {
			g.products[i][j] = g.products[i%at.stride][j%at.stride] + products[at.of[i]][at.of[j]]
		}
	}
	for _, x := range at.value {
		s.values += math.Abs(x)
	}
	s.digits = append(s.digits, at)
	return true
}

// classify sets the classes of the levels of a factor, of which the values by contrast and level are given. It returns false if there
// are too many.
func (at *digit) classify(values [][]float64) bool {
	at.class = make([]uint8, len(values[0]))
	classes := map[float64]int{}
	for level, x := range values[0] {
		c, known := classes[x]
		if !known || len(values) > 1 {
			if c = len(at.level); c == mostCodes {
				return false
			}
			classes[x] = c
			at.level = append(at.level, level)
		}
		at.class[level] = uint8(c)
	}
	for c, level := range at.level {
		if len(values) == 1 {
			at.value = append(at.value, values[0][level])
		} else {
			at.value = append(at.value, values[c][c]-values[c][(c+1)%len(values)])
			at.next = 1
		}
	}
	return true
}

// products returns, for every two of some levels of a factor, the sum over its contrasts of the product of their values.
func (b *balancer) products(f int, levels []int) (all [mostCodes][mostCodes]float64) {
	for i, x := range levels {
		for j, y := range levels {
			for _, v := range b.value[b.first[f]:b.first[f+1]] {
				all[i][j] += float64(v[x] * v[y])
			}
		}
	}
	return all
}

// square computes g.squares, and returns the largest of them.
func (g *group) square() float64 {
	most := 0.0
	for i := range g.size {
		for j := range g.size {
			x := g.products[i][i] + g.products[j][j] - 2*g.products[i][j]
			g.squares[i*mostCodes+j] = float32(x)
			most = max(most, x)
		}
	}
	return most
}

// begin prepares the sieve for exchanges of the levels of a factor.
func (s *sieve) begin(f int) {
	if s == nil {
		return
	}
	b := s.balancer
	s.digit, s.changes = s.digits[f], 0
	s.contrasts = slices.Grow(s.contrasts[:0], b.first[f+1]-b.first[f])
	for i := b.first[f]; i < b.first[f+1]; i++ {
		c, most := contrastSum{}, 0.0
		for _, level := range s.level {
			c.value = append(c.value, b.value[i][level])
			most = max(most, 2*math.Abs(b.value[i][level]))
		}
		c.margin = most * (1e-6*most*s.squares + 1e-12*s.values*float64(len(b.points))) // a sum is at most the number of points
		s.contrasts = append(s.contrasts, c)
		s.sum(f, i)
	}
}

// sum computes the table of contrast i, which is one of factor f, from the balancer's sums.
func (s *sieve) sum(f, i int) {
	b := s.balancer
	c := &s.contrasts[i-b.first[f]]
	for k := range s.groups {
		s.sumGroup(s.groups[k], &c.sums[k], f, b.sum[i])
	}
}

// sumGroup computes the table of a group from the sums of a contrast of factor f.
func (s *sieve) sumGroup(g *group, table *[mostCodes]float64, f int, sums []float64) {
	table[0] = 0
	for _, other := range g.factors {
		at := &s.digits[other]
		for class := len(at.value) - 1; class >= 0; class-- {
			x := 0.0
			if other != f {
				x = at.value[class] * sums[at.first+class*at.next]
			}
			to, from := table[class*at.stride:][:at.stride], table[:at.stride]
			for j, sum := range from {
				to[j] = sum + x
			}
		}
	}
}

// differ returns, one bit each, the points from p on whose level of the factor that is exchanged is of another class than that of another
// point. Without a difference an exchange changes no sum.
func (s *sieve) differ(p int, others []int32) (set uint32) {
	if s == nil {
		return ^uint32(0) >> (exchangesTogether - len(others))
	}
	k := s.group % mostGroups
	for i, x := range s.codes[p:][:len(others)] {
		unlike := s.of[x[k]%mostCodes] ^ s.of[s.codes[others[i]][k]%mostCodes]
		set |= uint32(uint8(-unlike|unlike)>>7) << i
	}
	return set
}

// weigh says whether an exchange between points p and q, whose levels differ, surely lowers the sum of squared sums, or surely does
// not.
func (s *sieve) weigh(p, q int) (lowers, not bool) {
	if s == nil {
		return false, false
	}
	growth, margin := s.grow(p, q)
	return growth < -margin, growth > margin
}

// grow returns by how much the sum of squared sums would grow, apart from the margin: for each contrast of the factor, by how much more p
// would gain in it, times twice the difference between the points' sums, plus that gain times the square of the difference between
// the points in the other factors.
func (s *sieve) grow(p, q int) (growth, margin float64) {
	x, y := &s.codes[p], &s.codes[q]
	lx, ly := s.of[x[s.group%mostGroups]%mostCodes], s.of[y[s.group%mostGroups]%mostCodes]
	if len(s.contrasts) == 1 {
		c := &s.contrasts[0]
		square, slope := 0.0, 0.0
		for k, g := range s.groups {
			k &= mostGroups - 1
			i, j, sums := x[k]%mostCodes, y[k]%mostCodes, &c.sums[k]
			square += float64(g.squares[int(i)*mostCodes+int(j)])
			slope += sums[i] - sums[j]
		}
		own := c.value[ly] - c.value[lx]
		return own * (2*slope + own*(square-own*own)), c.margin
	}
	c, d := &s.contrasts[lx], &s.contrasts[ly] // only the indicators of these two levels differ
	square, slope, steep := 0.0, 0.0, 0.0
	for k, g := range s.groups {
		k &= mostGroups - 1
		i, j, sums, others := x[k]%mostCodes, y[k]%mostCodes, &c.sums[k], &d.sums[k]
		square += float64(g.squares[int(i)*mostCodes+int(j)])
		slope += sums[i] - sums[j]
		steep += others[i] - others[j]
	}
	own, other := c.value[ly]-c.value[lx], d.value[ly]-d.value[lx]
	square -= own*own + other*other
	return own*(2*slope+own*square) + other*(2*steep+other*square), c.margin + d.margin
}

// changesTogether is the number of exchanges after which tables are computed anew, so that rounding does not add up.
const changesTogether = 100

// exchanged tells the sieve that points p and q have exchanged their levels of factor f, and that the sums of some contrasts of f
// have changed.
func (s *sieve) exchanged(f, p, q int, own []difference) {
	if s == nil {
		return
	}
	if s.changes++; s.changes%changesTogether == 0 {
		for i := range s.contrasts {
			s.sum(f, s.first+i)
		}
	} else {
		for _, c := range own {
			s.change(p, q, c)
		}
	}
	levels := s.balancer.points
	by := uint8(s.stride) * (s.class[levels[p][f]] - s.class[levels[q][f]])
	s.codes[p][s.group] += by
	s.codes[q][s.group] -= by
}

// change changes the table of a contrast of factor f as an exchange between points p and q, which still have their old codes, changed
// the sums: by how much more p gained in the contrast, times the difference between p and q in the other factors.
func (s *sieve) change(p, q int, own difference) {
	c := &s.contrasts[own.contrast-s.first]
	for k, g := range s.groups {
		x, y := s.codes[p][k%mostGroups], s.codes[q][k%mostGroups]
		if k == s.group { // as if their levels of f were the same
			y += uint8(s.stride) * (s.of[x%mostCodes] - s.of[y%mostCodes])
		}
		if x == y {
			continue
		}
		table, a, b := &c.sums[k%mostGroups], &g.products[x%mostCodes], &g.products[y%mostCodes]
		for i := range g.size {
			i &= mostCodes - 1
			table[i] += own.by * (a[i] - b[i])
		}
	}
}
