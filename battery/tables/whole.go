package tables

import (
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/transform"
)

// Beginning returns the first characters of a file of text, in UTF-8, and nothing of one that cannot be read.
func (f *File) Beginning() string {
	t := &text{file: f}
	head, err := t.head()
	if err != nil {
		return ""
	}
	return string(head)
}

// Text returns the whole text of a file, in UTF-8, for formats that are no tables. It returns an error if it is too long, or not to be read.
func (f *File) Text(r Reading) (string, error) {
	t := &text{file: f, read: r}
	if _, err := t.head(); err != nil {
		return "", fmt.Errorf("%s: %w", f.Name, err)
	}
	h, err := f.Open()
	if err != nil {
		return "", err
	}
	defer h.Close()
	var in io.Reader = io.NewSectionReader(h, 0, f.Size)
	if packed(f) {
		if in, err = gzip.NewReader(in); err != nil {
			return "", fmt.Errorf("%s: not a readable gzip file: %w", f.Name, err)
		}
	}
	d, err := decoder(t.read.Encoding, f.Head)
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.Name, err)
	}
	if d != nil {
		in = transform.NewReader(in, d)
	}
	all, err := io.ReadAll(io.LimitReader(in, maxRecord+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.Name, err)
	}
	if len(all) > maxRecord {
		return "", fmt.Errorf("%s: more than %d MB", f.Name, maxRecord>>20)
	}
	return strings.TrimPrefix(string(all), byteOrderMark), nil
}
