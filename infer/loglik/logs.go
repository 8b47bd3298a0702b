package loglik

import (
	"cmp"
	"slices"

	"achilles/sim/num"
)

// logs computes the sum of n·log(x) over rows, where n is a row's count. It takes one logarithm for four rows. For this
// it puts rows with equal counts in blocks of four, because n·log x₁ + … + n·log x₄ = n·log(x₁x₂x₃x₄).
type logs struct {
	buf    []float64 // four numbers x for every block; a number to which no row belongs stays 1
	weight []float64 // count n of every block
}

const blockSize = 4

// place assigns the rows with a positive count to blocks and returns the index of each in buf.
func (l *logs) place(count []float64) []uint32 {
	var rows []int
	for r, n := range count {
		if n > 0 {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(count[a], count[b]) })
	at := make([]uint32, len(count))
	for i, r := range rows {
		if i > 0 && count[r] != count[rows[i-1]] {
			l.pad()
		}
		at[r] = uint32(len(l.buf))
		if len(l.buf)%blockSize == 0 {
			l.weight = append(l.weight, count[r])
		}
		l.buf = append(l.buf, 1)
	}
	l.pad()
	return at
}

func (l *logs) pad() {
	for len(l.buf)%blockSize != 0 {
		l.buf = append(l.buf, 1)
	}
}

func (l *logs) sum() float64 {
	const tiny = 0x1p-960 // a smaller product may have lost digits to underflow
	s, buf := 0.0, l.buf
	for _, n := range l.weight {
		x := buf[:blockSize]
		buf = buf[blockSize:]
		p := float64(float64(x[0]*x[1]) * float64(x[2]*x[3]))
		if p >= tiny {
			s += float64(n * num.Log(p))
			continue
		}
		for _, v := range x {
			s += float64(n * num.Log(v))
		}
	}
	return s
}
