// Package seal is the sealed side of a results directory: the identity of subjects and items behind the public opaque
// ids and what the subjects did, the commitment in the public manifest, and the ledger, which records when the seal
// was opened. Inference never reads the sealed part.
package seal

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"achilles/agents"
	"achilles/battery/bib"
	"achilles/sim/part"
	"achilles/sim/store"
)

// TruthFile is the path of the Truth in a sealed directory.
const TruthFile = "truth.json"

// A Truth is the content of sealed/truth.json: everything that the public directory must not say.
type Truth struct {
	Root      string                 `json:"root"`                // root seed, as decimal text because JSON numbers lose digits
	Drawn     bool                   `json:"drawn,omitempty"`     // true if the root seed was drawn, so that nobody knows it
	Salt      string                 `json:"salt"`                // salt of the Key, in hex
	Scenario  string                 `json:"scenario"`            // text of the scenario
	Scale     map[string]float64     `json:"scale,omitempty"`     // capability → its maximum, in the unit of its demand
	Subjects  map[string]agents.Spec `json:"subjects"`            // opaque id → the subject's specification and truth
	Items     map[string]Item        `json:"items"`               // opaque id → the item
	Published json.RawMessage        `json:"published,omitempty"` // published values to print beside ours

	// Parameters has the values that were drawn from a layout: parameter → its unit → value. The unit is the opaque id of
	// a subject or an item, the name of a group of items, or "" if the parameter is shared by all.
	Parameters map[string]map[string]float64 `json:"parameters,omitempty"`
	Layout     string                        `json:"layout,omitempty"` // text of the layout from which they were drawn

	Calls []Calls `json:"calls,omitempty"` // what language models were asked, by trial; sorted

	Digest   string         `json:"-"` // digest of the sealed part, set by Open and ReadTruth
	manifest *part.Manifest // set by Open and ReadTruth
}

// Calls says what a language model was asked in a trial or a question.
type Calls struct {
	Subject    string `json:"subject"`
	Item       string `json:"item"`
	Trial      int    `json:"trial"` // number of the trial in the public directory
	Repetition int    `json:"repetition"`

	agents.Calls
}

// An Item has the name of an item and what its outcomes are.
type Item struct {
	Name    string     `json:"name"`
	Labels  []Label    `json:"labels,omitempty"`
	Episode *bib.Label `json:"episode,omitempty"` // label of an item that observers watch
	Answer  string     `json:"answer,omitempty"`  // right answer of a question
}

// A Label says whether one outcome of a pair is the expected one.
type Label struct {
	Pair    int    `json:"pair"`
	Trial   int    `json:"trial"`   // number of the trial in the public directory
	Name    string `json:"name"`    // a or b, by the order of the public trials, which is random
	Outcome string `json:"outcome"` // expected or unexpected
}

// New returns a Truth with the root seed and the salt.
func New(root uint64) *Truth {
	return &Truth{
		Root: strconv.FormatUint(root, 10), Salt: hex.EncodeToString(NewKey(root).salt[:]),
		Subjects: map[string]agents.Spec{}, Items: map[string]Item{},
	}
}

// Encode returns the text of truth.json.
func (t *Truth) Encode() ([]byte, error) {
	var b bytes.Buffer
	err := t.Write(&b, func(yield func(string, Item) bool) {
		for _, id := range slices.Sorted(maps.Keys(t.Items)) {
			if !yield(id, t.Items[id]) {
				return
			}
		}
	})
	return b.Bytes(), err
}

// Write writes the text of truth.json with these items, which come sorted by opaque id, in place of t.Items. It holds one of them
// in memory.
func (t *Truth) Write(out io.Writer, items iter.Seq2[string, Item]) error {
	rest := *t
	rest.Items = map[string]Item{}
	w := &truthWriter{out: out}
	w.json = json.NewEncoder(&w.text)
	w.json.SetEscapeHTML(false)
	const mark = "\n \"items\": {" // no text has a line break in JSON, and deeper keys have more spaces before them
	before, after, _ := strings.Cut(w.encode(&rest, ""), mark+"}")
	w.write(before + mark)
	end := "}"
	for id, it := range items {
		if end == "}" {
			w.write("\n  ")
		} else {
			w.write(",\n  ")
		}
		w.item(id, &it)
		if end = "\n }"; w.err != nil {
			break
		}
	}
	w.write(end + after + "\n")
	if w.err != nil {
		return fmt.Errorf("%s: %w", TruthFile, w.err)
	}
	return nil
}

