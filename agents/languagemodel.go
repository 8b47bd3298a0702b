package agents

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
)

// A LanguageModel says how a language model acts or answers for a subject, behind any address that speaks as OpenAI's chat
// completions do. The key of the address is no part of it: Key names the variable that has it. The tags are for package
// scenarios/setting.
type LanguageModel struct {
	Address     string  `json:"address" setting:"address" doc:"base of an OpenAI-compatible address, such as http://127.0.0.1:8080/v1"`
	Model       string  `json:"model" setting:"model" doc:"name of the model at this address"`
	Prompt      string  `json:"prompt,omitempty" setting:"prompt" doc:"file with the instructions (default: built-in), relative to where achilles runs"`
	Key         string  `json:"key,omitempty" setting:"key" doc:"name of the environment variable that has the key (default: no key is sent)"`
	Temperature float64 `json:"temperature" setting:"temperature" limits:"[-1, 2]" doc:"temperature at which answers are drawn; below 0: none is sent"`
	History     int     `json:"history" setting:"history" limits:"[0, 1000]" doc:"earlier exchanges of the trial shown again, besides the first"`
	Retries     int     `json:"retries" setting:"retries" limits:"[0, 20]" doc:"how often a refused or malformed answer is asked for again, and a failed request repeated"`
	Timeout     float64 `json:"timeout" setting:"timeout" limits:"(0, 3600]" doc:"time limit per answer, seconds"`
	Tokens      int     `json:"tokens" setting:"tokens" limits:"[0, 1000000]" doc:"token limit of an answer; 0: none is sent"`
	Rate        float64 `json:"rate" setting:"rate" limits:"[0, 1000000]" doc:"largest number of requests per minute; 0: no limit"`
	Requests    int     `json:"requests" setting:"requests" limits:"[0, 1000000000]" doc:"largest number of requests of a run, which stops there and can resume; 0: no limit"`
	InputPrice  float64 `json:"input_price" setting:"input_price" limits:"[0, 1000000]" doc:"price of a million tokens that the model reads"`
	OutputPrice float64 `json:"output_price" setting:"output_price" limits:"[0, 1000000]" doc:"price of a million tokens that it writes"`

	Instructions string `json:"instructions,omitempty"` // content of the file Prompt
}

// NewLanguageModel returns the usual settings, which lack Address and Model.
func NewLanguageModel() *LanguageModel {
	return &LanguageModel{History: 20, Retries: 2, Timeout: 60, Tokens: 500}
}

// CheckAddress reports what is wrong with the address.
func (m *LanguageModel) CheckAddress() error {
	u, err := url.Parse(m.Address)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("%q: want an address such as http://127.0.0.1:8080/v1", m.Address)
	case u.User != nil:
		return errors.New("want an address without name and password: the key is in a variable of the environment, which key names")
	}
	return nil
}

// Calls says what a language model was asked in a trial, and what that took. Requests that were answered are counted.
type Calls struct {
	Requests  int       `json:"requests"`
	Refused   int       `json:"refused,omitempty"`   // answers that refuse
	Malformed int       `json:"malformed,omitempty"` // answers that are not what was asked for
	Input     int       `json:"input,omitempty"`     // tokens read, as the address counts them
	Output    int       `json:"output,omitempty"`    // tokens written
	Seconds   []float64 `json:"seconds,omitempty"`   // until each answer was there, in order
}

// Add adds further calls.
func (c *Calls) Add(more Calls) {
	c.Requests, c.Refused, c.Malformed = c.Requests+more.Requests, c.Refused+more.Refused, c.Malformed+more.Malformed
	c.Input, c.Output, c.Seconds = c.Input+more.Input, c.Output+more.Output, append(c.Seconds, more.Seconds...)
}

// Total returns the seconds that all answers took.
func (c *Calls) Total() (seconds float64) {
	for _, s := range c.Seconds {
		seconds += s
	}
	return seconds
}

// Cost returns what the calls cost, in the unit of the prices.
func (m *LanguageModel) Cost(c Calls) float64 {
	return (m.InputPrice*float64(c.Input) + m.OutputPrice*float64(c.Output)) / 1e6
}

// Kinds of subjects: how they respond.
const (
	ByRules         = "rules"
	ByBody          = "body"
	ByProgram       = "program"
	ByPerson        = "person"
	ByLanguageModel = "language-model"
	BySolver        = "solver"
	ByVote          = "collective"
)

// Kind returns how the subject responds; "" for one whose responses are drawn from a layout.
func (s *Spec) Kind() string {
	switch {
	case s.Model != nil:
		return ByLanguageModel
	case s.Collective != nil:
		return ByVote
	case s.Solver != nil:
		return BySolver
	case len(s.Body) > 0:
		return ByBody
	case len(s.Rule) > 0:
		return ByRules
	case slices.Equal(s.Command, []string{"achilles", "play"}): // as achilles play invites a person
		return ByPerson
	case len(s.Command) > 0:
		return ByProgram
	}
	return ""
}

// Outside reports whether something outside this program responds for the subject: a program, a person or a language model.
func (s *Spec) Outside() bool { return len(s.Command) > 0 || s.Model != nil }
