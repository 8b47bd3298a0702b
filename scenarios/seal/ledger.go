package seal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// LedgerFormat and LedgerVersion name the format of ledger.json. ParseLedger refuses any other.
const (
	LedgerFormat  = "achilles-ledger"
	LedgerVersion = 1
)

// The parts of a results directory that entries of a ledger name.
const (
	PublicPart   = "public"   // by the SHA-256 of its manifest
	SealedPart   = "sealed"   // by its commitment; whoever reads it has opened the seal
	InferredPart = "inferred" // by the SHA-256 of its manifest
	ScoresPart   = "scores"   // by the SHA-256 of scores.json
)

// A Ledger is the order in which the stages of a results directory ran, and what each read and wrote. Entries are only
// ever appended, and every one has the hash of the one before: who changes, removes or inserts an entry must write all
// later ones anew. It has no clock. The command line keeps it beside public/; inference can neither read nor write it.
type Ledger struct {
	Format  string  `json:"format"`
	Version int     `json:"version"`
	Entries []Entry `json:"entries"`
}

// An Entry is one run of a stage.
type Entry struct {
	Stage    string            `json:"stage"`
	Read     map[string]string `json:"read,omitempty"`  // part → digest
	Wrote    map[string]string `json:"wrote,omitempty"` // part → digest
	Previous string            `json:"previous,omitempty"`
	Hash     string            `json:"hash"` // SHA-256, in hex, of the entry without this field, as JSON
}

// ParseLedger reads a ledger and follows its chain. Without data it gives an empty ledger.
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

// Append adds an entry for a stage that ran.
func (l *Ledger) Append(stage string, read, wrote map[string]string) {
	e := Entry{Stage: stage, Read: read, Wrote: wrote}
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
		panic("sim: a ledger of strings does not encode")
	}
	return append(b, '\n')
}

func (e Entry) digest() string {
	e.Hash = ""
	b, err := json.Marshal(e)
	if err != nil {
		panic("sim: a ledger of strings does not encode")
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Unblinded reports whether a result, by its digest, was first inferred after the seal of its data had been opened.
// Recorded is false where the ledger does not know the result; then it is unblinded if the seal was ever opened.
func (l *Ledger) Unblinded(inferred string) (unblinded, recorded bool) {
	opened := map[string]bool{}
	seal := "" // of the data that are there
	for _, e := range l.Entries {
		if s := e.Read[SealedPart]; s != "" {
			seal = s
			opened[s] = true
		}
		if s := e.Wrote[SealedPart]; s != "" {
			seal = s
		} else if e.Wrote[PublicPart] != "" {
			seal = "" // data without a truth
		}
		if e.Wrote[InferredPart] == inferred {
			return opened[seal], true
		}
	}
	return opened[seal], false
}
