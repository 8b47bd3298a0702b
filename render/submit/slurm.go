package submit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Notice is how long before its time limit Slurm tells a task to stop.
const Notice = time.Minute

// A Slurm has the batch scripts of a run: one of an array job, whose tasks are the shards, and one that merges them.
type Slurm struct {
	Run
	Dir       string        // working directory of the jobs, an absolute path
	Logs      string        // folder of what they print; it must exist when they begin
	Partition string        // the cluster's default if empty
	Limit     time.Duration // of one task, in minutes; the cluster's default if 0
}

// Scripts returns the script of the shards and that of the merge. The error says which value cannot stand in a script.
func (s *Slurm) Scripts() (shards, merge []byte, err error) {
	if err := s.check(s.Dir, s.Logs, s.Partition); err != nil {
		return nil, nil, err
	}
	if s.Limit < 0 || s.Limit > 0 && s.Limit < 2*Notice || s.Limit%time.Minute != 0 {
		return nil, nil, fmt.Errorf("time %v: want whole minutes, at least %v: a task is told to stop %v before its end", s.Limit, 2*Notice, Notice)
	}
	for _, text := range []string{s.Dir, s.Logs, s.Partition} {
		if strings.ContainsAny(text, `"'\%`) { // sbatch reads the lines of options by rules of its own
			return nil, nil, fmt.Errorf("%q: an option of a batch script has no place for quotes, \\ and %%", text)
		}
	}
	if !filepath.IsAbs(s.Dir) {
		panic("submit: the working directory of a job is not absolute")
	}
	return fill(slurm, batch{
			Slurm: s, Doc: "The shards of a run. To send some of them again: sbatch --array=3,7-9 " + ShardsScript,
			Job: s.Name, Log: "%A_%a", Last: strconv.Itoa(s.Shards - 1),
			Command: s.share(), Task: "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID",
		}), fill(slurm, batch{
			Slurm: s, Doc: "What follows when all shards are complete.",
			Job: s.Name + "-merge", Log: "%j",
			Before: s.merge(), Command: s.run(), Task: "$SLURM_JOB_ID",
		}), nil
}

// The names of the scripts.
const (
	ShardsScript = "shards.sh"
	MergeScript  = "merge.sh"
)

// Minutes returns the time limit in minutes.
func (s *Slurm) Minutes() int { return int(s.Limit / time.Minute) }

// A batch has the values of the template slurm.
type batch struct {
	*Slurm
	Doc, Job, Log   string
	Last            string // number of the last task of an array job; empty if the job is no array
	Before, Command []string
	Task            string // number of the task, as its shell knows it
}

// slurm is a batch script. Slurm signals the shell, which hands the signal on: the first wait ends when the signal comes, the
// second when the program has stopped. A program that the signal ends before it can handle it (143) has stopped too. The run
// after the merge is whole, whatever the environment that sbatch hands on says. A task that goes on sends itself again; not for
// ever, because a task whose time is too short for one fit would never end.
const slurm = `#!/bin/bash
# {{.Doc}}
#SBATCH --job-name={{.Job}}
{{- with .Last}}
#SBATCH --array=0-{{.}}
{{- end}}
#SBATCH --chdir="{{.Dir}}"
#SBATCH --output="{{.Logs}}/{{.Log}}.log"
#SBATCH --open-mode=append
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={{.Processors}}
{{- with .Memory}}
#SBATCH --mem={{.}}
{{- end}}
{{- with .Partition}}
#SBATCH --partition="{{.}}"
{{- end}}
{{- with .Minutes}}
#SBATCH --time={{.}}
{{- end}}
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
trap 'trap "" TERM; stopping=1; [ -z "$!" ] || kill -TERM $!' TERM
stoppable() {
  [ -z "$stopping" ] || return {{.Stopped}}
  "$@" &
  wait $!
  code=$?
  if [ "$stopping" ]; then
    wait $!
    code=$?
    [ $code != 143 ] || code={{.Stopped}}
  fi
  return $code
}
{{- with .Before}}
unset ACHILLES_SHARD
stoppable {{shell .}} &&
{{- end}}
stoppable {{shell .Command}}
code=$?
if [ $code = {{.Stopped}} ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 100 ]; then
  scontrol requeue "{{.Task}}"
fi
exit $code
`

// SlurmCommand returns the command line that does what SubmitSlurm does.
func SlurmCommand(shards, merge string) string {
	return "job=$(" + shell([]string{"sbatch", "--parsable", shards}) + ") && sbatch --dependency=afterok:$job " + shell([]string{noWait, merge})
}

// noWait removes a job that can never begin, because a job that it depends on has failed.
const noWait = "--kill-on-invalid-dep=yes"

// SubmitSlurm sends the script of the shards, and that of the merge to begin when all shards have succeeded. It returns the
// numbers of both jobs. An error after the first was sent has its number.
func SubmitSlurm(ctx context.Context, shards, merge string) (first, second string, err error) {
	if first, err = sbatch(ctx, shards); err != nil {
		return "", "", err
	}
	if second, err = sbatch(ctx, "--dependency=afterok:"+first, noWait, merge); err != nil {
		return first, "", fmt.Errorf("the shards are job %s, but: %w", first, err)
	}
	return first, second, nil
}

// sbatch sends a script and returns the number of its job.
func sbatch(ctx context.Context, args ...string) (string, error) {
	said, err := call(ctx, "sbatch", append([]string{"--parsable"}, args...)...)
	if err != nil {
		return "", err
	}
	number, _, _ := strings.Cut(said, ";") // the name of the cluster may follow
	if number == "" {
		return "", errors.New("sbatch printed no job number")
	}
	return number, nil
}
