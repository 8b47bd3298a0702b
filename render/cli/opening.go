package cli

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/expr"
	"achilles/sim/part"
	"achilles/sim/record"
)

// openResult reads and verifies the inferred part. The error wraps results.ErrNotInferred if there is none.
func openResult(d *results.Dir) (*infer.Result, error) {
	root, err := d.Inferred()
	if err != nil {
		return nil, err
	}
	return infer.Open(root)
}

// asFlag adds the flag that says which result is meant.
func asFlag(c *cobra.Command, as *string) {
	c.Flags().StringVar(as, "as", "", "the result of infer --as NAME (default: that of infer without it)")
}

// placeOf returns the folder of the result of infer --as NAME, or of infer without it.
func placeOf(as string) string {
	if as == "" {
		return seal.InferredPart
	}
	return part.As(as)
}

// resultOf reads and verifies the result of infer --as NAME, or of infer without it.
func resultOf(d *results.Dir, as string) (*infer.Result, error) {
	named, err := d.Named()
	switch {
	case err != nil:
		return nil, err
	case as == "" && len(named) > 0 && !d.Has(seal.InferredPart):
		return nil, results.Hinted(fmt.Errorf("%s has %w, except as %s", d, results.ErrNotInferred, strings.Join(named, ", ")), "add --as %s", named[0])
	case as == "":
		return openResult(d)
	case !slices.Contains(named, as):
		return nil, fmt.Errorf("--as %s: there is no such result%s", as, expr.DidYouMean(as, named))
	}
	return openNamed(d, placeOf(as))
}

// openNamed opens an inferred part by the name of its folder.
func openNamed(d *results.Dir, place string) (*infer.Result, error) {
	_, root, err := d.Part(place)
	if err != nil {
		return nil, err
	}
	return infer.Open(root)
}

// openChecked opens a results directory and verifies everything in it that is not sealed.
func openChecked(dir string) (*results.Dir, error) {
	d, err := results.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := d.Check(); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// publicOf reads the public part of a results directory that is complete.
func publicOf(dir string) (*record.Dataset, error) {
	d, err := openChecked(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	public, err := d.Public()
	if err != nil {
		return nil, err
	}
	return record.Read(public)
}

// public reads the public part of a results directory that has no inferred part. The second result has the digest of
// the public manifest.
func public(d *results.Dir) (*record.Dataset, map[string]string, error) {
	root, err := d.Public()
	if err != nil {
		return nil, nil, err
	}
	manifest, err := fs.ReadFile(root, "manifest.json")
	if err != nil {
		return nil, nil, err
	}
	data, err := record.Read(root)
	return data, map[string]string{seal.PublicPart: part.NewFile("", manifest).SHA256}, err
}

// writeInto calls f with a results directory, which must exist. The directory is locked until f returns.
func writeInto(dir string, f func(d *results.Dir) error) error {
	there, err := results.Open(dir) // fails before anything is made or locked
	if err != nil {
		return err
	}
	there.Close()
	return results.Write(dir, f)
}

func isItemAnalysis(dir string) bool {
	_, err := part.ReadManifest(os.DirFS(dir), part.Items)
	return err == nil
}

// itemAnalysis returns the manifest of an item analysis in a directory, and its files.
func itemAnalysis(dir string) (*part.Manifest, fs.FS, error) {
	fsys := os.DirFS(dir)
	m, err := part.Read(fsys, part.Items)
	if err != nil {
		err = results.Hinted(fmt.Errorf("%s: %w", dir, err), "%s", mends(part.Items, dir))
	}
	return m, fsys, err
}
