package results

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/store"
)

func (d *Dir) ledger() (*seal.Ledger, error) {
	b, err := d.ReadFile(ledgerFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return seal.ParseLedger(b)
}

// Check verifies a results directory: the chain of the ledger, every file of the public and of the inferred part and of the scores, that
// each was made from those that are there, and that the ledger has entries for this public part and these scores. If the ledger is
// empty, as it is if somebody else made the public part, Check verifies the parts only.
func (d *Dir) Check() error {
	l, err := d.ledger()
	if err != nil {
		return fmt.Errorf("%s: %w", d, err)
	}
	if _, err := d.Public(); err != nil {
		return err
	}
	c := checker{d, l}
	for _, name := range []string{seal.PublicPart, seal.ScoresPart} {
		if err := c.recorded(name); err != nil {
			return Hinted(fmt.Errorf("%s %w", d.Path(name), err), "rerun the command that made it, with --force")
		}
	}
	for _, name := range []string{seal.InferredPart, seal.ScoresPart} {
		if name == seal.InferredPart && !d.Has(name) || !d.Has(name+"/"+part.ManifestFile) && name == seal.ScoresPart {
			continue // scores without a manifest are of an older version: who reads them says so
		}
		if _, _, err := d.Part(name); err != nil {
			return err
		}
	}
	named, err := d.Named()
	for _, name := range named {
		if _, _, err := d.Part(part.As(name)); err != nil {
			return err
		}
	}
	return err
}

// A checker compares what a directory has with its ledger.
type checker struct {
	*Dir
	ledger *seal.Ledger
}

// recorded returns an error if the directory has a part that no entry of its ledger wrote. An empty ledger is that of a directory that
// somebody else made.
func (c checker) recorded(name string) error {
	if !c.Has(name) || len(c.ledger.Entries) == 0 {
		return nil
	}
	digests, err := c.digests(name)
	switch {
	case err != nil:
		return fmt.Errorf("cannot be compared with the record in the ledger: %w", err)
	case !slices.ContainsFunc(c.ledger.Entries, func(e seal.Entry) bool { return slices.Contains(digests, e.Wrote[name]) }):
		return errors.New("differs from the record in the ledger")
	}
	return nil
}

// digests returns the digest of a part, and that which older versions of the program have entered in the ledger: of scores.json
// alone, of the page of a report alone.
func (c checker) digests(name string) ([]string, error) {
	if name == ReportPart {
		made, err := c.filesOf(name)
		digests := []string{seal.Merkle(made)}
		for _, f := range made {
			if f.Path == "index.html" {
				digests = append(digests, f.SHA256)
			}
		}
		return digests, err
	}
	b, err := c.ReadFile(name + "/" + part.ManifestFile)
	if name != seal.ScoresPart {
		return []string{digest(b)}, err
	}
	former, err2 := c.ReadFile(name + "/scores.json")
	if err != nil && err2 != nil {
		return nil, err
	}
	return []string{digest(b), digest(former)}, nil
}

// filesOf returns the files of a part, sorted by path.
func (d *Dir) filesOf(name string) (list []part.File, err error) {
	fsys, err := d.FS(name)
	if err != nil {
		return nil, err
	}
	paths, err := store.Files(fsys)
	for _, path := range paths {
		b, err := fs.ReadFile(fsys, path)
		if err != nil {
			return nil, err
		}
		list = append(list, part.NewFile(path, b))
	}
	return list, err
}

// Enter appends an entry to the ledger, unless the ledger already has an equal one. It has one after a resumed run.
func (d *Dir) Enter(stage string, read, wrote map[string]string) error {
	return d.enter(seal.Entry{Stage: stage, Read: read, Wrote: wrote})
}

func (d *Dir) enter(x seal.Entry) error {
	l, err := d.ledger()
	if err != nil {
		return err
	}
	for _, e := range l.Entries {
		if e.Stage == x.Stage && maps.Equal(e.Read, x.Read) && maps.Equal(e.Wrote, x.Wrote) && e.NotConfined == x.NotConfined {
			return nil
		}
	}
	l.Append(x)
	return d.WriteFile(ledgerFile, l.Encode())
}

// EnterInferred enters the inferred part in the ledger, as made from the public part whose manifest has the digest
// public, and whether programs observed that were not confined.
func (d *Dir) EnterInferred(public string, notConfined bool) error {
	return d.enterInferred(seal.InferredPart, public, notConfined)
}

func (d *Dir) enterInferred(name, public string, notConfined bool) error {
	b, err := d.ReadFile(name + "/" + part.ManifestFile)
	if err != nil {
		return err
	}
	return d.enter(seal.Entry{Stage: "infer", Read: map[string]string{seal.PublicPart: public}, Wrote: map[string]string{name: digest(b)}, NotConfined: notConfined})
}

// Unblinded says whether a result was inferred after the seal had been opened. inferred is the digest of the result's
// manifest. The error is a Hint if the ledger has entries of inference but none of this result: then the result was
// changed after it was inferred.
func (d *Dir) Unblinded(inferred string) (bool, error) {
	l, err := d.ledger()
	if err != nil {
		return false, err
	}
	unblinded, recorded := l.Unblinded(inferred)
	if !recorded && slices.ContainsFunc(l.Entries, func(e seal.Entry) bool { return e.Wrote[seal.InferredPart] != "" }) {
		return false, Hinted(fmt.Errorf("%s is not a result that the ledger records", d.Path(seal.InferredPart)), "achilles infer %s --force regenerates it", d)
	}
	return unblinded, nil
}
