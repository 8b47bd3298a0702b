package results

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"achilles/scenarios/seal"
	"achilles/sim/num"
	"achilles/sim/part"
	"achilles/sim/store"
)

// A Verified says what was verified of a part of a results directory, or of another thing in it.
type Verified struct {
	Name   string
	How    string // against what it was compared, in a phrase
	Digest string // of the part, by which others name it; empty if none does
	Faults []error
}

// Verify verifies all that a results directory says of itself: that every file of its parts is as the manifest of the part states, and no
// other is there, that each part was made from those that are there, that the sealed part is the one to which the public part commits,
// that the ledger follows from its entries and has every part, and that shards are whole. It shows nothing of what is sealed, and
// changes nothing. The second result says what could not be verified.
func (d *Dir) Verify() (list []Verified, unchecked []string, err error) {
	root, err := d.FS(".")
	if err != nil {
		return nil, nil, err
	}
	ledger := Verified{Name: "ledger"}
	l, err := d.ledger()
	if err != nil {
		ledger.Faults, l = []error{err}, &seal.Ledger{}
	}
	c := checker{d, l}
	ledger.How = "each entry against the one before"
	var public *part.Manifest
	digest, inferred := "", ""
	names := []string{seal.PublicPart, seal.InferredPart, seal.ScoresPart}
	named, err := d.Named()
	if err != nil {
		return nil, nil, err
	}
	for _, name := range named {
		names = append(names, part.As(name))
	}
	for _, name := range names {
		if !d.Has(name) {
			if l.Made(name, digest) {
				unchecked = append(unchecked, name+": is missing, although the ledger says that it was made")
			}
			continue
		}
		v := Verified{Name: name}
		var there []string
		if fsys, err := d.FS(name); err == nil {
			there, err = store.Files(fsys)
			if err != nil {
				v.Faults = append(v.Faults, fmt.Errorf("%s: %w", name, err))
			}
		}
		m, faults := part.Faults(root, name, there)
		v.Faults = append(v.Faults, faults...)
		if m != nil {
			v.How = num.Counted(len(m.All()), "file") + " against the manifest"
			if parents := slices.Sorted(maps.Keys(m.Parents)); name != seal.PublicPart {
				v.How += ", made from " + strings.Join(parents, ", ")
			}
			if b, err := d.ReadFile(name + "/" + part.ManifestFile); err == nil {
				v.Digest = part.Digest(b)
			}
		}
		switch name {
		case seal.PublicPart:
			public, digest = m, v.Digest
		case seal.InferredPart:
			inferred = v.Digest
		}
		if err := c.recorded(name); err != nil {
			v.Faults = append(v.Faults, fmt.Errorf("%s: %w", name, err))
		}
		list = append(list, v)
	}
	if v, why := c.sealed(public); v != nil {
		list = slices.Insert(list, 1, *v)
	} else if why != "" {
		unchecked = append(unchecked, why)
	}
	if d.Has(ReportPart) {
		v := Verified{Name: ReportPart}
		if made, err := c.filesOf(ReportPart); err == nil {
			v.How = num.Counted(len(made), "file") + " against the ledger"
		}
		if err := c.recorded(ReportPart); err != nil {
			v.Faults = append(v.Faults, fmt.Errorf("%s: %w", ReportPart, err))
		}
		list = append(list, v)
	}
	if d.Has(ledgerFile) {
		if unblinded, ok := l.Unblinded(inferred); ok && unblinded {
			ledger.How += "; inferred after the seal was opened"
		} else if ok {
			ledger.How += "; inferred before the seal was opened"
		}
		list = append(list, ledger)
	} else {
		unchecked = append(unchecked, "order of events: there is no "+ledgerFile)
	}
	entries, err := fs.ReadDir(root, ".")
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(names, e.Name()) && !slices.Contains([]string{seal.SealedPart, ReportPart, ledgerFile, ShardsPart, BodiesPart, CroissantFile, CardFile}, e.Name()) {
			unchecked = append(unchecked, e.Name()+": belongs to no part")
		}
	}
	if d.Has(ShardsPart) {
		v, why := c.shards()
		list = append(list, v)
		unchecked = append(unchecked, why...)
	}
	return list, unchecked, err
}

// sealed verifies the sealed part. public is the manifest of the public part; nil: it cannot be read. If there is no sealed part,
// it returns nil and, if there should be one, a sentence that says so.
func (c checker) sealed(public *part.Manifest) (*Verified, string) {
	commitment := ""
	if public != nil {
		commitment = public.Parents[part.Sealed]
	}
	if !c.Has(seal.SealedPart) {
		if commitment == "" {
			return nil, ""
		}
		return nil, fmt.Sprintf("%s: is missing; the public part commits to %.12s…", seal.SealedPart, commitment)
	}
	v := &Verified{Name: seal.SealedPart, Digest: commitment}
	sealed, err := c.FS(seal.SealedPart)
	switch {
	case err != nil:
	case public == nil:
		err = errors.New("the public part, which commits to it, cannot be read")
	case commitment == "":
		err = errors.New("the public part commits to no sealed part")
	default:
		var files int
		files, v.Faults = seal.Faults(sealed, commitment)
		v.How = num.Counted(files, "file") + " against the commitment of public"
		return v, ""
	}
	v.Faults = []error{fmt.Errorf("%s: %w", seal.SealedPart, err)}
	return v, ""
}

// shards verifies the shards below the directory. The second result names those that are not complete.
func (c checker) shards() (v Verified, unchecked []string) {
	v.Name = ShardsPart
	dirs, err := OpenShards(c.dir, nil)
	for _, s := range dirs {
		defer s.Close()
	}
	if err != nil {
		v.Faults = append(v.Faults, err)
		return v, nil
	}
	shards, err := CheckShards(dirs)
	var missing *Incomplete
	switch {
	case errors.As(err, &missing) && missing.Damaged == nil:
		unchecked = append(unchecked, ShardsPart+": "+err.Error())
	case err != nil:
		v.Faults = append(v.Faults, err)
	default:
		if err := shards[0].isOf(c.Dir); err != nil {
			v.Faults = append(v.Faults, err)
		}
	}
	for _, s := range dirs {
		if !s.Has(seal.PublicPart) {
			continue
		}
		inner, _, err := s.Verify() // a shard of a run has the whole battery
		if err != nil {
			v.Faults = append(v.Faults, err)
		}
		for _, x := range inner {
			for _, err := range x.Faults {
				v.Faults = append(v.Faults, fmt.Errorf("%s: %w", s, err))
			}
		}
	}
	pieces := 0
	for _, s := range shards {
		pieces += len(s.Pieces)
	}
	v.How = fmt.Sprintf("%s of %s against their manifests", num.Counted(pieces, "piece"), num.Counted(len(shards), "shard"))
	return v, unchecked
}
