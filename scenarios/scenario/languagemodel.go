package scenario

import (
	"bytes"

	"achilles/agents"
	"achilles/scenarios/setting"
	"achilles/sim/conf"
)

// readLanguageModel reads the settings of an agent of kind language-model. It returns nil for an agent of no kind.
func readLanguageModel(t *conf.Table) *agents.LanguageModel {
	if !t.Has("kind") {
		return nil
	}
	t.Word("kind", agents.ByLanguageModel)
	m := agents.NewLanguageModel()
	setting.Of(m).Read(t, "")
	if !t.Has("address") {
		t.Missing("address", "an OpenAI-compatible address, such as http://127.0.0.1:8080/v1")
	} else if err := m.CheckAddress(); err != nil {
		t.Reportf("address", "%v", err)
	}
	if !t.Has("model") {
		t.Missing("model", "name of the model at the address")
	}
	return m
}

// Prompts reads the files with the instructions of language models. The error has the place of the file's name in the scenario.
func (s *Scenario) Prompts(read func(path string) ([]byte, error)) error {
	for i := range s.Agents {
		m := s.Agents[i].Model
		if m == nil || m.Prompt == "" {
			continue
		}
		text, err := read(m.Prompt)
		switch {
		case err != nil:
			return s.root.At(pathOf("agent", i)+".prompt").Errorf("%v", err)
		case len(bytes.TrimSpace(text)) == 0:
			return s.root.At(pathOf("agent", i)+".prompt").Errorf("%s is empty: want the instructions of the model", m.Prompt)
		}
		m.Instructions = string(text)
	}
	return nil
}
