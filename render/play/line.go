package play

import (
	"encoding/json"
	"fmt"

	"achilles/gridworld"
)

// A line is a message to the person. Types reset, observation, question and done are those of the protocol for
// programs (docs/reference/protocol.md). The other types exist only here: practice (the next trial is not scored),
// welcome (the number of trials, and of those taken before), inferring (the profile is being inferred), profile, and
// end.
type line struct {
	Type string `json:"type"`

	// type reset
	Brief  string   `json:"brief"`
	Move   string   `json:"move"`
	Limit  int      `json:"limit"`
	Map    []string `json:"map"`
	Room   string   `json:"room"`
	Places []cell   `json:"places"`

	// type observation
	Tick     int     `json:"tick"`
	Position cell    `json:"position"`
	Heading  string  `json:"heading"`
	Dark     bool    `json:"dark"`
	Frozen   bool    `json:"frozen"`
	Trapped  bool    `json:"trapped"`
	Carrying bool    `json:"carrying"`
	Things   []thing `json:"things"`
	Open     []cell  `json:"open"`

	// type question
	Question string   `json:"question"`
	Options  []string `json:"options"`

	// type done
	Outcome string `json:"outcome"`
	Ticks   int    `json:"ticks"`

	// type welcome
	Trials int `json:"trials"`
	Taken  int `json:"taken"`

	// type profile
	Rows []Parameter `json:"rows"`
}

// A Parameter is a parameter of the person's profile, with the posterior means of other subjects. Mean, Low, High and
// Others are shares of the parameter's range.
type Parameter struct {
	Name   string    `json:"name"`
	Text   string    `json:"text"` // the posterior as text
	Mean   float64   `json:"mean"`
	Low    float64   `json:"low"` // Low and High are the ends of the central 90 % of the posterior
	High   float64   `json:"high"`
	Others []float64 `json:"others"`
	Like   string    `json:"like"` // name of the other subject with the nearest mean; empty if there are none
}

type cell [2]int

func (c cell) pos() gridworld.Pos { return gridworld.Pos{X: c[0], Y: c[1]} }

type thing struct {
	Kind     string  `json:"kind"`
	Position cell    `json:"position"`
	Air      bool    `json:"air"`
	Size     float64 `json:"size"`
	Colour   []uint8 `json:"colour"`
}

// Welcome returns the line that says how many trials there are, and how many of them the person took in an earlier
// session.
func Welcome(trials, taken int) []byte {
	return fmt.Appendf(nil, `{"type":"welcome","trials":%d,"taken":%d}`, trials, taken)
}

// Practice returns the line that announces a trial which is not scored.
func Practice() []byte { return []byte(`{"type":"practice"}`) }

// Inferring returns the line that says that the person's profile is being inferred.
func Inferring() []byte { return []byte(`{"type":"inferring"}`) }

// Profile returns the line with the person's profile.
func Profile(rows []Parameter) []byte {
	text, err := json.Marshal(struct {
		Type string      `json:"type"`
		Rows []Parameter `json:"rows"`
	}{"profile", rows})
	if err != nil {
		panic("play: a profile has a number that is none")
	}
	return text
}

// End returns the last line to the person.
func End() []byte { return []byte(`{"type":"end"}`) }

func parse(text []byte) (*line, error) {
	l := new(line)
	if err := json.Unmarshal(text, l); err != nil {
		return nil, fmt.Errorf("play: %w", err)
	}
	return l, nil
}

// act returns the answer to an observation.
func act(a gridworld.Action) []byte { return fmt.Appendf(nil, `{"action":%q}`, a.String()) }

// choose returns the answer to a question.
func choose(option string) []byte {
	text, err := json.Marshal(map[string]string{"answer": option})
	if err != nil {
		panic("play: a text must encode")
	}
	return text
}
