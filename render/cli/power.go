package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"achilles/battery"
	"achilles/infer/compare"
	"achilles/render/figure"
	"achilles/render/tabular"
	"achilles/scenarios/generate"
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

func powerCommand(a *app) *cobra.Command {
	q := powerRequest{Settings: power.Settings{Runs: 10}}
	c := &cobra.Command{
		Use:   "power NAME_OR_FILE",
		Short: "Compute how well a battery of a given length distinguishes subjects, before data collection",
		Long: `Power simulates responses of every subject that has rules and an agent type to items drawn from the battery, and
classifies each run by the scenario's candidate set, as infer does (docs/theory/classification.md): it prints the
proportion of runs classified correctly, by agent type and subject. For every pair of subjects with rules it computes
the probability that the items distinguish the two: that the likelihood ratio of the responses favours the true
subject by 20 to 1 or more. With --out it draws all pairs. No data are needed.`,
		Args: cobra.ExactArgs(1),
		Example: `  achilles scenarios power op-burden --items 150 --out power.svg
  achilles scenarios power op-burden --set battery.coding=design`,
	}
	setting.Of(&q).Flags(c.Flags())
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if q.Out != "" && !isPicture(q.Out) {
			return usagef("--out %s: want a file that ends in .png or .svg", q.Out)
		}
		in := newMeasuring()
		s, err := loadScenario(args[0], q.Changes, in)
		if err != nil {
			return err
		}
		q.Seed = cmp.Or(q.Seed, s.Seed)
		return q.power(ctx, a, s, in)
	})
	return c
}

func (q powerRequest) power(ctx context.Context, a *app, s *scenario.Scenario, in *measuring) error {
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
	if q.Runs > 0 {
		if err := predictTypes(ctx, a, &b, subjects, in, q.Settings); err != nil {
			return err
		}
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
	a.say("figure in %s", q.Out)
	return nil
}

// predictTypes prints how often simulated runs of subjects are classified correctly by the layout and the candidate set of an
// inference. It says so if there is nothing to predict.
func predictTypes(ctx context.Context, a *app, b *battery.Battery, subjects []power.Subject, in *measuring, q power.Settings) error {
	if !slices.ContainsFunc(subjects, func(x power.Subject) bool { return x.Family != "" }) {
		return nil
	}
	source, err := readBank(in.BankRef)
	if err != nil {
		return err
	}
	if source == nil || in.LayoutRef == "" {
		a.say("no agent types are predicted: the scenario names no candidate set; --set inference.candidates=op names one\n\n")
		return nil
	}
	set, err := compare.Parse(*source)
	if err != nil {
		return err
	}
	l, err := a.layout(in.LayoutRef)
	if err != nil {
		return err
	}
	c, err := power.NewClassifier(&generate.Session{Battery: *b, Root: q.Seed}, set, l)
	if err != nil {
		a.say("no agent types are predicted: %v\n\n", err)
		return nil
	}
	list, err := c.Predict(ctx, subjects, q.Items, q.Runs, q.Seed, runtime.GOMAXPROCS(0), a.progress("classify"))
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s\n%s\n", tabular.Text(power.ByType(list), a.width()), tabular.Text(power.Classified(list, q.Items), a.width()))
	return nil
}
