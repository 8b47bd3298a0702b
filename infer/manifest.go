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
	"achilles/sim/record"
)

// Format and Version name the format of an inferred directory; docs/reference/format.md specifies it. Open also reads version
// 1, and version 1 of the separate format that results of observers once had.
const (
	Format  = "achilles-inferred"
	Version = 2

	observersFormat = "achilles-watched"
)

const (
	manifestFile = "manifest.json"
	unitsFile    = "parameters.parquet"
)

// A Manifest says from which data and with which settings a result was inferred. It has no times and nothing sealed.
type Manifest struct {
	Format  string        `json:"format"`
	Version int           `json:"version"`
	Public  string        `json:"public"`          // SHA-256 of public/manifest.json, which has the digests of all public files
	Layout  LayoutDigest  `json:"layout,omitzero"` // absent if the data have no responses
	Bank    *LayoutDigest `json:"bank,omitempty"`  // digest of all files of the bank; absent without a bank
	Config  Settings      `json:"config"`
	Files   []record.File `json:"files"` // sorted by path
}

// A LayoutDigest names a layout by its text.
type LayoutDigest struct {
	Name    string          `json:"name"`
	SHA256  string          `json:"sha256"`
	Walking *layout.Walking `json:"walking,omitempty"` // section [walking] of the layout; absent if it has none
}

// Settings are the settings that a result depends on. The settings for responses are absent if the data have no
// responses, those for observers if they have no scenes.
type Settings struct {
	Seed string `json:"seed"` // decimal: JSON numbers are not safe above 2^53

	Chains  int    `json:"chains,omitempty"`
	Warmup  int    `json:"warmup,omitempty"`
	Draws   int    `json:"draws,omitempty"`
	Engine  string `json:"engine,omitempty"`
	Predict bool   `json:"predict,omitempty"`

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

// Expect returns the manifest that Run would give, without its files: two runs with equal manifests give equal bytes.
func Expect(public fs.FS, c Config) (Manifest, error) {
	raw, err := fs.ReadFile(public, manifestFile)
	if err != nil {
		return Manifest{}, fmt.Errorf("public: %w", err)
	}
	m, err := record.ReadManifest(public)
	if err != nil {
		return Manifest{}, err
	}
	if err := c.Check(m.Answered(), m.Watched()); err != nil {
		return Manifest{}, err
	}
	out, err := c.settings(m.Answered(), m.Watched())
	out.Public = digest(raw)
	return out, err
}

// settings returns a manifest that has only the settings. responses and scenes say whether the data have responses and scenes.
func (c *Config) settings(responses, scenes bool) (m Manifest, err error) {
	m = Manifest{Format: Format, Version: Version, Config: Settings{Seed: strconv.FormatUint(c.Seed, 10)}}
	if responses {
		err = m.answered(*c)
	}
	if scenes && err == nil {
		err = m.watched(*c)
	}
	return m, err
}

// answered sets the settings for data with responses.
func (m *Manifest) answered(c Config) error {
	if err := c.complete(); err != nil {
		return err
	}
	l, err := layout.Parse(c.LayoutFile, c.LayoutText)
	if err != nil {
		return err
	}
	m.Layout, m.Bank = LayoutDigest{Name: l.Name, SHA256: digest([]byte(c.LayoutText)), Walking: l.Walking}, bankDigest(c.Bank)
	s := &m.Config
	s.Chains, s.Warmup, s.Draws, s.Engine, s.Predict = c.Chains, c.Warmup, c.Draws, c.Engine, !c.NoPredict
	return nil
}

// watched sets the settings for data with scenes. It returns an error if the name of an observer is unknown, used twice
// or not legal (goodName).
func (m *Manifest) watched(c Config) error {
	chosen, err := voe.Select(c.Observers, c.Seed)
	if err != nil {
		return err
	}
	for _, o := range chosen {
		m.Config.Observers = append(m.Config.Observers, o.Name)
	}
	m.Config.Moments, m.Config.Outside = c.moments(), c.Outside
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

// check returns an error for a format or version that this program cannot read.
func (m *Manifest) check() error {
	if m.Format == Format && (m.Version == 1 || m.Version == Version) || m.Format == observersFormat && m.Version == 1 {
		return nil
	}
	return fmt.Errorf("format %q version %d: this program reads %q up to version %d; achilles infer --force makes the result anew", m.Format, m.Version, Format, Version)
}

// key returns the digest of everything that the stored partial results depend on. Results stored under another key
// are not reused.
func (m Manifest) key() (string, error) {
	m.Config.Outside = nil // no stored result depends on external observers
	b, err := indented(m)
	return digest(append(b, pieceForm...)), err
}

func digest(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

func indented(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}
