package seal

import (
	"crypto/hmac"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/binary"

	"achilles/sim/rng"
)

// A Key derives all that leaves the sealed side and is left to chance: ids, the split, which outcome comes first, the order
// of presentation, and the seeds of whoever acts, observes or infers. It is HMAC-SHA-256 under the salt, which is HMAC-SHA-256
// under the root seed (Bellare, Canetti and Krawczyk 1996): from what was derived nobody can compute either. The random
// streams of sim/rng can be run backwards, so none that the root seed keys leaves the sealed side.
type Key struct{ salt [sha256.Size]byte }

// NewKey returns the key of a root seed.
func NewKey(root uint64) *Key {
	return &Key{sum(binary.LittleEndian.AppendUint64(nil, root), "salt")}
}

// Sum is what a purpose and a path of names give. No two paths give the same by being joined differently.
func (k *Key) Sum(purpose string, path ...string) [sha256.Size]byte {
	return sum(k.salt[:], purpose, path...)
}

// Seed is a seed for a purpose, the start of Sum.
func (k *Key) Seed(purpose string, path ...string) uint64 {
	s := k.Sum(purpose, path...)
	return binary.LittleEndian.Uint64(s[:])
}

// Rand is a stream for a purpose.
func (k *Key) Rand(purpose string, path ...string) rng.Rand {
	return rng.Stream(k.Seed(purpose, path...))
}

// sum is HMAC-SHA-256 over length-prefixed parts.
func sum(key []byte, purpose string, path ...string) (out [sha256.Size]byte) {
	h := hmac.New(sha256.New, key)
	for _, p := range append([]string{purpose}, path...) {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	h.Sum(out[:0])
	return out
}

// DrawRoot draws a root seed from the system: 64 random bits, for a run of which nobody can guess the seed.
func DrawRoot() uint64 {
	var b [8]byte
	crand.Read(b[:]) // it never fails
	return binary.LittleEndian.Uint64(b[:])
}
