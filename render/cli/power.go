package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"achilles/render/figure"
	"achilles/render/tabular"
	"achilles/scenarios/power"
	"achilles/scenarios/scenario"
	"achilles/scenarios/setting"
	"achilles/sim/store"
)

// A powerRequest has the settings of scenarios power.
type powerRequest struct {
	power.Settings
	Changes []string `setting:"set,flag,each" doc:"change a key first, as KEY=VALUE; may be given several times"`
	Out     string   `setting:"out,flag" doc:"file for the picture of all pairs, .png or .svg"`
	Force   bool     `setting:"force,flag" doc:"overwrite what is there"`
}

// mostPowered is the largest number of subjects of which all pairs are compared.
const mostPowered = 120

func (a *app) powerCommand() *cobra.Command {
	var q powerRequest
	c := &cobra.Command{
		Use:   "power NAME_OR_FILE",
		Short: "Compute how well a battery of a given length distinguishes subjects, before data collection",
		Long: `Power computes, for every pair of subjects with rules, the probability that items drawn from the battery distinguish the two:
that the likelihood ratio of the responses favours the true subject by 20 to 1 or more. With --out it draws all
pairs. For subjects with an agent type it prints the expected log Bayes factor against the member of another type that
responds most like the subject (or, with two weaknesses, against any two others), and how many items distinguish the two
(docs/theory/classification.md). No data are needed.`,
		Args: cobra.ExactArgs(1),
		Example: `  achilles scenarios power op-burden --items 150 --out power.svg
  achilles scenarios power op-burden --set battery.coding=design`,
	}
	setting.Of(&q).Flags(c.Flags())
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if q.Out != "" && !isPicture(q.Out) {
			return usagef("--out %s: want a file that ends in .png or .svg", q.Out)
		}
		s, err := loadScenario(args[0], q.Changes, newMeasuring())
		if err != nil {
			return err
		}
		q.Seed = cmp.Or(q.Seed, s.Seed)
		return a.power(ctx, s, q)
	})
	return c
}

func (a *app) power(ctx context.Context, s *scenario.Scenario, q powerRequest) error {
	b, err := s.MakeBattery(ctx, q.Seed, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	q.Items = cmp.Or(q.Items, b.Items.Len())
	if q.Items > b.Items.Len() {
		return usagef("--items %d: the battery of %s has %d", q.Items, s.Name, b.Items.Len())
	}
	subjects, err := power.Subjects(s, &b, q.Seed)
	if err != nil {
		return err
	}
	switch {
	case len(subjects) == 0:
		return fmt.Errorf("scenario %s has no subject with rules: power needs known response probabilities", s.Name)
	case len(subjects) > mostPowered:
		return fmt.Errorf("scenario %s has %d subjects with rules: at most %d are compared; make count of its populations smaller", s.Name, len(subjects), mostPowered)
	}
	if families, err := power.Families(subjects, &b, q.Items, q.Seed); err != nil {
		fmt.Fprintf(a.stdout, "agent types are not compared: %v\n", err)
	} else if len(families.Rows) > 0 {
		fmt.Fprintf(a.stdout, "%s\n", tabular.Text(families, a.width()))
	}
	pairs := power.Pairs(subjects, q.Items, q.Seed)
	a.stdout.Write(tabular.Text(power.Undistinguished(subjects, pairs, q.Items), a.width()))
	if q.Out == "" {
		return nil
	}
	var names []string
	for _, x := range subjects {
		names = append(names, x.Name)
	}
	f := figure.Power(names, pairs)
	picture, err := drawn(f, fmt.Sprintf("Pairs of subjects distinguished by %d items of %s", q.Items, s.Name), filepath.Ext(q.Out))
	if err != nil {
		return err
	}
	if err := store.WriteFile(q.Out, picture, q.Force); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "figure in %s\n", q.Out)
	return nil
}
