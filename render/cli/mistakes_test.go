package cli_test

import (
	"os"
	"strings"
	"testing"
)

// TestMistakes checks what is said of mistakes that somebody makes in the first hour: where, what, and what would be right.
func TestMistakes(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"folder", "empty"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, "bytes.csv", []byte("a,b\x00\x01\n"))
	write(t, "m.csv", []byte("model,q1,q2\nada,1,0\nbob,0,1\ncyd,1,1\n"))
	must(t, "import", "m.csv", "--out", "m")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"run quikstart", 1, `no scenario is called "quikstart": did you mean quickstart?`},
		{"run folder", 1, "folder is a directory: want the name of a shipped scenario, or a path to a .toml file"},
		{"run --layout=opp", 1, `no layout is called "opp": did you mean op?`},
		{"run --job 2", 2, "did you mean --jobs?"},
		{"analyse m --features x", 2, "unknown flag: --features\n"},
		{"analyse m n --out o", 2, "2 arguments given: want achilles analyse DIR --out DIR2"},
		{"infer", 2, "0 arguments given: want achilles infer DIR"},
		{"help infr", 2, "did you mean infer?"},
		{"submit slurm op-burden", 2, "want a number of shards from 1"},
		{"import empty", 1, "empty: the folder has no files"},
		{"import bytes.csv", 1, "bytes.csv: not text"},
		{"infer m --layout mirt --engine mml", 1, "the items have no column occluder"},
		{"infer m --layout dina --engine mml", 1, "the items have no column occluder"},
		{"infer m --layout op --as x", 1, "achilles layouts new m writes a layout for these data; of the shipped ones these fit: "},
		{"compare m dee", 1, "there is no subject dee: there are ada, bob, cyd"},
	} {
		if code, _, stderr := achilles(t, strings.Fields(c.args)...); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, want %d and %q, and it says\n%s", c.args, code, c.code, c.want, stderr)
		}
	}
}
