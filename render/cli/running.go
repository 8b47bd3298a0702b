package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"achilles/scenarios"
	"achilles/scenarios/scenario"
)

func (a *app) runCommand() *cobra.Command {
	m, in := &making{}, &measuring{}
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
	in.sampling(c)
	in.looking.flags(c)
	c.Flags().StringVar(&in.layout, "layout", "", "a shipped layout's name or a TOML file (default: the scenario's own)")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		s, err := m.scenario(args, scenarios.Default)
		if err != nil {
			return err
		}
		if err := in.checkStage(s.Bib != nil); err != nil {
			return err
		}
		in.complete(s, m)
		return writing(m.out, func() error { return a.run(ctx, s, m, in) })
	})
	return c
}

// complete takes from the scenario's section inference what the flags leave open.
func (in *measuring) complete(s *scenario.Scenario, m *making) {
	in.seed, in.jobs, in.force = m.seed, m.jobs, m.force
	if s.Bib != nil {
		if in.looking.observers == nil {
			in.looking.observers = s.Inference.Observers
		}
		if in.looking.moments == unset {
			in.looking.moments = s.Inference.Moments
		}
		return
	}
	set := func(x *int, v int) {
		if *x == 0 {
			*x = v
		}
	}
	set(&in.chains, s.Inference.Chains)
	set(&in.warmup, s.Inference.Warmup)
	set(&in.draws, s.Inference.Draws)
	if in.engine == "" {
		in.engine = s.Inference.Engine
	}
	if in.layout == "" {
		in.layout = s.Inference.Layout
	}
	if in.bank == "" {
		in.bank = s.Inference.Bank
	}
	in.noPredict = !s.Inference.Predict
}

func (a *app) run(ctx context.Context, s *scenario.Scenario, m *making, in *measuring) error {
	if in.layout == "" && s.Bib == nil {
		return hinted(fmt.Errorf("scenario %s names no layout", s.Name), "--layout NAME_OR_FILE, or layout = \"…\" under [inference]")
	}
	made, err := a.generate(ctx, s, m)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s: %s\n", s.Name, made)
	d, err := openResults(m.out)
	if err != nil {
		return err
	}
	defer d.close()
	if err := a.inferEither(ctx, d, in); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout)
	if err := a.score(d, nil, m.force); err != nil {
		return err
	}
	return a.report(d, nil, m.force)
}
