package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"achilles/render/submit"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/sim/store"
)

// A submission has the flags of the subcommands of submit.
type submission struct {
	as      running // the run without shards
	run     submit.Run
	scripts string   // folder of the files to submit
	passed  []string // names of the flags that the run has too
	submit  bool
}

func submitCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "submit",
		Short: "Submit the shards of a run to a cluster",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, args []string) error { return c.Help() },
	}
	c.AddCommand(slurmCommand(a), kubernetesCommand(a))
	return c
}

// flags adds the flags that all clusters share. The flags of run go to the run as they are given.
func (o *submission) flags(c *cobra.Command) {
	c.Args = cobra.ExactArgs(1)
	f := c.Flags()
	o.as.flags(c)
	o.as.in.set.Flags(c.Flags())
	f.VisitAll(func(x *pflag.Flag) { o.passed = append(o.passed, x.Name) })
	f.Lookup("jobs").Usage = "processors per shard, and subjects fitted in parallel in it (default 1)"
	f.Lookup("force").Usage = "overwrite the files of an earlier submit"
	f.IntVar(&o.run.Shards, "shards", 0, "number of shards (required)")
	f.StringVar(&o.run.Memory, "memory", "", "memory of a shard, such as 4G (default: the cluster's)")
	f.StringVar(&o.run.Program, "program", "achilles", "name or path of this program where the shards run")
	f.StringVar(&o.scripts, "scripts", "", "folder of the files that are written (default: submit/ and the scenario's name)")
	f.BoolVar(&o.submit, "submit", false, "submit them too")
}

// plan checks the run and completes o.run. It tells the user if there are more shards than subjects.
func (o *submission) plan(a *app, c *cobra.Command, args []string) error {
	if err := checkShards(o.run.Shards); err != nil {
		return err
	}
	o.as.Jobs = cmp.Or(o.as.Jobs, 1)
	if err := o.as.plan(a, args); err != nil {
		return err
	}
	s := o.as.s
	if err := divisible(s, &o.as.j.Job, o.as.Out); err != nil {
		return err
	}
	o.run.Name, o.run.Out, o.run.Processors, o.run.Stopped = submit.JobName(s.Name), o.as.Out, o.as.Jobs, stoppedCode
	o.run.Args = append([]string{"run", args[0]}, o.pass(c)...)
	o.scripts = cmp.Or(o.scripts, filepath.Join("submit", s.Name))
	return noteIdle(a, s, o.run.Shards)
}

// pass returns the flags of the run. --force is not one of them, because a shard that begins again must go on.
func (o *submission) pass(c *cobra.Command) (args []string) {
	for _, name := range o.passed {
		f := c.Flags().Lookup(name)
		switch {
		case name == "force":
		case name == "out":
			args = append(args, "--out", o.run.Out)
		case name == "jobs":
			args = append(args, "--jobs", strconv.Itoa(o.run.Processors))
		case !f.Changed:
		default:
			values := []string{f.Value.String()}
			if list, ok := f.Value.(interface{ GetSlice() []string }); ok {
				values = list.GetSlice()
			}
			for _, v := range values {
				args = append(args, "--"+name, v)
			}
		}
	}
	return args
}

// noteIdle tells the user how many shards have no subject.
func noteIdle(a *app, s *scenario.Scenario, shards int) error {
	subjects, err := s.Subjects(s.Seed)
	if err == nil && s.Bib == nil && shards > len(subjects) {
		a.note("warning: %s has %d subjects: %d of %d shards have none", s.Name, len(subjects), shards-len(subjects), shards)
	}
	return err
}

// write writes the files of a submission, and returns their paths.
func (o *submission) write(first, second string, files ...[]byte) (paths [2]string, err error) {
	d, err := store.Make(o.scripts)
	if err != nil {
		return paths, err
	}
	defer d.Close()
	for i, name := range []string{first, second} {
		paths[i] = filepath.Join(o.scripts, name)
		if d.Has(name) && !o.as.Force {
			return paths, results.Hinted(fmt.Errorf("%s %w", paths[i], store.ErrExists), "--force overwrites it; --scripts names another folder")
		}
	}
	for i, name := range []string{first, second} {
		if err := d.WriteFile(name, files[i]); err != nil {
			return paths, err
		}
	}
	return paths, nil
}

