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
	"achilles/sim/store"
)

// A powerRequest has the flags of scenarios power.
type powerRequest struct {
	items int
	seed  uint64
	out   string
	force bool
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
	settings := c.Flags().StringArray("set", nil, "change a key first, as KEY=VALUE; may be given several times")
	c.Flags().Uint64Var(&q.seed, "seed", 0, "root seed of the draws (default: the scenario's own)")
	c.Flags().IntVar(&q.items, "items", 0, "how many items a subject takes (default: all)")
	c.Flags().StringVar(&q.out, "out", "", "file for the picture of all pairs, .png or .svg")
	c.Flags().BoolVar(&q.force, "force", false, "overwrite what is there")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if q.out != "" && !isPicture(q.out) {
			return usagef("--out %s: want a file that ends in .png or .svg", q.out)
		}
		if c.Flags().Changed("items") && q.items < 1 {
			return usagef("--items %d: want 1 or more", q.items)
		}
		s, err := loadScenario(args[0], *settings, newMeasuring())
		if err != nil {
			return err
		}
		q.seed = cmp.Or(q.seed, s.Seed)
		return a.power(ctx, s, q)
	})
	return c
}

func (a *app) power(ctx context.Context, s *scenario.Scenario, q powerRequest) error {
	b, err := s.MakeBattery(ctx, q.seed, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	q.items = cmp.Or(q.items, b.Items.Len())
	if q.items > b.Items.Len() {
		return usagef("--items %d: the battery of %s has %d", q.items, s.Name, b.Items.Len())
	}
	subjects, err := power.Subjects(s, &b, q.seed)
	if err != nil {
		return err
	}
	switch {
	case len(subjects) == 0:
		return fmt.Errorf("scenario %s has no subject with rules: power needs known response probabilities", s.Name)
	case len(subjects) > mostPowered:
		return fmt.Errorf("scenario %s has %d subjects with rules: at most %d are compared; make count of its populations smaller", s.Name, len(subjects), mostPowered)
	}
	if families, err := power.Families(subjects, &b, q.items, q.seed); err != nil {
		fmt.Fprintf(a.stdout, "agent types are not compared: %v\n", err)
	} else if len(families.Rows) > 0 {
		fmt.Fprintf(a.stdout, "%s\n", tabular.Text(families, a.width()))
	}
	pairs := power.Pairs(subjects, q.items, q.seed)
	a.stdout.Write(tabular.Text(power.Undistinguished(subjects, pairs, q.items), a.width()))
	if q.out == "" {
		return nil
	}
	var names []string
	for _, x := range subjects {
		names = append(names, x.Name)
	}
	f := figure.Power(names, pairs)
	picture, err := drawn(f, fmt.Sprintf("Pairs of subjects distinguished by %d items of %s", q.items, s.Name), filepath.Ext(q.out))
	if err != nil {
		return err
	}
	if err := store.WriteFile(q.out, picture, q.force); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "figure in %s\n", q.out)
	return nil
}
