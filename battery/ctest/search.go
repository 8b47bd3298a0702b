package ctest

import "slices"

// lastOp is the last instruction that the search uses, the loop to the top. The search does not use the other two loops: it
// is not published beyond doubt where they jump to, and they change no complexity and no answer of the published test, though
// one of its series, aacyawy, has a cheaper program with LOOPM (TestOtherLoops).
const lastOp = LoopTop

const (
	maxLength = 24 // largest number of instructions of a program
	maxBits   = 24 // largest LT of an explanation; LT exceeds the length of the program
	maxSeries = 24 // largest number of letters that a program writes
)

// A goal is a series whose explanations are wanted.
type goal struct {
	series Series
	bound  Cost          // largest cost of an explanation
	best   []Explanation // the cheapest explanation for every next letter that has one, sorted by cost
}

// explain finds the explanations of all goals in one enumeration of programs. No two goals may have the same series. The search chooses an instruction only when the machine first comes to
// it, and gives a program up when it can no longer explain a goal within its bound. So it finds every explanation
// within the bounds, except those that do the same as another one that is no dearer: of two pieces of straight code
// with the same effect it tries one.
func explain(goals ...*goal) {
	s := search{nodes: make([]node, 2)}
	for _, g := range goals {
		g.best = nil
		s.add(g)
	}
	s.run(state{at: 1})
	for _, g := range goals {
		slices.SortFunc(g.best, Explanation.compare)
	}
}

// A node stands for a beginning of the series of some goals; the nodes form a tree.
type node struct {
	child [Letters]int32 // 0: none
	goal  *goal          // the series that ends here; nil: none
	// latest has, for every length of a program, the last step at which the program may come to this node if it is to write
	// a goal further down within the bound of that goal.
	latest [maxLength + 1]int32
}

type search struct {
	nodes []node // node 0 is outside the tree, node 1 the root

	program [maxLength]Op
	length  int   // number of instructions chosen so far
	block   block // the instructions since the last WRITE or loop

	letters [maxSeries]uint8     // written by the program, as distances from the first
	steps   [maxSeries]int       // number of steps after which each letter was written
	path    [maxSeries + 1]int32 // node of the first n letters, by n
}

// A state is the state of the machine while only the first instructions of its program are chosen.
type state struct {
	a, b, c, first uint8
	pc             int
	steps, idle    int
	written        int
	at             int32 // node of the letters written so far; 0: no goal begins with them
}

// add puts the series of a goal into the tree. It panics if the series or the bound is too large, or another goal has
// the series.
func (s *search) add(g *goal) {
	if len(g.series) > maxSeries-4 || g.bound >= 1<<maxBits {
		panic("ctest: series or bound too large")
	}
	// Writing the next letter takes at least one step, and at least two if it differs from the letter before.
	left := 0
	for i := 1; i < len(g.series); i++ {
		left += stepsBetween(g.series[i-1], g.series[i])
	}
	at := int32(1)
	for i, l := range g.series {
		n := &s.nodes[at]
		for length := range n.latest {
			n.latest[length] = max(n.latest[length], int32(g.bound>>length)-1-int32(left))
		}
		if i+1 < len(g.series) {
			left -= stepsBetween(l, g.series[i+1])
		}
		if n.child[l] == 0 {
			n.child[l] = int32(len(s.nodes))
			s.nodes = append(s.nodes, node{})
		}
		at = s.nodes[at].child[l]
	}
	if s.nodes[at].goal != nil {
		panic("ctest: two goals have the same series")
	}
	s.nodes[at].goal = g
}

func stepsBetween(x, y uint8) int {
	if x == y {
		return 1
	}
	return 2
}

// run executes the instructions that are chosen, and then tries every next one.
func (s *search) run(m state) {
	for m.pc < s.length {
		op := s.program[m.pc]
		m.pc++
		m.steps++
		m.idle++
		switch op {
		case Write:
			s.write(&m)
		case Succ:
			m.a = after(m.a)
		case Pred:
			m.a = before(m.a)
		case AFromB:
			m.a = m.b
		case AFromC:
			m.a = m.c
		case BFromA:
			m.b = m.a
		case CFromA:
			m.c = m.a
		case LoopTop:
			if m.c = before(m.c); m.c != 0 {
				m.pc = 0
			}
		}
		if m.idle >= Patience || !s.promises(&m) {
			return
		}
	}
	s.choose(&m)
}

// after returns the next letter of the circular alphabet, before the previous one.
func after(x uint8) uint8 {
	if x == Letters-1 {
		return 0
	}
	return x + 1
}

func before(x uint8) uint8 {
	if x == 0 {
		return Letters - 1
	}
	return x - 1
}

// choose tries every instruction as the next one of the program.
func (s *search) choose(m *state) {
	i, old := s.length, s.block
	if i == maxLength {
		return
	}
	s.length++
	if s.promises(m) {
		for op := Op(0); op <= lastOp; op++ {
			var ok bool
			if s.block, ok = extend(s.program[:i], old, op); !ok {
				continue
			}
			s.program[i] = op
			s.run(*m)
		}
	}
	s.length, s.block = i, old
}

// write records a letter, and the explanations that it completes.
func (s *search) write(m *state) {
	if m.written == 0 {
		m.first = m.a
	}
	l := distance(m.first, m.a)
	s.letters[m.written], s.steps[m.written] = l, m.steps
	m.at = s.nodes[m.at].child[l]
	m.written++
	s.path[m.written] = m.at
	m.idle = 0
	switch {
	case m.written == Measured:
		for n := 1; n < m.written; n++ {
			s.note(n)
		}
	case m.written > Measured:
		s.note(m.written - 1)
	}
}

// note keeps the program as an explanation of its first n letters if they are a goal, the cost is within its bound and
// no cheaper explanation of the same next letter is known.
func (s *search) note(n int) {
	g := s.nodes[s.path[n]].goal
	if g == nil || costOf(s.length, s.steps[n-1]) > g.bound {
		return
	}
	e := Explanation{
		Program: s.program[:s.length], Next: s.letters[n],
		Cost: costOf(s.length, s.steps[n-1]), Measured: costOf(s.length, s.steps[Measured-1]),
	}
	i := slices.IndexFunc(g.best, func(b Explanation) bool { return b.Next == e.Next })
	if i < 0 {
		i = len(g.best)
		g.best = append(g.best, e)
	} else if e.compare(g.best[i]) >= 0 {
		return
	}
	g.best[i] = e
	g.best[i].Program = slices.Clone(e.Program)
}

// promises reports whether the program could still explain something within its bound if it goes on: a goal that it has
// not written yet, or one that it has written but not yet continued by a letter.
func (s *search) promises(m *state) bool {
	if m.steps <= int(s.nodes[m.at].latest[s.length]) {
		return true
	}
	if m.written >= Measured {
		return s.waits(m.written)
	}
	for n := m.written; n > 0; n-- {
		if s.waits(n) {
			return true
		}
	}
	return false
}

func (s *search) waits(n int) bool {
	g := s.nodes[s.path[n]].goal
	return g != nil && costOf(s.length, s.steps[n-1]) <= g.bound
}
