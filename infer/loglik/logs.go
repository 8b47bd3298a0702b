package loglik

import (
	"cmp"
	"slices"

	"achilles/sim/num"
)

// logs computes the sum of n·log(x) over rows, where n is a row's count. It takes one logarithm for all rows with equal counts, because
// n·log x₁ + n·log x₂ + … = n·log(x₁x₂…).
type logs struct {
	buf  []float64 // numbers x in blocks of blockSize; a number to which no row belongs stays 1
	runs []logRun
}

// A logRun has the successive blocks of rows with one count.
type logRun struct {
	count  float64
	blocks int
}

// blockSize is the number of factors that num.LogProduct multiplies at once.
const blockSize = 8

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
		if i == 0 || count[r] != count[rows[i-1]] {
			l.pad()
			l.runs = append(l.runs, logRun{count: count[r]})
		}
		at[r] = uint32(len(l.buf))
		if len(l.buf)%blockSize == 0 {
			l.runs[len(l.runs)-1].blocks++
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
	s, buf := 0.0, l.buf
	for _, r := range l.runs {
		s += float64(r.count * num.LogProduct(buf[:r.blocks*blockSize]))
		buf = buf[r.blocks*blockSize:]
	}
	return s
}
