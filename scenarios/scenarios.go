// Package scenarios embeds the shipped scenarios, measurement layouts and import mappings.
package scenarios

import (
	"embed"
	"io/fs"
	"strings"
)

// FS has NAME.toml for every scenario, layouts/NAME.toml for every measurement layout and mappings/NAME.toml for every
// import mapping.
//
//go:embed *.toml layouts/*.toml mappings/*.toml
var FS embed.FS

// Default is the scenario that runs where none is named.
const Default = "quickstart"

// Names lists the shipped scenarios, sorted.
func Names() []string { return names(".") }

// Layouts lists the shipped measurement layouts, sorted.
func Layouts() []string { return names("layouts") }

// Mappings lists the shipped import mappings, sorted.
func Mappings() []string { return names("mappings") }

// names lists the TOML files of a folder without their extension; the embedded file system is sorted by name.
func names(folder string) []string {
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
	return out
}
