// Package compare compares rival measurement layouts on the responses of one subject and gives a verdict: which rival
// explains the responses, and what follows for the subject's family, object permanence, weaknesses and profile.
//
// A bank is a TOML file that names its rivals. A rival is a layout file whose section [classification] says what its parameters
// mean for the subject. Every rival of a bank is fitted to the subject and weighed by its marginal likelihood and by
// leave-one-out prediction.
//
// A rival may be a component: its success probability is a parameter called strong times a share that depends on the item, and
// it names what it is about, such as lava. An explanation is a rival alone, or several components about different things; its
// success probability is then strong times all their shares. docs/theory/classification.md explains every number.
package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"achilles/infer/misfit"
)

// The format of classifications.json. Decode refuses any other.
const (
	format  = "achilles-classifications"
	version = 3
)

// VerdictsFile is the name of the verdicts in an inferred directory; FormerFile is that of version 2.
const (
	VerdictsFile = "classifications.json"
	FormerFile   = "verdicts.json"
)

// The families of subjects.
const (
	Capable         = "capable"
	Nonspecific     = "nonspecific"
	AchillesHeel    = "achilles-heel"
	ContextSpecific = "context-specific"
	Learns          = "learns"
	Tires           = "tires"
	Fraudster       = "fraudster"
	Unclassified    = "unclassified"
)

// families are the families that a rival may name.
var families = []string{Capable, Nonspecific, AchillesHeel, ContextSpecific, Learns, Tires, Fraudster}

// Families returns all families in the order of tables, unclassified last.
func Families() []string { return append(slices.Clone(families), Unclassified) }

// Verdicts are all verdicts of a run, sorted by subject.
type Verdicts struct {
	Format   string       `json:"format"`
	Version  int          `json:"version"`
	Bank     string       `json:"candidate_set"`
	Rivals   []RivalPrior `json:"candidates"` // in the order of the bank
	Subjects []Verdict    `json:"subjects"`
}

// A RivalPrior is a rival of the bank with its prior probability.
type RivalPrior struct {
	Name    string  `json:"name"`
	Doc     string  `json:"doc,omitempty"`
	SHA256  string  `json:"sha256"`             // digest of the text of its file
	Prior   float64 `json:"prior"`              // prior probability; 0 if it was left out
	LeftOut string  `json:"left_out,omitempty"` // why it is not compared, for instance because the items lack a column
}

// A Verdict is what the responses say about one subject.
type Verdict struct {
	Subject      string  `json:"subject"`                // opaque id
	Family       string  `json:"family"`                 // the most probable family, or unclassified
	Leading      string  `json:"leading"`                // the most probable family, even if Family is unclassified
	Weight       float64 `json:"weight"`                 // posterior probability of Leading, given that a rival of the bank is right
	HasOP        float64 `json:"has_op"`                 // probability that the subject has object permanence: that Knowing is above Bank.Least; 0.5 if no rival fits
	Unclassified string  `json:"unclassified,omitempty"` // why Family is unclassified
	Words        string  `json:"words"`                  // the verdict in a few sentences

	Families   []FamilyWeight      `json:"families"`             // every family to which a posterior draw belongs, most probable first
	Rivals     []Comparison        `json:"candidates"`           // every explanation that was fitted, most probable first
	Components []ComponentWeight   `json:"components"`           // rivals of the bank by the posterior probability of the explanations that they are part of, most probable first
	Unvisited  float64             `json:"unvisited,omitempty"`  // estimated posterior probability of composed explanations that were screened and not fitted
	Weaknesses []Weakness          `json:"weaknesses,omitempty"` // most probable first
	Mild       []Weakness          `json:"mild,omitempty"`       // weaknesses that are more likely than not, but leave more than the share Bank.Weak of the successes
	Knowing    *CredibleInterval   `json:"knowing,omitempty"`    // share of the hidden rewards of which the subject knows where they are, beside its other weaknesses; absent if no rival fits
	Noise      *CredibleInterval   `json:"noise,omitempty"`      // absent if no rival fits
	Profile    []ParameterEstimate `json:"profile,omitempty"`    // parameters of the reporting layout, averaged over all rivals by weight; absent if no rival fits
	Ties       []ItemInformation   `json:"ties,omitempty"`       // items whose next response tells most about which rival is right
	Misfit     []misfit.Finding    `json:"misfit,omitempty"`     // checks that the mixture of the rivals failed
	Checks     int                 `json:"checks"`               // number of checks made
	Behaviour  []BehaviourEvidence `json:"behaviour,omitempty"`  // evidence of the trajectories, most probable behaviour first; absent without trajectories
}

