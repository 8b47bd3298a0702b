package cli

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"achilles/infer/compare"
	"achilles/scenarios"
	"achilles/sim/conf"
	"achilles/sim/store"
)

// noBank is the word on the command line that means no bank.
const noBank = "none"

// readBank reads a bank of rival layouts and the files of its rivals. ref is the name of a shipped bank, or the path of
// a TOML file that lies in the same folder as the files of its rivals. readBank returns nil if ref is empty or noBank.
func readBank(ref string) (*compare.Source, error) {
	if ref == "" || ref == noBank {
		return nil, nil
	}
	file, text, err := shipped("candidate set", ref, "candidates")
	if err != nil {
		return nil, err
	}
	s := &compare.Source{Text: compare.Text{File: file, Text: text}}
	names, err := compare.List(s.Text)
	if err != nil {
		return nil, err
	}
	read := func(name string) ([]byte, error) { return scenarios.FS.ReadFile(path.Join("candidates", name)) }
	if strings.ContainsAny(ref, "/.\\") {
		read = func(name string) ([]byte, error) {
			return store.ReadFile(filepath.Join(filepath.Dir(ref), name), conf.MaxBytes)
		}
	}
	for i, name := range names {
		b, err := read(name)
		if err != nil {
			return nil, fmt.Errorf("candidate set %s: key candidate[%d].file: %w", file, i, err)
		}
		s.Rivals = append(s.Rivals, compare.Text{File: name, Text: string(b)})
	}
	return s, nil
}

// sumUpVerdicts prints the number of verdicts of each family, and the number of rivals that were left out because the
// items lack a feature.
func sumUpVerdicts(a *app, v *compare.Verdicts) {
	if v == nil {
		return
	}
	count, flagged := map[string]int{}, 0
	for _, s := range v.Subjects {
		count[s.Family]++
		if len(s.Misfit) > 0 {
			flagged++
		}
	}
	var parts []string
	for _, f := range compare.Families() {
		if count[f] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[f], f))
		}
	}
	a.say("agent types by the candidate set %s: %s; %d with failed fit checks", v.Bank, strings.Join(parts, ", "), flagged)
	left := 0
	for _, r := range v.Rivals {
		if r.LeftOut != "" {
			left++
		}
	}
	if left > 0 {
		a.say("%d of its %d candidate models are left out, because they need features that these items lack; %s names them", left, len(v.Rivals), compare.VerdictsFile)
	}
}
