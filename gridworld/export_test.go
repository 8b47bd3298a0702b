package gridworld

import "crypto/sha256"

// Cells returns the cells from which a goal can be reached, the goals included, as far as the field was computed.
func (f *Field) Cells() (b Board) {
	copy(b[:f.rows], f.seen[:f.rows])
	return b
}

// Digest returns the SHA-256 digest of the text form.
func (w *World) Digest() [sha256.Size]byte { return sha256.Sum256(w.append(nil)) }

// SetThing replaces thing i. It panics if the new thing is not valid in w.
func (w *World) SetThing(i int, t Thing) {
	if wrong := t.wrong(w); wrong != "" {
		panic("gridworld: " + wrong)
	}
	w.things[i] = t
}

// Further symmetries.
const (
	Identity  Symmetry = 0
	Clockwise Symmetry = 1 // a quarter turn
	HalfTurn  Symmetry = 2
)

// Symmetries is the number of symmetries: 0 … Symmetries−1 are their values.
const Symmetries = 8

// Then returns the symmetry that does s first and then t.
func (s Symmetry) Then(t Symmetry) Symmetry {
	turns := s & 3
	if t&Mirror != 0 {
		turns = -turns // a mirror image reverses the turns before it
	}
	return (s^t)&Mirror | (turns+t)&3
}

// Inverse returns the symmetry that undoes s.
func (s Symmetry) Inverse() Symmetry {
	if s&Mirror != 0 {
		return s // a mirror image is its own inverse
	}
	return -s & 3
}
