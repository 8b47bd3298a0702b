package submit

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// A Kubernetes has the Jobs of a run: an Indexed Job, whose pods are the shards, and one that merges them. Their pods share a
// volume, in which the results directory is.
type Kubernetes struct {
	Run
	Image string // of the containers
	Claim string // PersistentVolumeClaim of the volume
	Mount string // absolute path of the volume in the containers, and their working directory
}

// The names of the files of the Jobs.
const (
	ShardsJob = "shards.yaml"
	MergeJob  = "merge.yaml"
)

// Jobs returns the Job of the shards and that of the merge, in YAML. The error says which value cannot stand in them.
func (k *Kubernetes) Jobs() (shards, merge []byte, err error) {
	if err := k.check(k.Image, k.Mount); err != nil {
		return nil, nil, err
	}
	switch {
	case k.Image == "":
		return nil, nil, fmt.Errorf("no image: the containers of a Job are made from one that has achilles")
	case len(k.Claim) > 253 || !claim.MatchString(k.Claim):
		return nil, nil, fmt.Errorf("claim %q: want the name of a PersistentVolumeClaim, of lower-case letters, digits, dots and hyphens", k.Claim)
	case !path.IsAbs(k.Mount):
		return nil, nil, fmt.Errorf("mount %q: want an absolute path", k.Mount)
	}
	return fill(kubernetes, job{
			Kubernetes: k, Doc: "The shards of a run; " + MergeJob + " follows when all are complete.",
			Job: k.Name + "-shards", Indexed: true, Command: k.share(),
		}), fill(kubernetes, job{
			Kubernetes: k, Doc: "What follows when all shards are complete.", Job: k.Name + "-merge",
			Command: []string{"sh", "-c", "unset ACHILLES_SHARD; " + shell(k.merge()) + " && exec " + shell(k.run())},
		}), nil
}

var claim = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)

// A job has the values of the template kubernetes.
type job struct {
	*Kubernetes
	Doc, Job string
	Indexed  bool
	Command  []string
}

// Literal returns the words of the command as Kubernetes hands them on unchanged: it replaces $(NAME) by a variable, and $$ by $.
func (j job) Literal() []string {
	out := make([]string, len(j.Command))
	for i, word := range j.Command {
		out[i] = strings.ReplaceAll(word, "$", "$$")
	}
	return out
}

// kubernetes is a Job (batch/v1). A pod that stopped to go on, or that the cluster took away, is replaced and counts as no
// failure. A wrong command line (exit code 2) is not tried again. Memory is in powers of 1024, as in Slurm.
const kubernetes = `# {{.Doc}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{.Job}}
spec:
{{- if .Indexed}}
  completionMode: Indexed
  completions: {{.Shards}}
  parallelism: {{.Shards}}
  backoffLimitPerIndex: 3
{{- else}}
  backoffLimit: 3
{{- end}}
  podFailurePolicy:
    rules:
    - action: Ignore
      onExitCodes:
        containerName: achilles
        operator: In
        values: [{{.Stopped}}]
    - action: Ignore
      onPodConditions:
      - type: DisruptionTarget
    - action: {{if .Indexed}}FailIndex{{else}}FailJob{{end}}
      onExitCodes:
        containerName: achilles
        operator: In
        values: [2]
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 60
      containers:
      - name: achilles
        image: {{printf "%q" .Image}}
        workingDir: {{printf "%q" .Mount}}
        command:
{{- range .Literal}}
        - {{printf "%q" .}}
{{- end}}
        resources:
          requests:
            cpu: {{.Processors}}
{{- with .Memory}}
            memory: {{.}}i
          limits:
            memory: {{.}}i
{{- end}}
        volumeMounts:
        - name: results
          mountPath: {{printf "%q" .Mount}}
      volumes:
      - name: results
        persistentVolumeClaim:
          claimName: {{printf "%q" .Claim}}
`

// Commands returns the command line that hands the Job of the shards to the cluster, and the one that waits for its end and hands
// over that of the merge.
func (k *Kubernetes) Commands(shards, merge string) (start, then string) {
	return shell([]string{"kubectl", "apply", "--filename", shards}),
		shell([]string{"kubectl", "wait", "--for=condition=complete", "--timeout=-1s", "job/" + k.Name + "-shards"}) +
			" && " + shell([]string{"kubectl", "apply", "--filename", merge})
}

// SubmitKubernetes hands the Job of the shards to the cluster, and returns what kubectl says.
func SubmitKubernetes(ctx context.Context, shards string) (string, error) {
	return call(ctx, "kubectl", "apply", "--filename", shards)
}
