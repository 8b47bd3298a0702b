package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"achilles/infer/layout"
	"achilles/scenarios"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/sim/conf"
	"achilles/sim/expr"
	"achilles/sim/store"
)

// shipped returns the name and the text of a shipped file, or of a file of the user. If ref has no slash and no dot, it
// is the name of a shipped file of a folder; otherwise it is a path. kind names the sort of file in errors.
func shipped(kind, ref, folder string) (file, text string, err error) {
	if !strings.ContainsAny(ref, "/.\\") {
		b, err := scenarios.FS.ReadFile(strings.TrimPrefix(folder+"/"+ref+".toml", "./"))
		if err != nil {
			if info, err := os.Stat(ref); err == nil && info.IsDir() {
				return "", "", fmt.Errorf("%s is a directory: want the name of a shipped %s, or a path to a .toml file", ref, kind)
			}
			return "", "", results.Hinted(fmt.Errorf("no %s is called %q%s", kind, ref, expr.DidYouMean(ref, scenarios.Shipped(folder))), "use one of %s, or a path to a .toml file", strings.Join(scenarios.Shipped(folder), ", "))
		}
		return ref + ".toml", string(b), nil
	}
	b, err := store.ReadFile(ref, conf.MaxBytes)
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", kind, err)
	}
	return filepath.Base(ref), string(b), nil
}

// layout reads a layout: a shipped one by its name, or one from a file.
func (a *app) layout(ref string) (*layout.Layout, error) {
	file, text, err := shipped("layout", ref, "layouts")
	if err != nil {
		return nil, err
	}
	return a.layouts.Read(file, text)
}

// scenarioText returns the name and the text of a scenario's file. In the text, the keys that settings name, each as
// KEY=VALUE, have the new values.
func scenarioText(ref string, settings []string) (file, text string, err error) {
	if file, text, err = shipped("scenario", ref, "."); err != nil {
		return "", "", err
	}
	for _, s := range settings {
		if text, err = scenario.Override(file, text, s); err != nil {
			return "", "", &usage{err}
		}
	}
	return file, text, nil
}

// loadScenario reads a scenario; in gets the section [inference].
func loadScenario(ref string, settings []string, in *measuring) (*scenario.Scenario, error) {
	file, text, err := scenarioText(ref, settings)
	if err != nil {
		return nil, err
	}
	s, err := scenario.Parse(file, text, in.read)
	if err != nil {
		return nil, err
	}
	return s, s.Prompts(readPrompt)
}

// readPrompt reads a file with the instructions of a language model.
func readPrompt(path string) ([]byte, error) { return store.ReadFile(path, conf.MaxBytes) }
