package generate

import (
	"fmt"

	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// Opaque returns opaque ids without a session.
func Opaque(root uint64, kind, prefix string, names []string) []string {
	return opaque(seal.NewKey(root), kind, prefix, names)
}

// Numbered returns the ids that a careless publisher would give: subjects numbered in the order of the scenario.
func Numbered(s *Session) []string {
	ids := make([]string, len(s.Subjects))
	for i := range ids {
		ids[i] = fmt.Sprintf("s-%08x", i)
	}
	return ids
}

// PublishNumbered publishes a session with the ids of Numbered.
func PublishNumbered(s *Session) (map[string][]byte, error) {
	id, err := s.identify()
	if err != nil {
		return nil, err
	}
	id.subject = Numbered(s)
	id.subjectAt, id.subjectRow = order(id.subject)
	d, err := redact(s, id)
	if err != nil {
		return nil, err
	}
	return record.Encode(d)
}
