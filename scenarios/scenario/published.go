package scenario

import (
	"encoding/json"
	"maps"
	"slices"

	"achilles/sim/conf"
	"achilles/sim/expr"
)

// published has values of a publication, to print beside ours. Its JSON is read by score.ParsePublished.
type published struct {
	Source     string                           `json:"source,omitempty"`
	Recovery   map[string]map[string]float64    `json:"recovery,omitempty"`       // group, or overall → capability → RMSE as a fraction of the maximum
	Prediction map[string]map[string]float64    `json:"prediction,omitempty"`     // subject → grade → value
	Profile    map[string]map[string][2]float64 `json:"profile,omitempty"`        // subject → parameter → posterior mean and sd
	Verdict    map[string]map[string]string     `json:"classification,omitempty"` // subject → its verdict, in the words of the publication
	Design     map[string]map[string]string     `json:"design,omitempty"`         // subject → what it was made to be, in the words of the publication
	Types      *float64                         `json:"types_correct,omitempty"`  // share of subjects whose type the authors found
	CTest      *publishedCTest                  `json:"ctest,omitempty"`
	Observers  map[string]map[string]float64    `json:"observers,omitempty"` // observer → kind of episode → relative accuracy in per cent
	AUC        map[string]map[string]float64    `json:"auc,omitempty"`       // observer → kind of episode → area under the curve in per cent
	Nearest    map[string]map[string]float64    `json:"nearest,omitempty"`   // observer → kind of episode → how often it expects the actor at the nearest object, in per cent
	Version    map[string]string                `json:"version,omitempty"`   // observer → version of the publication
}

// publishedCTest has published values of agents that took the C-test.
type publishedCTest struct {
	Weight    float64            `json:"weight"`              // ability = Weight × score
	Abilities []float64          `json:"abilities,omitempty"` // abilities of agents without names
	Like      map[string]float64 `json:"like,omitempty"`      // agent → the published ability to compare with its own
	Votes     map[string]float64 `json:"votes,omitempty"`     // collective → score
	Note      string             `json:"note,omitempty"`      // remark on Votes
}

// gradesOfPrediction lists the names that scores.json has for grades of predictions.
func gradesOfPrediction() []string {
	return []string{"brier", "brier_aggregate", "calibration", "calibration_aggregate", "refinement", "refinement_aggregate"}
}

// ParsePublished reads a file of published values, for data that come without a scenario or whose scenario has none.
// The file has the keys that a scenario has under [published], and must name its source. The result has the form of
// Scenario.Published.
func ParsePublished(file, text string) (json.RawMessage, error) {
	root, err := conf.Parse(file, text)
	if err != nil {
		return nil, err
	}
	p := published{Source: root.NeedText("source", "what was published where")}
	p.readTaken(root, sources{})
	p.readWatched(root)
	if err := root.Err(); err != nil {
		return nil, err
	}
	return p.encode(), nil
}

// readPublished reads the section published of a scenario. It returns nil if the scenario has no such section.
func (s *Scenario) readPublished(t *conf.Table) json.RawMessage {
	if !t.There() {
		return nil
	}
	p := published{Source: t.NeedText("source", "what was published where")}
	if s.Bib != nil {
		p.readWatched(t)
		return p.encode()
	}
	from := sources{capabilities: slices.Sorted(maps.Keys(s.Scale)), agents: []string{}, collectives: []string{}}
	for _, a := range s.Agents {
		from.agents = append(from.agents, a.Name)
	}
	for _, c := range s.Collectives {
		from.collectives = append(from.collectives, c.Name)
	}
	p.readTaken(t, from)
	return p.encode()
}

// readWatched reads published values of observers.
func (p *published) readWatched(t *conf.Table) {
	p.Observers, p.AUC, p.Nearest = readObservers(t.Table("observers")), readObservers(t.Table("auc")), readObservers(t.Table("nearest"))
	version := t.Table("version")
	for _, observer := range version.Keys() {
		if p.Version == nil {
			p.Version = map[string]string{}
		}
		p.Version[observer] = version.Text(observer)
	}
}

// sources lists the names that published values may be about. A nil list allows every name.
type sources struct{ capabilities, agents, collectives []string }

