package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"achilles/render/cli"
	"achilles/render/cli/clitest"
	"achilles/scenarios/leaktest"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
)

// shard does one share of a small run in dir.
func shard(t *testing.T, dir string, i, n int, more ...string) {
	t.Helper()
	must(t, append([]string{"run", trio(t), "--out", dir, "--shard", fmt.Sprintf("%d/%d", i, n)}, more...)...)
}

// merged returns the files of a results directory without those of its shards.
func merged(t *testing.T, dir string) map[string][]byte {
	files := tree(t, dir)
	maps.DeleteFunc(files, func(name string, _ []byte) bool { return strings.HasPrefix(name, "shards/") })
	return files
}

// TestShards checks that a run in 1, 2 and 5 shards, merged, ends with the same bytes as a run without shards. There are three
// subjects, so that some of 5 shards are empty.
func TestShards(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	smallRun(t, whole)
	want := tree(t, whole)
	roots := map[string]bool{}
	for _, n := range []int{1, 2, 5} {
		dir := filepath.Join(t.TempDir(), "divided")
		for i := n - 1; i >= 0; i-- {
			shard(t, dir, i, n)
		}
		if files := merged(t, dir); len(files) != 0 {
			t.Errorf("%d shards: before the merge there are %d files beside them", n, len(files))
		}
		for name := range tree(t, dir) {
			if strings.Contains(name, "/scores/") || strings.Contains(name, "/inferred/") {
				t.Errorf("%d shards: a shard has %s", n, name)
			}
		}
		root := regexp.MustCompile("Merkle root ([0-9a-f]{64})").FindStringSubmatch(must(t, "merge", dir))
		if checked := must(t, "merge", dir, "--check"); len(root) != 2 || !strings.Contains(checked, root[1]) {
			t.Fatalf("%d shards: root %v, checked: %s", n, root, checked)
		}
		roots[root[1]] = true
		must(t, "run", trio(t), "--out", dir)
		if got := merged(t, dir); !equal(want, got) {
			t.Errorf("%d shards differ from none in %v", n, differing(want, got))
		}
	}
	if len(roots) != 1 {
		t.Errorf("the root depends on the number of shards: %v", roots)
	}
}

// TestMergedStaysBlind checks that neither the shards of a run nor their merge say more than a run without shards: no file outside the
// sealed folders has the root seed or the salt, and the form of the public part does not tell the sealed order of the items.
func TestMergedStaysBlind(t *testing.T) {
	const seed = "18364758544493064720"
	dir := filepath.Join(t.TempDir(), "divided")
	more := []string{"--set", "battery.sample=120", "--seed", seed}
	for i := range 2 {
		shard(t, dir, i, 2, more...)
	}
	must(t, "merge", dir)
	must(t, append([]string{"run", trio(t), "--out", dir}, more...)...)
	_, salt := truthOf(t, dir)
	sealed := 0
	for name, b := range tree(t, dir) {
		if strings.Contains("/"+name, "/sealed/") {
			sealed++
		} else if bytes.Contains(b, []byte(seed)) || bytes.Contains(b, []byte(salt)) {
			t.Errorf("%s has a secret", name)
		}
	}
	if sealed < 3 {
		t.Errorf("%d sealed files in two shards and their merge", sealed)
	}
	public := os.DirFS(filepath.Join(dir, "public"))
	m, err := record.ReadManifest(public)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := seal.Open(os.DirFS(filepath.Join(dir, "sealed")), m.Parents[part.Sealed])
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, item := range truth.Items {
		names = append(names, item.Name)
	}
	slices.Sort(names)
	half := map[string]string{}
	for id, item := range truth.Items {
		half[id] = fmt.Sprint(item.Name < names[len(names)/2])
	}
	found, err := leaktest.Probe(public, nil, half)
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Checks) == 0 || len(found.Findings) > 0 {
		t.Errorf("%d checks find %v", len(found.Checks), found.Findings)
	}
}

// TestShardsOfScenes checks the same for observers, who watch files of scenes, and for infer on a finished directory.
func TestShardsOfScenes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bib")
	bib := []string{"bib", "--set", "episodes=1", "--set", `bib.tasks=["preference"]`, "--out", dir}
	must(t, append([]string{"generate"}, bib...)...)
	for i := range 2 {
		must(t, "infer", dir, "--shard", fmt.Sprintf("%d/2", i))
	}
	must(t, "merge", dir)
	must(t, "infer", dir)
	other := filepath.Join(t.TempDir(), "bib")
	must(t, append(append([]string{"generate"}, bib[:len(bib)-1]...), other)...)
	must(t, "infer", other)
	if x, y := merged(t, dir), tree(t, other); !equal(x, y) {
		t.Errorf("they differ in %v", differing(x, y))
	}
}

