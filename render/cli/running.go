package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"achilles/scenarios"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/scenarios/score"
)

func (a *app) runCommand() *cobra.Command {
	m, in, part := &making{}, newMeasuring(), &sharding{}
	c := &cobra.Command{
		Use:   "run [SCENARIO]",
		Short: "Generate, infer and score a scenario, and print the result",
		Long: `Run does every stage of a scenario: it makes a battery, administers it to the subjects, seals the truth, infers every
profile blind, opens the seal and scores the result; or it makes episodes, seals which outcome is expected, lets observers watch
blind and grades them. Without an argument it runs the quick start.

Settings of the inference that no flag gives are those of the scenario's section [inference], and then the defaults below.

The result is printed on one screen; achilles show prints any table, and --tables all of them.

An interrupted run resumes where it stopped; the output is byte-identical.`,
		Example: `  achilles run
  achilles run op-burden --seed 2 --out results/seed2 --jobs 2
  achilles run bib --set episodes=12
  achilles run quickstart --set responses.repetitions=2 --layout constant --out results/constant`,
		Args: cobra.MaximumNArgs(1),
	}
	m.flags(c)
	in.set.Flags(c.Flags())
	part.flags(c)
	var tables bool
	c.Flags().BoolVar(&tables, "tables", false, "print every table, too")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		s, j, err := a.plan(args, m, in)
		if err != nil {
			return err
		}
		share, divided, err := part.share()
		if err != nil {
			return err
		}
		return part.within(ctx, func(ctx context.Context) error {
			if divided {
				return a.runShare(ctx, s, m, j, share)
			}
			return results.Write(m.Out, func(d *results.Dir) error { return a.run(ctx, d, s, m, in, j, tables) })
		})
	})
	return c
}

// plan returns the scenario of a run, and its inference without the seed, and checks both before anything is written.
func (a *app) plan(args []string, m *making, in *measuring) (*scenario.Scenario, *inferring, error) {
	s, err := m.scenario(args, scenarios.Default, in)
	if err != nil {
		return nil, nil, err
	}
	in.Jobs, in.Force, in.Allow = m.Jobs, m.Force, m.Allow
	j, err := a.inferring(in, s.Bib == nil, s.Bib != nil)
	return s, j, err
}

func (a *app) run(ctx context.Context, d *results.Dir, s *scenario.Scenario, m *making, in *measuring, j *inferring, tables bool) error {
	root, err := m.root(d, s)
	if err != nil {
		return err
	}
	j.Seed = inferenceSeed(root)
	aside := *a
	aside.stdout = a.stderr // what the stages say of themselves; the result follows
	made, err := aside.generate(ctx, d, s, root, m)
	if err != nil {
		return err
	}
	aside.note("%s: %s; public and sealed in %s", s.Name, made, d)
	if err := aside.infer(ctx, d, j); err != nil {
		return err
	}
	scores, err := a.score(d, score.Job{Settings: score.Settings{Force: m.Force}})
	if err != nil {
		return err
	}
	if err := a.runBodies(ctx, d, s, root, m, in); err != nil {
		return err
	}
	ends, err := aside.report(d, m.Force)
	if err != nil {
		return err
	}
	a.firstScreen(d, scores, s.Name, ends)
	if tables {
		fmt.Fprintln(a.stdout)
		a.printTables(scores)
	}
	return nil
}

// runBodies runs all stages of the scenario that has the same subjects as bodies, if there is one, so that the user has
// episodes to watch. It prints nothing.
func (a *app) runBodies(ctx context.Context, d *results.Dir, s *scenario.Scenario, root uint64, m *making, of *measuring) error {
	name, ok := scenarios.Bodies(s.Name)
	if !ok || len(m.Changes) > 0 {
		return nil
	}
	in := newMeasuring()
	bodies, err := loadScenario(name, nil, in)
	if err != nil {
		return err
	}
	bodies.Drawn = s.Drawn
	still := *a
	still.stdout, still.stderr = io.Discard, io.Discard
	with := *m
	with.Out, with.quiet = d.Path(results.BodiesPart), true
	in.Draws = min(in.Draws, of.Draws)
	if of.set.Given("warmup") {
		in.Warmup = of.Warmup
	}
	in.Seed, in.Jobs, in.Force = inferenceSeed(root), m.Jobs, m.Force
	j, err := still.inferring(in, true, false)
	if err != nil {
		return err
	}
	return results.Write(with.Out, func(d *results.Dir) error {
		if _, err := still.generate(ctx, d, bodies, root, &with); err != nil {
			return err
		}
		if err := still.infer(ctx, d, j); err != nil {
			return err
		}
		_, err := still.score(d, score.Job{Settings: score.Settings{Force: m.Force}})
		return err
	})
}
