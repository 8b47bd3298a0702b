package record

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"achilles/sim/part"
)

// The tables of a public directory, and the folders of worlds, trajectories and scenes, which are in shards.
const (
	itemsTable       = "items"
	responsesTable   = "responses"
	subjectsTable    = "subjects"
	tableSuffix      = ".parquet"
	worldFolder      = "worlds/"
	trajectoryFolder = "trajectories/"
)

// maxMeasures is the largest number of measures that Response.Measure can index.
const maxMeasures = 256

// maxTrial is the largest value of Response.Trial and Response.Repetition.
const maxTrial = 1<<15 - 1

// ReadManifest reads and checks the manifest of a public directory. It does not look at the other files.
func ReadManifest(fsys fs.FS) (*Manifest, error) {
	p, err := part.ReadManifest(fsys, part.Public)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("not a public directory: %w", err)
	}
	if err != nil {
		return nil, err
	}
	m := &Manifest{Manifest: *p}
	if err := part.Strictly(p.Settings, &m.Schema); err != nil {
		return nil, fmt.Errorf("%s: settings: %w", part.ManifestFile, err)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", part.ManifestFile, err)
	}
	return m, nil
}

func (m *Manifest) check() error {
	for _, name := range slices.Sorted(maps.Keys(m.Parents)) {
		if name != part.Sealed || !part.IsDigest(m.Parents[name]) {
			return fmt.Errorf("parent %q: a public part has no parent but %s, which is a digest in lower-case hex", name, part.Sealed)
		}
	}
	if err := m.checkFiles(); err != nil {
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

// checkFiles returns an error for a file that is not part of the format.
func (m *Manifest) checkFiles() error {
	for i := range m.Tables {
		t := &m.Tables[i]
		known := slices.Contains([]string{itemsTable, responsesTable, subjectsTable}, t.Name)
		if !known || len(t.Files) != 1 || t.Files[0].Path != t.Name+tableSuffix {
			return fmt.Errorf("file %q: not a path of this format: tables are %s, %s and %s, each in one file NAME%s", t.Files[0].Path, itemsTable, responsesTable, subjectsTable, tableSuffix)
		}
	}
	for i, f := range m.Files {
		folder := strings.SplitAfter(f.Path, "/")[0]
		if !slices.Contains([]string{worldFolder, trajectoryFolder, sceneFolder}, folder) {
			return fmt.Errorf("file %q: not a path of this format (a file below %s, %s or %s)", f.Path, worldFolder, trajectoryFolder, sceneFolder)
		}
		if i > 0 && m.Files[i-1].Path >= f.Path {
			return fmt.Errorf("file %q: files are not sorted by path, or one is listed twice", f.Path)
		}
	}
	return nil
}

// Watchable says whether the directory has episodes to watch: trajectories or scenes.
func (m *Manifest) Watchable() bool {
	return slices.ContainsFunc(m.Files, func(f part.File) bool {
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
			return fmt.Errorf("%s %q: kind %q is not one of number, text", what, f.Name, f.Kind)
		}
		if !slices.Contains([]Role{Demand, Nuisance, Condition, Shortcut, Covariate}, f.Role) {
			return fmt.Errorf("%s %q: role %q is not one of demand, nuisance, condition, shortcut", what, f.Name, f.Role)
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
			return fmt.Errorf("measure %q: family %q is not one of binary, real, unit, count, choice", m.Name, m.Family)
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

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
