package conf_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"achilles/sim/conf"
	"achilles/sim/longtest"
)

// hostile returns small files for which the decoder alone would need gigabytes or a very long time, or which it reads
// wrongly, with the error that each must give.
func hostile() []struct{ name, text, want string } {
	var keys strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&keys, "a%d = 1\n", i)
	}
	r := strings.Repeat
	const deep = "more than 16 tables and lists in one another"
	return []struct{ name, text, want string }{
		{"lists", "name = 1\nx = " + r("[", 300_000) + r("]", 300_000), "f.toml:2: key x" + r("[0]", 16) + ": " + deep},
		{"open lists", "x = " + r("[", 600_000), deep},
		{"lists on lines of their own", "x = " + r("[\n", 300_000), "f.toml:17: key x"},
		{"lists behind elements", "x = " + r("[1, ", 300_000), deep},
		{"inline tables", "x = " + r("{a=", 150_000) + "1" + r("}", 150_000), "f.toml:1: key x" + r(".a", 16) + ": " + deep},
		{"lists of tables", "x = " + r("[{a=", 100_000), deep},
		{"dotted key", "x = 1\n" + r("a.", 20_000) + "a = 1", "f.toml:2: key a" + r(".a", 16) + ": " + deep},
		{"dotted header", "x = 1\n[" + r("a.", 20_000) + "a]", "f.toml:2: key a" + r(".a", 16) + ": " + deep},
		{"quoted dotted key", r(`"a".`, 20_000) + "a = 1", deep},
		{"header and dots", "[a.b.c.d.e.f.g.h]\na.b.c.d.e.f.g.h.i = 1", "f.toml:2: key a.b.c.d.e.f.g.h.a.b.c.d.e.f.g.h.i: " + deep},
		{"long header", "[" + r("k", 100_000) + "]\n" + keys.String(), "f.toml:1: key " + r("k", 40) + "…: a key of more than 500 bytes, with the tables around it"},
		{"long quoted key", `"` + r(`\u0041`, 100_000) + `" = 1`, "a key of more than 500 bytes"},
		{"long list", "x = 1\ny = [" + r("1, ", 200_000) + "]", "f.toml:2: key y[99998]: more than 100000 keys and elements of lists in one file"},
		{"many keys", r("a = 1\n", 200_000), "f.toml:100001: key a: more than 100000 keys and elements of lists in one file"},
		{"many tables", r("[[a]]\n", 200_000), "more than 100000 keys and elements of lists in one file"},
		{"long file", r("# a comment\n", 400_000), "f.toml:349526: the file is longer than 4194304 bytes"},
		{"long number", "x = " + r("1", 1_000_000), "is out of range for int64"},
		{"key without a name", "x = 1\na = [[1], {b = 1, \"\" = 2}]", "f.toml:2: a key without a name: \"\""},
		{"table without a name", "x = 1\n[a.'']\nb = 1", "f.toml:2: a key without a name: ''"},
		{"long text", `x = "` + r("a", 1_000_000), "f.toml:1: key x: "},
	}
}

func TestLimits(t *testing.T) {
	for _, c := range hostile() {
		_, err := conf.Parse("f.toml", c.text)
		got := message(err)
		if !strings.Contains(got, c.want) || len(got) > 2100 || strings.ContainsAny(got, "\n") {
			t.Errorf("%s: error is %.300s, want …%s", c.name, got, c.want)
		}
	}
}

// TestLimitedMemory checks that the limits are found before the memory is taken.
func TestLimitedMemory(t *testing.T) {
	longtest.Only(t, "measures the heap")
	for _, c := range hostile() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = conf.Parse("f.toml", c.text)
		runtime.ReadMemStats(&after)
		if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 100 {
			t.Errorf("%s: %d MiB are allocated for %d bytes", c.name, mib, len(c.text))
		}
	}
}

// TestWithinLimits checks that files just within the limits are read.
func TestWithinLimits(t *testing.T) {
	r := strings.Repeat
	for _, text := range []string{
		"x = " + r("[", 15) + "1" + r("]", 15),
		r("a.", 15) + "a = 1",
		"x = [" + r("1,", 99_999) + "]",
		r("k", 499) + " = 1",
		"x = \"" + r("[", 100_000) + "\"\ny = '''" + r("{", 100_000) + "''' # " + r("[", 100_000),
	} {
		if _, err := conf.Parse("f.toml", text); err != nil {
			t.Errorf("%.40s…: %v", text, err)
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	for _, c := range hostile() {
		b.Run(strings.ReplaceAll(c.name, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = conf.Parse("f.toml", c.text)
			}
		})
	}
}
