package submit_test

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"achilles/render/submit"
	"achilles/sim/longtest"
)

var (
	update = flag.Bool("update", false, "rewrite golden files")
)

// run is a run with arguments that a shell would read wrongly without quotes, and Kubernetes without a second $.
var run = submit.Run{Name: "op-burden", Program: "achilles", Args: []string{"run", "op-burden", "--set", "doc='it's \"$HOME\" & more'", "--set", "note=a $$ b $(KUBERNETES_SERVICE_HOST)", "--out", "results/many"},
	Out: "results/many", Shards: 20, Processors: 2, Memory: "4G", Stopped: 75}

func slurm() *submit.Slurm {
	return &submit.Slurm{Run: run, Dir: "/home/a user", Logs: "submit/op-burden", Partition: "short", Limit: time.Hour}
}

func kubernetes() *submit.Kubernetes {
	return &submit.Kubernetes{Run: run, Image: "registry.example/achilles:1", Claim: "shared", Mount: "/work"}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs from what was written; -update rewrites it. Written:\n%s", path, got)
	}
}

// TestScripts checks the text of the batch scripts. What they do, TestSlurm and TestBatchScript check.
func TestScripts(t *testing.T) {
	shards, merge, err := slurm().Scripts()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, submit.ShardsScript, shards)
	golden(t, submit.MergeScript, merge)
}

// TestJobs checks the text of the Jobs of Kubernetes.
func TestJobs(t *testing.T) {
	shards, merge, err := kubernetes().Jobs()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, submit.ShardsJob, shards)
	golden(t, submit.MergeJob, merge)
}

// TestBatchScripts runs both scripts in a shell, with programs that stand in for achilles and scontrol: a program that
// stopped with the exit code 75, also because of a signal to the shell, is sent again, and no other.
func TestBatchScripts(t *testing.T) {
	longtest.Only(t, "starts bash and waits for real delays")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	share, merge, whole := append(slices.Clone(run.Args), "--shards", "20"), []string{"merge", run.Out}, run.Args
	for _, c := range []struct {
		why, script, program, restarts string
		code                           int
		again                          bool
		said                           [][]string // arguments of each call of the program
	}{
		{"success", submit.ShardsScript, "exit 0", "", 0, false, [][]string{share}},
		{"failure", submit.ShardsScript, "exit 1", "", 1, false, [][]string{share}},
		{"stopped by itself", submit.ShardsScript, "exit 75", "3", 75, true, [][]string{share}},
		{"signalled", submit.ShardsScript, `trap "exit 75" TERM; kill -TERM $PPID; for i in {1..500}; do sleep 0.01; done`, "", 75, true, [][]string{share}},
		{"signalled twice", submit.ShardsScript, `trap "sleep 0.1; exit 75" TERM; kill -TERM $PPID; (sleep 0.05; kill -TERM $PPID) & for i in {1..500}; do sleep 0.01; done`, "", 75, true, [][]string{share}},
		{"signalled too early for it", submit.ShardsScript, `kill -TERM $PPID; for i in {1..500}; do sleep 0.01; done`, "", 75, true, [][]string{share}},
		{"too often", submit.ShardsScript, "exit 75", "100", 75, false, [][]string{share}},
		{"merged", submit.MergeScript, "exit 0", "", 0, false, [][]string{merge, whole}},
		{"not merged", submit.MergeScript, "exit 1", "", 1, false, [][]string{merge}},
		{"signalled while it merged", submit.MergeScript, `trap : TERM; kill -TERM $PPID; for i in {1..20}; do sleep 0.01; done; exit 0`, "", 75, true, [][]string{merge}},
	} {
		dir := t.TempDir()
		s := slurm()
		s.Program = filepath.Join(dir, "achilles")
		first, second, err := s.Scripts()
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"achilles": "#!/bin/bash\nprintf '%s\\n' \"$@\" '' >> said\n" + c.program + "\n", "scontrol": "#!/bin/bash\necho \"$@\" > again\n",
			submit.ShardsScript: string(first), submit.MergeScript: string(second)} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		shell := exec.CommandContext(ctx, "bash", c.script)
		shell.WaitDelay = time.Second
		shell.Dir = dir
		shell.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "SLURM_ARRAY_JOB_ID=12", "SLURM_ARRAY_TASK_ID=3", "SLURM_JOB_ID=12_3", "SLURM_RESTART_COUNT="+c.restarts)
		out, err := shell.CombinedOutput()
		if code := shell.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%s: exit %d, want %d (%v)\n%s", c.why, code, c.code, err, out)
		}
		again, _ := os.ReadFile(filepath.Join(dir, "again"))
		if want := map[bool]string{true: "requeue 12_3\n"}[c.again]; string(again) != want {
			t.Errorf("%s: scontrol %q, want %q", c.why, again, want)
		}
		said, err := os.ReadFile(filepath.Join(dir, "said"))
		want := ""
		for _, args := range c.said {
			want += strings.Join(append(slices.Clone(args), "", ""), "\n")
		}
		if err != nil || string(said) != want {
			t.Errorf("%s: the program was given %q, want %q", c.why, said, want)
		}
	}
}

// TestRefused checks that values which a script cannot hold are refused, and that the error says which.
func TestRefused(t *testing.T) {
	for want, change := range map[string]func(*submit.Slurm){
		"memory":              func(s *submit.Slurm) { s.Memory = "four" },
		"control characters":  func(s *submit.Slurm) { s.Args = []string{"run", "a\nrm"} },
		"broken UTF-8":        func(s *submit.Slurm) { s.Program = "\xff" },
		"whole minutes":       func(s *submit.Slurm) { s.Limit = 90 * time.Second },
		"at least 2m0s":       func(s *submit.Slurm) { s.Limit = time.Minute },
		"no place for quotes": func(s *submit.Slurm) { s.Dir = `/home/"me"` },
		`"\n"`:                func(s *submit.Slurm) { s.Partition = "\n" },
	} {
		s := slurm()
		change(s)
		if _, _, err := s.Scripts(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Slurm: %v, want %q", err, want)
		}
	}
	for want, change := range map[string]func(*submit.Kubernetes){
		"memory":        func(k *submit.Kubernetes) { k.Memory = "4" },
		"no image":      func(k *submit.Kubernetes) { k.Image = "" },
		"claim":         func(k *submit.Kubernetes) { k.Claim = "Mine!" },
		"absolute path": func(k *submit.Kubernetes) { k.Mount = "work" },
	} {
		k := kubernetes()
		change(k)
		if _, _, err := k.Jobs(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Kubernetes: %v, want %q", err, want)
		}
	}
	for text, want := range map[string]string{"Op_Burden": "op-burden", "ä": "run", "": "run", "-a-": "a", strings.Repeat("a", 50): strings.Repeat("a", 40)} {
		if got := submit.JobName(text); got != want {
			t.Errorf("the name of the job %q is %q, want %q", text, got, want)
		}
	}
}
