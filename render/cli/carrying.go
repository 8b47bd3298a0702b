package cli

import (
	"fmt"
	"io/fs"

	"achilles/infer"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/part"
)

// carry makes what is known of the subjects by the result in another directory the priors of the inference of d. A result that was handed in or inferred
// after the seal of its directory was opened is refused, since truth could come in by it, and so is one of the same data.
func (j *inferring) carry(a *app, d *results.Dir, dir string) error {
	if j.Layout == nil {
		return usagef("--prior-from needs responses that a layout is fitted to; these data are episodes")
	}
	from, err := openChecked(dir)
	if err != nil {
		return err
	}
	defer from.Close()
	res, err := openResult(from)
	if err != nil {
		return err
	}
	public, err := d.Public()
	if err != nil {
		return err
	}
	inferred, err := from.Inferred()
	if err != nil {
		return err
	}
	parent, err := manifestOf(public)
	if err != nil {
		return err
	}
	digest, err := manifestOf(inferred)
	if err != nil {
		return err
	}
	unblinded, err := from.Unblinded(digest)
	switch {
	case err != nil:
		return err
	case res.Manifest.Parents[seal.PublicPart] == parent:
		return fmt.Errorf("--prior-from %s: its result was inferred from the same responses, which would count twice", dir)
	case res.Settings.Submitted:
		return fmt.Errorf("--prior-from %s: its result is a submission, and nothing shows that it was made blind", dir)
	case unblinded:
		return fmt.Errorf("--prior-from %s: its result was inferred after the seal was opened", dir)
	}
	carried, lost, err := infer.Carry(public, res, j.Layout)
	if err != nil {
		return fmt.Errorf("--prior-from %s: %w", dir, err)
	}
	j.Carried, j.PriorFrom = carried, digest
	a.printEach(lost)
	return settingError(j.Check(true, false))
}

// manifestOf returns the digest of the manifest of a part.
func manifestOf(dir fs.FS) (string, error) {
	b, err := fs.ReadFile(dir, part.ManifestFile)
	return part.NewFile("", b).SHA256, err
}
