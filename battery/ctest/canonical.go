package ctest

import "sync"

// A transform is what straight code without WRITE does to the registers A, B and C: each ends as one of the three was
// at first, plus a distance. The values are 26 times the number of that register, plus the distance.
type transform [3]uint8

const values = 3 * Letters // of one register

// id numbers the transforms.
func (t transform) id() int { return (int(t[0])*values+int(t[1]))*values + int(t[2]) }

// then is t followed by an instruction.
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

// A block is straight code without WRITE that stands for its effect: of all code with this effect the first of the
// shortest. Blocks are numbered from the empty one, 0.
//
// The only way into the middle of straight code is from its start, since loops go to the top of a program. So other
// code can be replaced by the block with its effect wherever it stands, and the program gets no dearer.
type block int32

// longer has, for every block and every instruction from SUCC to C<-A, the block that the two make; 0 where they make
// none.
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

// extend returns the block at the end of a program when op follows, given the one before, and whether there is reason to
// try that: no program that does the same is cheaper, or as cheap and tried instead.
func extend(p Program, b block, op Op) (block, bool) {
	switch op {
	case Write:
		// A store can as well follow the WRITE, and then the letter comes sooner.
		return 0, len(p) == 0 || p[len(p)-1] != BFromA && p[len(p)-1] != CFromA
	case LoopTop:
		return 0, true
	}
	b = longer()[b][op]
	return b, b != 0
}
