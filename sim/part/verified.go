package part

import (
	"crypto/sha256"
	"errors"
	"io"
	"sync"
)

// inVerified is the number of bytes of a verified file that are read at a time.
const inVerified = 1 << 16

// A verified reads a file that was verified before. The whole file was written to it then, so that it knows a digest of each block:
// the file cannot change in between.
type verified struct {
	in   io.ReaderAt
	size int64
	sums [][sha256.Size]byte // of each block
	rest []byte              // what was written of a block that is not whole

	mu    sync.Mutex
	block []byte // the block that was read last
	index int64  // of that block
}

// Write adds to the file that is verified.
func (v *verified) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		k := min(len(p), inVerified-len(v.rest))
		v.rest, p = append(v.rest, p[:k]...), p[k:]
		if len(v.rest) == inVerified {
			v.sums, v.rest = append(v.sums, sha256.Sum256(v.rest)), v.rest[:0]
		}
	}
	return n, nil
}

// ReadAt implements io.ReaderAt.
func (v *verified) ReadAt(p []byte, at int64) (n int, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for n < len(p) {
		if at < 0 || at >= v.size {
			return n, io.EOF
		}
		if err := v.load(at / inVerified); err != nil {
			return n, err
		}
		k := copy(p[n:], v.block[at%inVerified:])
		n, at = n+k, at+int64(k)
	}
	return n, nil
}

var errChanged = errors.New("the file was changed while it was read")

// load reads a block.
func (v *verified) load(index int64) error {
	if v.block != nil && v.index == index {
		return nil
	}
	if v.rest != nil { // the last block
		v.sums, v.rest = append(v.sums, sha256.Sum256(v.rest)), nil
	}
	block := make([]byte, min(inVerified, v.size-index*inVerified))
	if v.block != nil && len(v.block) == len(block) {
		block = v.block
	}
	v.block = nil
	switch n, err := v.in.ReadAt(block, index*inVerified); {
	case n < len(block) && err != io.EOF:
		return err
	case n < len(block) || sha256.Sum256(block) != v.sums[index]:
		return errChanged
	}
	v.block, v.index = block, index
	return nil
}
