package battery

import (
	"errors"
	"fmt"

	"achilles/gridworld"
	"achilles/sim/store"
)

// A World is the world of a trial in its binary form, which takes a third of the text and is read in a fraction of the time. It prints,
// and is written as JSON, as its text. The zero World is none. The worlds of Items may wait in a temporary file.
type World struct {
	packed string
	spool  *store.Spool // has the binary form; nil: packed is it
	at     store.Span
}

// PackWorld packs a world. The result does not change with w.
func PackWorld(w *gridworld.World) World {
	var room [1024]byte
	b, _ := w.AppendBinary(room[:0]) // it never fails
	return World{packed: string(b)}
}

// Empty reports whether there is no world.
func (x World) Empty() bool { return x.packed == "" && x.spool == nil }

var errNoWorld = errors.New("there is none")

// Read makes w the world, reusing w's memory. It fails if there is none, or if it is in a temporary file that cannot be read.
func (x World) Read(w *gridworld.World) error {
	if x.Empty() {
		return errNoWorld
	}
	b, err := x.bytes()
	if err != nil {
		return err
	}
	return w.UnmarshalBinary(b)
}

// head returns the head of the world, with the errors of Read.
func (x World) head() (h gridworld.Head, err error) {
	if x.Empty() {
		return h, errNoWorld
	}
	b, err := x.bytes()
	if err == nil {
		err = h.UnmarshalBinary(b)
	}
	return h, err
}

// bytes returns the binary form.
func (x World) bytes() ([]byte, error) {
	if x.spool == nil {
		return []byte(x.packed), nil
	}
	b, err := x.spool.Get(x.at)
	if err != nil {
		return nil, fmt.Errorf("a world that waits in a temporary file: %w", err)
	}
	return b, nil
}

// String returns the text of the world, or the error of Read.
func (x World) String() string {
	text, err := x.MarshalText()
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// MarshalText returns the text of the world, which is empty if there is none.
func (x World) MarshalText() ([]byte, error) {
	if x.Empty() {
		return nil, nil
	}
	var w gridworld.World
	if err := x.Read(&w); err != nil {
		return nil, err
	}
	return w.AppendText(nil)
}

// UnmarshalText packs the world of a text, or none if the text is empty.
func (x *World) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*x = World{}
		return nil
	}
	w, err := gridworld.Parse(string(text))
	if err == nil {
		*x = PackWorld(w)
	}
	return err
}
