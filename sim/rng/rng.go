// Package rng derives independent random streams from one root seed and a path of names.
//
// Streams have names instead of consecutive seeds, so that one more item or subject changes no other draw. A Rand is a
// value: a goroutine can keep one and set it to another stream without allocation. There is no default generator.
package rng

import (
	"math"
	"math/rand/v2"

	"achilles/sim/num"
)

// Rand is a stream of random numbers (PCG-DXSM). Copying it copies its state. The methods are this package's own,
// so that results do not depend on the internals of math/rand.
type Rand struct{ src rand.PCG }

// A Key identifies a stream: a hash of a root seed and a path of names.
type Key struct{ hi, lo uint64 }

// NewKey returns the key of the stream of root that is named by path, for instance NewKey(root, "agent", name, "item",
// id).
func NewKey(root uint64, path ...string) Key {
	hi, lo := key(root, path)
	return Key{hi, lo}
}

// Rand returns a generator at the start of the stream.
func (k Key) Rand() Rand {
	var r Rand
	r.src.Seed(k.hi, k.lo)
	return r
}

// Seed returns a seed for a generator of another kind.
func (k Key) Seed() uint64 { return k.hi }

// Stream returns the stream of root that is named by path.
func Stream(root uint64, path ...string) Rand { return NewKey(root, path...).Rand() }

// Derive returns a root seed for the part of a program named by path. Different paths give different seeds, except with
// negligible probability.
func Derive(root uint64, path ...string) uint64 { return NewKey(root, path...).Seed() }

// key hashes root and every name, with its length, into two numbers, by the mixing function of SplitMix64 (Steele, Lea
// and Flood 2014).
func key(root uint64, path []string) (hi, lo uint64) {
	hi, lo = mix(root+0x9e3779b97f4a7c15), mix(root^0xd1b54a32d192ed03)
	absorb := func(w uint64) {
		hi = mix(hi ^ w*0x9e3779b97f4a7c15)
		lo = mix(lo + w*0xd1b54a32d192ed03 + 0x8cb92ba72f3d8dd7)
	}
	for _, p := range path {
		absorb(uint64(len(p)))
		for len(p) > 0 {
			var w uint64
			n := min(8, len(p))
			for i := range n {
				w |= uint64(p[i]) << (8 * i)
			}
			absorb(w)
			p = p[n:]
		}
	}
	return hi, lo
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 { return r.src.Uint64() }

// Float64 returns a number in the open interval (0, 1), never an end point: it is safe to take its logarithm.
func (r *Rand) Float64() float64 { return (float64(r.Uint64()>>12) + 0.5) * 0x1p-52 }

// IntN returns an integer in [0, n). It panics when n is not positive.
func (r *Rand) IntN(n int) int {
	if n <= 0 {
		panic("rng: IntN needs a positive bound")
	}
	bound := uint64(n)
	if bound&(bound-1) == 0 { // a power of two divides 2^64: there is nothing to reject and no need to divide
		return int(r.Uint64() & (bound - 1))
	}
	for { // reject the first 2^64 mod n values, so that every remainder is equally likely
		if v := r.Uint64(); v >= bound || v >= -bound%bound { // 2^64 mod n is below n: most values need no second division
			return int(v % bound)
		}
	}
}

// Bernoulli returns true with probability p: never for p ≤ 0, always for p ≥ 1.
func (r *Rand) Bernoulli(p float64) bool {
	u := r.Float64()
	return u < p
}

// Norm returns a standard normal number (Marsaglia's polar method).
func (r *Rand) Norm() float64 {
	for {
		u, v := 2*r.Float64()-1, 2*r.Float64()-1
		s := float64(u*u) + float64(v*v)
		if s > 0 && s < 1 {
			return float64(u * math.Sqrt(-2*num.Log(s)/s))
		}
	}
}

// Exp returns an exponential number of mean 1.
func (r *Rand) Exp() float64 { return -num.Log(r.Float64()) }

// Perm returns a random permutation of 0 … n−1.
func (r *Rand) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	r.Shuffle(p)
	return p
}

// Shuffle puts the numbers of p in a random order.
func (r *Rand) Shuffle(p []int) {
	for i := len(p) - 1; i > 0; i-- {
		j := r.IntN(i + 1)
		p[i], p[j] = p[j], p[i]
	}
}
