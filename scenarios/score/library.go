package score

import (
	"achilles/infer"
	"achilles/infer/layout"
	"achilles/scenarios"
	"achilles/sim/part"
)

// LayoutOf returns the layout by which a result was made, by its digest: a shipped one, or the one whose text the result has. It returns nil if
// there is neither, as of results of versions that did not keep the text.
func LayoutOf(read *layout.Library, r *infer.Result) (*layout.Layout, error) {
	made := r.Settings.Layout
	l, err := shipped(read, made.SHA256)
	if l != nil || err != nil || part.Digest([]byte(r.LayoutText)) != made.SHA256 {
		return l, err
	}
	return read.Read(made.Name+".toml", r.LayoutText)
}

// shipped returns the shipped layout whose text has this SHA-256, in hex, or nil if there is none.
func shipped(read *layout.Library, digest string) (*layout.Layout, error) {
	for _, name := range scenarios.Layouts() {
		text, err := scenarios.FS.ReadFile("layouts/" + name + ".toml")
		if err != nil {
			return nil, err
		}
		if part.Digest(text) == digest {
			return read.Read(name+".toml", string(text))
		}
	}
	return nil, nil
}
