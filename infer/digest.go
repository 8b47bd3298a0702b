package infer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/sim/part"
)

// A LayoutDigest names a layout by its text.
type LayoutDigest struct {
	Name    string          `json:"name"`
	SHA256  string          `json:"sha256"`
	Walking *layout.Walking `json:"walking,omitempty"` // section [walking] of the layout; absent if it has none
}

// DigestOf returns the digest of a layout's text.
func DigestOf(l *layout.Layout) LayoutDigest {
	return LayoutDigest{Name: l.Name, SHA256: part.Digest([]byte(l.Text)), Walking: l.Walking}
}

// BankDigest returns the digest of the texts of all files of a bank, or nil without a bank.
func BankDigest(b *compare.Source) *LayoutDigest {
	if b == nil {
		return nil
	}
	h := sha256.New()
	for _, t := range append([]compare.Text{b.Text}, b.Rivals...) {
		fmt.Fprintf(h, "%d\n%s", len(t.Text), t.Text) // hashes never fail
	}
	return &LayoutDigest{Name: b.File, SHA256: hex.EncodeToString(h.Sum(nil))}
}
