package ctest

import "sync"

// A transform is the effect of straight code, that is, code without loops and without WRITE, on the registers A, B and
// C. Afterwards a register holds the letter that some register held before, perhaps another one, moved by a distance in
// the alphabet. The element of the register is 26 times the number of that other register (A is 0, B 1, C 2), plus the
// distance.
type transform [3]uint8

const values = 3 * Letters // number of values of one register

// id returns a number that no other transform has.
func (t transform) id() int { return (int(t[0])*values+int(t[1]))*values + int(t[2]) }

// then returns t followed by an instruction.
func (t transform) then(op Op) transform {
	switch op {
	case Succ:
		t[0] = t[0]/Letters*Letters + after(t[0]%Letters)
	case Pred:
		t[0] = t[0]/Letters*Letters + before(t[0]%Letters)
	case AFromB:
		t[0] = t[1]
	case AFromC:
		t[0] = t[2]
	case BFromA:
		t[1] = t[0]
	case CFromA:
		t[2] = t[0]
	}
	return t
}

// A block is the number of a piece of straight code without WRITE: of all pieces with the same effect, the first of the
// shortest ones. 0 is the empty piece.
//
// Straight code is always entered at its start, because loops go to the top of a program. So any code can be replaced by
// the block with its effect, and the program becomes no dearer.
type block int32

// longer[b][op] is the block of b followed by op, an instruction from SUCC to C<-A. It is 0 if that code is no block:
// an earlier block has its effect.
var longer = sync.OnceValue(func() [][CFromA + 1]block {
	list := []transform{{0, Letters, 2 * Letters}}
	table := make([][CFromA + 1]block, 1, values*values*values)
	known := make([]bool, values*values*values)
	known[list[0].id()] = true
	for b := 0; b < len(list); b++ { // the list grows on the way: shorter code comes first
		for op := Succ; op <= CFromA; op++ {
			if t := list[b].then(op); !known[t.id()] {
				known[t.id()] = true
				table[b][op] = block(len(list))
				list = append(list, t)
				table = append(table, [CFromA + 1]block{})
			}
		}
	}
	return table
})

// extend returns the block at the end of a program p after op is appended; b is the block before. It returns false if p
// with op is not worth trying: a program that does the same is cheaper, or as cheap and tried instead.
func extend(p Program, b block, op Op) (block, bool) {
	switch op {
	case Write:
		// B<-A or C<-A before a WRITE is not worth trying: after the WRITE it has the same effect, and the letter comes sooner.
		return 0, len(p) == 0 || p[len(p)-1] != BFromA && p[len(p)-1] != CFromA
	case LoopTop:
		return 0, true
	}
	b = longer()[b][op]
	return b, b != 0
}
