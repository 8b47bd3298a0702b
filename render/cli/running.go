package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/scenarios"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/scenarios/score"
)

// A running is a run of all stages.
type running struct {
	making
	in     *measuring
	s      *scenario.Scenario
	j      *inferring // without the seed
	tables bool       // whether every table is printed, too
}

func runCommand(a *app) *cobra.Command {
	r, part := &running{in: newMeasuring()}, &sharding{}
	c := &cobra.Command{
		Use:   "run [SCENARIO]",
		Short: "Generate, infer and score a scenario, and print the result",
		Long: `Run carries out every stage of a scenario: it makes a battery, administers it to the subjects, seals the truth, infers every
profile blind, opens the seal and scores the result; or it makes episodes, seals which outcome is expected, lets observers watch
them blind and grades the observers. Without an argument it runs the quick start.

Settings of the inference that no flag gives are those of the scenario's section [inference], and then the defaults below.

The result is printed on one screen; achilles show prints any table, and --tables all of them.

An interrupted run resumes where it stopped; the output is byte-identical.`,
		Example: `  achilles run
  achilles run op-burden --seed 2 --out results/seed2 --jobs 2
  achilles run bib --set episodes=12
  achilles run quickstart --set responses.repetitions=2 --layout constant --out results/constant`,
		Args: cobra.MaximumNArgs(1),
	}
	r.flags(c)
	r.in.set.Flags(c.Flags())
	part.flags(c)
	c.Flags().BoolVar(&r.tables, "tables", false, "print every table, too")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if err := r.plan(a, args); err != nil {
			return err
		}
		share, divided, err := part.share()
		if err != nil {
			return err
		}
		return part.within(ctx, func(ctx context.Context) error {
			if divided {
				return r.share(ctx, a, share)
			}
			return results.Write(r.Out, func(d *results.Dir) error { return r.into(ctx, a, d) })
		})
	})
	return c
}

// plan reads the scenario and its inference, and checks both before anything is written.
func (r *running) plan(a *app, args []string) (err error) {
	if r.s, err = r.scenario(args, scenarios.Default, r.in); err != nil {
		return err
	}
	r.in.Jobs, r.in.Force, r.in.Allow = r.Jobs, r.Force, r.Allow
	r.in.watchedBy(r.s)
	r.j, err = r.in.inferring(a, r.s.Bib == nil, r.s.Bib != nil)
	return err
}

// into runs all stages in a results directory.
func (r *running) into(ctx context.Context, a *app, d *results.Dir) error {
	root, err := r.root(d, r.s)
	if err != nil {
		return err
	}
	r.j.Seed = inferenceSeed(root)
	aside := a.saying(a.stderr, a.stderr) // what the stages say of themselves; the result follows
	made, err := r.generate(ctx, aside, d, r.s, root)
	if err != nil {
		return err
	}
	aside.note("%s: %s; public and sealed in %s", r.s.Name, made, d)
	if err := r.j.infer(ctx, aside, d); err != nil {
		return err
	}
	scores, err := scoreInto(a, d, score.Job{Settings: score.Settings{Force: r.Force}})
	if err != nil {
		return err
	}
	if err := r.bodies(ctx, a, d, root); err != nil {
		return err
	}
	ends, err := reportOn(aside, d, r.Force)
	if err != nil {
		return err
	}
	firstScreen(a, d, scores, r.s.Name, ends)
	if r.tables {
		fmt.Fprintln(a.stdout)
		printScores(a, scores)
	}
	return nil
}

// share makes the whole battery, which is the same in every share, and infers the share.
func (r *running) share(ctx context.Context, a *app, share infer.Share) error {
	if err := divisible(r.s, &r.j.Job, r.Out); err != nil {
		return err
	}
	return inShard(a, r.Out, results.InferStage, share, func(d *results.Dir) ([]string, results.Shard, error) {
		if _, err := r.generatePart(ctx, a, d, r.s, r.s.Seed); err != nil {
			return nil, results.Shard{}, err
		}
		r.j.Seed = inferenceSeed(r.s.Seed)
		return r.j.inferPieces(ctx, a, d, d, share)
	})
}

// bodies runs all stages of the scenario that has the same subjects as bodies, if there is one, so that the user has
// episodes to watch. It prints nothing.
func (r *running) bodies(ctx context.Context, a *app, d *results.Dir, root uint64) error {
	name, ok := scenarios.Bodies(r.s.Name)
	if !ok || len(r.Changes) > 0 {
		return nil
	}
	in := newMeasuring()
	bodies, err := loadScenario(name, nil, in)
	if err != nil {
		return err
	}
	bodies.Drawn = r.s.Drawn
	still := a.saying(io.Discard, io.Discard)
	with := r.making
	with.Out, with.quiet = d.Path(results.BodiesPart), true
	in.Draws = min(in.Draws, r.in.Draws)
	if r.in.set.Given("warmup") {
		in.Warmup = r.in.Warmup
	}
	in.Seed, in.Jobs, in.Force = inferenceSeed(root), r.Jobs, r.Force
	j, err := in.inferring(still, true, false)
	if err != nil {
		return err
	}
	return results.Write(with.Out, func(d *results.Dir) error {
		if _, err := with.generate(ctx, still, d, bodies, root); err != nil {
			return err
		}
		if err := j.infer(ctx, still, d); err != nil {
			return err
		}
		_, err := scoreInto(still, d, score.Job{Settings: score.Settings{Force: r.Force}})
		return err
	})
}