// A FamilyWeight is the posterior probability of a family.
type FamilyWeight struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
}

// A ComponentWeight is the posterior probability that a rival of the bank is all or part of the right explanation.
type ComponentWeight struct {
	Name        string  `json:"name"`
	Probability float64 `json:"probability"`
}

// A Comparison is the result of one explanation. Leave-one-out numbers are absent if it was dropped (Config.Drop).
type Comparison struct {
	Name        string   `json:"name"`
	Weight      float64  `json:"weight"` // posterior probability
	LogEvidence float64  `json:"log_evidence"`
	Error       float64  `json:"log_evidence_error"`
	ELPD        *float64 `json:"elpd,omitempty"`     // leave-one-out log predictive density, by PSIS
	ELPDError   *float64 `json:"elpd_se,omitempty"`  // standard error of the difference from the largest ELPD; 0 for the rival that has it
	WorstK      *float64 `json:"worst_k,omitempty"`  // largest Pareto shape
	BadK        int      `json:"bad_k,omitempty"`    // number of responses whose Pareto shape is above the limit
	Stacking    *float64 `json:"stacking,omitempty"` // weight in the mixture that predicts best (stackingWeights)
}

// A Weakness is a reason why the subject fails some items.
type Weakness struct {
	Name        string   `json:"name"` // lava, ramp, memory, right-bias, "cup and grid", …: words that the sealed truth uses too
	Probability float64  `json:"probability"`
	Statement   string   `json:"statement"`       // what the rival says about it, with estimates
	Rival       string   `json:"candidate"`       // the rival that the statement comes from
	Items       []string `json:"items,omitempty"` // public IDs of the items whose responses favour it most, in falling order
}

// A CredibleInterval is a posterior mean with the central 90 % interval.
type CredibleInterval struct {
	Mean float64 `json:"mean"`
	Q5   float64 `json:"q5"`
	Q95  float64 `json:"q95"`
}

// A ParameterEstimate is the posterior of a parameter of the reporting layout over all rivals. If a capability is at its
// maximum with a probability above ½, the interval is a bound from a model in which the capability is free (Verdict.widen).
type ParameterEstimate struct {
	Name      string  `json:"name"`
	SD        float64 `json:"sd"`
	AtMaximum float64 `json:"at_maximum,omitempty"` // posterior probability that a capability is at its maximum
	Bound     bool    `json:"bound,omitempty"`      // only a lower bound is known: Q95 is the maximum, and Q5 has 90 % above it
	CredibleInterval
}

// An ItemInformation is the expected information, in bits, about which rival is right, from one response to an item.
type ItemInformation struct {
	Item        string   `json:"item"`
	Information float64  `json:"information"`
	Between     []string `json:"between"` // the two rivals that a response tells apart best
}

// Encode returns classifications.json.
func (v *Verdicts) Encode() ([]byte, error) {
	v.Format, v.Version = format, version
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}

// Renew returns JSON in which version 2 of verdicts.json, or scores.json of version 1, has its former words, in those of today. A
// word in quotes is never part of a text, in which quotes are escaped.
func Renew(b []byte) []byte {
	return []byte(strings.NewReplacer(`"achilles-verdicts"`, `"`+format+`"`, `"bank":`, `"candidate_set":`, `"rivals":`, `"candidates":`, `"rival":`, `"candidate":`,
		`"cannot_tell":`, `"unclassified":`, `"cannot-tell"`, `"unclassified"`, `"verdicts":`, `"classifications":`, `"stacked":`, `"bma":`).Replace(string(b)))
}

// Decode reads classifications.json, or verdicts.json of version 2. It fails for another format or version.
func Decode(b []byte) (*Verdicts, error) {
	v := &Verdicts{}
	if bytes.Contains(b, []byte(`"achilles-verdicts"`)) && bytes.Contains(b, []byte(`"version": 2`)) {
		b = bytes.Replace(Renew(b), []byte(`"version": 2`), fmt.Appendf(nil, `"version": %d`, version), 1)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(v); err != nil {
		return nil, fmt.Errorf("%s: %w", VerdictsFile, err)
	}
	if v.Format != format || v.Version != version {
		return nil, fmt.Errorf("%s: format %q version %d; this program reads %q version %d", VerdictsFile, v.Format, v.Version, format, version)
	}
	return v, nil
}