// A truthWriter writes truth.json.
type truthWriter struct {
	out  io.Writer
	text bytes.Buffer
	json *json.Encoder // of text
	line []byte
	err  error // the first error, after which nothing is written
}

// item writes an item. Most have nothing but a name, and then the text is as the encoder would make it, which takes ten times as long.
func (w *truthWriter) item(id string, it *Item) {
	if it.Labels != nil || it.Episode != nil || it.Answer != "" || !isPlain(id) || !isPlain(it.Name) {
		w.write(w.encode(id, "") + ": " + w.encode(it, "  "))
		return
	}
	w.line = append(append(append(w.line[:0], '"'), id...), "\": {\n   \"name\": \""...)
	w.line = append(append(w.line, it.Name...), "\"\n  }"...)
	if w.err == nil {
		_, w.err = w.out.Write(w.line)
	}
}

// encode returns x as indented JSON, each line but the first after a prefix.
func (w *truthWriter) encode(x any, prefix string) string {
	w.text.Reset()
	w.json.SetIndent(prefix, " ")
	if err := w.json.Encode(x); err != nil {
		w.err = cmp.Or(w.err, err)
	}
	return strings.TrimSuffix(w.text.String(), "\n")
}

func (w *truthWriter) write(text string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.out, text)
	}
}

// Episodes returns the labels of the items that observers watch, sorted by opaque id.
func (t *Truth) Episodes() []bib.Label {
	var labels []bib.Label
	for _, id := range slices.Sorted(maps.Keys(t.Items)) {
		if l := t.Items[id].Episode; l != nil {
			labels = append(labels, *l)
		}
	}
	return labels
}

// Merkle returns the root of the Merkle tree over files sorted by path (RFC 6962 §2.1). Leaves and inner nodes are
// hashed with different prefixes, so that no inner node has the hash of a leaf. A leaf is the path, a zero byte and
// the SHA-256 of the content.
func Merkle(files []part.File) string {
	leaves := make([][]byte, len(files))
	for i, f := range files {
		sum := sha256.Sum256([]byte("\x00" + f.Path + "\x00" + f.SHA256))
		leaves[i] = sum[:]
	}
	return hex.EncodeToString(subtree(leaves))
}

func subtree(leaves [][]byte) []byte {
	switch len(leaves) {
	case 0:
		sum := sha256.Sum256(nil)
		return sum[:]
	case 1:
		return leaves[0]
	}
	k := 1 // the largest power of two below the number of leaves
	for 2*k < len(leaves) {
		k *= 2
	}
	node := append([]byte{1}, subtree(leaves[:k])...)
	sum := sha256.Sum256(append(node, subtree(leaves[k:])...))
	return sum[:]
}

// Open reads a sealed directory and verifies all of it against a commitment: the parent sealed of the public part. The error
// says which file was changed, added or lost.
func Open(fsys fs.FS, commitment string) (*Truth, error) {
	m, err := manifest(fsys, commitment)
	if err != nil {
		return nil, err
	}
	there, err := store.Files(fsys)
	if wrong := m.Faults(fsys, there); len(wrong) > 0 {
		err = wrong[0]
	}
	if err != nil {
		return nil, fmt.Errorf("sealed: %w", err)
	}
	return truth(fsys, m, commitment)
}

// ReadTruth reads truth.json alone and verifies it against a commitment. A caller that reads another file must verify it (see
// part.File.Verify).
func ReadTruth(fsys fs.FS, commitment string) (*Truth, error) {
	m, err := manifest(fsys, commitment)
	if err != nil {
		return nil, err
	}
	return truth(fsys, m, commitment)
}

