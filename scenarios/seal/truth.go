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
)

// Format and Version name the format of truth.json. Open refuses any other.
const (
	Format  = "achilles-sealed"
	Version = 1
)

// TruthFile is the path of the Truth in a sealed directory.
const TruthFile = "truth.json"

// A Truth is the content of sealed/truth.json: everything that the public directory must not say.
type Truth struct {
	Format    string                 `json:"format"`
	Version   int                    `json:"version"`
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

	Files []part.File `json:"files,omitempty"` // the other sealed files, sorted by path

	Digest string `json:"-"` // Merkle digest of all sealed files, set by Open and ReadTruth
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

// New returns a Truth with its format, the root seed and the salt.
func New(root uint64) *Truth {
	return &Truth{
		Format: Format, Version: Version, Root: strconv.FormatUint(root, 10), Salt: hex.EncodeToString(NewKey(root).salt[:]),
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
// in memory. t.Files are used only after the last item.
func (t *Truth) Write(out io.Writer, items iter.Seq2[string, Item]) error {
	rest := *t
	rest.Items, rest.Files = map[string]Item{}, nil
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
	w.write(end + strings.TrimSuffix(after, "\n}"))
	last := struct {
		Files []part.File `json:"files,omitempty"` // as in Truth
	}{t.Files}
	if files := strings.TrimPrefix(w.encode(last, ""), "{"); len(last.Files) > 0 {
		w.write("," + files + "\n")
	} else {
		w.write("\n}\n")
	}
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

// Open reads a sealed directory and verifies it against a commitment: Manifest.Sealed of the public part. The error
// says which file was changed, added or lost, as far as truth.json can tell.
func Open(fsys fs.FS, commitment string) (*Truth, error) {
	list, truth, err := list(fsys)
	if err != nil {
		return nil, fmt.Errorf("sealed: %w", err)
	}
	t, err := decode(truth)
	digest := Merkle(list)
	if digest != commitment {
		return nil, fmt.Errorf("sealed: %s", blame(list, t))
	}
	if err != nil {
		return nil, fmt.Errorf("sealed: %s: %w", TruthFile, err)
	}
	t.Digest = digest
	return t, nil
}

// ReadTruth reads truth.json alone and verifies it against the commitment of a public manifest. For the other sealed
// files it takes the digests that truth.json states. A caller that reads such a file must verify the file (see
// part.File.Verify).
func ReadTruth(fsys fs.FS, commitment string) (*Truth, error) {
	data, err := fs.ReadFile(fsys, TruthFile)
	if err != nil {
		return nil, fmt.Errorf("sealed: %w", err)
	}
	t, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("sealed: %s: %w", TruthFile, err)
	}
	list := append(slices.Clone(t.Files), part.NewFile(TruthFile, data))
	slices.SortFunc(list, func(a, b part.File) int { return strings.Compare(a.Path, b.Path) })
	if t.Digest = Merkle(list); t.Digest != commitment {
		return nil, fmt.Errorf("sealed: %s was changed after it was committed to, or belongs to another run", TruthFile)
	}
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

// list returns the digest of every file below fsys, and the text of truth.json.
func list(fsys fs.FS) (list []part.File, truth []byte, err error) {
	err = fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := fsys.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		h := sha256.New()
		var out io.Writer = h
		var buf bytes.Buffer
		if path == TruthFile {
			out = io.MultiWriter(h, &buf)
		}
		n, err := io.Copy(out, f)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if path == TruthFile {
			truth = buf.Bytes()
		}
		list = append(list, part.File{Path: path, Bytes: n, SHA256: hex.EncodeToString(h.Sum(nil))})
		return nil
	})
	if err == nil && truth == nil {
		err = fmt.Errorf("%s: %w", TruthFile, fs.ErrNotExist)
	}
	slices.SortFunc(list, func(a, b part.File) int { return strings.Compare(a.Path, b.Path) })
	return list, truth, err
}

func decode(data []byte) (*Truth, error) {
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	if head.Format != Format || head.Version != Version {
		return nil, fmt.Errorf("format %q version %d: this reader knows %q version %d", head.Format, head.Version, Format, Version)
	}
	t := new(Truth)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(t); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more text after the truth")
	}
	return t, nil
}

// blame returns which sealed file does not fit the commitment. t is nil if truth.json cannot be read.
func blame(list []part.File, t *Truth) string {
	if t == nil {
		return TruthFile + " was changed after it was committed to"
	}
	stated := map[string]part.File{}
	for _, f := range t.Files {
		stated[f.Path] = f
	}
	for _, f := range list {
		if f.Path == TruthFile {
			continue
		}
		want, ok := stated[f.Path]
		if !ok {
			return f.Path + " was added after the commitment"
		}
		if want != f {
			return f.Path + " was changed after it was committed to"
		}
		delete(stated, f.Path)
	}
	if left := slices.Sorted(maps.Keys(stated)); len(left) > 0 {
		return left[0] + " is missing"
	}
	return TruthFile + " was changed after it was committed to, or belongs to another run"
}
