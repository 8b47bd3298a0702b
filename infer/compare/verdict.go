// Package compare compares rival measurement layouts on the responses of one subject and gives a verdict: which rival
// explains the responses, and what follows for the subject's family, object permanence, weaknesses and profile.
//
// A bank is a TOML file that names its rivals. A rival is a layout file whose section [verdict] says what its parameters
// mean for the subject. Every rival of a bank is fitted to the subject and weighed by its marginal likelihood and by
// leave-one-out prediction. docs/theory/verdicts.md explains every number.
package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"achilles/infer/misfit"
)

// The format of verdicts.json. Decode refuses any other.
const (
	format  = "achilles-verdicts"
	version = 1
)

// VerdictsFile is the name of the verdicts in an inferred directory.
const VerdictsFile = "verdicts.json"

// The families of subjects.
const (
	Capable         = "capable"
	Nonspecific     = "nonspecific"
	AchillesHeel    = "achilles-heel"
	ContextSpecific = "context-specific"
	Fraudster       = "fraudster"
	CannotTell      = "cannot-tell"
)

// families are those that a rival may name.
var families = []string{Capable, Nonspecific, AchillesHeel, ContextSpecific, Fraudster}

// Families lists them in the order of tables.
func Families() []string { return append(slices.Clone(families), CannotTell) }

// Verdicts are all verdicts of a run, sorted by subject.
type Verdicts struct {
	Format   string       `json:"format"`
	Version  int          `json:"version"`
	Bank     string       `json:"bank"`
	Rivals   []RivalPrior `json:"rivals"` // in the order of the bank
	Subjects []Verdict    `json:"subjects"`
}

// A RivalPrior is a rival of the bank before any response.
type RivalPrior struct {
	Name    string  `json:"name"`
	Doc     string  `json:"doc,omitempty"`
	SHA256  string  `json:"sha256"`             // of its text
	Prior   float64 `json:"prior"`              // probability before the responses; 0 where it was left out
	LeftOut string  `json:"left_out,omitempty"` // why it is not compared, for instance because the items lack a column
}

// A Verdict is what the responses say about one subject.
type Verdict struct {
	Subject    string  `json:"subject"`               // opaque id
	Family     string  `json:"family"`                // the most probable one, or cannot-tell
	Leading    string  `json:"leading"`               // the most probable family, also where its probability is below the bank's tell
	Weight     float64 `json:"weight"`                // posterior probability of Leading, given that a rival of the bank is right
	HasOP      float64 `json:"has_op"`                // probability that it has object permanence
	CannotTell string  `json:"cannot_tell,omitempty"` // why Family is cannot-tell
	Words      string  `json:"words"`                 // the verdict in a sentence or two

	Families   []FamilyWeight      `json:"families"`             // every family of the bank, most probable first
	Rivals     []Comparison        `json:"rivals"`               // every rival that was compared, most probable first
	Weaknesses []Weakness          `json:"weaknesses,omitempty"` // most probable first
	Noise      CredibleInterval    `json:"noise"`
	Profile    []ParameterEstimate `json:"profile,omitempty"`   // the parameters of the reporting layout, over all rivals by weight
	Ties       []ItemInformation   `json:"ties,omitempty"`      // items whose next response tells most about which rival is right
	Misfit     []misfit.Finding    `json:"misfit,omitempty"`    // checks that the mixture of the rivals failed
	Checks     int                 `json:"checks"`              // how many were made
	Behaviour  []BehaviourEvidence `json:"behaviour,omitempty"` // what its trajectories say, the most probable first; absent without trajectories
}

// A FamilyWeight is the posterior probability of a family.
type FamilyWeight struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
}

// A Comparison is the result of one rival. Leave-one-out numbers are absent where the rival was dropped (Config.Drop).
type Comparison struct {
	Name        string   `json:"name"`
	Weight      float64  `json:"weight"` // posterior probability
	LogEvidence float64  `json:"log_evidence"`
	Error       float64  `json:"log_evidence_error"`
	ELPD        *float64 `json:"elpd,omitempty"`     // leave-one-out log predictive density, by PSIS
	ELPDError   *float64 `json:"elpd_se,omitempty"`  // standard error of its difference from the best; 0 for the best
	WorstK      *float64 `json:"worst_k,omitempty"`  // largest Pareto shape
	BadK        int      `json:"bad_k,omitempty"`    // responses whose shape is above the limit
	Stacking    *float64 `json:"stacking,omitempty"` // weight that predicts best
}

// A Weakness is something that costs the subject successes.
type Weakness struct {
	Name        string   `json:"name"` // lava, ramp, memory, right-bias, "cup and grid", …: the words of the truths that it is graded against
	Probability float64  `json:"probability"`
	Statement   string   `json:"statement"`       // what is estimated of it, in words
	Rival       string   `json:"rival"`           // whose statement that is
	Items       []string `json:"items,omitempty"` // public ids of the items whose responses speak for it most, the first most
}

// An CredibleInterval is a posterior mean with its central 90 %.
type CredibleInterval struct {
	Mean float64 `json:"mean"`
	Q5   float64 `json:"q5"`
	Q95  float64 `json:"q95"`
}

// A ParameterEstimate is a parameter of the reporting layout over all rivals.
type ParameterEstimate struct {
	Name string  `json:"name"`
	SD   float64 `json:"sd"`
	CredibleInterval
}

// An ItemInformation is the expected information about which rival is right, in bits, from one response to it.
type ItemInformation struct {
	Item        string   `json:"item"`
	Information float64  `json:"information"`
	Between     []string `json:"between"` // the two rivals that it tells apart best
}

// Encode writes verdicts.json.
func (v *Verdicts) Encode() ([]byte, error) {
	v.Format, v.Version = format, version
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}

// Decode reads verdicts.json.
func Decode(b []byte) (*Verdicts, error) {
	v := &Verdicts{}
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(v); err != nil {
		return nil, fmt.Errorf("%s: %w", VerdictsFile, err)
	}
	if v.Format != format || v.Version != version {
		return nil, fmt.Errorf("%s: format %q version %d; this program reads %q version %d", VerdictsFile, v.Format, v.Version, format, version)
	}
	return v, nil
}
