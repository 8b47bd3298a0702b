package record

import (
	"math/bits"
	"slices"
)

// A bitColumn has integers, each as its difference from the least of them, in the same number of bits.
type bitColumn struct {
	least int64
	width int      // number of bits, 0 … 64
	words []uint64 // the differences, one after another from the lowest bit; nil if width is 0
}

// packColumn returns the column of a list, which must not be empty.
func packColumn(list []int64) bitColumn {
	c := bitColumn{least: slices.Min(list)}
	if c.width = bits.Len64(uint64(slices.Max(list)) - uint64(c.least)); c.width == 0 {
		return c
	}
	c.words = make([]uint64, (len(list)*c.width+63)/64)
	for i, v := range list {
		x, bit := uint64(v)-uint64(c.least), i*c.width
		c.words[bit/64] |= x << (bit % 64)
		if bit%64+c.width > 64 {
			c.words[bit/64+1] = x >> (64 - bit%64)
		}
	}
	return c
}

// at returns integer i.
func (c *bitColumn) at(i int) int64 {
	if c.width == 0 {
		return c.least
	}
	bit := i * c.width
	x := c.words[bit/64] >> (bit % 64)
	if bit%64+c.width > 64 {
		x |= c.words[bit/64+1] << (64 - bit%64)
	}
	return int64(uint64(c.least) + x<<(64-c.width)>>(64-c.width))
}
