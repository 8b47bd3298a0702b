package results

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"achilles/scenarios/seal"
)

func (d *Dir) ledger() (*seal.Ledger, error) {
	b, err := d.ReadFile(ledgerFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return seal.ParseLedger(b)
}

// Check verifies a results directory: the chain of the ledger, every file of the public and of the inferred part, that the
// one was made from the other, and that the ledger has entries for this public part and these scores. If the ledger is empty, as it is if somebody else made the public
// part, Check verifies the parts only.
func (d *Dir) Check() error {
	l, err := d.ledger()
	if err != nil {
		return fmt.Errorf("%s: %w", d, err)
	}
	if _, err := d.Public(); err != nil {
		return err
	}
	for _, p := range []struct{ part, file string }{{seal.PublicPart, "manifest.json"}, {seal.ScoresPart, "scores.json"}} {
		b, err := d.ReadFile(p.part + "/" + p.file)
		if errors.Is(err, fs.ErrNotExist) && p.part == seal.ScoresPart {
			continue
		}
		if err != nil {
			return err
		}
		entered := slices.ContainsFunc(l.Entries, func(e seal.Entry) bool { return e.Wrote[p.part] == digest(b) })
		if len(l.Entries) > 0 && !entered {
			return Hinted(fmt.Errorf("%s differs from the record in the ledger", d.Path(p.part)), "rerun the command that made it, with --force")
		}
	}
	if !d.Has(seal.InferredPart) {
		return nil
	}
	_, _, err = d.Part(seal.InferredPart)
	return err
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
	b, err := d.ReadFile(seal.InferredPart + "/manifest.json")
	if err != nil {
		return err
	}
	return d.enter(seal.Entry{Stage: "infer", Read: map[string]string{seal.PublicPart: public}, Wrote: map[string]string{seal.InferredPart: digest(b)}, NotConfined: notConfined})
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
		return false, Hinted(fmt.Errorf("%s is not a result that the ledger has", d.Path(seal.InferredPart)), "achilles infer %s --force makes it anew", d)
	}
	return unblinded, nil
}
