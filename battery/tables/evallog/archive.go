package evallog

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"achilles/battery/tables"
)

// isArchive reports whether a file is a log in a zip archive.
func isArchive(f *tables.File) bool {
	if !bytes.HasPrefix(f.Head, []byte("PK\x03\x04")) {
		return false
	}
	if strings.HasSuffix(f.Name, ".eval") {
		return true
	}
	if len(f.Head) < 30 {
		return false
	}
	first := f.Head[30:]
	for _, name := range []string{"_journal/start.json", "start.json", "header.json"} {
		if bytes.HasPrefix(first, []byte(name)) {
			return true
		}
	}
	return false
}

// zip reads a log in a zip archive. The summaries of samples are enough if they have what the table needs: messages are not unpacked then.
func (l *inspectLog) zip(in io.ReaderAt, size int64) error {
	directory := &budget{in: in, left: maxDirectory}
	z, err := zip.NewReader(directory, size)
	if err != nil {
		return fmt.Errorf("not a readable zip archive: %w", err)
	}
	directory.left = -1
	z.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser { return flate.NewReader(r) })
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow)))
	named := map[string]*zip.File{} // the last of a name counts, as for Python
	var samples, journal []*zip.File
	for _, f := range z.File {
		named[f.Name] = f
	}
	for _, f := range z.File {
		switch dir := path.Dir(f.Name); {
		case named[f.Name] != f || path.Ext(f.Name) != ".json":
		case dir == "samples":
			samples = append(samples, f)
		case dir == "_journal/summaries":
			journal = append(journal, f)
		}
	}
	header := first(named, "header.json", "_journal/start.json", "results.json", "start.json")
	if header == nil {
		return errors.New("neither header.json nor _journal/start.json is in the log")
	}
	if err := l.entry(header, l.header); err != nil {
		return err
	}
	if header.Name != "header.json" && header.Name != "results.json" {
		l.note("log", "without a header (the run was cut off): the samples that it has count", l.file)
	}
	if f := first(named, "summaries.json", "summary.json"); f != nil {
		journal = []*zip.File{f}
	}
	if ok, err := l.summaries(journal, len(samples)); ok || err != nil {
		return err
	}
	if len(samples) == 0 {
		l.note("log", "without samples (a header only)", l.file)
	}
	for n, f := range samples {
		e := inspectSample{entry: entry{line: n + 1}}
		if err := l.entry(f, func(s *scanner) error { return l.sample(s, &e) }); err != nil {
			return err
		}
		if err := l.keep(&e); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

func first(named map[string]*zip.File, names ...string) *zip.File {
	for _, n := range names {
		if f := named[n]; f != nil {
			return f
		}
	}
	return nil
}

// summaries takes samples from summaries, and reports whether that was enough: samples that were declared invalid are not told there,
// early versions have no metadata in summaries, and a run that was cut off may have more samples than summaries. Of two summaries of one
// sample, the last counts.
func (l *inspectLog) summaries(files []*zip.File, samples int) (bool, error) {
	if len(files) == 0 || l.invalidated {
		return false, nil
	}
	before := l.notes
	l.notes = nil // of the summaries, which count only if they are enough
	place := map[string]int{}
	var list []*inspectSample
	described := true
	for _, f := range files {
		err := l.entry(f, func(s *scanner) error {
			return l.samples(s, func(e *inspectSample) error {
				described = described && e.described
				key := fmt.Sprint(e.repetition, "\x00", e.item)
				if i, ok := place[key]; ok {
					list[i] = e
					return nil
				}
				if len(list) == maxNames {
					return fmt.Errorf("more than %d summaries", maxNames)
				}
				place[key] = len(list)
				e.line = len(list) + 1
				list = append(list, e)
				return nil
			})
		})
		if err != nil {
			return false, err
		}
	}
	if len(list) == 0 || samples > 0 && !described || samples > len(list) {
		l.notes = before
		return false, nil
	}
	l.notes = merged(before, l.notes)
	for _, e := range list {
		if err := l.keep(e); err != nil {
			return false, err
		}
	}
	return true, nil
}

// entry reads an entry of an archive as JSON.
func (l *inspectLog) entry(f *zip.File, read func(s *scanner) error) error {
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	defer r.Close()
	s := newScanner(&unpacked{in: r, left: maxRatio*int64(f.CompressedSize64) + packedSlack})
	if err = read(s); err == nil {
		err = s.ends()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", short(f.Name), err)
	}
	return nil
}

// A budget is a file of which at most left bytes are read, or all if that is negative.
type budget struct {
	in   io.ReaderAt
	left int64
}

func (b *budget) ReadAt(p []byte, off int64) (int, error) {
	if b.left >= 0 {
		if b.left -= int64(len(p)); b.left < 0 {
			b.left = 0
			return 0, fmt.Errorf("its directory has more than %d bytes", maxDirectory)
		}
	}
	return b.in.ReadAt(p, off)
}

// unpacked is what an entry unpacks to, of which at most left bytes are read.
type unpacked struct {
	in   io.Reader
	left int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.in.Read(p)
	if u.left -= int64(n); u.left < 0 {
		return 0, fmt.Errorf("unpacks to more than %d times its size", maxRatio)
	}
	return n, err
}
