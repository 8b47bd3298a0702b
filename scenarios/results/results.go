// Package results reads and writes a results directory: its public and sealed parts, its inferred, scores and report
// parts, and the ledger of the stages that made them. It verifies the public part before anything is read from it,
// and removes parts that were made from replaced data.
package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"achilles/scenarios/seal"
	"achilles/sim/expr"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/store"
)

// Parts of a results directory and other files in it. Package seal names the parts that ledger entries name
// (seal.PublicPart and so on).
const (
	ReportPart = "report"
	BodiesPart = "episodes" // a results directory within this one: the same subjects act in grid worlds, so that there are episodes to watch
	piecesPart = ".pieces"  // finished pieces of an interrupted inference
	actedPart  = ".played"  // journal of what agents from outside (programs and persons) did
	ledgerFile = "ledger.json"

	CroissantFile = "croissant.json" // describes the public part beside it, for catalogues and data loaders
	CardFile      = "DATACARD.md"    // the same, for people
)

// ErrNotInferred says that a results directory has no inferred part.
var ErrNotInferred = errors.New("no inference yet")

// A Dir is a results directory. Its methods refuse names and links that lead out of it.
type Dir struct {
	*store.Dir
	dir      string
	verified fs.FS // the verified public part as Public shows it; nil before its first call
}

// Open opens a directory that has a public part. The error is a Hint if it has none.
func Open(dir string) (*Dir, error) {
	if info, err := os.Stat(dir); err == nil && info.Mode().IsRegular() {
		return nil, Hinted(fmt.Errorf("%s is a file, not a results directory", dir), "if it is a table of responses: achilles import %s --out DIR", expr.Quote(dir))
	}
	if !hasPublic(dir) {
		what := fmt.Sprintf("%s is not a results directory: it has no public/manifest.json", dir)
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			what = "there is no directory " + dir
		} else if clean := filepath.Clean(dir); hasPublic(filepath.Dir(clean)) {
			return nil, Hinted(errors.New(what), "%s is a part of the results in %s: name that directory", filepath.Base(clean), expr.Quote(filepath.Dir(clean)))
		} else if entries, err := os.ReadDir(filepath.Join(dir, ShardsPart)); err == nil && len(entries) > 0 {
			return nil, Hinted(errors.New(what), "it has shards of a run: achilles merge %s; with --check it says which are missing", expr.Quote(dir))
		} else if _, err := os.Stat(filepath.Join(dir, "site", "study.json")); err == nil {
			return nil, Hinted(errors.New(what), "it is a study: achilles study collect %s joins its answers, for achilles import", expr.Quote(dir))
		} else if analysed(dir) {
			return nil, Hinted(errors.New(what), "it is an analysis: its tables are the CSV files in it; achilles show %s lists them", expr.Quote(dir))
		} else if inner := within(dir); inner != "" {
			return nil, Hinted(errors.New(what), "results are in it: name one of them, such as %s", expr.Quote(inner))
		}
		return nil, Hinted(errors.New(what), "make one: achilles generate SCENARIO --out %s, or achilles import", expr.Quote(dir))
	}
	d, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	return &Dir{Dir: d, dir: dir}, nil
}

// analysed says whether a directory is what achilles analyse or achilles irt wrote.
func analysed(dir string) bool {
	return slices.ContainsFunc([]string{part.Analysis, part.Items}, func(name string) bool {
		_, err := part.ReadManifest(os.DirFS(dir), name)
		return err == nil
	})
}

// within returns the first results directory in a directory, or "".
func within(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if name := filepath.Join(dir, e.Name()); hasPublic(name) {
			return name
		}
	}
	return ""
}

// hasPublic says whether a directory has a public part.
func hasPublic(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, seal.PublicPart, "manifest.json"))
	return err == nil
}

// Make opens a directory to write results into, and makes it if it does not exist.
func Make(dir string) (*Dir, error) {
	d, err := store.Make(dir)
	if err != nil {
		return nil, err
	}
	return &Dir{Dir: d, dir: dir}, nil
}

// String returns the path of d as the caller gave it.
func (d *Dir) String() string { return d.dir }

// Public opens the public part: the files that its manifest lists, by their bytes alone. Nothing else that is in the directory can be
// seen through it, and no time, permissions or order of files. The first call verifies the digest of every file against the manifest.
func (d *Dir) Public() (fs.FS, error) {
	if d.verified != nil {
		return d.verified, nil
	}
	root, err := d.FS(seal.PublicPart)
	if err != nil {
		return nil, err
	}
	m, err := record.ReadManifest(root)
	if err == nil {
		err = m.Verify(root)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", d.Path(seal.PublicPart), err)
		return nil, Hinted(err, "regenerate %s: rerun achilles run, generate or import with --out %s --force", d.Path(seal.PublicPart), d)
	}
	d.verified = newListed(root, &m.Manifest)
	return d.verified, nil
}

// Inferred opens the inferred part. The error wraps ErrNotInferred if there is none.
func (d *Dir) Inferred() (fs.FS, error) {
	if !d.Has(seal.InferredPart) {
		return nil, Hinted(fmt.Errorf("%s has %w", d, ErrNotInferred), "%s", d.HowToInfer())
	}
	return d.FS(seal.InferredPart)
}

