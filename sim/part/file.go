package part

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// A File is one file of a part with its size and SHA-256 digest in hex. Its path is separated by slashes.
type File struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// NewFile returns the description of a file with this content.
func NewFile(path string, content []byte) File {
	return File{Path: path, Bytes: int64(len(content)), SHA256: Digest(content)}
}

// Digest returns the SHA-256 digest of b in lower-case hex. That of its manifest is the digest of a part.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// IsDigest reports whether s is a SHA-256 digest in lower-case hex.
func IsDigest(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size && strings.ToLower(s) == s
}

// A Damaged error says that a file is not what the manifest states: cut short, changed since it was written, or
// missing.
type Damaged struct {
	Path string // path in the manifest
	Why  error
}

func (d *Damaged) Error() string { return d.Path + ": " + d.Why.Error() }

// Unwrap returns the reason; it wraps fs.ErrNotExist if the file is missing.
func (d *Damaged) Unwrap() error { return d.Why }

// check returns an error for a description that no file can have. Some systems read backslashes and colons as separators.
func (f File) check() error {
	switch {
	case !fs.ValidPath(f.Path) || f.Path == "." || strings.ContainsAny(f.Path, "\\:"):
		return fmt.Errorf("file %q: not a path inside the part, separated by slashes", f.Path)
	case f.Bytes < 0:
		return fmt.Errorf("file %q: negative size", f.Path)
	case !IsDigest(f.SHA256):
		return fmt.Errorf("file %q: sha256 is not a digest in lower-case hex", f.Path)
	}
	return nil
}

// Verify checks that the file has the stated size and digest. The error is a *Damaged if it has not.
func (f File) Verify(fsys fs.FS) error { return f.copy(fsys, io.Discard) }

// Content reads the file, and verifies it. The error is a *Damaged if it has not the stated size and digest.
func (f File) Content(fsys fs.FS) ([]byte, error) {
	var b bytes.Buffer
	err := f.copy(fsys, &b)
	return b.Bytes(), err
}

// Read verifies a file and calls decode to read from it, at most the bytes whose digest was verified. The errors of decode get the path
// of the file.
func (f File) Read(fsys fs.FS, decode func(in io.ReaderAt, size int64) error) error {
	in, err := fsys.Open(f.Path)
	if err == nil {
		defer in.Close()
	}
	at, ok := in.(io.ReaderAt)
	var from io.ReaderAt
	if err == nil && ok {
		blocks := &verified{in: at, size: f.Bytes}
		err, from = f.copy(fsys, blocks), blocks
	} else { // Content has the error of opening the file
		var content []byte
		content, err = f.Content(fsys)
		from = bytes.NewReader(content)
	}
	if err != nil {
		return err
	}
	if err := decode(from, f.Bytes); err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	return nil
}

// copy copies the file to out. It computes size and digest from the bytes that it writes to out, so that the file
// cannot change between the check and the copy.
func (f File) copy(fsys fs.FS, out io.Writer) error {
	damaged := func(format string, args ...any) error { return &Damaged{f.Path, fmt.Errorf(format, args...)} }
	in, err := fsys.Open(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return damaged("%w, though the manifest lists it", fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	defer in.Close()
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(h, out), io.LimitReader(in, f.Bytes+1))
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	if n < f.Bytes {
		return damaged("truncated: %d bytes of the %d that the manifest states", n, f.Bytes)
	}
	if n > f.Bytes {
		return damaged("longer than the %d bytes that the manifest states", f.Bytes)
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != f.SHA256 {
		return damaged("changed since it was written: SHA-256 is %s, the manifest states %s", got, f.SHA256)
	}
	return nil
}
