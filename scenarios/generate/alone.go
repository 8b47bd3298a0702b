package generate

import (
	"slices"

	"achilles/agents"
)

// Alone returns a session with only those subjects that are named, in their order in s, and what they did. All their
// responses are in its Responses. It panics if there is no such subject, or if bodies have not acted yet (Config.Late).
func (s *Session) Alone(names ...string) *Session {
	if s.acting != nil && s.acting.told != nil {
		panic("generate: alone: bodies have not acted yet")
	}
	var subjects []agents.Spec
	place := make([]int, len(s.Subjects)) // by subject: its index among subjects, or −1
	for i := range s.Subjects {
		place[i] = -1
		if slices.Contains(names, s.Subjects[i].Name) {
			place[i] = len(subjects)
			subjects = append(subjects, s.Subjects[i])
		}
	}
	if len(subjects) < len(names) {
		panic("generate: alone: no such subject")
	}
	alone := *s
	alone.Subjects, alone.Responses, alone.taken, alone.Episodes = subjects, nil, nil, nil
	for r := range s.All() {
		if k := place[r.Subject]; k >= 0 {
			r.Subject = k
			alone.Responses = append(alone.Responses, r)
		}
	}
	for _, e := range s.Episodes {
		if k := place[e.Subject]; k >= 0 {
			e.Subject = k
			alone.Episodes = append(alone.Episodes, e)
		}
	}
	alone.acting = s.acting.only(func(subject, _ int) (int, bool) { return place[subject], place[subject] >= 0 })
	return &alone
}
