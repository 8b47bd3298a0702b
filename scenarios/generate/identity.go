package generate

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"achilles/agents"
	"achilles/battery"
	"achilles/scenarios/seal"
)

// opaque returns an id for every name: the prefix and eight hex digits of a keyed hash of kind and name. Hence an id
// does not depend on the other names. There is one exception: if two ids are equal, the later name is hashed again.
func opaque(key *seal.Key, kind, prefix string, names []string) []string {
	sums := key.Sums("id")
	hash := func(name string, number, attempt int) (h [4]byte) {
		sum := sums(kind, name, strconv.Itoa(number), strconv.Itoa(attempt))
		copy(h[:], sum[:])
		return h
	}
	var all []byte // all ids, which are equally long: some bytes less for each than texts of their own
	taken := make(map[[4]byte]struct{}, len(names))
	isTaken := func(h [4]byte) bool {
		_, ok := taken[h]
		return ok
	}
	var count map[string]int // numbers equal names, so that their ids differ; nil as long as all names differ
	for i, name := range names {
		number := 1
		h := hash(name, 1, 0)
		if count == nil && isTaken(h) && slices.Contains(names[:i], name) {
			count = map[string]int{}
			for _, earlier := range names[:i] {
				count[earlier]++
			}
		}
		if count != nil {
			count[name]++
			number = count[name]
			h = hash(name, number, 0)
		}
		for attempt := 1; isTaken(h); attempt++ {
			h = hash(name, number, attempt)
		}
		taken[h] = struct{}{}
		all = hex.AppendEncode(append(all, prefix...), h[:])
	}
	text, n := string(all), len(prefix)+8
	ids := make([]string, len(names))
	for i := range ids {
		ids[i] = text[i*n:][:n]
	}
	return ids
}

// An identity has the public ids and the public order of the subjects and items of a session.
type identity struct {
	subject, item       []string // opaque id, by index in the session
	subjectRow, itemRow []int32  // place in the order of the sorted ids, by index in the session
	subjectAt, itemAt   []int    // index in the session, by place in the order of the sorted ids
	numbering
	key *seal.Key

	root  uint64 // what it was made of: see of
	names []string
	items battery.Items
}

// of reports whether id is the identity of a session whose items have not changed in place.
func (id *identity) of(s *Session) bool {
	return id.root == s.Root && id.items.Same(&s.Battery.Items) &&
		slices.EqualFunc(id.names, s.Subjects, func(name string, x agents.Spec) bool { return name == x.Name })
}

// A numbering has the public numbers of trials.
type numbering struct {
	trial  map[int][]int   // item of which trials were swapped → trial in the session → public number of the trial
	blocks *battery.Blocks // nil: every item stands alone
}

// unit returns the first item of the block of an item; the item itself if it stands alone. The items of a block are taken one after the
// other, and are held out together.
func (n *numbering) unit(item int) int {
	if n.blocks == nil {
		return item
	}
	return int(n.blocks.First[item])
}

// identify returns the identity of a session. A run and the publication of what it made share one.
func (s *Session) identify() (*identity, error) {
	if s.known != nil && s.known.of(s) {
		return s.known, nil
	}
	subjects := make([]string, len(s.Subjects))
	seen := map[string]bool{}
	for i, x := range s.Subjects {
		if seen[x.Name] {
			return nil, fmt.Errorf("two subjects are called %q", x.Name)
		}
		seen[x.Name] = true
		subjects[i] = x.Name
	}
	items := make([]string, s.Battery.Items.Len())
	for i := range items {
		items[i] = s.Battery.Items.Name(i)
	}
	key := seal.NewKey(s.Root)
	id := &identity{
		subject: opaque(key, "subject", "s-", subjects), item: opaque(key, "item", "i-", items), key: key,
		root: s.Root, names: subjects, items: s.Battery.Items,
	}
	id.subjectAt, id.subjectRow = order(id.subject)
	id.itemAt, id.itemRow = order(id.item)
	id.swapPairs(s)
	id.blocks = s.Battery.Blocks()
	s.known = id
	return id, nil
}

// order sorts ids of opaque, all with the same prefix. at[row] is the index of the id at place `row` of the sorted order. row is the
// inverse of at.
func order(ids []string) (at []int, row []int32) {
	at, row = make([]int, len(ids)), make([]int32, len(ids))
	keys := make([]uint64, len(ids)) // the hash, and below it the index: sorting these takes a quarter of the time
	for i, id := range ids {
		hash, err := strconv.ParseUint(id[len(id)-8:], 16, 32)
		if err != nil {
			panic("generate: an id that opaque has not made")
		}
		keys[i] = hash<<32 | uint64(i)
	}
	slices.Sort(keys)
	for r, key := range keys {
		at[r], row[uint32(key)] = int(uint32(key)), int32(r)
	}
	return at, row
}

// swapPairs swaps the two outcomes of a pair with probability ½, so that their order does not reveal the expected one.
// The coin for this is a random bit that is computed from the key.
func (id *identity) swapPairs(s *Session) {
	id.trial = map[int][]int{}
	var it battery.Item
	for i := range s.Battery.Items.Len() {
		s.Battery.Items.Read(i, &it)
		var first map[int]int
		for t := range it.Trials {
			trial := &it.Trials[t]
			if trial.Pair == 0 {
				continue
			}
			f, ok := first[trial.Pair]
			if !ok {
				if first == nil {
					first = map[int]int{}
				}
				first[trial.Pair] = t
				continue
			}
			if id.swapped(i, trial.Pair) {
				id.swap(i, len(it.Trials), f, t)
			}
		}
	}
}

// swapped says whether the unexpected outcome of a pair comes first.
func (id *identity) swapped(item, pair int) bool {
	coin := id.key.Rand("outcome", id.item[item], strconv.Itoa(pair))
	return coin.Bernoulli(0.5)
}

func (id *identity) swap(item, trials, a, b int) {
	if id.trial[item] == nil {
		id.trial[item] = make([]int, trials)
		for t := range id.trial[item] {
			id.trial[item][t] = t
		}
	}
	p := id.trial[item]
	p[a], p[b] = p[b], p[a]
}

// publicTrial returns the public number of a trial.
func (n *numbering) publicTrial(item, trial int) int {
	if p := n.trial[item]; p != nil {
		return p[trial]
	}
	return trial
}

// trialsAt returns the trials of an item with so many trials in the session, in the order of their public numbers.
func (n *numbering) trialsAt(item, trials int) []int {
	at := make([]int, trials)
	for t := range at {
		at[n.publicTrial(item, t)] = t
	}
	return at
}

// ItemIDs returns the ids under which the items of a session are published, by the index of the item.
func (s *Session) ItemIDs() ([]string, error) {
	id, err := s.identify()
	if err != nil {
		return nil, err
	}
	return id.item, nil
}
