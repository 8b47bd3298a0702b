package ctest

import (
	"fmt"
	"slices"
	"strings"
)

// Letters is the size of the alphabet, a to z, which is circular: a follows z.
const Letters = 26

// An Op is an instruction of the machine. Instructions have no operands.
type Op uint8

// The ten instructions of the machine's version for professionals (Hernández-Orallo 1997, table 1). The registers A, B
// and C hold letters.
const (
	Write   Op = iota // write the letter in A
	Succ              // A becomes the next letter
	Pred              // A becomes the letter before
	AFromB            // A becomes B
	AFromC            // A becomes C
	BFromA            // B becomes A
	CFromA            // C becomes A
	LoopTop           // C becomes the letter before; unless C is now a, continue at the top
	LoopS             // does what LoopTop does, but continues four instructions back, or at the top if there are fewer
	LoopM             // does what LoopS does, but continues seven instructions back
)

var opNames = []string{"WRITE", "SUCC", "PRED", "A<-B", "A<-C", "B<-A", "C<-A", "LOOPTOP", "LOOPS", "LOOPM"}

// String returns the name of an instruction, such as WRITE or A<-B.
func (o Op) String() string { return opNames[o] }

// back returns the index at which a loop at index i of a program continues. The paper's table does not say from where
// the four and seven instructions are counted; here they are counted from the loop itself.
func (o Op) back(i int) int {
	switch o {
	case LoopS:
		return max(i-4, 0)
	case LoopM:
		return max(i-7, 0)
	}
	return 0
}

// A Program is a list of instructions. It ends after the last one.
type Program []Op

// String returns the names of the instructions with spaces between them.
func (p Program) String() string {
	names := make([]string, len(p))
	for i, o := range p {
		names[i] = o.String()
	}
	return strings.Join(names, " ")
}

// ParseProgram returns the program of which String returns the text.
func ParseProgram(text string) (Program, error) {
	var p Program
	for i, name := range strings.Fields(text) {
		o := slices.Index(opNames, name)
		if o < 0 {
			return nil, fmt.Errorf("instruction %d: %q is not one of %s", i+1, name, strings.Join(opNames, ", "))
		}
		p = append(p, Op(o))
	}
	return p, nil
}

// Patience is the number of instructions that a program may execute without writing a letter before it is stopped.
const Patience = 1000

// An Output has the letters that a program writes.
type Output struct {
	Letters []uint8 // from 0 (a) to 25 (z)
	Steps   []int   // number of instructions executed when each letter was written, its WRITE included
	Pass    int     // number of letters written when a loop first went back, if at least one was; 0: no loop did
}

// Run executes a program with a in all registers, until it has written n letters, ends or runs out of Patience.
func (p Program) Run(n int) Output {
	var out Output
	var a, b, c uint8
	idle := 0
	for pc, steps := 0, 1; pc < len(p) && len(out.Letters) < n && idle < Patience; steps++ {
		op := p[pc]
		idle++
		switch op {
		case Write:
			out.Letters, out.Steps = append(out.Letters, a), append(out.Steps, steps)
			idle = 0
		case Succ:
			a = (a + 1) % Letters
		case Pred:
			a = (a + Letters - 1) % Letters
		case AFromB:
			a = b
		case AFromC:
			a = c
		case BFromA:
			b = a
		case CFromA:
			c = a
		default:
			if c = (c + Letters - 1) % Letters; c != 0 {
				if out.Pass == 0 {
					out.Pass = len(out.Letters)
				}
				pc = op.back(pc) - 1
			}
		}
		pc++
	}
	return out
}
