// Package agents has the synthetic subjects: what they are, and how they respond.
package agents

// A Spec declares one synthetic subject: how it responds, and what is true of it. All of it is sealed: a public
// directory knows a subject by its opaque id and its responses only.
type Spec struct {
	Name  string `json:"name" toml:"name" sealed:"names say what an agent is"`
	Doc   string `json:"doc,omitempty" toml:"doc" sealed:"describes the agent"`
	Rule  []Rule `json:"rule,omitempty" toml:"rule" sealed:"how it responds"`
	Truth Truth  `json:"truth" toml:"truth" sealed:"what the inference must find out"`
}

// A Rule gives the probability of success on the items for which its condition holds. Both are expressions over the
// features of the item (package expr); the first rule of a Spec whose condition holds counts.
type Rule struct {
	If string `json:"if,omitempty" toml:"if"` // boolean; empty: always
	P  string `json:"p" toml:"p"`             // number in [0, 1]
}

// Truth is the ground truth of a subject, against which recovery is graded.
type Truth struct {
	Family   string   `json:"family,omitempty" toml:"family"`     // capable, nonspecific, achilles-heel, context-specific, fraudster or cannot-tell
	HasOP    string   `json:"has_op,omitempty" toml:"has_op"`     // yes, no, maybe or unknown
	Weakness string   `json:"weakness,omitempty" toml:"weakness"` // what it fails at, or none
	Reason   string   `json:"reason,omitempty" toml:"reason"`     // why this is its truth
	Groups   []string `json:"groups,omitempty" toml:"groups"`     // sets of subjects that tables are made of, for instance included

	// Capability maps a capability to the fraction of its maximum that the subject has, in [0, 1]. A capability that
	// the subject's rules do not define is absent and is not scored.
	Capability map[string]float64 `json:"capability,omitempty" toml:"capability"`
}
