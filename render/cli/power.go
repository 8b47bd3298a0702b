package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"achilles/battery"
	"achilles/render/figure"
	"achilles/scenarios/power"
	"achilles/scenarios/scenario"
	"achilles/sim/rng"
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
		Short: "Say which subjects a battery of so many items tells apart, before anybody is measured",
		Long: `Power computes, for every pair of subjects with rules, the probability that items drawn from the battery tell the two
apart: that the responses of the one speak for it, against the other, at odds of 20 to 1 or more. With --out it draws all
pairs. Of subjects with a family it prints how much all items are expected to speak against the member of another family that
responds most like the subject, or of a subject with two weaknesses against any two others, and how many items tell the two
apart (docs/theory/verdicts.md). Nobody responds for this.`,
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
		s, err := loadScenario(args[0], *settings)
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
		return fmt.Errorf("scenario %s has no subject with rules: only of these is it known how they respond", s.Name)
	case len(subjects) > mostPowered:
		return fmt.Errorf("scenario %s has %d subjects with rules: at most %d are compared; make count of its populations smaller", s.Name, len(subjects), mostPowered)
	}
	if err := a.printFamilies(subjects, &b, q); err != nil {
		return err
	}
	pairs := power.Pairs(subjects, q.items, q.seed)
	a.printPairs(subjects, pairs, q.items)
	if q.out == "" {
		return nil
	}
	var names []string
	for _, x := range subjects {
		names = append(names, x.Name)
	}
	f := figure.Power(names, pairs)
	picture, err := drawn(f, fmt.Sprintf("Which subjects %d items of %s tell apart", q.items, s.Name), filepath.Ext(q.out))
	if err != nil {
		return err
	}
	if err := store.WriteFile(q.out, picture, q.force); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "figure in %s\n", q.out)
	return nil
}

// reliable is the probability from which on a pair of subjects counts as told apart.
const reliable = 0.95

// printFamilies prints, for each subject with a family, the wrong explanation that responds most like it. It
// says why if the battery lacks the features that define the families.
func (a *app) printFamilies(subjects []power.Subject, b *battery.Battery, q powerRequest) error {
	subjects = slices.DeleteFunc(slices.Clone(subjects), func(x power.Subject) bool { return x.Family == "" })
	if len(subjects) == 0 {
		return nil
	}
	shapes, err := power.Shapes(b)
	if err != nil {
		fmt.Fprintf(a.stdout, "families are not compared: %v\n", err)
		return nil
	}
	compositions, err := power.Compositions(b, shapes)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "subject\tfamily\tnats\tp\tfor %.2f\tagainst the best wrong explanation, at its pass rates\n", reliable)
	few := 0
	for _, x := range subjects {
		near := power.BestWrong(x, shapes, compositions)
		if near.Evidence < power.Told {
			few++
		}
		r := rng.Stream(q.seed, "power", "families", x.Name)
		told := power.Tell(x.P, [][]float64{near.P()}, b.Items.Len(), &r)[0]
		needed := "–"
		if n, ok := power.Needed(told, reliable); ok {
			needed = fmt.Sprint(n)
		}
		fmt.Fprintf(w, "%s\t%s\t%.1f\t%.2f\t%s\t%s, %v\n", x.Name, x.Family, near.Evidence, told[q.items-1], needed, near.Family, near)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "nats: expected from one response to each of %d items; p: probability that %d items tell the two apart; for %.2f: items after which it is so much\n", b.Items.Len(), q.items, reliable)
	fmt.Fprintf(a.stdout, "of %d subjects %d cannot be told from a wrong explanation by one response to each of %d items (below %d nats, odds of 20 to 1)\n", len(subjects), few, b.Items.Len(), power.Told)
	return nil
}

// printPairs prints how many pairs of subjects are told apart, and those that are not.
func (a *app) printPairs(subjects []power.Subject, p [][]float64, items int) {
	const most = 10
	type pair struct {
		a, b string
		p    float64 // the smaller of the probabilities of the two subjects to be told from the other
	}
	var untold []pair
	n := len(subjects)
	for i := range n {
		for k := range i {
			if least := min(p[i][k], p[k][i]); least < reliable {
				untold = append(untold, pair{subjects[k].Name, subjects[i].Name, least})
			}
		}
	}
	slices.SortStableFunc(untold, func(x, y pair) int { return cmp.Compare(x.p, y.p) })
	fmt.Fprintf(a.stdout, "%d items tell %d of %d pairs of subjects apart with probability %.2f or more\n", items, n*(n-1)/2-len(untold), n*(n-1)/2, reliable)
	for _, x := range untold[:min(len(untold), most)] {
		fmt.Fprintf(a.stdout, "  %s and %s: %.2f\n", x.a, x.b, x.p)
	}
	if len(untold) > most {
		fmt.Fprintf(a.stdout, "  and %d more pairs\n", len(untold)-most)
	}
}