// readTaken reads published values about a battery that subjects took.
func (p *published) readTaken(t *conf.Table, from sources) {
	p.Recovery, p.Prediction, p.Profile = map[string]map[string]float64{}, map[string]map[string]float64{}, map[string]map[string][2]float64{}
	recovery := t.Table("recovery")
	for _, group := range recovery.Keys() {
		p.Recovery[group] = numbers(recovery.Table(group), from.capabilities)
	}
	prediction := t.Table("prediction")
	for _, subject := range prediction.Keys() {
		from.know(prediction, subject)
		p.Prediction[subject] = numbers(prediction.Table(subject), gradesOfPrediction())
	}
	profile := t.Table("profile")
	for _, subject := range profile.Keys() {
		from.know(profile, subject)
		p.Profile[subject] = moments(profile.Table(subject))
	}
	p.Verdict = from.readWords(t.Table(t.Renamed("classification", "verdict")), "decision", "has_op", "weakness", "noise")
	p.Design = from.readWords(t.Table("design"), "type", "class", "has_op", "weakness", "variability", "family", "names")
	if t.Has("types_correct") {
		share := t.Number("types_correct", 0, "a proportion from 0 to 1", func(x float64) bool { return x >= 0 && x <= 1 })
		p.Types = &share
	}
	if t.Has("ctest") {
		p.CTest = from.readCTest(t.Table("ctest"))
	}
}

func (from sources) readCTest(t *conf.Table) *publishedCTest {
	positive := func(x float64) bool { return x > 0 }
	c := &publishedCTest{Weight: t.Number("weight", 1, "a number above 0", positive), Like: map[string]float64{}, Note: t.Text("note")}
	if !t.Has("weight") {
		t.Missing("weight", "how many times the score an ability is")
	}
	c.Abilities = t.Numbers("abilities", "abilities above 0", func(x []float64) bool {
		return !slices.ContainsFunc(x, func(a float64) bool { return !positive(a) })
	})
	like := t.Table("like")
	for _, name := range like.Keys() {
		from.know(like, name)
		c.Like[name] = like.Number(name, 1, "an ability above 0", positive)
	}
	votes := t.Table("votes")
	for _, name := range votes.Keys() {
		from.knowCollective(votes, name)
	}
	c.Votes = numbers(votes, nil)
	return c
}

// readWords reads published words about each subject, under these keys.
func (from sources) readWords(t *conf.Table, keys ...string) map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, subject := range t.Keys() {
		from.know(t, subject)
		words := t.Table(subject)
		out[subject] = map[string]string{}
		for _, key := range keys {
			if text := words.Text(key); text != "" {
				out[subject][key] = text
			}
		}
	}
	return out
}

func (p *published) encode() json.RawMessage {
	text, err := json.Marshal(p)
	if err != nil {
		panic("scenario: published values are finite numbers and must encode")
	}
	return text
}

// know reports a name that no agent of the scenario has. Members of populations cannot have published values.
func (from sources) know(t *conf.Table, name string) {
	if from.agents != nil && !slices.Contains(from.agents, name) {
		t.Reportf(name, "no agent is called %q%s", name, expr.DidYouMean(name, from.agents))
	}
}

func (from sources) knowCollective(t *conf.Table, name string) {
	if from.collectives != nil && !slices.Contains(from.collectives, name) {
		t.Reportf(name, "no collective is called %q%s", name, expr.DidYouMean(name, from.collectives))
	}
}

// numbers reads a table of finite numbers. It reads the known keys only, or every key if known is nil.
func numbers(t *conf.Table, known []string) map[string]float64 {
	if known == nil {
		known = t.Keys()
	}
	out := map[string]float64{}
	for _, name := range known {
		if t.Has(name) {
			out[name] = t.Number(name, 0, "a number", nil)
		}
	}
	return out
}

// moments reads a table of pairs [mean, sd].
func moments(t *conf.Table) map[string][2]float64 {
	out := map[string][2]float64{}
	for _, name := range t.Keys() {
		x := t.Numbers(name, "[mean, sd] with a standard deviation of 0 or more", func(x []float64) bool { return len(x) == 2 && x[1] >= 0 })
		if x != nil {
			out[name] = [2]float64(x)
		}
	}
	return out
}
