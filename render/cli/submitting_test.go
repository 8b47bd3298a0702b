package cli_test

import (
	"os"
	"strings"
	"testing"
)

// TestSubmit checks what submit writes, that the flags of the run are passed on, and that nothing is overwritten or written in vain.
func TestSubmit(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("PATH", "") // without sbatch and kubectl
	args := []string{"submit", "slurm", "quickstart", "--shards", "3", "--seed", "2", "--set", "battery.sample=40", "--set", "responses.repetitions=2", "--jobs", "2"}
	out := must(t, args...)
	if want := "next: job=$(sbatch --parsable submit/quickstart/shards.sh) && sbatch \\\n  --dependency=afterok:$job"; !strings.Contains(out, want) {
		t.Errorf("said %q, want %q in it", out, want)
	}
	run := "\nstoppable achilles run quickstart --jobs 2 --out results/quickstart --seed 2 --set battery.sample=40 --set responses.repetitions=2"
	for file, want := range map[string]string{
		"submit/quickstart/shards.sh": run + " --shards 3\n",
		"submit/quickstart/merge.sh":  run + "\n",
	} {
		if text := string(read(t, file)); !strings.Contains(text, want) || !strings.Contains(text, "--cpus-per-task=2\n") {
			t.Errorf("%s: no %q in\n%s", file, want, text)
		}
	}
	must(t, append(args, "--force")...)
	_, _, errs := achilles(t, "submit", "slurm", "quickstart", "--shards", "20", "--scripts", "more")
	if want := "quickstart has 9 subjects: 11 of 20 shards have none"; !strings.Contains(errs, want) {
		t.Errorf("said %q, want %q", errs, want)
	}
	before := tree(t, ".")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{args, 1, "exists already"},
		{[]string{"slurm", "quickstart"}, 2, "want a number of shards from 1"},
		{[]string{"slurm", "quickstart", "--shards", "3", "--time", "1m"}, 2, "--time 1m0s: want at least 2m0s"},
		{[]string{"slurm", "quickstart", "--shards", "3", "--time", "0s"}, 2, "--time 0s"},
		{[]string{"slurm", "quickstart", "--shards", "3", "--memory", "lots"}, 2, "such as 4G"},
		{[]string{"slurm", "quickstart", "--shards", "3", "--seed", "drawn"}, 1, "a root seed of its own"},
		{[]string{"slurm", "nosuch", "--shards", "3"}, 1, "no scenario is called"},
		{[]string{"slurm", "quickstart", "--shards", "3", "--chains", "1"}, 2, "from 2 to 1000"},
		{[]string{"kubernetes", "quickstart", "--shards", "3"}, 2, "no image"},
	} {
		if c.args[0] != "submit" {
			c.args = append([]string{"submit"}, c.args...)
		}
		if code, _, errs := achilles(t, c.args...); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%v: exit %d, %q; want %d, %q", c.args, code, errs, c.code, c.want)
		}
	}
	if after := tree(t, "."); !equal(before, after) {
		t.Errorf("refused, they change %v", differing(before, after))
	}
	for program, args := range map[string][]string{"sbatch": {"slurm"}, "kubectl": {"kubernetes", "--image", "x"}} {
		args = append([]string{"submit"}, append(args, "quickstart", "--shards", "3", "--submit", "--scripts", program)...)
		if code, _, errs := achilles(t, args...); code != 1 || !strings.Contains(errs, "there is no program "+program) {
			t.Errorf("%v: exit %d, %q", args, code, errs)
		}
	}
	if _, err := os.Stat("kubectl/shards.yaml"); err != nil {
		t.Error(err)
	}
}
