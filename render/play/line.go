package play

import (
	"encoding/json"
	"fmt"

	"achilles/gridworld"
)

// A line is a line of the conversation (docs/reference/protocol.md), or one of those that only a person is sent: that the next
// trial is practice, a welcome, with the number of trials and of those taken before, that a profile is being inferred, the
// profile, and an end.
type line struct {
	Type string `json:"type"`

	// reset
	Brief  string   `json:"brief"`
	Move   string   `json:"move"`
	Limit  int      `json:"limit"`
	Map    []string `json:"map"`
	Room   string   `json:"room"`
	Places []cell   `json:"places"`

	// observation
	Tick     int     `json:"tick"`
	Position cell    `json:"position"`
	Heading  string  `json:"heading"`
	Dark     bool    `json:"dark"`
	Frozen   bool    `json:"frozen"`
	Trapped  bool    `json:"trapped"`
	Carrying bool    `json:"carrying"`
	Things   []thing `json:"things"`
	Open     []cell  `json:"open"`

	// question
	Question string   `json:"question"`
	Options  []string `json:"options"`

	// done
	Outcome string `json:"outcome"`
	Ticks   int    `json:"ticks"`

	// welcome
	Trials int `json:"trials"`
	Taken  int `json:"taken"`

	// profile
	Rows []Parameter `json:"rows"`
}

// A Parameter is a parameter of the person's profile, each number a share of the parameter's range, beside the posterior means
// of others.
type Parameter struct {
	Name   string    `json:"name"`
	Text   string    `json:"text"` // the posterior in words
	Mean   float64   `json:"mean"`
	Low    float64   `json:"low"` // central 90 %
	High   float64   `json:"high"`
	Others []float64 `json:"others"`
	Like   string    `json:"like"` // the other whose mean is nearest; empty: there are none
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

// Welcome is the first line that a person is sent.
func Welcome(trials, taken int) []byte {
	return fmt.Appendf(nil, `{"type":"welcome","trials":%d,"taken":%d}`, trials, taken)
}

// Practice is the line before a trial that is not scored.
func Practice() []byte { return []byte(`{"type":"practice"}`) }

// Inferring is the line that says that the person's profile is being inferred.
func Inferring() []byte { return []byte(`{"type":"inferring"}`) }

// Profile is the line with the person's profile.
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

// End is the last line that a person is sent.
func End() []byte { return []byte(`{"type":"end"}`) }

func parse(text []byte) (*line, error) {
	l := new(line)
	if err := json.Unmarshal(text, l); err != nil {
		return nil, fmt.Errorf("play: %w", err)
	}
	return l, nil
}

// act is the line that answers an observation.
func act(a gridworld.Action) []byte { return fmt.Appendf(nil, `{"action":%q}`, a.String()) }

// choose is the line that answers a question.
func choose(option string) []byte {
	text, err := json.Marshal(map[string]string{"answer": option})
	if err != nil {
		panic("play: a text must encode")
	}
	return text
}
