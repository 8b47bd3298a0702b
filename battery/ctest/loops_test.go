package ctest_test

import (
	"slices"
	"testing"

	"achilles/battery/ctest"
	"achilles/sim/longtest"
)

// A finder finds every program of the whole machine, LOOPS and LOOPM included, that explains a series at a cost within a bound. It chooses an
// instruction when the machine comes to it, prunes by nothing but steps, and shares no code with the package.
type finder struct {
	series  ctest.Series
	bound   ctest.Cost
	left    []int // by letters written: least number of steps to write the others, if A still has the last one
	program ctest.Program
	letters []uint8 // written, as distances from the first
	steps   []int   // after which each letter was written
	visit   func(*written)
}

// A machine is the state of the program's machine.
type machine struct {
	a, b, c, first      uint8
	at, steps, idle, is int // next instruction, steps, steps since the last letter, letters written
}

func newFinder(s ctest.Series, bound ctest.Cost, visit func(*written)) *finder {
	f := &finder{series: s, bound: bound, left: make([]int, len(s)+1), letters: make([]uint8, len(s)+8), steps: make([]int, len(s)+8), visit: visit}
	for i := len(s) - 1; i >= 0; i-- {
		f.left[i] = f.left[i+1] + 1
		if i+1 < len(s) && s[i+1] != s[i] {
			f.left[i]++
		}
	}
	return f
}

// within reports whether the program, with `more` instructions more, may explain the series within the bound. A gets the next letter by a
// step for every letter of the alphabet on the way from what a register has, and a copy if that is not A: a loop moves C by one.
func (f *finder) within(m *machine, more int) bool {
	last := m.steps
	if n := len(f.series); m.is >= n {
		last = f.steps[n-1]
	} else if last += f.left[m.is]; m.is > 0 {
		next := (m.first + f.series[m.is]) % 26
		last += min(apart(m.a, next), 1+apart(m.b, next), 1+apart(m.c, next))
	}
	return ctest.Cost(last)<<(len(f.program)+more) <= f.bound
}

// apart returns the number of letters from x to y, the shorter way round.
func apart(x, y uint8) int {
	d := (int(y) + 26 - int(x)) % 26
	return min(d, 26-d)
}

// run executes the instructions that are chosen, and tries every next one.
func (f *finder) run(m machine) {
	for m.at < len(f.program) {
		op, from := f.program[m.at], m.at
		m.at++
		m.steps++
		m.idle++
		switch op {
		case ctest.Write:
			if m.is == 0 {
				m.first = m.a
			}
			l := (m.a + 26 - m.first) % 26
			if m.is < len(f.series) && l != f.series[m.is] {
				return
			}
			f.letters[m.is], f.steps[m.is] = l, m.steps
			m.is++
			m.idle = 0
			if m.is > len(f.series) && m.is >= ctest.Measured {
				f.visit(&written{program: f.program, letters: f.letters[:m.is], steps: f.steps[:m.is]})
				return
			}
		case ctest.Succ:
			m.a = (m.a + 1) % 26
		case ctest.Pred:
			m.a = (m.a + 25) % 26
		case ctest.AFromB:
			m.a = m.b
		case ctest.AFromC:
			m.a = m.c
		case ctest.BFromA:
			m.b = m.a
		case ctest.CFromA:
			m.c = m.a
		default:
			if m.c = (m.c + 25) % 26; m.c == 0 {
				break
			}
			switch op {
			case ctest.LoopTop:
				m.at = 0
			case ctest.LoopS:
				m.at = max(from-4, 0)
			case ctest.LoopM:
				m.at = max(from-7, 0)
			}
		}
		if m.idle >= 1000 || !f.within(&m, 0) {
			return
		}
	}
	if !f.within(&m, 1) {
		return
	}
	f.program = append(f.program, ctest.LoopTop)
	next := complete
	if more := max(len(f.series)+1, ctest.Measured) - m.is; more > 1 && !f.within(&m, 1) {
		next = complete[ctest.LoopTop:] // there is no room for a further instruction, and letters are left
		if !slices.Contains(f.program, ctest.Write) {
			next = nil
		}
	}
	for _, op := range next {
		f.program[len(f.program)-1] = op
		f.run(m)
	}
	f.program = f.program[:len(f.program)-1]
}

// TestOtherLoops checks that the two loops that the search leaves out (LOOPS, LOOPM) change neither the complexity nor the answer of a
// published series: it finds every program of the whole machine that is no dearer than the cheapest without them. Of one series, aacyawy,
// a program with LOOPM is cheaper. The series of more than 12 bits, which take minutes, are for -long.
func TestOtherLoops(t *testing.T) {
	for _, p := range ctest.Published() {
		e := &p.Explanation
		if e.K() > 12 && !longtest.On() {
			continue
		}
		s, _ := ctest.ParseSeries(p.Series)
		least, other, own := e.Cost, 0, false
		newFinder(s, e.Cost, func(w *written) {
			n := len(s)
			if w.letters[n] != e.Next || w.costAt(ctest.Measured).Floor() != e.K() {
				t.Errorf("%s: %s is no dearer, and says k %d and next %d", p.Series, w.program, w.costAt(ctest.Measured).Floor(), w.letters[n])
			}
			least, own = min(least, w.costAt(n)), own || w.program.String() == e.Program.String()
			for _, op := range w.program {
				if op == ctest.LoopS || op == ctest.LoopM {
					other++
					break
				}
			}
		}).run(machine{})
		t.Logf("%s: %d programs with the other loops, least cost %d, %d without", p.Series, other, least, e.Cost)
		if !own || p.Series == "abcd" && other != 2 { // LOOPS and LOOPM in place of LOOPTOP
			t.Errorf("%s: not every program is found", p.Series)
		}
		if want := map[string]ctest.Cost{"aacyawy": 13312}[p.Series]; least < e.Cost && least != want {
			t.Errorf("%s: a program with the other loops costs %d, less than %d", p.Series, least, e.Cost)
		}
	}
}
