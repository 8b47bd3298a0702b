package scenario

import (
	"encoding/json"
	"math"

	"achilles/sim/expr"
)

// published has the values of a paper to print beside ours, as scenarios/score reads them.
type published struct {
	Source     string                           `json:"source,omitempty"`
	Recovery   map[string]map[string]float64    `json:"recovery,omitempty"`   // group or overall → capability → RMSE, a fraction of the maximum
	Prediction map[string]map[string]float64    `json:"prediction,omitempty"` // subject → grade → value
	Profile    map[string]map[string][2]float64 `json:"profile,omitempty"`    // subject → parameter → posterior mean and sd
	Verdict    map[string]map[string]string     `json:"verdict,omitempty"`    // subject → what was decided about it, in the publication's words
	Observers  map[string]map[string]float64    `json:"observers,omitempty"`  // observer → kind of episode → relative accuracy in per cent
}

// gradesOfPrediction are the names that scores.json has for them.
func gradesOfPrediction() []string {
	return []string{"brier", "brier_aggregate", "calibration", "calibration_aggregate", "refinement", "refinement_aggregate"}
}

func (s *Scenario) readPublished(t *table) json.RawMessage {
	if t.keys == nil {
		return nil
	}
	p := published{Source: t.needText("source", "what was published where"), Recovery: map[string]map[string]float64{}, Prediction: map[string]map[string]float64{}, Profile: map[string]map[string][2]float64{}}
	if s.Bib != nil {
		p.Observers = readObservers(t.table("observers"))
		return encodePublished(t, p)
	}
	recovery := t.table("recovery")
	for _, group := range sortedKeys(recovery.keys) {
		p.Recovery[group] = numbers(recovery.table(group), sortedKeys(s.Scale))
	}
	prediction := t.table("prediction")
	for _, subject := range sortedKeys(prediction.keys) {
		s.knowSubject(prediction, subject)
		p.Prediction[subject] = numbers(prediction.table(subject), gradesOfPrediction())
	}
	profile := t.table("profile")
	for _, subject := range sortedKeys(profile.keys) {
		s.knowSubject(profile, subject)
		p.Profile[subject] = moments(profile.table(subject))
	}
	p.Verdict = s.readVerdicts(t.table("verdict"))
	return encodePublished(t, p)
}

// readVerdicts reads what was published about each subject. Scores have the name has_op for what is hasOP here.
func (s *Scenario) readVerdicts(t *table) map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, subject := range sortedKeys(t.keys) {
		s.knowSubject(t, subject)
		words := t.table(subject)
		out[subject] = map[string]string{}
		for key, name := range map[string]string{"decision": "decision", "hasOP": "has_op", "weakness": "weakness", "noise": "noise"} {
			if text := words.text(key); text != "" {
				out[subject][name] = text
			}
		}
		words.done()
	}
	return out
}

func encodePublished(t *table, p published) json.RawMessage {
	t.done()
	text, err := json.Marshal(p)
	if err != nil {
		panic("scenario: published values are finite numbers and must encode")
	}
	return text
}

// knowSubject reports a name that no agent has. A population's members have no published values.
func (s *Scenario) knowSubject(t *table, name string) {
	var names []string
	for _, a := range s.Agents {
		if a.Name == name {
			return
		}
		names = append(names, a.Name)
	}
	t.d.report(t.at(name), "no agent is called %q%s", name, expr.DidYouMean(name, names))
}

// numbers reads a table of finite numbers with known keys.
func numbers(t *table, known []string) map[string]float64 {
	out := map[string]float64{}
	for _, name := range known {
		if _, there := t.keys[name]; there {
			out[name] = t.number(name, 0, "a number", func(float64) bool { return true })
		}
		t.asked = append(t.asked, name)
	}
	t.done()
	return out
}

// moments reads a table of [mean, sd].
func moments(t *table) map[string][2]float64 {
	out := map[string][2]float64{}
	for _, name := range sortedKeys(t.keys) {
		v, _ := t.take(name)
		list, _ := v.([]any)
		mean, sd := math.NaN(), math.NaN()
		if len(list) == 2 {
			if x, ok := finite(list[0]); ok {
				mean = x
			}
			if x, ok := finite(list[1]); ok {
				sd = x
			}
		}
		if math.IsNaN(mean) || !(sd >= 0) {
			t.wrong(name, "[mean, sd] with a standard deviation of 0 or more", v)
			continue
		}
		out[name] = [2]float64{mean, sd}
	}
	return out
}
