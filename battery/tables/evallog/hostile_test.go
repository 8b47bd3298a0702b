package evallog_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"achilles/battery/tables"
	"achilles/sim/longtest"
)

// FuzzLogs checks that import, whatever the logs are, returns an error of one line or a dataset that can be written.
func FuzzLogs(f *testing.F) {
	names := []string{"a.eval", "a.json", "x_samples.jsonl", "out/m/samples_t_2026-01-01T00-00-00.jsonl", "s:model=m/per_instance_stats.json", "details/m/details_t.parquet", "m_eval_results.json", "results.json", "x_eval_all.json", "output.csv"}
	f.Add(0, string(sampleBytes(f, "inspect-zstd.eval")), "includes")
	f.Add(0, string(sampleBytes(f, "inspect-deflate.eval")), "seconds")
	f.Add(0, frames("summaries.json", "["+scored("1", 1, "1"), "]"), "")
	f.Add(1, log("t", "m", "t1", "2026-11-01T10:00:00+00:00", scored("1", 1, "NaN"), scored(`"b"`, 2, `{"a":"C"}`)), "")
	f.Add(2, every("a", "1", "b", "acc", "q", "h", "1")+"\n"+every("a", "2", "b", "f1", "q", "h", "0.5"), "acc")
	f.Add(3, harness(0, "", `"acc":1`)+"\n"+harness(0, "", `"acc":0`), "acc")
	f.Add(4, "["+helmInstance("id0", "", helmStat("exact_match", "1"))+"]", "exact_match")
	f.Add(5, string(sampleBytes(f, "details_struct.parquet")), "acc")
	f.Add(6, `{"eval":{"A/1":[{"base_status":"pass","plus_status":null}]}}`, "base")
	f.Add(7, `{"results":[{"task_id":"a","is_resolved":true}]}`, "")
	f.Add(8, `[{"question_title":"T","question_id":"1","graded_list":[true,false]}]`, "")
	f.Add(9, "x,[a] q\n1,[PASS] 2\n", "")
	f.Add(1, `[{"instruction":"a","generator_1":"x","generator_2":"m","preference":1.5}]`, "")
	f.Add(1, `[{"task_id":1,"reward":1,"info":{},"trial":0}]`, "")
	f.Add(1, `{"evalId":"e","results":{"version":3,"results":[{"provider":"a","success":true,"vars":{"x":1}}]}}`, "")
	f.Add(2, `{"spec":{"completion_fns":["a"]}}`+"\n"+`{"sample_id":"1","type":"match","data":{"correct":true}}`, "")
	f.Add(2, `{"question_id":1,"model":"m","judge":"j","score":3,"turn":1}`, "")
	f.Fuzz(func(t *testing.T, kind int, text, metric string) {
		name := names[uint(kind)%uint(len(names))]
		if _, err := imported(tables.Wishes{Metric: metric, Repetition: "run"}, file(name, text)); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of several lines: %q", err)
		}
	})
}

func sampleBytes(t testing.TB, name string) []byte {
	f := sample(t, name)
	return f.Head
}

// TestHostile checks that what would fill the memory, or never ends, is refused.
func TestHostile(t *testing.T) {
	h := header("t", "m", "t1", "")
	keys, metrics := &strings.Builder{}, &strings.Builder{}
	for i := range 5000 {
		fmt.Fprintf(keys, `,"key%d":1`, i)
		fmt.Fprintf(metrics, `,"m%d":1`, i)
	}
	for _, c := range []struct{ name, file, text, want string }{
		{"a bomb", "a.eval", archive(zstd.ZipMethodWinZip, "header.json", h, "samples/1.json", strings.Repeat(" ", 1<<26)), "unpacks to more than 1000 times its size"},
		{"frames of nothing", "a.eval", frames("samples/1.json", strings.Repeat(" ", 1<<25), strings.Repeat("\n", 1<<25)), "unpacks to more than 1000 times its size"},
		{"a window that is too large", "a.eval", window(h), "window size exceeded"},
		{"a directory without end", "a.eval", directory(), "its directory has more than 33554432 bytes"},
		{"keys of metadata", "a.json", log("t", "m", "t1", "", `{"id":1,"epoch":1,"metadata":{"a":1`+keys.String()+`},"scores":{"s":{"value":1}}}`), "metadata: more than 4096 keys"},
		{"metrics", "samples_t.jsonl", `{"doc_id":1,"doc":{}` + metrics.String() + "}", "more than 4096 metrics"},
		{"a name", "a.json", strings.Replace(h, `"m"`, `"`+strings.Repeat("m", 5000)+`"`, 1), "a name of more than 4096 bytes"},
		{"a key", "a.json", h[:len(h)-1] + `,"` + strings.Repeat("k", 5000) + `":1}`, "a key of more than 1024 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := imported(tables.Wishes{}, file(c.file, c.text))
			wantFault(t, err, c.want)
		})
	}
}

