package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The files of a public directory. Worlds, trajectories and scenes are in shards below their folders.
const (
	manifestFile     = "manifest.json"
	itemsFile        = "items.parquet"
	responsesFile    = "responses.parquet"
	subjectsFile     = "subjects.parquet"
	worldFolder      = "worlds/"
	trajectoryFolder = "trajectories/"
)

// maxManifest is the largest size of a manifest, in bytes.
const maxManifest = 64 << 20

// maxMeasures is the largest number of measures that Response.Measure can index.
const maxMeasures = 256

// maxTrial is the largest value of Response.Trial and Response.Repetition.
const maxTrial = 1<<15 - 1

// ReadManifest reads and checks the manifest of a public directory. It does not look at the other files.
func ReadManifest(fsys fs.FS) (*Manifest, error) {
	f, err := fsys.Open(manifestFile)
	if err != nil {
		return nil, fmt.Errorf("not a public directory: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	m, err := decodeManifest(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	return m, nil
}

func decodeManifest(data []byte) (*Manifest, error) {
	if len(data) > maxManifest {
		return nil, fmt.Errorf("longer than %d bytes", maxManifest)
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	if head.Format != Format {
		return nil, fmt.Errorf("format is %q: this reader knows %q", head.Format, Format)
	}
	if head.Version < 1 || head.Version > Version {
		return nil, fmt.Errorf("version %d of %s is unknown: this reader knows versions 1 to %d", head.Version, Format, Version)
	}
	m := new(Manifest)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more text after the manifest")
	}
	return m, m.check()
}

// encode returns the text of m, with one line per file, feature or measure.
func (m *Manifest) encode() ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n\"format\": %q,\n\"version\": %d,\n\"files\": ", m.Format, m.Version)
	writeLines(&b, m.Files)
	if m.Sealed != "" {
		fmt.Fprintf(&b, ",\n\"sealed\": %q", m.Sealed)
	}
	b.WriteString(",\n\"features\": ")
	writeLines(&b, m.Features)
	b.WriteString(",\n\"measures\": ")
	writeLines(&b, m.Measures)
	if len(m.Covariates) > 0 {
		b.WriteString(",\n\"covariates\": ")
		writeLines(&b, m.Covariates)
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

// writeLines writes a JSON array with one element per line, so that manifests can be compared line by line.
func writeLines[T any](b *bytes.Buffer, list []T) {
	b.WriteString("[")
	for i, v := range list {
		line, err := json.Marshal(v)
		if err != nil {
			panic("record: a checked manifest does not encode") // check refuses NaN and Inf, the only such values
		}
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  ")
		b.Write(line)
	}
	b.WriteString("\n]")
}

func (m *Manifest) check() error {
	if m.Sealed != "" && !isDigest(m.Sealed) {
		return errors.New("sealed is not a SHA-256 digest in lower-case hex")
	}
	if err := checkFiles(m.Files); err != nil {
		return err
	}
	if err := checkFeatures(m.Features, "feature", []string{"item", "suite", "paradigm", "task"}); err != nil {
		return err
	}
	if i := slices.IndexFunc(m.Features, func(f Feature) bool { return f.Role == Covariate }); i >= 0 {
		return fmt.Errorf("feature %q: only columns of subjects have the role %s", m.Features[i].Name, Covariate)
	}
	if err := m.checkCovariates(); err != nil {
		return err
	}
	if len(m.Measures) == 0 && m.Watched() {
		return nil
	}
	return checkMeasures(m.Measures)
}

func checkFiles(files []File) error {
	for i, f := range files {
		switch {
		case !fs.ValidPath(f.Path) || f.Path == "." || !knownPath(f.Path):
			return fmt.Errorf("file %q: not a path of this format (%s, %s, %s, or a file below %s, %s or %s)",
				f.Path, itemsFile, responsesFile, subjectsFile, worldFolder, trajectoryFolder, sceneFolder)
		case i > 0 && files[i-1].Path >= f.Path:
			return fmt.Errorf("file %q: files are not sorted by path, or one is listed twice", f.Path)
		case f.Bytes < 0:
			return fmt.Errorf("file %q: negative size", f.Path)
		case !isDigest(f.SHA256):
			return fmt.Errorf("file %q: sha256 is not a digest in lower-case hex", f.Path)
		}
	}
	return nil
}

// knownPath says whether p is a file of the format. It refuses backslashes and colons, which some systems read as
// separators.
func knownPath(p string) bool {
	if strings.ContainsAny(p, "\\:") {
		return false
	}
	return p == itemsFile || p == responsesFile || p == subjectsFile ||
		strings.HasPrefix(p, worldFolder) || strings.HasPrefix(p, trajectoryFolder) || strings.HasPrefix(p, sceneFolder)
}

// Watchable says whether the directory has episodes to watch: trajectories or scenes.
func (m *Manifest) Watchable() bool {
	return slices.ContainsFunc(m.Files, func(f File) bool {
		return strings.HasPrefix(f.Path, trajectoryFolder) || strings.HasPrefix(f.Path, sceneFolder)
	})
}

// checkFeatures returns an error for the first fault of features, each of which is a what: a feature or a covariate. reserved has
// names of other columns.
func checkFeatures(features []Feature, what string, reserved []string) error {
	seen := map[string]bool{}
	for _, name := range reserved {
		seen[name] = true
	}
	for _, f := range features {
		if err := CheckName(f.Name); err != nil {
			return fmt.Errorf("%s %q: %w", what, f.Name, err)
		}
		if seen[f.Name] {
			return fmt.Errorf("%s %q: the name is taken", what, f.Name)
		}
		seen[f.Name] = true
		if f.Kind != Number && f.Kind != Text {
			return fmt.Errorf("%s %q: kind %q is none of number, text", what, f.Name, f.Kind)
		}
		if !slices.Contains([]Role{Demand, Nuisance, Condition, Shortcut, Covariate}, f.Role) {
			return fmt.Errorf("%s %q: role %q is none of demand, nuisance, condition, shortcut", what, f.Name, f.Role)
		}
		if err := checkRange(f); err != nil {
			return fmt.Errorf("%s %q: %w", what, f.Name, err)
		}
	}
	return nil
}

func checkRange(f Feature) error {
	if f.Range == nil {
		return nil
	}
	if f.Kind != Number {
		return errors.New("only numbers have a range")
	}
	lo, hi := f.Range[0], f.Range[1]
	if !finite(lo) || !finite(hi) || lo > hi {
		return fmt.Errorf("range [%g, %g] is not an interval", lo, hi)
	}
	return nil
}

func checkMeasures(measures []Measure) error {
	if len(measures) == 0 || len(measures) > maxMeasures {
		return fmt.Errorf("%d measures: there must be 1 to %d", len(measures), maxMeasures)
	}
	seen := map[string]bool{}
	for _, m := range measures {
		if err := CheckName(m.Name); err != nil {
			return fmt.Errorf("measure %q: %w", m.Name, err)
		}
		if seen[m.Name] {
			return fmt.Errorf("measure %q is declared twice", m.Name)
		}
		seen[m.Name] = true
		if !slices.Contains([]Family{Binary, Real, Unit, Count, Choice}, m.Family) {
			return fmt.Errorf("measure %q: family %q is none of binary, real, unit, count, choice", m.Name, m.Family)
		}
	}
	return nil
}

// longestName is the largest number of bytes of a name.
const longestName = 200

// CheckName returns an error if s is a name that is hard to read or write in a table header or an error.
func CheckName(s string) error {
	switch {
	case isPlainName(s): // nearly all are
		return nil
	case s == "":
		return errors.New("empty")
	case len(s) > longestName:
		return fmt.Errorf("longer than %d bytes", longestName)
	case !utf8.ValidString(s):
		return errors.New("not valid UTF-8")
	case strings.TrimSpace(s) != s:
		return errors.New("starts or ends with a space")
	case strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }):
		return errors.New("contains a character that does not print")
	}
	return nil
}

// isPlainName reports whether s is a name of ASCII characters that print, without spaces.
func isPlainName(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return s != "" && len(s) <= longestName
}

func isDigest(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size && strings.ToLower(s) == s
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
