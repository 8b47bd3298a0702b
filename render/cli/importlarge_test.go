//go:build linux

package cli_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"achilles/sim/longtest"
)

// TestImportLarge imports ten million responses in a table of the Item Response Warehouse, in at most 2 GB, and 15 subjects × 16,108
// annotated items in 15 files, with the counts of successes that were written.
func TestImportLarge(t *testing.T) {
	longtest.Only(t, "imports ten million responses")
	dir := t.TempDir()
	program := filepath.Join(dir, "achilles")
	if out, err := exec.Command("go", "build", "-o", program, "achilles").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file := func(name string, rows func(w *bufio.Writer)) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w := bufio.NewWriter(f)
		rows(w)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	imported := func(from string) (string, float64) {
		c := exec.Command(program, "import", filepath.Join(dir, from), "--out", filepath.Join(dir, "results", from))
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out), float64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1000
	}
	file("author_2026_large.csv", func(w *bufio.Writer) {
		fmt.Fprintln(w, "id,item,resp,rt,cov_age,itemcov_length")
		for s := range 100000 {
			for i := range 100 {
				fmt.Fprintf(w, "p%d,i%d,%d,%d.5,%d,%d\n", s, i, (s*7+i*13)%3%2, (s+i)%9, s%60, i%7)
			}
		}
	})
	out, megabytes := imported("author_2026_large.csv")
	if !strings.Contains(out, "100,000 subjects × 100 items: 10,000,000 responses") || megabytes > 2000 {
		t.Errorf("%.0f MB, and\n%s", megabytes, out)
	}
	t.Logf("ten million responses: %.0f MB", megabytes)
	successes := func(m, i int) (k, n int) { n = 1 + (m*31+i)%70; return (m*17 + i*5) % (n + 1), n }
	sum := 0
	for m := range 15 {
		file(fmt.Sprintf("adele/m%d.csv", m), func(w *bufio.Writer) {
			fmt.Fprintln(w, "benchmark,instance_id,model,scaffold,success,n_trials,source")
			for i := range 16108 {
				k, n := successes(m, i)
				sum += k
				fmt.Fprintf(w, "b%d,%d,model-%d,none,%.4f,%d,x\n", i%20, i/20, m, float64(k)/float64(n), n)
			}
		})
	}
	file("adele/annotations.csv", func(w *bufio.Writer) {
		fmt.Fprint(w, "benchmark,instance_id")
		for d := range 18 {
			fmt.Fprintf(w, ",v2/D%d", d)
		}
		fmt.Fprintln(w, ",n_trials,solve_rate,keep")
		for i := range 16108 {
			fmt.Fprintf(w, "b%d,%d", i%20, i/20)
			for d := range 18 {
				fmt.Fprintf(w, ",%d.0", (i*d+i/7)%6)
			}
			fmt.Fprintln(w, ",10,.5,True")
		}
	})
	if out, megabytes = imported("adele"); !strings.Contains(out, "15 subjects × 16,108 items: 241,620 responses") || !strings.Contains(out, "features     18: v2_D0,") {
		t.Errorf("%s", out)
	}
	t.Logf("15 × 16,108 × 18: %.0f MB", megabytes)
	table := filepath.Join(dir, "author_2026_adele.csv")
	if out, err := exec.Command(program, "export", "irw", filepath.Join(dir, "results", "adele"), "--out", table).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	got := 0
	for line := range strings.Lines(string(text)) {
		var m, b, id, k, n int
		cells := strings.Split(line, ",")
		if _, err := fmt.Sscanf(strings.Join(cells[:5], " "), "model-%d b%d/%d %d %d", &m, &b, &id, &k, &n); err != nil {
			continue // the header
		}
		if wantK, wantN := successes(m, id*20+b); k != wantK || n != wantN {
			t.Fatalf("%s: want %d of %d", line, wantK, wantN)
		}
		got += k
	}
	if got != sum || sum == 0 {
		t.Errorf("%d successes, want %d", got, sum)
	}
}
