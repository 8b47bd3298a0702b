package part

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// A Piece is a stored result of a step of a stage: a checkpoint, from which a stopped run goes on, or what a shard did.
type Piece struct {
	Key     string `json:"key"`    // digest of everything that it depends on
	Of      string `json:"of"`     // what it is the result of, such as a subject and its responses that were used
	SHA256  string `json:"sha256"` // of the content
	Content []byte `json:"-"`
}

// NewPiece returns a piece with this content.
func NewPiece(key, of string, content []byte) Piece { return Piece{key, of, Digest(content), content} }

// PieceName returns the name of the file of the piece that is the result of a step.
func PieceName(of string) string { return Digest([]byte(of))[:16] }

// Encode returns one line of JSON followed by the content.
func (p Piece) Encode() []byte { return append(encode(p), p.Content...) }

// ReadPiece inverts Encode. It returns an error for what is no piece, and for one with another content than it was written with.
func ReadPiece(b []byte) (p Piece, err error) {
	head, content, ok := bytes.Cut(b, []byte{'\n'})
	if !ok || json.Unmarshal(head, &p) != nil || !IsDigest(p.SHA256) {
		return p, errors.New("it is not a piece of this version of the program")
	}
	if got := Digest(content); got != p.SHA256 {
		return p, fmt.Errorf("it was changed since it was written: SHA-256 is %s, and it states %s", got, p.SHA256)
	}
	p.Content = content
	return p, nil
}
