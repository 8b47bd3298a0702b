package battery

import (
	"encoding/binary"
	"encoding/json"
	"iter"

	"achilles/gridworld"
	"achilles/sim/record"
	"achilles/sim/store"
)

// Items are a list of items, packed: an item of a generated world takes about 100 bytes, and its world waits in a temporary file if
// there are many (see store.Spool). The zero Items has none. Copies share what Append adds; many goroutines may read them.
type Items struct {
	all  *packedItems // nil: none
	pick []int32      // indices in all of the items; nil: all of them
}

// worldsInMemory is the number of bytes of worlds that stay in memory.
const worldsInMemory = 16 << 20

// blockOfItems is the number of items whose packed forms are one string.
const blockOfItems = 128

// packedItems are the packed forms of items.
type packedItems struct {
	blocks []string
	last   []byte   // the items after the blocks
	at     []uint32 // by item: where in its block it begins
	labels []string // the different labels of items: suite, paradigm, task, brief and answer
	number map[string]uint64
	recent [5]uint64 // of each sort of label: the number of the last one, which most often is the next one too
	worlds *store.Spool
	world  []byte // memory for the binary form of one
}

// Len returns the number of items.
func (s *Items) Len() int {
	switch {
	case s.pick != nil:
		return len(s.pick)
	case s.all != nil:
		return len(s.all.at)
	}
	return 0
}

// Err returns why many worlds are in memory and not in a file, and nil if they are not.
func (s *Items) Err() error {
	if s.all == nil {
		return nil
	}
	return s.all.worlds.Err()
}

// Append adds a copy of an item. It panics if s is a choice of items.
func (s *Items) Append(it *Item) {
	if s.pick != nil {
		panic("battery: Items.Append: the items are a choice of others")
	}
	if s.all == nil {
		s.all = &packedItems{number: map[string]uint64{}, worlds: store.NewSpool(worldsInMemory)}
	}
	s.all.append(it)
}

// At returns item i.
func (s *Items) At(i int) (it Item) {
	s.Read(i, &it)
	return it
}

// Read makes it item i, reusing the memory of its trials.
func (s *Items) Read(i int, it *Item) { s.reader(i).item(it) }

// Name returns the name of item i, which costs less than the whole item.
func (s *Items) Name(i int) string {
	r := s.reader(i)
	return r.text()
}

// Values returns the values of item i, which cost less than the whole item.
func (s *Items) Values(i int) Values {
	r := s.reader(i)
	_ = r.text()
	return Values{r.text()}
}

// All gives the items with their indices.
func (s *Items) All() iter.Seq2[int, Item] {
	return func(yield func(int, Item) bool) {
		for i := range s.Len() {
			if !yield(i, s.At(i)) {
				return
			}
		}
	}
}

// Same reports whether two lists share all items, so that they are equal without a look at any.
func (s *Items) Same(other *Items) bool {
	return s.all == other.all && s.Len() == other.Len() && (s.pick == nil) == (other.pick == nil) && (len(s.pick) == 0 || &s.pick[0] == &other.pick[0])
}

// choose returns the items with these indices. They share the packed forms.
func (s *Items) choose(at []int32) Items {
	for k := range at {
		if s.pick != nil {
			at[k] = s.pick[at[k]]
		}
	}
	return Items{all: s.all, pick: at}
}

// MarshalJSON returns the items as a list.
func (s Items) MarshalJSON() ([]byte, error) {
	list := []Item{}
	for _, it := range s.All() {
		list = append(list, it)
	}
	return json.Marshal(list)
}

// append adds the packed form of an item: its name, its values, the numbers of its labels, and its trials.
func (p *packedItems) append(it *Item) {
	if n := len(p.at); n > 0 && n%blockOfItems == 0 {
		p.blocks, p.last = append(p.blocks, string(p.last)), p.last[:0]
	}
	p.at = append(p.at, uint32(len(p.last)))
	b := appendText(appendText(p.last, it.Name), it.Values.packed)
	for sort, label := range [...]string{it.Suite, it.Paradigm, it.Task, it.Brief, it.Answer} {
		recent := &p.recent[sort]
		if *recent >= uint64(len(p.labels)) || p.labels[*recent] != label {
			*recent = p.label(label)
		}
		b = binary.AppendUvarint(b, *recent)
	}
	b = appendLength(b, len(it.Trials), it.Trials == nil)
	for i := range it.Trials {
		b = p.appendTrial(b, &it.Trials[i])
	}
	p.last = b
}

