package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"achilles/infer"
	"achilles/sim/record"
	"achilles/sim/store"
)

// errNothingInferred is where inferred/ is wanted and not there.
var errNothingInferred = errors.New("nothing inferred yet")

// results is a results directory: public/, sealed/, inferred/, scores/ and the ledger.
type results struct {
	dir      string
	roots    []*os.Root
	verified fs.FS // the public part; nil until it is asked for
}

// openResults opens a directory that has a public part.
func openResults(dir string) (*results, error) {
	if _, err := os.Stat(filepath.Join(dir, "public", "manifest.json")); err != nil {
		return nil, hinted(fmt.Errorf("%s is no results directory: it has no public/manifest.json", dir), "achilles generate SCENARIO --out %s, or achilles import, makes one", dir)
	}
	return &results{dir: dir}, nil
}

func (d *results) close() {
	for _, r := range d.roots {
		_ = r.Close() // read-only
	}
}

func (d *results) path(part string) string { return filepath.Join(d.dir, part) }

// root opens a part as a file system that no name and no link leaves (os.Root).
func (d *results) root(part string) (fs.FS, error) {
	r, err := os.OpenRoot(d.path(part))
	if err != nil {
		return nil, err
	}
	d.roots = append(d.roots, r)
	return r.FS(), nil
}

// public opens the public part. Every file is verified: whatever is made from it, or shown, is what was published.
func (d *results) public() (fs.FS, error) {
	if d.verified != nil {
		return d.verified, nil
	}
	root, err := d.root("public")
	if err != nil {
		return nil, err
	}
	m, err := record.ReadManifest(root)
	if err == nil {
		err = m.Verify(root)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", d.path("public"), err)
	}
	var bad *record.Damaged
	if errors.As(err, &bad) {
		err = hinted(err, "what made %s makes it anew: achilles run, generate or import with --out %s --force", d.path("public"), d.dir)
	}
	if err != nil {
		return nil, err
	}
	d.verified = root
	return root, nil
}

func (d *results) has(part string) bool {
	_, err := os.Stat(d.path(part))
	return err == nil
}

// result reads and verifies inferred/; the error wraps errNothingInferred where nothing was inferred yet.
func (d *results) result() (*infer.Result, error) {
	root, err := d.inferred()
	if err != nil {
		return nil, err
	}
	return infer.Open(root)
}

func (d *results) inferred() (fs.FS, error) {
	root, err := d.root("inferred")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, hinted(fmt.Errorf("%s has %w", d.dir, errNothingInferred), "%s", d.howToInfer())
	}
	return root, err
}

// howToInfer is what to type where nothing is inferred yet. Episodes are watched by observers, without a layout.
func (d *results) howToInfer() string {
	public, err := d.public()
	if err == nil {
		if m, err := record.ReadManifest(public); err == nil && m.Watched() {
			return fmt.Sprintf("achilles infer %s lets observers watch its episodes", d.dir)
		}
	}
	return fmt.Sprintf("achilles infer %s --layout NAME; achilles layouts list shows the names", d.dir)
}

func (d *results) inferredFile(name string) ([]byte, error) {
	return os.ReadFile(d.path(filepath.Join("inferred", name)))
}

// writing does f while no other process writes into a results directory, and makes the directory where it is not there.
func writing(dir string, f func() error) error {
	l, err := store.LockDir(dir)
	return whileLocked(l, err, f)
}

// placing does f, which writes a directory as a whole, while no other process writes that directory.
func placing(dir string, f func() error) error {
	l, err := store.LockPlace(dir)
	return whileLocked(l, err, f)
}

func whileLocked(l *store.Lock, err error, f func() error) error {
	if errors.Is(err, store.ErrBusy) {
		return hinted(err, "wait until it has ended, or choose another directory: what makes one has --out")
	}
	if err != nil {
		return err
	}
	defer l.Release()
	return f()
}

// writeDirectory writes a directory that a user asked for by name.
func writeDirectory(dir string, files map[string][]byte, force bool) error {
	return overwriteHint(store.Write(dir, files, force))
}

func overwriteHint(err error) error {
	if errors.Is(err, store.ErrExists) {
		return hinted(err, "--force overwrites it; --out writes elsewhere")
	}
	return err
}
