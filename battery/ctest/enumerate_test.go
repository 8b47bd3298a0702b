package ctest_test

import (
	"testing"

	"achilles/battery/ctest"
)

// A written is a program of the enumeration with the letters that it has written.
type written struct {
	program ctest.Program
	letters []uint8 // letters written, as distances from the first
	steps   []int   // number of instructions executed when each letter was written
}

// costAt returns the cost of the program when it has written n letters.
func (w *written) costAt(n int) ctest.Cost {
	c := ctest.Cost(w.steps[n-1])
	for range w.program {
		c *= 2
	}
	return c
}

// explains reports whether the program writes a series and at least one letter more.
func (w *written) explains(s ctest.Series) bool {
	return len(w.letters) >= max(len(s)+1, ctest.Measured) && string(w.letters[:len(s)]) == string(s)
}

// enumerate calls visit for every program of `length` instructions from set that writes at least ctest.Measured letters.
// visit gets at most `most` letters of the program's output. It shares no code with the search that it tests: it tries all
// programs, one after the other. It gives a program up if its first four letters cost more than bound or are not in wanted.
func enumerate(t testing.TB, set []ctest.Op, length, most int, bound ctest.Cost, wanted map[[4]uint8]bool, visit func(*written)) {
	t.Helper()
	var want [26 * 26 * 26]bool
	for w := range wanted {
		want[(int(w[1])*26+int(w[2]))*26+int(w[3])] = true
	}
	limit := int(bound >> length)
	digits := make([]int, length)
	w := written{program: make(ctest.Program, length), letters: make([]uint8, 0, most), steps: make([]int, 0, most)}
	for i := range w.program {
		w.program[i] = set[0]
	}
	for {
		w.letters, w.steps = w.letters[:0], w.steps[:0]
		obey(&w, most, limit, &want)
		if len(w.letters) >= ctest.Measured {
			visit(&w)
		}
		i := 0
		for ; i < length; i++ {
			digits[i] = (digits[i] + 1) % len(set)
			w.program[i] = set[digits[i]]
			if digits[i] > 0 {
				break
			}
		}
		if i == length {
			return
		}
	}
}

// obey runs the program of w on a machine that shares no code with the package. It stops when the program ends, after `most`
// letters, after 1000 steps without a letter, and if the first four letters take more than limit steps or are not in want.
func obey(w *written, most, limit int, want *[26 * 26 * 26]bool) {
	var a, b, c, first uint8
	at, step, since := 0, 0, 0
	for at < len(w.program) && len(w.letters) < most && since < 1000 {
		op := w.program[at]
		at++
		step++
		since++
		if step > limit && len(w.letters) < 4 {
			return
		}
		switch op {
		case ctest.Write:
			if len(w.letters) == 0 {
				first = a
			}
			w.letters, w.steps = append(w.letters, (a+26-first)%26), append(w.steps, step)
			since = 0
			if l := w.letters; len(l) == 4 && !want[(int(l[1])*26+int(l[2]))*26+int(l[3])] {
				return
			}
		case ctest.Succ:
			a = (a + 1) % 26
		case ctest.Pred:
			a = (a + 25) % 26
		case ctest.AFromB:
			a = b
		case ctest.AFromC:
			a = c
		case ctest.BFromA:
			b = a
		case ctest.CFromA:
			c = a
		default:
			c = (c + 25) % 26
			if c == 0 {
				continue
			}
			switch op {
			case ctest.LoopTop:
				at = 0
			case ctest.LoopS:
				at = max(at-1-4, 0)
			case ctest.LoopM:
				at = max(at-1-7, 0)
			}
		}
	}
}

var (
	basic = []ctest.Op{
		ctest.Write, ctest.Succ, ctest.Pred, ctest.AFromB, ctest.AFromC, ctest.BFromA, ctest.CFromA, ctest.LoopTop,
	}
	complete = append(basic[:len(basic):len(basic)], ctest.LoopS, ctest.LoopM)
)

func firstFour(s ctest.Series) [4]uint8 { return [4]uint8(s[:4]) }
