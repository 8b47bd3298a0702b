package generate

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"achilles/scenarios/seal"
)

// opaque returns an id for every name: the prefix and eight hex digits of a keyed hash of kind and name. Hence an id
// does not depend on the other names. There is one exception: if two ids are equal, the later name is hashed again.
func opaque(key *seal.Key, kind, prefix string, names []string) []string {
	ids := make([]string, len(names))
	taken := make(map[string]bool, len(names))
	count := make(map[string]int, len(names))
	for i, name := range names {
		count[name]++ // numbers equal names, so that their ids differ
		for attempt := 0; ids[i] == "" || taken[ids[i]]; attempt++ {
			sum := key.Sum("id", kind, name, strconv.Itoa(count[name]), strconv.Itoa(attempt))
			ids[i] = prefix + hex.EncodeToString(sum[:4])
		}
		taken[ids[i]] = true
	}
	return ids
}

// An identity has the public ids and the public order of the subjects and items of a session.
type identity struct {
	subject, item       []string // opaque id, by index in the session
	subjectRow, itemRow []int32  // place in the order of the sorted ids, by index in the session
	subjectAt, itemAt   []int    // index in the session, by place in the order of the sorted ids
	trial               [][]int  // item → trial in the session → public number of the trial; an inner slice is nil if nothing was swapped
	key                 *seal.Key
}

func (s *Session) identify() (*identity, error) {
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
	id := &identity{subject: opaque(key, "subject", "s-", subjects), item: opaque(key, "item", "i-", items), key: key}
	id.subjectAt, id.subjectRow = order(id.subject)
	id.itemAt, id.itemRow = order(id.item)
	id.swapPairs(s)
	return id, nil
}

// order sorts ids. at[row] is the index of the id at place `row` of the sorted order. row is the inverse of at.
func order(ids []string) (at []int, row []int32) {
	at, row = make([]int, len(ids)), make([]int32, len(ids))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(a, b int) int {
		if ids[a] < ids[b] {
			return -1
		}
		return 1
	})
	for r, i := range at {
		row[i] = int32(r)
	}
	return at, row
}

// swapPairs swaps the two outcomes of a pair with probability ½, so that their order does not reveal the expected one.
// The coin for this is a random bit that is computed from the key.
func (id *identity) swapPairs(s *Session) {
	id.trial = make([][]int, s.Battery.Items.Len())
	for i, it := range s.Battery.Items.All() {
		first := map[int]int{}
		for t, trial := range it.Trials {
			if trial.Pair == 0 {
				continue
			}
			f, ok := first[trial.Pair]
			if !ok {
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
func (id *identity) publicTrial(item, trial int) int {
	if p := id.trial[item]; p != nil {
		return p[trial]
	}
	return trial
}

// trialsAt returns the trials of an item with n trials in the session, in the order of their public numbers.
func (id *identity) trialsAt(item, n int) []int {
	at := make([]int, n)
	for t := range at {
		at[id.publicTrial(item, t)] = t
	}
	return at
}
