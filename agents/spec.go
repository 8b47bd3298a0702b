// Package agents has the synthetic subjects: how they are declared, and how they respond.
//
// Subjects with bodies or a command act: they are agents in the sense of sim.Agent, in packages embodied and external.
// Those with rules are response models: they give an item a probability of success and act in no environment.
package agents

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"achilles/agents/series"
	"achilles/sim/expr"
)

// A Spec declares one subject: how it responds, and its true properties. It has either rules, bodies, a command, a
// language model, a solver or members. All of it is sealed: a public directory identifies a subject by an opaque id, and has only its
// responses.
type Spec struct {
	Name       string             `json:"name" sealed:"names say what an agent is"`
	Doc        string             `json:"doc,omitempty" sealed:"describes the agent"`
	Rule       []Rule             `json:"rule,omitempty" sealed:"how it responds"`
	Body       []Body             `json:"body,omitempty" sealed:"how it acts; the first whose condition holds takes the item"`
	Command    []string           `json:"command,omitempty" sealed:"the program that acts for it, with its arguments"`
	Timeout    float64            `json:"timeout,omitempty" sealed:"seconds that the program may take over an answer"`
	Pixels     int                `json:"first_person,omitempty" sealed:"pixels on a side of the pictures that the program gets; 0: none"`
	Model      *LanguageModel     `json:"language_model,omitempty" sealed:"the language model that acts for it"`
	Solver     *series.Solver     `json:"solver,omitempty" sealed:"how it answers questions"`
	Collective *Collective        `json:"collective,omitempty" sealed:"who it is made of, and how they decide"`
	Copies     string             `json:"copies,omitempty" sealed:"whose responses it gives"` // name of another subject; empty: nobody's
	Parameter  map[string]float64 `json:"parameter,omitempty" sealed:"what its rules mention besides features"`
	Word       map[string]string  `json:"word,omitempty" sealed:"parameters that are texts"`
	Truth      Truth              `json:"truth" sealed:"what the inference must find out"`
}

// A Rule gives the probability of success on the items that satisfy its condition. Both are expressions over the
// features of the item and the parameters of the Spec (package expr). The first rule whose condition holds counts.
type Rule struct {
	If string `json:"if,omitempty"` // condition; empty: always
	P  string `json:"p"`            // probability of success, in [0, 1]
}

// Truth is the ground truth of a subject, against which recovery is graded.
type Truth struct {
	Family   string   `json:"family,omitempty"`   // one of Families; empty: not graded
	HasOP    string   `json:"has_op,omitempty"`   // whether it has object permanence, one of HasOPWords; empty: not graded
	Weakness string   `json:"weakness,omitempty"` // what the subject fails at, or the word none
	Reason   string   `json:"reason,omitempty"`   // why this is the truth
	Groups   []string `json:"groups,omitempty"`   // sets of subjects for tables, such as included

	// Capability maps a capability to the subject's level as a fraction of its maximum, in [0, 1]. An absent capability
	// is not scored.
	Capability map[string]float64 `json:"capability,omitempty"`
}

// Stream returns the name by which the subject draws its order and its responses: its own, or that of the subject that it copies.
func (s *Spec) Stream() string { return cmp.Or(s.Copies, s.Name) }

// Families returns the kinds of subject that a truth or a verdict can name.
func Families() []string {
	return []string{"capable", "nonspecific", "achilles-heel", "context-specific", "learns", "tires", "fraudster", "unclassified"}
}

// Family returns a family by the name of today: unclassified was called cannot-tell.
func Family(name string) string {
	if name == "cannot-tell" {
		return "unclassified"
	}
	return name
}

// HasOPWords returns the words for whether a subject has object permanence. maybe means that it has it in some contexts;
// unknown means that it cannot be told.
func HasOPWords() []string { return []string{"yes", "no", "maybe", "unknown"} }

// Check reports a family or has-OP word that is not in its list, and a capability that is not in [0, 1] or has no
// maximum in scale. The error is a *TruthError.
func (t *Truth) Check(scale map[string]float64) error {
	if err := oneOf("family", t.Family, Families()); err != nil {
		return err
	}
	if err := oneOf("has_op", t.HasOP, HasOPWords()); err != nil {
		return err
	}
	known := sorted(scale)
	for _, name := range sorted(t.Capability) {
		if _, ok := scale[name]; !ok {
			return &TruthError{"capability." + name, fmt.Sprintf("no maximum in scale%s", expr.DidYouMean(name, known))}
		}
		if x := t.Capability[name]; !(x >= 0 && x <= 1) {
			return &TruthError{"capability." + name, fmt.Sprintf("%v is not a fraction of the maximum, 0 to 1", x)}
		}
	}
	return nil
}

// A TruthError is a fault in one key of a Truth.
type TruthError struct {
	Key string // as in a scenario: family, has_op, capability.NAME
	Msg string
}

// Error returns the key and the message.
func (e *TruthError) Error() string { return e.Key + ": " + e.Msg }

func oneOf(key, word string, list []string) error {
	if word == "" || slices.Contains(list, word) {
		return nil
	}
	return &TruthError{key, fmt.Sprintf("%q is not one of %s%s", word, strings.Join(list, ", "), expr.DidYouMean(word, list))}
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
