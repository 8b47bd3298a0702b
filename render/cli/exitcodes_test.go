package cli_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"achilles/render/cli"
)

// TestListedExitCodes makes each exit code that docs/guide/warnings.md lists, and no other is listed: a table with a grave finding is imported with 0.
func TestListedExitCodes(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide/warnings.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(guide), "No warning changes the exit code: ")
	if !found {
		t.Fatal("the guide has no list of exit codes")
	}
	list, _, _ = strings.Cut(list, "\n")
	var listed []int
	for _, m := range regexp.MustCompile(`(\d+), `).FindAllStringSubmatch(list, -1) {
		n, _ := strconv.Atoi(m[1])
		listed = append(listed, n)
	}
	dir := t.TempDir()
	parts := filepath.Join(dir, "parts.csv")
	rows := "subject,q1,q2,q3,q4\na,1,0,,\nb,0,1,,\nc,,,1,0\nd,,,0,1\n" // nothing connects a and b with c and d
	if err := os.WriteFile(parts, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	type line struct {
		cause error // why the context is over; nil: it is not
		args  []string
		says  string
	}
	lines := map[int]line{
		0:   {nil, []string{"import", parts, "--out", filepath.Join(dir, "parts")}, "connects"},
		1:   {nil, []string{"verify", filepath.Join(dir, "nothing")}, "nothing"},
		2:   {nil, []string{"infer", "--no-such-flag"}, "no-such-flag"},
		75:  {cli.ErrStopped, []string{"run", trio(t), "--out", filepath.Join(dir, "out")}, "rerun the command to resume"},
		130: {errors.New("SIGINT"), []string{"run", trio(t), "--out", filepath.Join(dir, "cut")}, "interrupted"},
	}
	if want := slices.Sorted(maps.Keys(lines)); !slices.Equal(listed, want) {
		t.Errorf("the guide lists %v, want %v", listed, want)
	}
	for code, l := range lines {
		ctx, cancel := context.WithCancelCause(t.Context())
		if l.cause != nil {
			cancel(l.cause)
		}
		var out, errs bytes.Buffer
		if got := cli.Run(ctx, cli.Host{}, l.args, &out, &errs); got != code || !strings.Contains(out.String()+errs.String(), l.says) {
			t.Errorf("%v: exit %d, want %d; %s%s", l.args, got, code, out.String(), errs.String())
		}
		cancel(nil)
	}
}
