package submit_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"achilles/render/cli"
	"achilles/sim/longtest"
)

// tiny has a scenario, and the flags with which its run takes a fraction of a second.
var tiny = []string{"quickstart", "--set", "battery.sample=40", "--draws", "100", "--warmup", "50", "--layout", "constant", "--candidates", "none"}

// TestSlurm runs twenty shards on a real Slurm, a cluster of this machine alone. Two tasks are ended in the middle: one by the
// signal that comes before a time limit, one as if its node had failed. Both are queued again, the shards are merged, and the results
// have the bytes of a run without shards.
func TestSlurm(t *testing.T) {
	longtest.Only(t, "starts Slurm")
	dir := filepath.Join(t.TempDir(), "of a user") // sbatch must bear a path with spaces
	achilles := build(t)
	cluster(t)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	first := []string{"3", "7"} // tasks that would not end for minutes when they are started first
	program := filepath.Join(dir, "first is slow")
	script := fmt.Sprintf(`#!/bin/bash
case "$SLURM_ARRAY_TASK_ID/$SLURM_RESTART_COUNT" in
%s/|%s/) exec %s "$@" --draws 1000000 ;;
esac
exec %[3]s "$@"
`, first[0], first[1], achilles)
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	said := must(t, append([]string{"submit", "slurm", "--shards", "20", "--program", program, "--out", "divided", "--time", "10m", "--submit"}, tiny...)...)
	var shards, merge string
	if _, err := fmt.Sscanf(said[strings.Index(said, "job "):], "job %s does the shards, then job %s merges", &shards, &merge); err != nil {
		t.Fatalf("%q: %v", said, err)
	}
	for _, task := range first {
		wait(t, "task "+task, func() bool { _, err := os.Stat("divided/shards/" + task + "-of-20"); return err == nil })
	}
	// scancel repeats a signal that comes while Slurm is busy with the task, although the first one has arrived.
	signal := exec.Command("scancel", "--batch", "--signal=TERM", shards+"_"+first[0])
	if err := signal.Start(); err != nil {
		t.Fatal(err)
	}
	wait(t, "task "+first[0]+" in the queue again", func() bool { return again(t, shards+"_"+first[0]) })
	signal.Process.Kill()
	signal.Wait()
	command(t, "scontrol", "requeue", shards+"_"+first[1])
	must(t, append([]string{"run", "--out", "whole"}, tiny...)...)
	wait(t, "the merge", func() bool { return command(t, "squeue", "--noheader", "--jobs", shards+","+merge) == "" })
	for _, task := range first {
		if !again(t, shards+"_"+task) {
			t.Errorf("task %s was not queued again", task)
		}
	}
	if x, y := tree(t, "whole"), tree(t, "divided"); !maps.Equal(x, y) {
		t.Errorf("of %d files, %d are there, or some differ\n%s", len(x), len(y), logs(t))
	}
}

// again reports whether a task has been queued a second time.
func again(t *testing.T, task string) bool {
	t.Helper()
	return !strings.Contains(command(t, "scontrol", "show", "job", task), "Restarts=0")
}

// build builds the program.
func build(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "achilles")
	if out, err := exec.Command("go", "build", "-o", file, "achilles").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// cluster starts Slurm with one node, this machine, until the test ends. All its processes are in a namespace of their own, and
// end with it. It skips the test where that is impossible.
func cluster(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("only root can start Slurm, on Linux")
	}
	for _, program := range []string{"munged", "slurmctld", "slurmd", "sbatch", "unshare"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s: apt-get install slurm-wlm munge", program)
		}
	}
	namespace := []string{"--pid", "--fork", "--kill-child", "--mount-proc"}
	if out, err := exec.Command("unshare", append(namespace, "true")...).CombinedOutput(); err != nil {
		t.Skipf("no namespace of processes: %s", out)
	}
	name, err := exec.Command("hostname", "-s").Output()
	if err != nil {
		t.Skip("no name of this machine")
	}
	dir := t.TempDir()
	files := map[string]string{
		"slurm.conf": slurmConf(dir, strings.TrimSpace(string(name)), freePort(t), freePort(t)),
		"munge.key":  strings.Repeat("not a secret ", 10),
		"start":      start,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("SLURM_CONF", filepath.Join(dir, "slurm.conf"))
	var said bytes.Buffer
	c := exec.Command("unshare", append(namespace, "bash", filepath.Join(dir, "start"))...)
	c.Dir, c.Stdout, c.Stderr = dir, &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill() // and with it, by --kill-child, the first process of the namespace and so all
		c.Wait()
		if t.Failed() {
			t.Logf("the daemons said:\n%s", &said)
		}
	})
	wait(t, "the node", func() bool {
		out, err := exec.Command("sinfo", "--noheader", "--format=%T").Output()
		return err == nil && strings.TrimSpace(string(out)) == "idle"
	})
}

// start starts the daemons of Slurm in the foreground.
const start = `set -e
mkdir state spool
munged --foreground --force --key-file=$PWD/munge.key --socket=$PWD/munge.socket --pid-file=$PWD/munged.pid --log-file=$PWD/munged.log --seed-file=$PWD/munged.seed &
until [ -S munge.socket ]; do sleep 0.05; done
slurmctld -D &
slurmd -D &
wait
`

// slurmConf returns the configuration of a cluster of one node. A task that is queued again waits for as long as credentials are
// valid, two minutes by default.
func slurmConf(dir, node string, controller, daemon int) string {
	return fmt.Sprintf(`ClusterName=test
SlurmctldHost=%s(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=%[2]s/munge.socket,cred_expire=5
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmdPidFile=%[2]s/slurmd.pid
SlurmctldPort=%d
SlurmdPort=%d
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
KillWait=1
CompleteWait=0
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:2
`, node, dir, controller, daemon)
}

// freePort returns a port that is free on the loopback device.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// wait returns when done does, and ends the test after four minutes.
func wait(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(4 * time.Minute); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: nothing after four minutes\n%s", what, logs(t))
		}
	}
}

// logs returns what the jobs printed.
func logs(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	files, _ := filepath.Glob("submit/*/*.log")
	for _, f := range files {
		text, err := os.ReadFile(f)
		fmt.Fprintf(&b, "%s: %s %v\n", f, text, err)
	}
	return b.String()
}

func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// must runs a command line of the program in this process and returns what it printed.
func must(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := cli.Run(context.Background(), cli.Host{}, args, &out, &errs); code != 0 {
		t.Fatalf("achilles %v: exit %d\n%s", args, code, &errs)
	}
	return out.String()
}

// tree returns the files of a results directory, without those of its shards.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path, "shards/") {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
