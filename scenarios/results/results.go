// Package results is a results directory: the public and the sealed part, what was inferred, scored and reported, and the
// ledger of the stages that made them. It verifies what is read and keeps what does not belong together apart.
package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"achilles/scenarios/seal"
	"achilles/sim/record"
	"achilles/sim/store"
)

// The parts of a results directory, beside those of the ledger (seal.PublicPart and so on).
const (
	ReportPart = "report"
	BodiesPart = "episodes" // a results directory of its own, of the same subjects as bodies
	piecesPart = ".pieces"  // what an interrupted inference has finished
	actedPart  = ".played"  // what those did who act from outside
	ledgerFile = "ledger.json"
)

// ErrNotInferred says that the inferred part is wanted and not there.
var ErrNotInferred = errors.New("nothing inferred yet")

// A Dir is a results directory. No name and no link leads out of it.
type Dir struct {
	*store.Dir
	dir      string
	verified fs.FS // the public part; nil until it is asked for
}

// Open opens a directory that has a public part.
func Open(dir string) (*Dir, error) {
	if _, err := os.Stat(filepath.Join(dir, seal.PublicPart, "manifest.json")); err != nil {
		return nil, Hinted(fmt.Errorf("%s is no results directory: it has no public/manifest.json", dir), "achilles generate SCENARIO --out %s, or achilles import, makes one", dir)
	}
	d, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	return &Dir{Dir: d, dir: dir}, nil
}

// Make opens a directory to be filled, and makes it where it is not there.
func Make(dir string) (*Dir, error) {
	d, err := store.Make(dir)
	if err != nil {
		return nil, err
	}
	return &Dir{Dir: d, dir: dir}, nil
}

// String is the path of d as it was given.
func (d *Dir) String() string { return d.dir }

// Public opens the public part. Every file is verified: whatever is made from it, or shown, is what was published.
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
	}
	var bad *record.Damaged
	if errors.As(err, &bad) {
		err = Hinted(err, "what made %s makes it anew: achilles run, generate or import with --out %s --force", d.Path(seal.PublicPart), d)
	}
	if err != nil {
		return nil, err
	}
	d.verified = root
	return root, nil
}

// Inferred opens the inferred part; the error wraps ErrNotInferred where there is none.
func (d *Dir) Inferred() (fs.FS, error) {
	if !d.Has(seal.InferredPart) {
		return nil, Hinted(fmt.Errorf("%s has %w", d, ErrNotInferred), "%s", d.HowToInfer())
	}
	return d.FS(seal.InferredPart)
}

// HowToInfer is what to type where nothing is inferred yet.
func (d *Dir) HowToInfer() string {
	if public, err := d.Public(); err == nil {
		if m, err := record.ReadManifest(public); err == nil && !m.Answered() {
			return fmt.Sprintf("achilles infer %s lets observers watch its episodes", d)
		}
	}
	return fmt.Sprintf("achilles infer %s --layout NAME; achilles layouts list shows the names", d)
}

// Pieces is where an inference keeps what it has finished.
func (d *Dir) Pieces() *store.Pieces { return d.Dir.Pieces(piecesPart) }

// Acted is where a session keeps what those did who act from outside.
func (d *Dir) Acted() *store.Pieces { return d.Dir.Pieces(actedPart) }

// PutPublic writes the public and the sealed part of a stage, sealed nil where there is no truth. What is there and differs
// is replaced under force only, and what was made from it goes with it.
func (d *Dir) PutPublic(stage string, public, sealed map[string][]byte, force bool) error {
	parts := []struct {
		name  string
		files map[string][]byte
	}{{seal.SealedPart, sealed}, {seal.PublicPart, public}}
	stale := false
	for _, p := range parts {
		if d.Has(p.name) && !d.Same(p.name, p.files) {
			stale = true
			if !force {
				return fmt.Errorf("%s holds other data: it %w", d.Path(p.name), store.ErrExists)
			}
		}
	}
	if stale {
		if err := d.Remove(ReportPart, seal.ScoresPart, seal.InferredPart, piecesPart, seal.SealedPart); err != nil {
			return err
		}
	}
	for _, p := range parts {
		if p.files == nil || d.Same(p.name, p.files) {
			continue
		}
		if err := d.Write(p.name, p.files, force); err != nil {
			return err
		}
	}
	wrote := map[string]string{seal.PublicPart: digest(public["manifest.json"])}
	if sealed != nil {
		wrote[seal.SealedPart] = seal.Commitment(sealed)
	}
	return d.Enter(stage, nil, wrote)
}

// PutInferred gives a finished result its place, and removes the grades and the report of the one before and what was kept
// to go on from.
func (d *Dir) PutInferred(result *store.Draft) error {
	if err := d.Remove(ReportPart, seal.ScoresPart); err != nil {
		return err
	}
	return errors.Join(result.Commit(), d.Remove(piecesPart))
}

// PutScores enters what was read, then writes the scores: the ledger says that the seal was opened before anybody can see
// what was under it. Scores that differ are replaced under force only.
func (d *Dir) PutScores(files map[string][]byte, read map[string]string, force bool) error {
	if d.Same(seal.ScoresPart, files) {
		return nil
	}
	if d.Has(seal.ScoresPart) && !force {
		return fmt.Errorf("%s has other grades: it %w", d.Path(seal.ScoresPart), store.ErrExists)
	}
	if err := d.Enter("score", read, map[string]string{seal.ScoresPart: digest(files["scores.json"])}); err != nil {
		return err
	}
	return d.Write(seal.ScoresPart, files, force)
}

// PutReport writes the files of a report, of which name is the page, and enters what it was made from. Another report is replaced under force only.
func (d *Dir) PutReport(name string, files map[string][]byte, read map[string]string, force bool) error {
	if !d.Same(ReportPart, files) {
		if err := d.Write(ReportPart, files, force); err != nil {
			return err
		}
	}
	return d.Enter("report", read, map[string]string{ReportPart: digest(files[name])})
}

func digest(b []byte) string { return record.NewFile("", b).SHA256 }
