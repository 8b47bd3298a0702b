package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
)

// cardsName is what verify calls the two files that describe a public part.
const cardsName = "data card"

// cardSettings is what somebody states of a public part that it does not say of itself.
type cardSettings struct {
	Name, Licence, Creator, URL, Date, Version, Cite string
	Person                                           bool
}

// over returns q with what was stated before where q states nothing.
func (q cardSettings) over(before cardSettings) cardSettings {
	for _, x := range []struct{ now, was *string }{
		{&q.Name, &before.Name}, {&q.Licence, &before.Licence}, {&q.URL, &before.URL}, {&q.Date, &before.Date}, {&q.Version, &before.Version}, {&q.Cite, &before.Cite},
	} {
		if *x.now == "" {
			*x.now = *x.was
		}
	}
	if q.Creator == "" {
		q.Creator, q.Person = before.Creator, before.Person
	}
	return q
}

// A cards is the two files as they are.
type cards struct {
	files  map[string][]byte // by name; a file that is not there is missing
	of     string            // the digest of the manifest that they describe; "": they do not say
	stated cardSettings
}

var errMissing = errors.New("missing")

// there says whether there is any of the two.
func (c *cards) there() bool { return len(c.files) > 0 }

// readCards reads the two files beside the public part of d.
func readCards(d *results.Dir) *cards {
	c := &cards{files: map[string][]byte{}}
	for _, name := range []string{results.CroissantFile, results.CardFile} {
		if b, err := d.ReadFile(name); err == nil {
			c.files[name] = b
		}
	}
	var said croissant
	if json.Unmarshal(c.files[results.CroissantFile], &said) != nil {
		return c
	}
	c.of, _ = strings.CutPrefix(said.Identifier, "sha256:")
	c.stated = cardSettings{Name: said.Name, Licence: said.License, URL: said.URL, Date: said.Published, Version: said.Version, Cite: said.CiteAs}
	if said.Creator != nil {
		c.stated.Creator, c.stated.Person = said.Creator.Name, said.Creator.Type == "sc:Person"
	}
	if c.stated.Name == unnamed(c.of) {
		c.stated.Name = ""
	}
	return c
}

// unnamed returns the name of data that nobody has named. It is the same wherever they lie, and tells nothing of what is sealed, as the name of a
// scenario may.
func unnamed(digest string) string { return fmt.Sprintf("achilles-%.12s", digest) }

// cardFiles returns the two files that describe a public part.
func cardFiles(q cardSettings, data *record.Dataset, digest string) map[string][]byte {
	if q.Name == "" {
		q.Name = unnamed(digest)
	}
	about := aboutData(data)
	return map[string][]byte{
		results.CroissantFile: croissantOf(&q, &data.Manifest, about, digest),
		results.CardFile:      dataCard(&q, data, about, digest),
	}
}

// faults returns what is wrong with the two files as descriptions of a public part.
func (c *cards) faults(data *record.Dataset, digest string) (list []error) {
	if c.of != "" && c.of != digest {
		return []error{fmt.Errorf("%s: describes other data, whose manifest has the digest %.12s…", results.CroissantFile, c.of)}
	}
	want := cardFiles(c.stated, data, digest)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got, ok := c.files[name]; !ok {
			list = append(list, fmt.Errorf("%s: is %w, although the other file about the public part is there", name, errMissing))
		} else if !bytes.Equal(got, want[name]) {
			list = append(list, fmt.Errorf("%s: differs from what this version of the program writes about the public part", name))
		}
	}
	return list
}

// faultsOfCards returns what is wrong with the two files of d, if they are there.
func faultsOfCards(d *results.Dir) ([]error, error) {
	c := readCards(d)
	if !c.there() {
		return nil, nil
	}
	data, digests, err := public(d)
	if err != nil {
		return nil, err
	}
	return c.faults(data, digests[seal.PublicPart]), nil
}

func writeCards(d *results.Dir, q cardSettings, data *record.Dataset, digest string) error {
	files := cardFiles(q, data, digest)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := d.WriteFile(name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// keepCards writes the two files beside the public part that has just been made, unless they describe it or are not ours. What was stated of other
// data that were there stays. data is the public part; nil: it is read.
func keepCards(d *results.Dir, data *record.Dataset) error {
	manifest, err := d.ReadFile(seal.PublicPart + "/" + part.ManifestFile)
	if err != nil {
		return err
	}
	digest, was := part.Digest(manifest), readCards(d)
	if was.there() && (was.of == "" || was.of == digest && len(was.files) == 2) {
		return nil
	}
	if data == nil {
		if data, _, err = public(d); err != nil {
			return err
		}
	}
	return writeCards(d, was.stated, data, digest)
}