// window returns an archive with an entry in zstandard that asks for a window of two gigabytes.
func window(header string) string {
	return raw(header, []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3, 0x01, 0x00, 0x00})
}

// raw returns an archive with a header and a packed entry.
func raw(header string, packed []byte) string {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	f, err := w.Create("header.json")
	if err == nil {
		_, err = f.Write([]byte(header))
	}
	if err == nil {
		f, err = w.CreateRaw(&zip.FileHeader{Name: "samples/1.json", Method: zstd.ZipMethodWinZip, CompressedSize64: uint64(len(packed)), CRC32: crc32.ChecksumIEEE(nil)})
	}
	if err == nil {
		_, err = f.Write(packed)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return out.String()
}

// directory returns an archive of empty entries, whose directory is 40 megabytes.
func directory() string {
	entry := binary.LittleEndian.AppendUint32(nil, 0x02014b50)
	entry = append(entry, make([]byte, 42)...)
	entry[28] = 1 // length of the name
	entry = append(entry, 'x')
	n := 40_000_000 / len(entry)
	out := append([]byte("PK\x03\x04"), bytes.Repeat(entry, n)...)
	end := append(binary.LittleEndian.AppendUint32(nil, 0x06054b50), make([]byte, 18)...)
	binary.LittleEndian.PutUint16(end[8:], uint16(n))
	binary.LittleEndian.PutUint16(end[10:], uint16(n))
	binary.LittleEndian.PutUint32(end[12:], uint32(n*len(entry)))
	binary.LittleEndian.PutUint32(end[16:], 4)
	return string(append(out, end...))
}

// An endless log has as many samples as are asked for, and is in no memory.
type endless struct {
	start, sample, end string
	n                  int64
}

func (e *endless) size() int64 {
	return int64(len(e.start)) + e.n*int64(len(e.sample)) + int64(len(e.end))
}

func (e *endless) Close() error { return nil }

func (e *endless) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for n < len(p) {
		at := off + int64(n) - int64(len(e.start))
		part, k := e.end, at-e.n*int64(len(e.sample))
		switch {
		case at < 0:
			part, k = e.start, at+int64(len(e.start))
		case k < 0:
			part, k = e.sample, at%int64(len(e.sample))
		case k >= int64(len(part)):
			return n, io.EOF
		}
		n += copy(p[n:], part[k:])
	}
	return n, nil
}

// TestMessagesTakeNoMemory reads 300 megabytes of messages.
func TestMessagesTakeNoMemory(t *testing.T) {
	longtest.Only(t, "measures the heap")
	message := strings.Repeat(`{"role":"assistant","content":"`+strings.Repeat(`a \"word\" `, 500)+`\n"},`, 100)
	h := header("t", "m", "t1", "")
	e := &endless{
		start:  h[:len(h)-1] + `,"samples":[`,
		sample: `{"id":1,"epoch":1,"messages":[` + message + `{}],"scores":{"s":{"value":1}}},`,
		end:    `{"id":2,"epoch":1,"scores":{"s":{"value":0}}}]}`,
	}
	e.n = 300_000_000 / int64(len(e.sample))
	f, err := tables.NewFile("a.json", e.size(), func() (tables.Handle, error) { return e, nil })
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = imported(tables.Wishes{}, f)
	runtime.ReadMemStats(&after)
	wantFault(t, err, "a.json has sample t/1 twice")
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 10_000_000 {
		t.Errorf("%d bytes were allocated", grown)
	}
}
