package infer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"achilles/infer/layout"
	"achilles/infer/voe"
	"achilles/sim/part"
	"achilles/sim/record"
)

// Format and Version name the format of an inferred part; docs/reference/format.md specifies it. Parts of earlier versions are
// read as well (package part).
const (
	Format  = "achilles-inferred"
	Version = 3
)

const unitsFile = "parameters.parquet"

// publicPart is the name of the one parent of an inferred part.
const publicPart = "public"

// A LayoutDigest names a layout by its text.
type LayoutDigest struct {
	Name    string          `json:"name"`
	SHA256  string          `json:"sha256"`
	Walking *layout.Walking `json:"walking,omitempty"` // section [walking] of the layout; absent if it has none
}

// Settings are the settings that a result depends on, as its manifest has them. The settings for responses are absent if the
// data have no responses, those for observers if they have no scenes.
type Settings struct {
	Seed string `json:"seed"` // decimal: JSON numbers are not safe above 2^53

	Layout  LayoutDigest  `json:"layout,omitzero"`
	Bank    *LayoutDigest `json:"bank,omitempty"` // digest of all files of the bank; absent without a bank
	Chains  int           `json:"chains,omitempty"`
	Warmup  int           `json:"warmup,omitempty"`
	Draws   int           `json:"draws,omitempty"`
	Engine  string        `json:"engine,omitempty"`
	Predict bool          `json:"predict,omitempty"`

	Observers []string   `json:"observers,omitempty"` // in the order of their surprises
	Moments   int        `json:"moments,omitempty"`   // number of items whose moments are kept
	Outside   []External `json:"outside,omitempty"`
}

// An External is an observer that the user has added, with its surprises at every video.
type External struct {
	Name      string         `json:"name"`
	Asked     string         `json:"asked"` // the program that was asked, or the digest of the answers
	Surprises []voe.Surprise `json:"-"`
}

// Expect returns the manifest that Run would give, without its tables and files: two runs with equal manifests give equal bytes.
func Expect(from fs.FS, c Config) (*part.Manifest, error) {
	digest, s, err := expect(from, &c)
	if err != nil {
		return nil, err
	}
	return s.manifest(digest), nil
}

// expect returns the digest of the manifest of a public part, and the settings that a result depends on.
func expect(from fs.FS, c *Config) (parent string, s Settings, err error) {
	raw, err := fs.ReadFile(from, part.File)
	if err != nil {
		return "", s, fmt.Errorf("public: %w", err)
	}
	m, err := record.ReadManifest(from)
	if err != nil {
		return "", s, err
	}
	if err := c.Check(m.Answered(), m.Watched()); err != nil {
		return "", s, err
	}
	s, err = c.settings(m.Answered(), m.Watched())
	return digest(raw), s, err
}

// manifest returns the manifest of a part without tables and files, made from a public part whose manifest has the digest parent.
func (s *Settings) manifest(parent string) *part.Manifest {
	text, err := json.Marshal(s)
	if err != nil {
		panic("infer: settings have no JSON form") // they have texts and finite numbers alone
	}
	return &part.Manifest{Format: Format, Version: Version, Parents: map[string]string{publicPart: parent}, Settings: text}
}

// settings returns the settings that a result depends on. responses and scenes say whether the data have responses and scenes.
func (c *Config) settings(responses, scenes bool) (s Settings, err error) {
	s.Seed = strconv.FormatUint(c.Seed, 10)
	if responses {
		err = s.answered(*c)
	}
	if scenes && err == nil {
		err = s.watched(*c)
	}
	return s, err
}

// answered sets the settings for data with responses.
func (s *Settings) answered(c Config) error {
	if err := c.complete(); err != nil {
		return err
	}
	l, err := layout.Parse(c.LayoutFile, c.LayoutText)
	if err != nil {
		return err
	}
	s.Layout, s.Bank = LayoutDigest{Name: l.Name, SHA256: digest([]byte(c.LayoutText)), Walking: l.Walking}, bankDigest(c.Bank)
	s.Chains, s.Warmup, s.Draws, s.Engine, s.Predict = c.Chains, c.Warmup, c.Draws, c.Engine, !c.NoPredict
	return nil
}

// watched sets the settings for data with scenes. It returns an error if the name of an observer is unknown, used twice
// or not legal (goodName).
func (s *Settings) watched(c Config) error {
	chosen, err := voe.Select(c.Observers, c.Seed)
	if err != nil {
		return err
	}
	for _, o := range chosen {
		s.Observers = append(s.Observers, o.Name)
	}
	s.Moments, s.Outside = c.moments(), c.Outside
	for i, o := range c.Outside {
		taken := slices.ContainsFunc(c.Outside[:i], func(p External) bool { return p.Name == o.Name })
		if taken || slices.ContainsFunc(voe.Observers(0), func(n voe.Named) bool { return n.Name == o.Name }) || !goodName(o.Name) {
			return fmt.Errorf("observer %q: an observer from outside needs a name of its own, of letters, digits, - and _", o.Name)
		}
	}
	return nil
}

// goodName reports whether a name can be a key of scores.json and a word of a table.
func goodName(s string) bool {
	const legal = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return s != "" && len(s) <= 60 && strings.Trim(s, legal) == ""
}

// key returns the digest of everything that the stored partial results depend on. Results stored under another key
// are not reused.
func (s Settings) key(parent string) string {
	s.Outside = nil // no stored result depends on external observers
	return digest(append(s.manifest(parent).Encode(), pieceForm...))
}

func digest(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

func indented(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}
