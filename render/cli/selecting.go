package cli

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"achilles/agents/accuracy"
	"achilles/render/figure"
	"achilles/render/format"
	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/sim/conf"
	"achilles/sim/store"
)

func selectCommand(a *app) *cobra.Command {
	var needed float64
	var settings []string
	var seed uint64
	var only, draw string
	var force bool
	var form showing
	c := &cobra.Command{
		Use:   "select NAME_OR_FILE",
		Short: "Find the cheapest agent or group that reaches the required accuracy",
		Long: `Select reads agents with their abilities and costs, groups with their rules, and tasks with their difficulties and
numbers of answers. It prints how often each is right on every task, which is the cheapest that reaches the accuracy,
up to which difficulty each keeps it, and from which difficulty one is better than another.

A file may also give costs by ability (cost = "1 + ability/4"), a task its own chance of a right guess (guess = 0.1), and
classes of tasks with what agents did on them ([[class]]), whose difficulties are found. --table prints one table, such as
losses: accuracy that is lost by difficulty and number of answers, which --figure draws.`,
		Example: "  achilles select chmait\n  achilles select chmait --accuracy 0.6\n  achilles select chmait --table losses --where 'answers == 3'\n  achilles select chmait --table losses --figure losses.svg",
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().Float64Var(&needed, "accuracy", 0, "required accuracy on every task (default: as in the file)")
	c.Flags().StringArrayVar(&settings, "set", nil, "change a key of the file, as KEY=VALUE; may be given several times")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of rules that have no closed form and are simulated")
	c.Flags().StringVar(&only, "table", "", "print this table alone: tasks, chances, losses, classes, abilities, dependence, bounds_3, crossings_3 …")
	c.Flags().StringVar(&draw, "figure", "", "file to draw --table losses into, .png or .svg")
	c.Flags().BoolVar(&force, "force", false, "overwrite that file")
	form.flags(c)
	c.RunE = a.do(func(_ context.Context, args []string) error {
		file, text, err := shipped("selection", args[0], "selections")
		if err != nil {
			return err
		}
		if c.Flags().Changed("accuracy") {
			settings = append(settings, fmt.Sprintf("accuracy=%v", needed))
		}
		for _, s := range settings {
			if text, err = conf.Set(file, text, s, "accuracy", "difficulties_to", "doc"); err != nil {
				return &usage{err}
			}
		}
		s, err := accuracy.ReadSelection(file, text)
		if err != nil {
			return err
		}
		if draw != "" && (only != "losses" || !isPicture(draw)) {
			return usagef("--figure is for --table losses, a file that ends in .png or .svg")
		}
		if draw != "" {
			return drawLosses(a, s, draw, force, &form)
		}
		if only != "" {
			return printOne(a, s, seed, only, &form)
		}
		if form != (showing{format: "text"}) {
			return usagef("--where, --sort and --format are for one table: name it with --table")
		}
		return choosePrinted(a, s, seed)
	})
	return c
}

// choosePrinted prints a selection. If no candidate is accurate enough, it returns an error, but prints the tables before.
func choosePrinted(a *app, s *accuracy.Selection, seed uint64) error {
	list, chosen := s.Assess(seed)
	tables := s.Tables(list, chosen)
	a.stdout.Write(tabular.Text(tables[0], a.width()))
	a.printEach(tables[1:]...)
	if chosen < 0 {
		hint := "a single agent needs an ability of " + format.Number(s.LeastAbility(), 2)
		if math.IsInf(s.LeastAbility(), 1) {
			hint = "no finite ability reaches accuracy 1; rerun with --accuracy 0.99"
		}
		return results.Hinted(fmt.Errorf("no agent or group reaches accuracy %v on every task", s.Accuracy), "%s", hint)
	}
	a.say("\ncheapest sufficiently accurate candidate: %s, at a cost of %v", s.Candidates[chosen].Name, s.Candidates[chosen].Cost)
	return nil
}

// printOne prints one table of a selection.
func printOne(a *app, s *accuracy.Selection, seed uint64, name string, form *showing) error {
	list, chosen := s.Assess(seed)
	var names []string
	for _, t := range append(s.Tables(list, chosen), s.Losses()) {
		if t.Name == name {
			return form.print(a, t)
		}
		names = append(names, t.Name)
	}
	return usagef("--table %s: want one of %s", name, strings.Join(names, ", "))
}

// drawLosses draws the chosen rows of the table of losses into a file, and prints them.
func drawLosses(a *app, s *accuracy.Selection, file string, force bool, form *showing) error {
	t, err := form.chosen(s.Losses())
	if err != nil {
		return err
	}
	f, err := figure.Losses(t)
	if err != nil {
		return err
	}
	b, err := drawn(f, t.Title, filepath.Ext(file))
	if err != nil {
		return err
	}
	if err := store.WriteFile(file, b, force); err != nil {
		return err
	}
	a.note("figure in %s", file)
	return a.printAs(t, form.format)
}
