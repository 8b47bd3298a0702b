package cli_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"achilles/render/cli"
	"achilles/sim/part"
)

// TestAnalysisTables checks that show lists and prints the tables of an analysis, that the manifest says what every column of
// every file is, and that an analysis whose file was changed, or that has no manifest, is refused with the command that makes
// it anew.
func TestAnalysisTables(t *testing.T) {
	t.Chdir(t.TempDir())
	graded(t, "small")
	printed := must(t, "analyse", "small", "--out", "an", "--config", fewFile(t))
	for _, want := range []string{"Correlations of success with item features\n", "goalDistance  ", "mean losses over the splits\n", "all tables in an"} {
		if !strings.Contains(printed, want) {
			t.Errorf("analyse does not print %q:\n%s", want, printed)
		}
	}
	var m part.Manifest
	if err := json.Unmarshal(read(t, "an/manifest.json"), &m); err != nil || m.Format != "achilles-analysis" || m.Version != 2 || m.Parents["public"] == "" || len(m.Tables) < 12 {
		t.Fatalf("%+v, %v", m, err)
	}
	for _, want := range []string{`"level":`, `"what": "config"`, `"sha256": "`} {
		if !strings.Contains(string(m.Settings), want) {
			t.Errorf("settings without %s: %s", want, m.Settings)
		}
	}
	listed := must(t, "show", "an")
	for _, x := range m.Tables {
		rows, err := csv.NewReader(bytes.NewReader(read(t, "an/"+x.Files[0].Path))).ReadAll()
		if err != nil || len(rows)-1 != x.Rows || len(rows[0]) != len(x.Columns) || x.Title == "" || !strings.Contains(listed, "\n"+x.Name+" ") {
			t.Errorf("table %s: %v, %d rows, listed in\n%s", x.Name, err, len(rows), listed)
		}
		if got := must(t, "show", "an", x.Name, "--format", "csv"); got != string(read(t, "an/"+x.Files[0].Path)) {
			t.Errorf("table %s is shown as\n%s", x.Name, got)
		}
		must(t, "show", "an", x.Name)
	}
	if got := must(t, "show", "an", "losses", "--where", `shift == "far" && model == "majority"`, "--format", "csv"); strings.Count(got, "\n") != 2 || !strings.Contains(got, "\nmajority,far,false,1,") {
		t.Errorf("one row of losses: %s", got)
	}
	for _, c := range []struct {
		change     func()
		want, hint string
	}{
		{func() { write(t, "an/matrix.csv", append(read(t, "an/matrix.csv"), "x,y,1,1\n"...)) }, "matrix.csv", "rerun achilles analyse DIR --out an --force"},
		{func() { os.Remove("an/matrix.csv") }, "matrix.csv", "rerun achilles analyse"},
		{func() { os.Remove("an/manifest.json") }, "older version", "rerun achilles analyse"},
	} {
		c.change()
		for _, args := range [][]string{{"show", "an"}, {"report", "an", "--force"}, {"export", "figures", "an", "--out", "f"}} {
			if code, _, stderr := achilles(t, args...); code != 1 || !strings.Contains(stderr, c.want) || !strings.Contains(stderr, c.hint) {
				t.Errorf("%s after a change: exit %d, %s", args, code, stderr)
			}
		}
	}
}

// A fuse is a context that ends when it was asked left times whether it has.
type fuse struct {
	context.Context
	end  func()
	left atomic.Int32
}

func (f *fuse) Err() error {
	if f.left.Add(-1) <= 0 {
		f.end()
	}
	return f.Context.Err()
}

// TestInterruptedAnalysis checks that an interrupted analysis writes what was done and says so, and that the same command then goes on and
// writes the bytes of an analysis that was not interrupted. Only what was interrupted is overwritten without --force.
func TestInterruptedAnalysis(t *testing.T) {
	t.Chdir(t.TempDir())
	graded(t, "small")
	config := fewFile(t)
	must(t, "analyse", "small", "--out", "whole", "--config", config)
	want := tree(t, "whole")
	args := []string{"analyse", "small", "--out", "cut", "--config", config, "--jobs", "1"}
	written := false
	for left := int32(9); !written; left++ {
		ctx, cancel := context.WithCancel(context.Background())
		f := &fuse{Context: ctx, end: cancel}
		f.left.Store(left)
		var errs bytes.Buffer
		if code := cli.Run(f, cli.Host{}, args, io.Discard, &errs); code != 130 || !strings.Contains(errs.String(), "interrupted") {
			t.Fatalf("interrupted after %d questions: exit %d, %s", left, code, errs.String())
		}
		_, err := os.Stat("cut/analysis.json")
		written = err == nil && bytes.Count(read(t, "cut/prediction.csv"), []byte("\n")) > 1
		if said := strings.Contains(errs.String(), "hint: progress is saved in cut; rerun the command to resume"); said != (err == nil) {
			t.Errorf("written: %v, stderr %q", err == nil, errs.String())
		}
	}
	if printed := must(t, "show", "cut", "losses"); !strings.Contains(string(read(t, "cut/analysis.json")), `"partial": true`) || !strings.Contains(printed, "majority") {
		t.Errorf("partial losses:\n%s", printed)
	}
	must(t, args...)
	if got := tree(t, "cut"); !equal(got, want) {
		t.Errorf("resumed, %v differ", differing(got, want))
	}
	if left, err := os.ReadDir("."); err != nil || strings.Contains(strings.Join(names(left), " "), ".pieces") {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if code, _, stderr := achilles(t, args...); code != 1 || !strings.Contains(stderr, "exists") {
		t.Errorf("a whole analysis is overwritten: exit %d, %s", code, stderr)
	}
}

func names(entries []os.DirEntry) (out []string) {
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}
