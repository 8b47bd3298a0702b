package foreign

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
)

// errShort says that a file ends before what its own numbers promise.
var errShort = errors.New("the file is cut off or damaged")

// A cursor reads a file from front to back. After the first error all it reads is zero.
type cursor struct {
	b     []byte
	at    int
	order binary.ByteOrder
	err   error
}

// take returns the next n bytes.
func (c *cursor) take(n int) []byte {
	if c.err != nil || n < 0 || n > len(c.b)-c.at {
		c.err = errShort
		return nil
	}
	c.at += n
	return c.b[c.at-n : c.at]
}

// jump goes to a place that the file itself names.
func (c *cursor) jump(to uint64) {
	if c.err == nil && to <= uint64(len(c.b)) {
		c.at = int(to)
		return
	}
	c.err = errShort
}

// skip passes over a mark that must stand there.
func (c *cursor) skip(mark string) {
	if got := c.take(len(mark)); c.err == nil && string(got) != mark {
		c.err = errShort
	}
}

// uint returns an unsigned whole number of n bytes, at most 8.
func (c *cursor) uint(n int) uint64 {
	b := c.take(n)
	if b == nil {
		return 0
	}
	var whole [8]byte
	if c.order == binary.BigEndian {
		copy(whole[8-n:], b)
	} else {
		copy(whole[:], b)
	}
	return c.order.Uint64(whole[:])
}

// int returns a signed whole number of 4 bytes.
func (c *cursor) int() int { return int(int32(c.uint(4))) }

func (c *cursor) float() float64 { return math.Float64frombits(c.uint(8)) }

// cut returns text of a fixed size up to its first zero byte.
func (c *cursor) cut(n int) string {
	head, _, _ := bytes.Cut(c.take(n), []byte{0})
	return string(head)
}
