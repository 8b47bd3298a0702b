package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"achilles/agents/external"
	"achilles/battery/catalog"
	"achilles/sim/expr"
)

func envCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "env",
		Short: "Let a learner train in worlds of its own, over a pipe",
		Long: `Env serves the environments of the Python package. Training worlds are drawn from random streams that no battery uses,
so that no learner is measured on worlds that it trained on.`,
		Example: `  achilles env list`,
		Args:    cobra.NoArgs,
	}
	c.AddCommand(envListCommand(a), envServeCommand(a))
	return c
}

func envListCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the tasks, each with its suite, coding and paradigm",
		Long:    `Env list prints the tasks in which a learner can train: every coding of generated worlds, and each of its paradigms.`,
		Example: `  achilles env list`,
		Args:    cobra.NoArgs,
		RunE: a.do(func(context.Context, []string) error {
			tasks := map[string]catalog.Task{}
			var names []string
			for _, t := range catalog.Tasks() {
				tasks[t.Name], names = t, append(names, t.Name)
			}
			return a.list("task", names, func(name string) (string, error) { return tasks[name].Doc(), nil })
		}),
	}
}

func envServeCommand(a *app) *cobra.Command {
	var envs, worlds, jobs, pixels int
	var seed uint64
	c := &cobra.Command{
		Use:   "serve TASK",
		Short: "Serve environments in binary frames on stdin and stdout",
		Long: `Env serve makes training worlds of a task and lets several environments act in them, one action each at a time. It reads
frames from stdin and writes frames to stdout; docs/reference/frames.md has their bytes. The Python package starts it.`,
		Example: `  achilles env serve CupTask --envs 8 --worlds 100`,
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().IntVar(&envs, "envs", 1, "number of environments that run at once")
	c.Flags().IntVar(&worlds, "worlds", 500, "training worlds to make; each episode begins in one of them, drawn at random")
	c.Flags().Uint64Var(&seed, "seed", 0, "seed of the training worlds")
	c.Flags().IntVar(&pixels, "first-person", 0, "side of the pictures of what the actor sees, in pixels; 0: no pictures")
	c.Flags().IntVar(&jobs, "jobs", 1, "worlds made in parallel; they do not depend on it")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if worlds < 1 {
			return usagef("--worlds is %d; it must be at least 1", worlds)
		}
		e, err := trainingEnvs(ctx, args[0], seed, worlds, envs, pixels, jobs)
		if err != nil {
			return err
		}
		return serveUntil(ctx, e, os.Stdin, a.stdout)
	})
	return c
}

// trainingEnvs returns n environments of a task.
func trainingEnvs(ctx context.Context, name string, seed uint64, worlds, n, pixels, jobs int) (*external.Envs, error) {
	var names []string
	for _, t := range catalog.Tasks() {
		if names = append(names, t.Name); t.Name != name {
			continue
		}
		b, err := t.Training(ctx, seed, worlds, jobs)
		if err != nil {
			return nil, err
		}
		list := make([]external.TrainingWorld, b.Items.Len())
		for i, it := range b.Items.All() {
			trial := &it.Trials[0]
			if list[i].World, err = trial.Open(); err != nil {
				return nil, fmt.Errorf("%s: %w", it.Name, err)
			}
			list[i].Places = trial.Places
		}
		return external.NewEnvs(name, list, n, pixels)
	}
	return nil, fmt.Errorf("no task %q: achilles env list names them%s", name, expr.DidYouMean(name, names))
}

// serveUntil serves environments until r ends or the context does.
func serveUntil(ctx context.Context, e *external.Envs, r io.Reader, w io.Writer) error {
	served := make(chan error, 1)
	go func() { served <- e.Serve(r, w) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return ctx.Err() // a read of a pipe cannot be interrupted: it ends with the process
	}
}