// Faults returns the number of files that a sealed directory should have, and all that is wrong with it. It shows nothing of what they
// say.
func Faults(fsys fs.FS, commitment string) (files int, faults []error) {
	m, err := manifest(fsys, commitment)
	if err != nil {
		return 0, []error{err}
	}
	there, err := store.Files(fsys)
	if err != nil {
		faults = append(faults, fmt.Errorf("sealed: %w", err))
	}
	for _, err := range m.Faults(fsys, there) {
		faults = append(faults, fmt.Errorf("sealed/%w", err))
	}
	return len(m.Files), faults
}

// manifest reads the manifest of a sealed directory, and verifies it against a commitment.
func manifest(fsys fs.FS, commitment string) (*part.Manifest, error) {
	var digest string
	m, err := part.ReadManifest(fsys, part.Sealed)
	if errors.Is(err, fs.ErrNotExist) {
		m, digest, err = former(fsys)
	} else if err == nil {
		var b []byte
		b, err = fs.ReadFile(fsys, part.ManifestFile)
		digest = part.Digest(b)
	}
	if err == nil && digest != commitment {
		err = fmt.Errorf("%s was changed after it was committed to, or belongs to another run", stating(m))
	}
	if err != nil {
		return nil, fmt.Errorf("sealed: %w", err)
	}
	return m, nil
}

// former returns what stood in place of the manifest of a sealed directory of version 1, and its digest: truth.json listed the other
// files, and the root of a Merkle tree over all of them was committed to.
func former(fsys fs.FS) (*part.Manifest, string, error) {
	b, err := fs.ReadFile(fsys, TruthFile)
	var was struct{ Files []part.File }
	if err == nil {
		err = json.Unmarshal(b, &was)
	}
	if err != nil {
		return nil, "", fmt.Errorf("neither %s nor the %s of an older version can be read: %w", part.ManifestFile, TruthFile, err)
	}
	m := part.New(part.Sealed, nil, nil)
	m.Version = 1
	m.Files = append(was.Files, part.NewFile(TruthFile, b))
	slices.SortFunc(m.Files, func(a, b part.File) int { return strings.Compare(a.Path, b.Path) })
	return m, Merkle(m.Files), nil
}

// stating returns the path of the file that says which files there are.
func stating(m *part.Manifest) string {
	if m.Version == 1 {
		return TruthFile
	}
	return part.ManifestFile
}

// truth reads truth.json, which a manifest lists.
func truth(fsys fs.FS, m *part.Manifest, digest string) (*Truth, error) {
	f, ok := m.Lists(TruthFile)
	if !ok {
		return nil, fmt.Errorf("sealed: %s lists no %s", part.ManifestFile, TruthFile)
	}
	b, err := f.Content(fsys)
	var t *Truth
	if err == nil {
		t, err = decode(b)
	}
	if err != nil {
		return nil, fmt.Errorf("sealed: %s: %w", TruthFile, err)
	}
	t.Digest, t.manifest = digest, m
	return t, nil
}

// DrawnRoot returns the root seed of a sealed directory and the text of its scenario. ok is false if the directory has
// no readable truth, or if the seed was not drawn.
func DrawnRoot(sealed fs.FS) (root uint64, scenario string, ok bool) {
	data, err := fs.ReadFile(sealed, TruthFile)
	if err != nil {
		return 0, "", false
	}
	t, err := decode(data)
	if err != nil || !t.Drawn {
		return 0, "", false
	}
	root, err = strconv.ParseUint(t.Root, 10, 64)
	return root, t.Scenario, err == nil
}

// decode reads the text of truth.json.
func decode(data []byte) (*Truth, error) {
	var x struct {
		Truth
		Format  string      `json:"format"` // these three are now in the manifest
		Version int         `json:"version"`
		Files   []part.File `json:"files"`
	}
	err := part.Strictly(data, &x)
	return &x.Truth, err
}
