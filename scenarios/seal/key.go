package seal

import (
	"crypto/hmac"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/binary"

	"achilles/sim/rng"
)

// A Key derives everything random that leaves the sealed side: ids, the split, which outcome comes first, the order of
// presentation, and the seeds of programs that act, observe or infer. The derivation is HMAC-SHA-256 with the salt as
// key; the salt is HMAC-SHA-256 with the root seed as key (Bellare, Canetti and Krawczyk 1996). Hence nobody can
// compute the salt or the root seed from what leaves. The streams of sim/rng can be run backwards: a stream whose key
// is the root seed must never leave the sealed side.
type Key struct{ salt [sha256.Size]byte }

// NewKey returns the key of a root seed.
func NewKey(root uint64) *Key {
	return &Key{sum(binary.LittleEndian.AppendUint64(nil, root), "salt")}
}

// Sum returns a digest for a purpose and a path of names. Each name is hashed with its length, so that ("a", "bc") and
// ("ab", "c") differ.
func (k *Key) Sum(purpose string, path ...string) [sha256.Size]byte {
	return sum(k.salt[:], purpose, path...)
}

// Sums returns a function that does what Sum does for one purpose, in less time for many paths. One goroutine may call it.
func (k *Key) Sums(purpose string) func(path ...string) [sha256.Size]byte {
	h := hmac.New(sha256.New, k.salt[:])
	var message, digest []byte
	return func(path ...string) [sha256.Size]byte {
		h.Reset()
		message = appendPath(message[:0], purpose, path...)
		h.Write(message)
		digest = h.Sum(digest[:0])
		return [sha256.Size]byte(digest)
	}
}

// Seed returns a seed for a purpose: the first 64 bits of Sum.
func (k *Key) Seed(purpose string, path ...string) uint64 {
	s := k.Sum(purpose, path...)
	return binary.LittleEndian.Uint64(s[:])
}

// Rand returns a random stream for a purpose.
func (k *Key) Rand(purpose string, path ...string) rng.Rand {
	return rng.Stream(k.Seed(purpose, path...))
}

// sum returns the HMAC-SHA-256 of purpose and path, each hashed after its length.
func sum(key []byte, purpose string, path ...string) (out [sha256.Size]byte) {
	h := hmac.New(sha256.New, key)
	h.Write(appendPath(nil, purpose, path...))
	h.Sum(out[:0])
	return out
}

// appendPath appends purpose and path to b, each after its length.
func appendPath(b []byte, purpose string, path ...string) []byte {
	b = appendSized(b, purpose)
	for _, p := range path {
		b = appendSized(b, p)
	}
	return b
}

func appendSized(b []byte, p string) []byte {
	return append(binary.LittleEndian.AppendUint64(b, uint64(len(p))), p...)
}

// DrawRoot draws a root seed that nobody can guess: 64 random bits from the operating system.
func DrawRoot() uint64 {
	var b [8]byte
	crand.Read(b[:]) // Read never fails
	return binary.LittleEndian.Uint64(b[:])
}
