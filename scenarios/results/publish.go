package results

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/store"
)

const manifestFile = "manifest.json"

// A Create opens a file for writing. part is seal.PublicPart or seal.SealedPart; path is the slash-separated path
// within the part.
type Create func(part, path string) (io.WriteCloser, error)

// Put writes one file.
func (c Create) Put(part, path string, data []byte) error {
	f, err := c(part, path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// PutAll writes files of the public part, path → content, the manifest last.
func (c Create) PutAll(files map[string][]byte) error {
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if path == manifestFile {
			continue
		}
		if err := c.Put(seal.PublicPart, path, files[path]); err != nil {
			return err
		}
	}
	return c.Put(seal.PublicPart, manifestFile, files[manifestFile])
}

// PutPublic calls publish to write the public and the sealed part that a stage makes, and enters them in the ledger. If
// publish writes no sealed file, there is no truth. If the directory has other data, PutPublic replaces them under force,
// together with everything that was made from them; without force the error wraps store.ErrExists, and the directory
// keeps what it has. publish may create one file after another, and nothing else holds their content in memory.
func (d *Dir) PutPublic(stage string, force bool, publish func(Create) error) error {
	p := &publication{dir: d, drafts: map[string]*store.Draft{}}
	defer p.abort()
	for _, part := range []string{seal.SealedPart, seal.PublicPart} { // a truth that was half written must not stay beside other data
		if err := d.Clean(part); err != nil {
			return err
		}
	}
	if err := publish(p.create); err != nil {
		return err
	}
	if p.drafts[seal.PublicPart] == nil {
		return errors.New("results: nothing was published")
	}
	if err := p.commit(force); err != nil {
		return err
	}
	return d.enterPublic(stage, p.drafts[seal.SealedPart] != nil)
}

// enterPublic enters the public part, and the sealed part if there is one, in the ledger.
func (d *Dir) enterPublic(stage string, sealed bool) error {
	public, err := d.FS(seal.PublicPart)
	if err != nil {
		return err
	}
	m, err := record.ReadManifest(public)
	if err != nil {
		return err
	}
	manifest, err := d.ReadFile(seal.PublicPart + "/" + manifestFile)
	if err != nil {
		return err
	}
	wrote := map[string]string{seal.PublicPart: digest(manifest)}
	if sealed {
		wrote[seal.SealedPart] = m.Parents[part.Sealed]
	}
	return d.enter(seal.Entry{Stage: stage, Wrote: wrote, NotConfined: m.NotConfined})
}

// A publication is a public and a sealed part that are being written.
type publication struct {
	dir    *Dir
	drafts map[string]*store.Draft // by part; a part without files has none
}

func (p *publication) create(part, path string) (io.WriteCloser, error) {
	if p.drafts[part] == nil {
		begin := p.dir.Begin
		if part == seal.SealedPart {
			begin = p.dir.BeginPrivate
		}
		draft, err := begin(part, true) // commit asks whether it may replace what is there
		if err != nil {
			return nil, err
		}
		p.drafts[part] = draft
	}
	return p.drafts[part].Create(path)
}

// commit puts the parts that differ from those of the directory in their places.
func (p *publication) commit(force bool) error {
	force = force || p.onlyTruthDiffers()
	parts := []string{seal.SealedPart, seal.PublicPart} // the truth before the commitment to it
	stale := false
	for _, part := range parts {
		if draft := p.drafts[part]; p.dir.Has(part) && (draft == nil || !draft.Same()) {
			stale = true
			if !force {
				return fmt.Errorf("%s holds other data: it %w", p.dir.Path(part), store.ErrExists)
			}
		}
	}
	for _, draft := range p.drafts {
		if err := draft.Sync(); err != nil { // before anything old is removed
			return err
		}
	}
	if err := settle(p.drafts[seal.PublicPart]); err != nil {
		return err
	}
	if stale {
		named, err := p.dir.Named()
		if err != nil {
			return err
		}
		for _, name := range named {
			if err := p.dir.Remove(part.As(name)); err != nil {
				return err
			}
		}
		if err := p.dir.Remove(ReportPart, seal.ScoresPart, seal.InferredPart, piecesPart, seal.SealedPart); err != nil {
			return err
		}
	}
	for _, part := range parts {
		if draft := p.drafts[part]; draft != nil && (stale || !p.dir.Has(part)) {
			if err := draft.Commit(); err != nil {
				return err
			}
		}
	}
	return nil
}

// onlyTruthDiffers says whether the directory has the public part already, except that the commitment in its manifest
// differs, and nothing was inferred from it. This is so after a change to the section inference of a scenario, whose
// text is sealed.
func (p *publication) onlyTruthDiffers() bool {
	named, err := p.dir.Named()
	return err == nil && len(named) == 0 && !p.dir.Has(seal.InferredPart) && p.drafts[seal.PublicPart].Same(manifestFile)
}

// abort removes what was written and not committed.
func (p *publication) abort() {
	for _, draft := range p.drafts {
		draft.Abort()
	}
}
