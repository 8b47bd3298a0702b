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
	"achilles/scenarios/seal"
)

func (a *app) runCommand() *cobra.Command {
	m, in, part := &making{}, &measuring{}, &sharding{}
	c := &cobra.Command{
		Use:   "run [SCENARIO]",
		Short: "Generate, infer and score a scenario, and print the tables",
		Long: `Run does every stage of a scenario: it makes a battery, lets the subjects take it, seals the truth, infers every
profile blind, opens the seal and grades; or it makes episodes, seals which outcome is expected, lets observers watch
blind and grades them. Without an argument it runs the quick start.

An interrupted run goes on where it stopped and ends with the same bytes.`,
		Example: `  achilles run
  achilles run op-burden --seed 2 --out results/seed2 --jobs 2
  achilles run bib --set episodes=12
  achilles run quickstart --set responses.repetitions=2 --layout constant --out results/constant`,
		Args: cobra.MaximumNArgs(1),
	}
	m.flags(c)
	in.flags(c)
	part.flags(c)
	c.Flags().StringVar(&in.layout, "layout", "", "a shipped layout's name or a TOML file (default: the scenario's own)")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		s, config, err := plan(args, m, in)
		if err != nil {
			return err
		}
		share, divided, err := part.share()
		if err != nil {
			return err
		}
		return part.within(ctx, func(ctx context.Context) error {
			if divided {
				return a.runShare(ctx, s, m, config, share)
			}
			return results.Write(m.out, func(d *results.Dir) error { return a.run(ctx, d, s, m, in) })
		})
	})
	return c
}

// plan returns the scenario of a run, and what it infers, and checks both before anything is written. It completes the flags.
func plan(args []string, m *making, in *measuring) (*scenario.Scenario, *infer.Config, error) {
	s, err := m.scenario(args, scenarios.Default)
	if err != nil {
		return nil, nil, err
	}
	in.complete(&s.Inference)
	in.jobs, in.force = m.jobs, m.force
	config, _, err := in.config()
	if err != nil {
		return nil, nil, err
	}
	if err := config.Check(s.Bib == nil, s.Bib != nil); err != nil {
		return nil, nil, settingError(err)
	}
	return s, &config, nil
}

// inferenceSeed returns the seed of the inference of a run. It does not tell the root seed, which inference must not know.
func inferenceSeed(root uint64) uint64 { return seal.NewKey(root).Seed("infer") }

func (a *app) run(ctx context.Context, d *results.Dir, s *scenario.Scenario, m *making, in *measuring) error {
	root, err := m.root(d, s)
	if err != nil {
		return err
	}
	in.seed = inferenceSeed(root)
	made, err := a.generate(ctx, d, s, root, m)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s: %s; public and sealed in %s\n", s.Name, made, d)
	if err := a.infer(ctx, d, in); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout)
	if err := a.score(d, nil, m.force); err != nil {
		return err
	}
	if err := a.runBodies(ctx, d, s, root, m, in); err != nil {
		return err
	}
	return a.report(d, nil, m.force)
}

// runBodies runs all stages of the scenario that has the same subjects as bodies, if there is one, so that the user has
// episodes to watch. It prints only the path of the directory with these episodes.
func (a *app) runBodies(ctx context.Context, d *results.Dir, s *scenario.Scenario, root uint64, m *making, of *measuring) error {
	name, ok := scenarios.Bodies(s.Name)
	if !ok || len(m.settings) > 0 {
		return nil
	}
	bodies, err := loadScenario(name, nil)
	if err != nil {
		return err
	}
	bodies.Drawn = s.Drawn
	still := *a
	still.stdout, still.stderr = io.Discard, io.Discard
	with, in := *m, &measuring{draws: min(of.draws, bodies.Inference.Draws), warmup: of.warmup, momentsSet: func() bool { return false }}
	with.out, with.quiet = d.Path(results.BodiesPart), true
	in.complete(&bodies.Inference)
	in.seed, in.jobs, in.force = of.seed, m.jobs, m.force
	err = results.Write(with.out, func(d *results.Dir) error {
		if _, err := still.generate(ctx, d, bodies, root, &with); err != nil {
			return err
		}
		if err := still.infer(ctx, d, in); err != nil {
			return err
		}
		return still.score(d, nil, m.force)
	})
	if err == nil {
		fmt.Fprintf(a.stdout, "the same subjects as bodies, to be watched, in %s\n", with.out)
	}
	return err
}