func slurmCommand(a *app) *cobra.Command {
	o, s := &submission{as: running{in: newMeasuring()}}, &submit.Slurm{}
	c := &cobra.Command{
		Use:   "slurm SCENARIO --shards N",
		Short: "Write the batch scripts of an array job and its merge",
		Long: `Slurm writes two batch scripts: one of an array job, each of whose tasks does a shard, and one that merges the shards and
does the rest of the run when all have succeeded. A task that receives the stop signal, a minute before its limit, saves what
it has finished and queues itself again. The jobs work in the directory in which the scripts were written, on a disk that all
nodes share. The flags of achilles run are passed on.`,
		Example: `  achilles submit slurm op-burden --shards 20 --time 1h --memory 4G
  achilles submit slurm op-burden --shards 200 --jobs 2 --partition short --seed 2 --out results/many --scripts batch`,
	}
	o.flags(c)
	c.Flags().DurationVar(&s.Limit, "time", 0, "time limit of a shard in whole minutes, such as 90m (default: the cluster's)")
	c.Flags().StringVar(&s.Partition, "partition", "", "where it runs (default: the cluster's)")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if c.Flags().Changed("time") && s.Limit < 2*submit.Notice {
			return usagef("--time %v: want at least %v", s.Limit, 2*submit.Notice)
		}
		if err := o.plan(a, c, args); err != nil {
			return err
		}
		return o.submitSlurm(ctx, a, s)
	})
	return c
}

func (o *submission) submitSlurm(ctx context.Context, a *app, s *submit.Slurm) (err error) {
	s.Run, s.Logs = o.run, o.scripts
	if s.Dir, err = filepath.Abs("."); err != nil {
		return err
	}
	shards, merge, err := s.Scripts()
	if err != nil {
		return &usage{err}
	}
	paths, err := o.write(submit.ShardsScript, submit.MergeScript, shards, merge)
	if err != nil {
		return err
	}
	a.say("%d shards of %s in %s, their merge in %s", s.Shards, o.as.Out, paths[0], paths[1])
	if !o.submit {
		a.command("next: ", submit.SlurmCommand(paths[0], paths[1]))
		return nil
	}
	first, second, err := submit.SubmitSlurm(ctx, paths[0], paths[1])
	if err != nil {
		return err
	}
	a.say("job %s does the shards, then job %s merges them; squeue --me shows both", first, second)
	return nil
}

func kubernetesCommand(a *app) *cobra.Command {
	o, k := &submission{as: running{in: newMeasuring()}}, &submit.Kubernetes{}
	c := &cobra.Command{
		Use:   "kubernetes SCENARIO --shards N",
		Short: "Write the YAML of an Indexed Job and its merge",
		Long: `Kubernetes writes two Jobs of Kubernetes 1.29 or later, in YAML: an Indexed Job, each of whose pods does a shard, and one that
merges the shards and does the rest of the run. A pod that the cluster takes away is replaced, and its successor goes on.
The image must have achilles; the results are on a volume that all pods share, below the working directory. The flags of
achilles run are passed on.`,
		Example: `  achilles submit kubernetes op-burden --shards 20 --image registry.example/achilles:1
  achilles submit kubernetes op-burden --shards 200 --jobs 2 --memory 4G --image achilles --claim shared --scripts jobs`,
	}
	o.flags(c)
	c.Flags().StringVar(&k.Image, "image", "", "image of the containers (required)")
	c.Flags().StringVar(&k.Claim, "claim", "achilles", "PersistentVolumeClaim of the volume with the results")
	c.Flags().StringVar(&k.Mount, "mount", "/work", "where the volume is in the containers: their working directory")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if err := o.plan(a, c, args); err != nil {
			return err
		}
		return o.submitKubernetes(ctx, a, k)
	})
	return c
}

func (o *submission) submitKubernetes(ctx context.Context, a *app, k *submit.Kubernetes) error {
	k.Run = o.run
	shards, merge, err := k.Jobs()
	if err != nil {
		return &usage{err}
	}
	paths, err := o.write(submit.ShardsJob, submit.MergeJob, shards, merge)
	if err != nil {
		return err
	}
	a.say("%d shards of %s in %s, their merge in %s", k.Shards, o.as.Out, paths[0], paths[1])
	start, then := k.Commands(paths[0], paths[1])
	if o.submit {
		said, err := submit.SubmitKubernetes(ctx, paths[0])
		if err != nil {
			return err
		}
		a.say("%s", said)
	} else {
		a.command("next: ", start)
	}
	a.command("then: ", then)
	return nil
}
