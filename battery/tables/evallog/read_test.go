package evallog_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"achilles/battery/tables"
	"achilles/battery/tables/evallog"
	"achilles/battery/tables/tablestest"
	"achilles/sim/record"
)

// A result is what an import makes of logs.
type result struct {
	lines    []string // "subject item repetition value", sorted
	features []string // "item name=value …", of the proposed features; sorted
	notes    []string
}

func file(name, text string) *tables.File { return tablestest.File(name, []byte(text)) }

func sample(t testing.TB, name string) *tables.File {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return tablestest.File("logs/"+name, b)
}

// imported imports files as the command line does.
func imported(w tables.Wishes, files ...*tables.File) (*result, error) {
	in, notes, err := tables.Open(append(evallog.Formats(), tables.Rectangle()), files, nil, nil, tables.Reading{})
	if err != nil {
		return nil, err
	}
	p, err := tables.Propose(in, w)
	if err != nil {
		return nil, err
	}
	d, more, err := tables.Build(in, p.Mapping)
	if err != nil {
		return nil, err
	}
	r := &result{notes: append(notes, more...)}
	for _, f := range p.Found {
		if f[0] == "note" {
			r.notes = append(r.notes, f[1])
		}
	}
	for _, x := range d.Responses.All() {
		r.lines = append(r.lines, fmt.Sprint(d.Subjects[x.Subject], " ", d.Items.ID[x.Item], " ", x.Repetition, " ", x.Value))
	}
	slices.Sort(r.lines)
	for i, id := range d.Items.ID {
		line := id
		for k, f := range d.Manifest.Features {
			line += fmt.Sprint(" ", f.Name, "=", featureText(d, k, i))
		}
		r.features = append(r.features, line)
	}
	return r, nil
}

func featureText(d *record.Dataset, k, item int) string {
	c := d.Items.Columns[k]
	if c.Text != nil {
		return c.Text[item]
	}
	return fmt.Sprint(c.Number[item])
}

func wantLines(t *testing.T, r *result, err error, want ...string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	if !slices.Equal(r.lines, want) {
		t.Errorf("responses\n%s\nwant\n%s", strings.Join(r.lines, "\n"), strings.Join(want, "\n"))
	}
}

func wantNote(t *testing.T, r *result, part string) {
	t.Helper()
	if !slices.ContainsFunc(r.notes, func(n string) bool { return strings.Contains(n, part) }) {
		t.Errorf("no note has %q:\n%s", part, strings.Join(r.notes, "\n"))
	}
}

func wantFault(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v; want one with %q", err, part)
		}
	}
	if err != nil && strings.Contains(err.Error(), "\n") {
		t.Errorf("an error of several lines: %q", err)
	}
}

// archive returns a zip archive with entries of a method, each a name and a text.
func archive(method uint16, entries ...string) string {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
	for i := 0; i < len(entries); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: entries[i], Method: method})
		if err == nil {
			_, err = f.Write([]byte(entries[i+1]))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.String()
}

// frames returns an archive whose entry is several frames of zstandard one after the other.
func frames(name string, parts ...string) string {
	var packed, out bytes.Buffer
	for _, p := range parts {
		e, err := zstd.NewWriter(nil)
		if err != nil {
			panic(err)
		}
		packed.Write(e.EncodeAll([]byte(p), nil))
	}
	whole := strings.Join(parts, "")
	w := zip.NewWriter(&out)
	start, err := w.Create("_journal/start.json")
	if err == nil {
		_, err = start.Write([]byte(header("t", "m", "t1", "2026-11-01T10:00:00+00:00")))
	}
	if err != nil {
		panic(err)
	}
	f, err := w.CreateRaw(&zip.FileHeader{Name: name, Method: zstd.ZipMethodWinZip, CRC32: crc32.ChecksumIEEE([]byte(whole)), CompressedSize64: uint64(packed.Len()), UncompressedSize64: uint64(len(whole))})
	if err == nil {
		_, err = f.Write(packed.Bytes())
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return out.String()
}

func header(task, model, id, created string) string {
	return fmt.Sprintf(`{"version":2,"status":"success","eval":{"run_id":"r","created":%q,"task":%q,"task_id":%q,"model":%q}}`, created, task, id, model)
}

// log returns a log in JSON.
func log(task, model, id, created string, samples ...string) string {
	h := header(task, model, id, created)
	return h[:len(h)-1] + `,"samples":[` + strings.Join(samples, ",") + `]}`
}

func scored(id string, epoch int, value string) string {
	return fmt.Sprintf(`{"id":%s,"epoch":%d,"metadata":{"depth":%d},"scores":{"match":{"value":%s}}}`, id, epoch, len(id), value)
}