// label returns the number of a label.
func (p *packedItems) label(label string) uint64 {
	n, ok := p.number[label]
	if !ok {
		n = uint64(len(p.labels))
		p.labels, p.number[label] = append(p.labels, label), n
	}
	return n
}

// appendLength appends the length of a slice, and whether the slice is nil.
func appendLength(b []byte, n int, none bool) []byte {
	if none {
		return append(b, 0)
	}
	return binary.AppendUvarint(b, uint64(n)+1)
}

func (p *packedItems) appendTrial(b []byte, t *Trial) []byte {
	b = append(b, byte(t.Phase), byte(t.Outcome))
	b = binary.AppendVarint(b, int64(t.Pair))
	b = appendLength(b, len(t.Places), t.Places == nil)
	for _, q := range t.Places {
		b = binary.AppendVarint(binary.AppendVarint(b, int64(q.X)), int64(q.Y))
	}
	if t.World.Empty() {
		return append(b, 0)
	}
	p.world = append(p.world[:0], t.World.packed...)
	if t.World.spool != nil {
		packed, err := t.World.bytes()
		if err != nil {
			packed = []byte(err.Error()) // Check and Trial.Read refuse it
		}
		p.world = append(p.world, packed...)
	}
	from, n := p.worlds.Put(p.world).Place()
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(n)), uint64(from))
}

// An itemReader reads the packed form of an item.
type itemReader struct {
	*packedItems
	rest string
}

func (s *Items) reader(i int) itemReader {
	if s.pick != nil {
		i = int(s.pick[i])
	}
	p := s.all
	if k := i / blockOfItems; k < len(p.blocks) {
		return itemReader{p, p.blocks[k][p.at[i]:]}
	}
	end := len(p.last)
	if i+1 < len(p.at) {
		end = int(p.at[i+1])
	}
	return itemReader{p, string(p.last[p.at[i]:end])}
}

func (r *itemReader) text() (text string) {
	text, r.rest = unpackText(r.rest)
	return text
}

func (r *itemReader) number() (n uint64) {
	n, r.rest = unpackUnsigned(r.rest)
	return n
}

func (r *itemReader) signed() int {
	n := r.number() // as binary.AppendVarint has appended it: twice a number, or −1 minus twice a negative one
	return int(n>>1) ^ -int(n&1)
}

func (r *itemReader) byte() (b byte) {
	b, r.rest = r.rest[0], r.rest[1:]
	return b
}

func (r itemReader) item(it *Item) {
	it.Name = r.text()
	it.Values = Values{r.text()}
	for _, label := range []*string{&it.Suite, &it.Paradigm, &it.Task, &it.Brief, &it.Answer} {
		*label = r.labels[r.number()]
	}
	it.Trials = sized(it.Trials, r.number())
	for i := range it.Trials {
		r.trial(&it.Trials[i])
	}
}

// sized returns a slice of the length that appendLength has appended as n, in the memory of s if there is enough. Its elements are any.
func sized[T any](s []T, n uint64) []T {
	switch {
	case n == 0:
		return nil
	case s == nil || uint64(cap(s)) < n-1:
		return make([]T, n-1)
	}
	return s[:n-1]
}

func (r *itemReader) trial(t *Trial) {
	t.Phase, t.Outcome = record.Phase(r.byte()), Outcome(r.byte())
	t.Pair = r.signed()
	t.Places = sized(t.Places, r.number())
	for i := range t.Places {
		t.Places[i] = gridworld.Pos{X: r.signed(), Y: r.signed()}
	}
	t.World = World{}
	if n := r.number(); n > 0 {
		t.World.spool, t.World.at = r.worlds, store.SpanAt(int64(r.number()), int(n))
	}
}
