package generate

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"achilles/agents"
	"achilles/scenarios/seal"
)

// played is the journal's record of an episode or an answer.
type played struct {
	Moves    string `json:"moves"`
	Unscored string `json:"unscored,omitempty"`
	Cause    string `json:"cause,omitempty"`
	Answer   string `json:"answer,omitempty"` // the answer to a question; empty for an episode
	Free     bool   `json:"not_confined,omitempty"`

	Calls *agents.Calls `json:"calls,omitempty"` // what a language model was asked
}

// A notebook keeps the journal of a run.
type notebook struct {
	journal  Journal // nil: nothing is stored
	key      *seal.Key
	scenario string // its text
}

// recall returns the journal's record of an episode or answer, or nil if it has none.
func (b *notebook) recall(name string) (*played, error) {
	if b.journal == nil {
		return nil, nil
	}
	data, err := b.journal.Get(name)
	if err != nil || data == nil {
		return nil, err
	}
	p := new(played)
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return p, nil
}

// remember stores an episode or answer in the journal, unless it can be offered again.
func (b *notebook) remember(name string, p *played, again bool) error {
	if again || b.journal == nil {
		return nil
	}
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return b.journal.Put(name, data)
}

// name returns the name of an episode or answer in the journal. It also depends on the scenario's text, the root seed,
// and the items that were chosen before.
func (b *notebook) name(path []string, t turn) string {
	parts := slices.Concat([]string{b.scenario}, path, t.before)
	sum := b.key.Sum("journal", parts...)
	return hex.EncodeToString(sum[:16]) + ".json"
}