// Part returns the manifest of the inferred part or of the scores, and the files of the part. It verifies every file, and that
// the parts from which it was made are those that are there (part.Of). The error is a Hint with the command that makes it anew.
func (d *Dir) Part(name string) (*part.Manifest, fs.FS, error) {
	if (name == seal.InferredPart || name == seal.ScoresPart) && !d.Has(seal.InferredPart) { // scores alone can be of nothing
		_, err := d.Inferred()
		return nil, nil, err
	}
	root, err := d.FS(".")
	if err != nil {
		return nil, nil, err
	}
	m, fsys, err := part.Of(root, name)
	if errors.Is(err, fs.ErrNotExist) && !errors.As(err, new(*part.Damaged)) {
		err = fmt.Errorf("%s/%s is missing: written by an older version of this program, or incomplete", name, part.ManifestFile)
	}
	if err != nil {
		again := fmt.Sprintf("achilles score %s --force", expr.Quote(d.dir))
		if name != seal.ScoresPart {
			again = InferAgain(d, name)
		}
		return nil, nil, Hinted(fmt.Errorf("%s: %w", d, err), "rerun %s", again)
	}
	return m, fsys, nil
}

// InferAgain returns the command that makes an inferred part anew, with the layout and the candidate set that its manifest names; of one
// that is damaged, the layout is NAME.
func InferAgain(d *Dir, name string) string {
	command := fmt.Sprintf("achilles infer %s", expr.Quote(d.dir))
	if as, ok := strings.CutPrefix(name, part.As("")); ok {
		command += " --as " + as
	}
	type named struct{ Name string }
	var m struct {
		Layout   *named // of version 1
		Settings struct {
			Layout, Candidates *named
			Observers          []string
		}
	}
	root, err := d.FS(".")
	if err == nil {
		var text []byte
		if text, err = fs.ReadFile(root, name+"/"+part.ManifestFile); err == nil {
			err = json.Unmarshal(text, &m)
		}
	}
	switch s, layout := m.Settings, cmp.Or(m.Settings.Layout, m.Layout); {
	case layout != nil:
		command += " --layout " + layout.Name
		if s.Candidates != nil {
			command += " --candidates " + strings.TrimSuffix(s.Candidates.Name, ".toml")
		}
	case (err != nil || s.Observers == nil) && !strings.Contains(d.HowToInfer(), "observers"):
		command += " --layout NAME"
	}
	return command + " --force"
}

// HowToInfer returns the command that makes the inferred part.
func (d *Dir) HowToInfer() string {
	if public, err := d.Public(); err == nil {
		if m, err := record.ReadManifest(public); err == nil && !m.Answered() {
			return fmt.Sprintf("achilles infer %s lets observers watch its episodes", expr.Quote(d.dir))
		}
	}
	return fmt.Sprintf("achilles infer %s --layout NAME; achilles layouts list shows the names", expr.Quote(d.dir))
}

// Pieces returns the place where an inference stores its finished pieces, so that it can resume.
func (d *Dir) Pieces() *store.Pieces { return d.Dir.Pieces(piecesPart) }

// PiecesPlace makes that place if it does not exist, and returns its path, for another process.
func (d *Dir) PiecesPlace() (string, error) {
	return d.Path(piecesPart), d.Dir.Pieces(piecesPart).Make()
}

// Acted returns the place where a session stores what programs and persons did, so that it can resume.
func (d *Dir) Acted() *store.Pieces { return d.Dir.Pieces(actedPart) }

// Named returns the names of the inferred parts that have names of their own (part.As), in order.
func (d *Dir) Named() (names []string, err error) {
	root, err := d.FS(".")
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(root, ".")
	for _, e := range entries {
		if name, ok := strings.CutPrefix(e.Name(), part.As("")); ok && e.IsDir() {
			names = append(names, name)
		}
	}
	return names, err
}

// PutNamed commits a finished result as an inferred part with a name of its own, beside the inferred part and its grades, which stay, and enters it in
// the ledger as EnterInferred does.
func (d *Dir) PutNamed(name string, result *store.Draft) error {
	if err := result.Commit(); err != nil {
		return err
	}
	m, _, err := d.Part(part.As(name))
	if err != nil {
		return err
	}
	if err := d.enterInferred(part.As(name), m.Parents[seal.PublicPart], false); err != nil {
		return err
	}
	return d.Remove(piecesPart)
}

// PutInferred commits a finished result as the inferred part. It removes the grades and the report of the previous
// result, and the pieces with which the inference could resume.
func (d *Dir) PutInferred(result *store.Draft) error {
	if err := result.Sync(); err != nil { // before anything old is removed
		return err
	}
	if err := d.Remove(ReportPart, seal.ScoresPart); err != nil {
		return err
	}
	if err := result.Commit(); err != nil {
		return err
	}
	return d.Remove(piecesPart)
}

// PutScores writes the scores. Before that it enters what the grading read in the ledger, so that the ledger records
// the opened seal before anybody can see the grades. Without force the error wraps store.ErrExists if other scores
// are there.
func (d *Dir) PutScores(files map[string][]byte, read map[string]string, force bool) error {
	if d.Same(seal.ScoresPart, files) {
		return nil
	}
	if d.Has(seal.ScoresPart) && !force {
		return fmt.Errorf("%s has other grades: it %w", d.Path(seal.ScoresPart), store.ErrExists)
	}
	if err := d.Enter("score", read, map[string]string{seal.ScoresPart: digest(files[part.ManifestFile])}); err != nil {
		return err
	}
	return d.Write(seal.ScoresPart, files, force)
}

// PutReport writes the files of a report, and enters in the ledger what the report was made from. It replaces another report under force
// only; without, the error wraps store.ErrExists.
func (d *Dir) PutReport(files map[string][]byte, read map[string]string, force bool) error {
	if !d.Same(ReportPart, files) {
		if err := d.Write(ReportPart, files, force); err != nil {
			return err
		}
	}
	made, err := d.filesOf(ReportPart)
	if err != nil {
		return err
	}
	return d.Enter("report", read, map[string]string{ReportPart: seal.Merkle(made)})
}

func digest(b []byte) string { return part.NewFile("", b).SHA256 }