// TestMergeRefuses checks that shards which are not the whole of one run are refused, and why.
func TestMergeRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "divided")
	for _, i := range []int{0, 2, 4, 5} {
		shard(t, dir, i, 7)
	}
	code, out, errs := achilles(t, "merge", dir, "--check")
	if code != 1 || out != "1,3,6\n" || !strings.Contains(errs, "3 of 7 shards are missing: 1,3,6") {
		t.Errorf("holes: exit %d, %q, %q", code, out, errs)
	}
	whole := filepath.Join(t.TempDir(), "whole")
	shard(t, whole, 0, 2)
	shard(t, whole, 1, 2)
	first, second := filepath.Join(whole, "shards", "0-of-2"), filepath.Join(whole, "shards", "1-of-2")
	seeded := filepath.Join(t.TempDir(), "seeded")
	shard(t, seeded, 1, 2, "--seed", "3")
	changed := filepath.Join(t.TempDir(), "changed")
	copyDir(t, second, changed)
	for name, b := range tree(t, changed) {
		if strings.HasPrefix(name, ".pieces/") {
			write(t, filepath.Join(changed, name), append(b, 'x'))
		}
	}
	code, out, errs = achilles(t, "merge", whole, first, changed, "--check")
	if code != 1 || out != "1\n" || !strings.Contains(errs, "differs from the one that the shard finished with") {
		t.Errorf("a damaged shard: exit %d, %q, %q", code, out, errs)
	}
	newer := filepath.Join(t.TempDir(), "newer")
	copyDir(t, second, newer)
	var said map[string]any
	if err := json.Unmarshal(read(t, filepath.Join(newer, "manifest.json")), &said); err != nil {
		t.Fatal(err)
	}
	said["version"] = 3
	b, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(newer, "manifest.json"), b)
	half := filepath.Join(t.TempDir(), "half")
	copyDir(t, second, half)
	if err := os.Remove(filepath.Join(half, "manifest.json")); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(t.TempDir(), "1-of-2")
	copyDir(t, half, killed)
	old := filepath.Join(t.TempDir(), "1-of-2")
	copyDir(t, half, old)
	write(t, filepath.Join(old, "shard.json"), []byte(`{"format":"achilles-shard","version":1}`))
	for _, c := range []struct {
		why    string
		shards []string
	}{
		{"are both shard 0", []string{first, second, first}},
		{"by another scenario, layout or seed", []string{first, filepath.Join(seeded, "shards", "1-of-2")}},
		{"one is a shard of 2, one of 7", []string{first, filepath.Join(dir, "shards", "4-of-7")}},
		{"differs from the one that the shard finished with", []string{first, changed}},
		{`"achilles-shard" version 3`, []string{first, newer}},
		{"1 of 2 shards are missing: 1; " + newer, []string{first, newer}},
		{"1 of 2 shards are missing: 1", []string{first, half}},
		{"hint: rerun the command of the shards with --shard I/2, I being 1", []string{first, half}},
		{"an older version of this program wrote it", []string{first, old}},
		{"2 of 2 shards are missing: 0-1; " + old, []string{old}},
		{"no complete shard", []string{half}},
		{"2 of 2 shards are missing: 0-1", []string{killed}},
		{"cannot open", []string{filepath.Join(whole, "nowhere")}},
	} {
		out := filepath.Join(t.TempDir(), "out")
		code, _, errs := achilles(t, append([]string{"merge", out}, c.shards...)...)
		if code != 1 || !strings.Contains(errs, c.why) {
			t.Errorf("%s: exit %d, %q", c.why, code, errs)
		}
	}
}

// TestNoSharesOfJointLayout checks that a layout that measures all subjects in one fit is refused before anything is made, by
// every command that divides.
func TestNoSharesOfJointLayout(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "generate", "quickstart", "--set", "battery.sample=40", "--out", "made")
	before := tree(t, ".")
	for _, args := range [][]string{
		{"run", "quickstart", "--layout", "rasch", "--candidates", "none", "--shard", "1/3", "--out", "new"},
		{"infer", "made", "--layout", "rasch", "--shard", "0/3"},
		{"submit", "slurm", "quickstart", "--layout", "rasch", "--candidates", "none", "--shards", "3"},
		{"scenarios", "check", "quickstart", "--set", "inference.layout=rasch", "--set", "inference.candidates=none", "--shards", "3"},
	} {
		code, out, errs := achilles(t, args...)
		if code != 1 || !strings.Contains(errs, "rasch.toml:8: key item.difficulty.prior: difficulty belongs to each item") || out != "" {
			t.Errorf("%v: exit %d, %q, %q", args, code, out, errs)
		}
	}
	if after := tree(t, "."); !equal(before, after) {
		t.Errorf("refused, they change %v", differing(before, after))
	}
	for shards, code := range map[string]int{"3": 0, "0": 2, "-1": 2, "100001": 2} {
		if got, _, errs := achilles(t, "scenarios", "check", "quickstart", "--shards", shards); got != code {
			t.Errorf("%s shards: exit %d, want %d, %q", shards, got, code, errs)
		}
	}
}

