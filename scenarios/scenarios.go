// Package scenarios embeds the shipped files: scenarios, measurement layouts, banks of rivals, import mappings, published
// values, analyses and selections.
package scenarios

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

// FS has NAME.toml for every scenario, and these folders: layouts (measurement layouts), banks (banks of rival
// layouts; candidates/NAME/ has the models of the candidate set NAME), mappings (import mappings), published (sets of published
// values), analyses (configurations of analyses) and selections (agents and groups to select from).
//
//go:embed *.toml layouts/*.toml mappings/*.toml published/*.toml analyses/*.toml selections/*.toml candidates/*.toml candidates/*/*.toml
var FS embed.FS

// Default is the scenario that runs if the user names none.
const Default = "quickstart"

// Bodies returns the name of the shipped scenario that has the subjects of another scenario as bodies, whose episodes can
// be watched. ok is false if there is none.
func Bodies(of string) (name string, ok bool) {
	name = of + "-bodies"
	return name, slices.Contains(Names(), name)
}

// Names lists the shipped scenarios, sorted.
func Names() []string { return Shipped(".") }

// Layouts lists the shipped measurement layouts, sorted.
func Layouts() []string { return Shipped("layouts") }

// Shipped lists the TOML files in a folder of FS, without their extension, sorted. "." is the folder of the
// scenarios. The list is nil if there is no such folder.
func Shipped(folder string) []string {
	entries, err := fs.ReadDir(FS, folder)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".toml"); ok && !e.IsDir() {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
