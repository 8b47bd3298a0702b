package generate

import (
	"iter"
	"slices"
	"sync"

	"achilles/sim/record"
)

// A taken has the responses of subjects who took a whole battery: a byte for each response. The trials of a subject
// are listed once for all subjects that take the same. There is one measure, which is 0 or 1. Many goroutines may use it,
// each for responses of its own.
type taken struct {
	*sequencer
	trials    [][]slot // by subject
	first     []int    // by subject: index of its first response
	unordered []bool   // by subject: whether it did not take the trials in the order of its sequence

	outcome []uint8         // by response: failed, passed, or unscored plus the index in reasons
	chosen  []record.Chosen // by response: where the subject went, with indices in visits; nil: no trial has places to go to

	mu      sync.Mutex
	reasons []string
	visits  []string // lists of visited places behind an empty one; nil: there are none
	visitAt map[string]uint32
}

// The outcomes of a response.
const (
	failed uint8 = iota
	passed
	unscored // and all greater numbers
)

// index returns the index of response k of a subject. The repetitions of a trial follow each other.
func (t *taken) index(subject, k int) int { return t.first[subject] + k }

// count returns the number of responses of a subject.
func (t *taken) count(subject int) int { return len(t.trials[subject]) * t.repetitions }

// set sets the outcome of response k of a subject, and where the subject went. If reason is not empty, the response is not scored.
func (t *taken) set(subject, k int, pass bool, reason string, went Choice) {
	i := t.index(subject, k)
	out := &t.outcome[i]
	if reason != "" {
		went = Choice{}
	}
	t.choose(i, went)
	switch {
	case reason != "":
		*out = t.reason(reason)
	case pass:
		*out = passed
	default:
		*out = failed
	}
}

// reason returns the outcome for a reason. It panics if there are more than 254 reasons; programs give fewer than ten.
func (t *taken) reason(reason string) uint8 {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := slices.Index(t.reasons, reason)
	if k < 0 {
		k = len(t.reasons)
		t.reasons = append(t.reasons, reason)
	}
	if k+int(unscored) > 255 {
		panic("generate: more reasons than an outcome can name")
	}
	return unscored + uint8(k)
}

// given returns the reasons of the responses that are not scored.
func (t *taken) given() []string {
	var used [256]bool
	for _, out := range t.outcome {
		used[out] = true
	}
	var list []string
	for k, reason := range t.reasons {
		if used[int(unscored)+k] {
			list = append(list, reason)
		}
	}
	return list
}

// An outcome is what is published of it: the value, or the index of the reason why there is none.
type outcome struct {
	value    float64
	unscored uint8
}

// outcomes returns what is published of each outcome.
func (t *taken) outcomes(reasons []string) (out [256]outcome) {
	out[passed].value = 1
	for k, reason := range t.reasons {
		out[int(unscored)+k].unscored = uint8(slices.Index(reasons, reason))
	}
	return out
}

// placesOf returns the positions of all responses of a subject, as in Response.
func (t *taken) placesOf(subject int) []int32 {
	if t.unordered[subject] {
		return make([]int32, t.count(subject))
	}
	return t.places(subject, t.trials[subject])
}

// at returns response k of a subject, but for its position.
func (t *taken) at(subject, k int) Response {
	at, i := t.trials[subject][k/t.repetitions], t.index(subject, k)
	r := Response{Subject: subject, Item: at.item, Trial: at.trial, Repetition: k % t.repetitions, Chosen: t.choice(i)}
	switch out := t.outcome[i]; {
	case out == passed:
		r.Value = 1
	case out >= unscored:
		t.mu.Lock()
		r.Unscored = t.reasons[out-unscored]
		t.mu.Unlock()
	}
	return r
}

// All gives all responses of a session: those in s.Responses, then those that Run has recorded, by subject, item, trial
// and repetition.
func (s *Session) All() iter.Seq[Response] {
	return func(yield func(Response) bool) {
		for _, r := range s.Responses {
			if !yield(r) {
				return
			}
		}
		for subject := range s.Subjects {
			for r := range s.of(subject, nil) {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// of gives the responses of a subject: those of a list, then those that Run has recorded.
func (s *Session) of(subject int, list []Response) iter.Seq[Response] {
	return func(yield func(Response) bool) {
		for _, r := range list {
			if !yield(r) {
				return
			}
		}
		if s.taken == nil {
			return
		}
		for k, place := range s.taken.placesOf(subject) {
			r := s.taken.at(subject, k)
			if r.Position = int(place); !yield(r) {
				return
			}
		}
	}
}

// responses returns the number of responses.
func (s *Session) responses() int {
	n := len(s.Responses)
	if s.taken != nil {
		n += len(s.taken.outcome)
	}
	return n
}

// choose notes a choice for response i.
func (t *taken) choose(i int, c Choice) {
	if t.chosen == nil {
		return
	}
	x := record.Chosen{Went: c.Went, Place: uint8(c.Place), Latency: int32(c.Latency)}
	if c.Visited != "" {
		x.Visited = t.visit(c.Visited)
	}
	t.chosen[i] = x
}

// visit returns the index in t.visits of a list of visited places, from 1.
func (t *taken) visit(list string) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	k, ok := t.visitAt[list]
	if !ok {
		if t.visitAt == nil {
			t.visitAt, t.visits = map[string]uint32{}, []string{""}
		}
		k = uint32(len(t.visits))
		t.visitAt[list], t.visits = k, append(t.visits, list)
	}
	return k
}

// choice returns the choice of response i.
func (t *taken) choice(i int) (c Choice) {
	if t.chosen == nil {
		return c
	}
	x := t.chosen[i]
	c = Choice{Went: x.Went, Place: int(x.Place), Latency: int(x.Latency)}
	if x.Visited > 0 {
		t.mu.Lock()
		c.Visited = t.visits[x.Visited]
		t.mu.Unlock()
	}
	return c
}

// visitRows returns the index in visits, which are sorted, of each list of t.visits.
func (t *taken) visitRows(visits []string) (rows []uint32) {
	for _, list := range t.visits {
		k, _ := slices.BinarySearch(visits, list)
		rows = append(rows, uint32(k))
	}
	return rows
}

// visits returns the lists of visited places, sorted behind an empty one, as record.Dataset has them.
func (s *Session) visits() []string {
	list := []string{""}
	for _, r := range s.Responses {
		if r.Chosen.Visited != "" {
			list = append(list, r.Chosen.Visited)
		}
	}
	if s.taken != nil {
		list = append(list, s.taken.visits...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// chooses says whether choices are recorded.
func (s *Session) chooses() bool {
	return s.taken != nil && s.taken.chosen != nil || slices.ContainsFunc(s.Responses, func(r Response) bool { return r.Chosen.Went != record.Unrecorded })
}