// TestShareOfArray checks where the number of a share comes from, and that shares which do not exist are refused.
func TestShareOfArray(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		args []string
		want string // what is printed, or the reason why not
	}{
		{nil, []string{"--shard", "1/3"}, "shard 1 of shards 0 to 2"},
		{map[string]string{"ACHILLES_SHARD": "2/3"}, nil, "shard 2 of shards 0 to 2"},
		{map[string]string{"ACHILLES_SHARD": "2/3"}, []string{"--shard", "0/5"}, "shard 0 of shards 0 to 4"},
		{map[string]string{"SLURM_ARRAY_TASK_ID": "7"}, []string{"--shards", "20"}, "shard 7 of shards 0 to 19"},
		{map[string]string{"JOB_COMPLETION_INDEX": "0"}, []string{"--shards", "2"}, "shard 0 of shards 0 to 1"},
		{map[string]string{"SLURM_ARRAY_TASK_ID": "20"}, []string{"--shards", "20"}, "SLURM_ARRAY_TASK_ID 20 of 20"},
		{nil, []string{"--shards", "20"}, "neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set"},
		{nil, []string{"--shards", "20", "--shard", "1/20"}, "omit --shards"},
		{nil, []string{"--shard", "3/3"}, "want a number from 0"},
		{nil, []string{"--shard", "-1/3"}, "want a number from 0"},
		{nil, []string{"--shard", "0/2000000000"}, "at most 100000"},
		{nil, []string{"--shard", "1 of 3"}, "want I/N"},
		{nil, []string{"--shard", "1/3", "--seed", "drawn"}, "a root seed of its own"},
		{nil, []string{"--stop-after", "-1s"}, "want more than 0"},
	} {
		for _, name := range []string{"ACHILLES_SHARD", "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"} {
			t.Setenv(name, c.env[name])
		}
		args := []string{"run", trio(t), "--out", filepath.Join(t.TempDir(), "out")}
		code, out, errs := achilles(t, append(args, c.args...)...)
		if !strings.Contains(out+errs, c.want) || (code == 0) != strings.HasPrefix(c.want, "shard ") {
			t.Errorf("%v %v: exit %d, %q, %q; want %q", c.env, c.args, code, out, errs, c.want)
		}
	}
}

// TestStops checks that a run whose time is over, or that the system wants to end, stops with exit code 75, and that the
// same command then goes on.
func TestStops(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	args := []string{"run", trio(t), "--out", dir}
	code, _, errs := achilles(t, append(args, "--stop-after", "1ns")...)
	if code != 75 || !strings.Contains(errs, "rerun the command to resume") {
		t.Errorf("time over: exit %d, %q", code, errs)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cli.ErrStopped)
	var out, said bytes.Buffer
	if code := cli.Run(ctx, cli.Host{}, args, &out, &said); code != 75 {
		t.Errorf("ended by the system: exit %d, %q", code, said.String())
	}
	must(t, append(args, "--stop-after", time.Hour.String())...)
}

// TestShardsOfPrograms checks that programs can take a battery in shards, or the items that are chosen for each: after the
// merge, generate starts none of them for a trial, and publishes what a run without shards publishes.
func TestShardsOfPrograms(t *testing.T) {
	two := "name = \"two\"\n[battery]\nsuite = \"opiaagets\"\ncoding = \"worlds\"\nitems = 3\n" +
		"[[agent]]\nname = \"one\"\ncommand = [\"PROGRAM\", \"agent.py\"]\n[[agent]]\nname = \"two\"\ncommand = [\"PROGRAM\", \"agent.py\"]\n"
	two = strings.ReplaceAll(two, "PROGRAM", clitest.Program(t))
	t.Chdir(t.TempDir())
	write(t, "two.toml", []byte(two))
	write(t, "chosen.toml", []byte(two+"[adaptive]\nitems = 2\n[responses]\nheld_out = 0\n[inference]\nlayout = \"op-fixed\"\n"))
	code, _, errs := achilles(t, "run", "two.toml", "--layout", "constant", "--shard", "0/2", "--out", "divided")
	if code != 1 || !strings.Contains(errs, "must finish before inference can begin") {
		t.Errorf("run: exit %d, %q", code, errs)
	}
	for file, want := range map[string]string{"two.toml": "3 items × 2 subjects, 6 responses", "chosen.toml": "3 items × 2 subjects, 4 responses"} {
		whole, divided := filepath.Join("whole", file), filepath.Join("divided", file)
		if said := must(t, "generate", file, "--out", whole); !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", file, said, want)
		}
		for i := range 2 {
			must(t, "generate", file, "--out", divided, "--shard", fmt.Sprintf("%d/2", i))
		}
		must(t, "merge", divided)
		must(t, "generate", file, "--out", divided)
		if x, y := tree(t, whole), merged(t, divided); !equal(x, y) {
			t.Errorf("%s: they differ in %v", file, differing(x, y))
		}
	}
	code, _, errs = achilles(t, "generate", "quickstart", "--shard", "0/2", "--out", "none")
	if code != 1 || !strings.Contains(errs, "is a program") {
		t.Errorf("no programs: exit %d, %q", code, errs)
	}
}
