package score

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"achilles/agents"
	"achilles/sim/record"
)

// A key has the names and truths of the subjects with opaque ids, if the sealed part is open.
type key struct {
	names     map[string]string             // opaque id → name; empty without a sealed part
	truths    map[string]agents.Truth       // by opaque id
	drawn     map[string]map[string]float64 // seal.Truth.Parameters
	scale     map[string]float64
	published *Published // never nil
}

// openKey checks the sealed part against the public data and returns the key. Without a sealed part the key has
// published values only.
func openKey(in Input) (*key, error) {
	k := &key{names: map[string]string{}, truths: map[string]agents.Truth{}, published: cmp.Or(in.Published, &Published{})}
	if in.Sealed == nil {
		return k, nil
	}
	k.scale, k.drawn = in.Sealed.Scale, in.Sealed.Parameters
	if in.Sealed.Published != nil {
		var err error
		if k.published, err = ParsePublished(in.Sealed.Published); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(in.Sealed.Subjects)) {
		spec := in.Sealed.Subjects[id]
		if _, ok := slices.BinarySearch(in.Public.Subjects, id); !ok {
			return nil, fmt.Errorf("score: sealed truth: subject %s (%s) is not in the public data", id, spec.Name)
		}
		if spec.Name == "" || seen[spec.Name] {
			return nil, fmt.Errorf("score: sealed truth: subject %s: name %q is empty or used twice", id, spec.Name)
		}
		seen[spec.Name] = true
		if err := checkTruth(spec, k.scale); err != nil {
			return nil, err
		}
		spec.Truth.Family = agents.Family(spec.Truth.Family)
		k.names[id], k.truths[id] = spec.Name, spec.Truth
	}
	if n := len(in.Public.Subjects); len(k.names) != n {
		return nil, fmt.Errorf("score: sealed truth has %d subjects, the public data %d", len(k.names), n)
	}
	return k, nil
}

func checkTruth(spec agents.Spec, scale map[string]float64) error {
	for _, c := range slices.Sorted(maps.Keys(spec.Truth.Capability)) {
		if f := spec.Truth.Capability[c]; !(f >= 0 && f <= 1) {
			return fmt.Errorf("score: sealed truth: %s: capability %s: fraction %v is outside [0, 1]", spec.Name, c, f)
		}
		if m := scale[c]; !(m > 0) {
			return fmt.Errorf("score: sealed truth: %s: capability %s: no maximum is given for it", spec.Name, c)
		}
	}
	if slices.Contains(spec.Truth.Groups, overall) {
		return fmt.Errorf("score: sealed truth: %s: a group must not be called %s", spec.Name, overall)
	}
	return nil
}

// name returns the name of a subject, or its opaque id if the truth is sealed.
func (k *key) name(id string) string {
	if n, ok := k.names[id]; ok {
		return n
	}
	return id
}

// sortByName sorts rows by the name of the subject in natural order: agent 2 comes before agent 10. The sort is stable.
func sortByName[T any](rows []T, name func(T) string) {
	slices.SortStableFunc(rows, func(a, b T) int { return record.CompareNames(name(a), name(b)) })
}

// overall is the name of the block of all subjects.
const overall = "overall"
