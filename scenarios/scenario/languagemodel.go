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

// LanguageModel reads a file with the keys of an agent of kind language-model, and the file with its instructions. The error is a
// *conf.Error.
func LanguageModel(file, text string, read func(path string) ([]byte, error)) (*agents.LanguageModel, error) {
	root, err := conf.Parse(file, text)
	if err != nil {
		return nil, err
	}
	if !root.Has("kind") {
		root.Missing("kind", `"language-model"`)
	}
	root.Text("name")
	m := readLanguageModel(root)
	if err := root.Err(); err != nil {
		return nil, err
	}
	return m, instruct(m, root.At("prompt"), read)
}

// readWatchers reads the language models that watch episodes. Other agents have nothing to take.
func (s *Scenario) readWatchers(root *conf.Table) {
	names := map[string]bool{}
	for _, t := range root.Tables("agent") {
		a := agents.Spec{Name: t.NeedText("name", "what the observer is called"), Doc: t.Text("doc"), Model: readLanguageModel(t)}
		checkName(t, a.Name)
		switch {
		case a.Model == nil:
			t.Reportf("", "nobody takes a battery in a scenario with [bib], whose episodes are watched: want kind = \"language-model\", or no agent")
			t.Skip(t.Keys()...)
		case names[a.Name]:
			t.Reportf("name", "%q is the name of another observer, too", a.Name)
		}
		names[a.Name] = true
		s.Watchers = append(s.Watchers, a)
	}
}

// Prompts reads the files with the instructions of language models. The error has the place of the file's name in the scenario.
func (s *Scenario) Prompts(read func(path string) ([]byte, error)) error {
	all := s.Agents
	if s.Bib != nil {
		all = s.Watchers
	}
	for i := range all {
		if all[i].Model == nil {
			continue
		}
		if err := instruct(all[i].Model, s.root.At(pathOf("agent", i)+".prompt"), read); err != nil {
			return err
		}
	}
	return nil
}

// instruct reads the file with the instructions of a language model, which a place names.
func instruct(m *agents.LanguageModel, at conf.Place, read func(path string) ([]byte, error)) error {
	if m.Prompt == "" {
		return nil
	}
	text, err := read(m.Prompt)
	switch {
	case err != nil:
		return at.Errorf("%v", err)
	case len(bytes.TrimSpace(text)) == 0:
		return at.Errorf("%s is empty: want the instructions of the model", m.Prompt)
	}
	m.Instructions = string(text)
	return nil
}
