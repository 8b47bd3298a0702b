package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"achilles/scenarios/score"
	"achilles/scenarios/seal"
	"achilles/sim/record"
	"achilles/sim/store"
)

func (d *results) ledger() (*seal.Ledger, error) {
	b, err := os.ReadFile(d.path("ledger.json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return seal.ParseLedger(b)
}

// enter appends an entry to the ledger, unless one says the same: a resumed run enters nothing twice.
func (d *results) enter(stage string, read, wrote map[string]string) error {
	l, err := d.ledger()
	if err != nil {
		return err
	}
	for _, e := range l.Entries {
		if e.Stage == stage && maps.Equal(e.Read, read) && maps.Equal(e.Wrote, wrote) {
			return nil
		}
	}
	l.Append(stage, read, wrote)
	return store.WriteFile(d.path("ledger.json"), l.Encode())
}

// replacePublic writes the public and the sealed part of a stage, sealed nil where there is no truth. What is there and differs
// is replaced under force only, and what was made from it goes with it.
func (a *app) replacePublic(stage, out string, public, sealed map[string][]byte, force bool) error {
	d := &results{dir: out}
	parts := []struct {
		name  string
		files map[string][]byte
	}{{"sealed", sealed}, {"public", public}}
	stale := false
	for _, p := range parts {
		if d.has(p.name) && !store.Same(d.path(p.name), p.files) {
			stale = true
			if !force {
				return overwriteHint(fmt.Errorf("%s holds other data: it %w", d.path(p.name), store.ErrExists))
			}
		}
	}
	if stale {
		for _, name := range []string{"report", "scores", "inferred", ".pieces", "sealed"} {
			if err := os.RemoveAll(d.path(name)); err != nil {
				return err
			}
		}
	}
	for _, p := range parts {
		if p.files == nil || d.has(p.name) && store.Same(d.path(p.name), p.files) {
			continue
		}
		if err := store.Write(d.path(p.name), p.files, force); err != nil {
			return err
		}
	}
	wrote := map[string]string{seal.PublicPart: record.NewFile("", public["manifest.json"]).SHA256}
	if sealed != nil {
		wrote[seal.SealedPart] = seal.Commitment(sealed)
	}
	return d.enter(stage, nil, wrote)
}

// replaceInferred gives a finished result its place and removes the grades and the report of the one before.
func (a *app) replaceInferred(d *results, stage *store.Stage) error {
	for _, stale := range []string{"report", "scores"} {
		if err := os.RemoveAll(d.path(stale)); err != nil {
			return err
		}
	}
	return stage.Commit()
}

// enterInferred enters what is in inferred/, made from public data with that digest.
func (d *results) enterInferred(public string) error {
	b, err := d.inferredFile("manifest.json")
	if err != nil {
		return err
	}
	return d.enter("infer", map[string]string{seal.PublicPart: public}, map[string]string{seal.InferredPart: record.NewFile("", b).SHA256})
}

// replaceScores enters that the seal was opened before it writes what was seen.
func (a *app) replaceScores(d *results, files map[string][]byte, in *score.Input, force bool) error {
	if d.has("scores") && !force {
		return overwriteHint(fmt.Errorf("%s has other grades: it %w", d.path("scores"), store.ErrExists))
	}
	read := map[string]string{seal.PublicPart: in.Manifest, seal.InferredPart: in.Inferred}
	if in.Sealed != nil {
		read[seal.SealedPart] = in.Sealed.Digest
	}
	if err := d.enter("score", read, map[string]string{seal.ScoresPart: record.NewFile("", files["scores.json"]).SHA256}); err != nil {
		return err
	}
	return store.Write(d.path("scores"), files, force)
}

// unblinded says whether the result was inferred after the seal had been opened. A result that the ledger does not
// know is refused where it knows another of the same data: somebody changed it.
func (d *results) unblinded(inferred string) (bool, error) {
	l, err := d.ledger()
	if err != nil {
		return false, err
	}
	unblinded, recorded := l.Unblinded(inferred)
	if !recorded && slices.ContainsFunc(l.Entries, func(e seal.Entry) bool { return e.Wrote[seal.InferredPart] != "" }) {
		return false, hinted(fmt.Errorf("%s is not a result that the ledger has", d.path("inferred")), "achilles infer %s --force makes it anew", d.dir)
	}
	return unblinded, nil
}
