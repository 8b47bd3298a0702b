package generate

import (
	"slices"

	"achilles/agents"
)

// Alone returns a session with one subject, given by its name, and only what that subject did. It panics if there is no
// such subject.
func (s *Session) Alone(subject string) *Session {
	alone := *s
	k := slices.IndexFunc(s.Subjects, func(a agents.Spec) bool { return a.Name == subject })
	if k < 0 {
		panic("generate: alone: no such subject")
	}
	alone.Subjects = s.Subjects[k : k+1 : k+1]
	alone.Responses, alone.Episodes = nil, nil
	for _, r := range s.Responses {
		if r.Subject == k {
			r.Subject = 0
			alone.Responses = append(alone.Responses, r)
		}
	}
	for _, e := range s.Episodes {
		if e.Subject == k {
			e.Subject = 0
			alone.Episodes = append(alone.Episodes, e)
		}
	}
	alone.packed = s.packed.only(func(subject, _ int) (int, bool) { return 0, subject == k })
	return &alone
}
