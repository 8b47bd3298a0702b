package battery

import (
	"strings"

	"achilles/gridworld"
)

// A Packer packs what items consist of. Most of them are short texts, which share pieces of memory: that costs less than a piece for
// each, where items are used and forgotten soon. The zero Packer is ready for use, by one goroutine at a time.
type Packer struct {
	values []byte
	world  []byte
	texts  strings.Builder
}

// packedTogether is the number of bytes of texts that share a piece of memory.
const packedTogether = 1 << 13

// Number adds a number to the values, which are packed in the order of the features.
func (p *Packer) Number(x float64) { p.values = appendNumber(p.values, x) }

// Text adds a text to the values.
func (p *Packer) Text(text string) { p.values = Value{Text: text}.pack(p.values) }

// Values returns the values, and begins anew.
func (p *Packer) Values() Values {
	v := Values{p.String(p.values)}
	p.values = p.values[:0]
	return v
}

// World does what PackWorld does.
func (p *Packer) World(w *gridworld.World) World {
	p.world, _ = w.AppendBinary(p.world[:0]) // it never fails
	return World{packed: p.String(p.world)}
}

// String returns a text as a string.
func (p *Packer) String(text []byte) string {
	if p.texts.Cap()-p.texts.Len() < len(text) {
		p.texts.Reset() // whoever has texts of the old piece keeps it
		p.texts.Grow(max(packedTogether, len(text)))
	}
	from := p.texts.Len()
	p.texts.Write(text)
	return p.texts.String()[from:]
}
