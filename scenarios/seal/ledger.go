package seal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// LedgerFormat and LedgerVersion name the format of ledger.json. ParseLedger refuses any other.
const (
	LedgerFormat  = "achilles-ledger"
	LedgerVersion = 1
)

// Parts of a results directory that ledger entries name, and the digest that an entry has of each.
const (
	PublicPart   = "public"   // SHA-256 of its manifest
	SealedPart   = "sealed"   // its commitment; an entry that reads it has opened the seal
	InferredPart = "inferred" // SHA-256 of its manifest
	ScoresPart   = "scores"   // SHA-256 of its manifest
)

// A Ledger records in which order the stages of a results directory ran, and what each read and wrote. Entries are only
// appended, and every entry has the hash of the one before: to change, remove or insert an entry, all later ones must
// be rewritten. A Ledger has no times. The command line keeps it beside public/. Inference can neither read nor write
// it.
type Ledger struct {
	Format  string  `json:"format"`
	Version int     `json:"version"`
	Entries []Entry `json:"entries"`
}

// An Entry is one run of a stage.
type Entry struct {
	Stage string            `json:"stage"`
	Read  map[string]string `json:"read,omitempty"`  // part → digest
	Wrote map[string]string `json:"wrote,omitempty"` // part → digest
	// NotConfined says that programs acted, or observed, which could read what their user can.
	NotConfined bool   `json:"not_confined,omitempty"`
	Previous    string `json:"previous,omitempty"`
	Hash        string `json:"hash"` // SHA-256, in hex, of the entry as JSON with an empty hash
}

// ParseLedger reads a ledger and checks its chain of hashes. It returns an empty ledger if data is empty.
func ParseLedger(data []byte) (*Ledger, error) {
	l := &Ledger{Format: LedgerFormat, Version: LedgerVersion}
	if len(data) == 0 {
		return l, nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(l); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("ledger: more text after the entries")
	}
	if l.Format != LedgerFormat || l.Version != LedgerVersion {
		return nil, fmt.Errorf("ledger: format %q version %d: this reader knows %q version %d", l.Format, l.Version, LedgerFormat, LedgerVersion)
	}
	previous := ""
	for i, e := range l.Entries {
		if e.Previous != previous || e.Hash != e.digest() {
			return nil, fmt.Errorf("ledger: entry %d (%s) does not follow from the one before: the ledger was edited", i+1, e.Stage)
		}
		previous = e.Hash
	}
	return l, nil
}

// Append adds the entry of a stage that ran, after the entries that are there: it sets Previous and Hash.
func (l *Ledger) Append(e Entry) {
	e.Previous = ""
	if n := len(l.Entries); n > 0 {
		e.Previous = l.Entries[n-1].Hash
	}
	e.Hash = e.digest()
	l.Entries = append(l.Entries, e)
}

// Encode returns the text of the ledger.
func (l *Ledger) Encode() []byte {
	b, err := json.MarshalIndent(l, "", " ")
	if err != nil {
		panic("seal: a ledger of strings does not encode")
	}
	return append(b, '\n')
}

func (e Entry) digest() string {
	e.Hash = ""
	b, err := json.Marshal(e)
	if err != nil {
		panic("seal: a ledger of strings does not encode")
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Unblinded reports whether the result with a digest was first inferred after the seal of its data had been opened.
// recorded is false if the ledger has no entry for the result; then unblinded says whether the seal of the latest data
// was ever opened.
func (l *Ledger) Unblinded(inferred string) (unblinded, recorded bool) {
	opened := map[string]bool{}
	seal := "" // commitment of the latest data
	for _, e := range l.Entries {
		if s := e.Read[SealedPart]; s != "" {
			seal = s
			opened[s] = true
		}
		if s := e.Wrote[SealedPart]; s != "" {
			seal = s
		} else if e.Wrote[PublicPart] != "" {
			seal = "" // these data have no truth
		}
		if e.Wrote[InferredPart] == inferred {
			return opened[seal], true
		}
	}
	return opened[seal], false
}

// Made reports whether a stage wrote a part from a public part with a digest.
func (l *Ledger) Made(name, public string) bool {
	return slices.ContainsFunc(l.Entries, func(e Entry) bool { return e.Wrote[name] != "" && e.Read[PublicPart] == public })
}
