package cli

import (
	"context"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"achilles/scenarios/power"
	"achilles/scenarios/scenario"
)

// told is the least evidence, in nats, at which a battery is said to tell a subject from another family: odds of 20
// to 1.
const told = 3

func (a *app) separateCommand() *cobra.Command {
	var seed uint64
	c := &cobra.Command{
		Use:   "separate NAME_OR_FILE",
		Short: "Say which subjects the battery cannot tell from another family",
		Long: `Separate computes, for every subject with rules, how much its responses are expected to speak for its family and
against the member of another family that responds most like it (docs/theory/verdicts.md). Nobody responds for this, and
nothing is written.`,
		Args:    cobra.ExactArgs(1),
		Example: `  achilles scenarios separate op-burden --set battery.coding=design`,
	}
	settings := c.Flags().StringArray("set", nil, "change a key first, as KEY=VALUE; may be given several times")
	c.Flags().Uint64Var(&seed, "seed", 0, "root seed of the draws (default: the scenario's own)")
	c.RunE = a.do(func(_ context.Context, args []string) error {
		s, err := loadScenario(args[0], *settings)
		if err != nil {
			return err
		}
		if seed == 0 {
			seed = s.Seed
		}
		return a.separate(s, seed)
	})
	return c
}

func (a *app) separate(s *scenario.Scenario, root uint64) error {
	b, err := s.MakeBattery(root)
	if err != nil {
		return err
	}
	subjects, err := power.Subjects(s, &b, root)
	if err != nil {
		return err
	}
	subjects = slices.DeleteFunc(subjects, func(x power.Subject) bool { return x.Family == "" })
	if len(subjects) == 0 {
		return fmt.Errorf("scenario %s has no subject with rules and a family: only of these is it known how they respond", s.Name)
	}
	shapes, err := power.Shapes(&b)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "subject\tfamily\tnats\tagainst the nearest of another family, at its pass rates\n")
	few := 0
	for _, x := range subjects {
		r := power.Nearest(x, shapes)[0]
		if r.Evidence < told {
			few++
		}
		fmt.Fprintf(w, "%s\t%s\t%.1f\t%s, %v\n", x.Name, x.Family, r.Evidence, r.Family, r)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "of %d subjects %d cannot be told from another family by one response to each of %d items (below %d nats, odds of 20 to 1)\n", len(subjects), few, len(b.Items), told)
	return nil
}
