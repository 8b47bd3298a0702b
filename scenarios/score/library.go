package score

import (
	"achilles/infer/layout"
	"achilles/scenarios"
	"achilles/sim/part"
)

// A Library reads a shipped layout by its name.
type Library func(name string) (*layout.Layout, error)

// Shipped is a Library that parses the layout anew.
func Shipped(name string) (*layout.Layout, error) {
	text, err := scenarios.FS.ReadFile("layouts/" + name + ".toml")
	if err != nil {
		return nil, err
	}
	return layout.Parse(name+".toml", string(text))
}

// parseSealed parses the layout from which data were drawn, whose text the seal has.
func parseSealed(text string) (*layout.Layout, error) { return layout.Parse("sealed layout", text) }

// Find returns the shipped layout whose text has this SHA-256, in hex, or nil if there is none. A result has only the digest of
// its layout's text, so that layouts that are not shipped cannot be found.
func (read Library) Find(digest string) (*layout.Layout, error) {
	for _, name := range scenarios.Layouts() {
		text, err := scenarios.FS.ReadFile("layouts/" + name + ".toml")
		if err != nil {
			return nil, err
		}
		if part.Digest(text) == digest {
			return read(name)
		}
	}
	return nil, nil
}
