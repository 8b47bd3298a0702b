package record

import (
	"iter"
	"slices"
	"sort"
)

// Responses are responses in little memory. Every field is a column of as many bits for each response as its values need, and
// of none if it is the same everywhere: a table of one binary measure takes some 4 bytes for each response, where a Response
// takes 56. The zero value has no responses. Responses do not change, so that copies may share them.
type Responses struct {
	n      int
	chunks []chunk // of inChunk responses each, but for the last
}

// inBlock is the number of responses that are unpacked at a time where all are wanted, one after another.
const inBlock = 1 << 10

// PackResponses returns the responses of a list, in its order.
func PackResponses(list []Response) Responses {
	p := &packer{}
	for part := range slices.Chunk(list, inChunk) {
		p.pack(part)
	}
	return p.packed
}

// Len returns the number of responses.
func (r *Responses) Len() int { return r.n }

// At returns response i.
func (r *Responses) At(i int) Response { return r.chunks[i/inChunk].at(i % inChunk) }

// All gives every response with its index, in their order.
func (r *Responses) All() iter.Seq2[int, Response] {
	return func(yield func(int, Response) bool) {
		for i := range r.n {
			if !yield(i, r.At(i)) {
				return
			}
		}
	}
}

// blocks gives all responses, some at a time. A block is valid until the next one.
func (r *Responses) blocks() iter.Seq[[]Response] {
	return func(yield func([]Response) bool) {
		buffer := make([]Response, min(inBlock, r.n))
		for from := 0; from < r.n; from += inBlock {
			block := buffer[:min(inBlock, r.n-from)]
			if r.fill(block, from); !yield(block) {
				return
			}
		}
	}
}

// fill sets list to the responses from index from on.
func (r *Responses) fill(list []Response, from int) {
	for k := range list {
		list[k] = r.At(from + k)
	}
}

// List returns all responses, 56 bytes each.
func (r *Responses) List() []Response { return r.slice(0, r.n) }

// slice returns the responses with indices from … to − 1, and nil if there are none.
func (r *Responses) slice(from, to int) []Response {
	if from == to {
		return nil
	}
	list := make([]Response, to-from)
	r.fill(list, from)
	return list
}

// Of returns the responses of a subject. The responses must be sorted.
func (r *Responses) Of(subject int) []Response {
	return r.slice(r.search(subject, 0), r.search(subject+1, 0))
}

// To gives the responses of a subject to an item, with their indices. The responses must be sorted.
func (r *Responses) To(subject, item int) iter.Seq2[int, Response] {
	return func(yield func(int, Response) bool) {
		for i := r.search(subject, item); i < r.n; i++ {
			x := r.At(i)
			if int(x.Subject) != subject || int(x.Item) != item || !yield(i, x) {
				return
			}
		}
	}
}

// search returns the index of the first response of a subject to an item or, if there is none, of the first response after it.
func (r *Responses) search(subject, item int) int {
	return sort.Search(r.n, func(i int) bool {
		c, k := &r.chunks[i/inChunk], i%inChunk
		if s := int(c.columns[subjectField].at(k)); s != subject {
			return s > subject
		}
		return int(c.columns[itemField].at(k)) >= item
	})
}

// ContainsFunc reports whether f is true of a response.
func (r *Responses) ContainsFunc(f func(Response) bool) bool {
	for _, x := range r.All() {
		if f(x) {
			return true
		}
	}
	return false
}

// renumber replaces every k in a column by to[k].
func (r *Responses) renumber(field int, to []int64) {
	for i := range r.chunks {
		c := &r.chunks[i].columns[field]
		list := make([]int64, min(inChunk, r.n-i*inChunk))
		for k := range list {
			list[k] = to[c.at(k)]
		}
		*c = packColumn(list)
	}
}
