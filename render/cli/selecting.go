package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"achilles/agents/accuracy"
	"achilles/scenarios/results"
	"achilles/sim/conf"
)

func (a *app) selectCommand() *cobra.Command {
	var needed float64
	var settings []string
	var seed uint64
	c := &cobra.Command{
		Use:   "select NAME_OR_FILE",
		Short: "Find the cheapest agent or group that is right often enough",
		Long: `Select reads agents with their abilities and costs, groups with their rules, and tasks with their difficulties and
numbers of answers. It prints how often each is right on every task, which is the cheapest that reaches the accuracy,
up to which difficulty each keeps it, and where one comes to be better than another.`,
		Example: "  achilles select chmait\n  achilles select chmait --accuracy 0.6",
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().Float64Var(&needed, "accuracy", 0, "the chance that every task needs (default: what the file says)")
	c.Flags().StringArrayVar(&settings, "set", nil, "change a key of the file, as KEY=VALUE; may be given several times")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of rules that have no closed form and are simulated")
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
		return a.choose(s, seed)
	})
	return c
}

// choose prints a selection. If no candidate is accurate enough, it returns an error, but prints the tables before.
func (a *app) choose(s *accuracy.Selection, seed uint64) error {
	list, chosen := s.Assess(seed)
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "Every task needs an accuracy of %v.\n\ntask\tdifficulty\tanswers\tleast ability\n", s.Accuracy)
	for _, t := range s.Tasks {
		fmt.Fprintf(w, "%s\t%v\t%d\t%s\n", t.Name, t.Difficulty, t.Answers, upTo(accuracy.Needed(s.Accuracy, t.Task), "none"))
	}
	printChances(w, s, list, chosen)
	for _, m := range numbersOfAnswers(s) {
		printBounds(w, s, m)
		printCrossings(w, s, m)
	}
	w.Flush() // writing to a Buffer does not fail
	for line := range strings.Lines(table.String()) {
		fmt.Fprintln(a.stdout, strings.TrimRight(line, " \n"))
	}
	if chosen < 0 {
		hint := "a single agent needs an ability of " + upTo(s.LeastAbility(), "")
		if math.IsInf(s.LeastAbility(), 1) {
			hint = "no ability is enough to be sure of a task of any difficulty: ask for less than 1"
		}
		return results.Hinted(fmt.Errorf("nobody reaches %v on every task", s.Accuracy), "%s", hint)
	}
	fmt.Fprintf(a.stdout, "\nthe cheapest that is right often enough: %s, at a cost of %v\n", s.Candidates[chosen].Name, s.Candidates[chosen].Cost)
	return nil
}

func printChances(w io.Writer, s *accuracy.Selection, list []accuracy.Assessment, chosen int) {
	fmt.Fprint(w, "\ncandidate\trule\tcost")
	for _, t := range s.Tasks {
		fmt.Fprint(w, "\t", t.Name)
	}
	fmt.Fprintln(w, "\t")
	for i, c := range s.Candidates {
		rule := string(c.Rule)
		if len(c.Members) == 1 {
			rule = "alone"
		}
		fmt.Fprintf(w, "%s\t%s\t%v", c.Name, rule, c.Cost)
		for t, x := range list[i].Chance {
			fmt.Fprintf(w, "\t%.4f", x)
			if list[i].Error != nil {
				fmt.Fprintf(w, " ±%.4f", list[i].Error[t])
			}
		}
		switch {
		case i == chosen:
			fmt.Fprintln(w, "\tchosen")
		case list[i].Enough:
			fmt.Fprintln(w, "\tenough")
		default:
			fmt.Fprintln(w, "\t")
		}
	}
}

// levels are the probabilities of a right answer for which bounds are printed, in addition to the accuracy that is
// needed.
var levels = []float64{0.5, 0.6, 0.7, 0.8}

func printBounds(w io.Writer, s *accuracy.Selection, t accuracy.Task) {
	chances := slices.Clone(levels)
	if !slices.Contains(chances, s.Accuracy) {
		chances = append(chances, s.Accuracy)
		slices.Sort(chances)
	}
	fmt.Fprintf(w, "\n%s: right with at least chance\n", nameOf(t))
	for _, p := range chances {
		fmt.Fprintf(w, "\t%v", p)
	}
	fmt.Fprintf(w, "\tup to difficulty\tmean to %v\n", s.To)
	for i := range s.Candidates {
		c := &s.Candidates[i]
		var cells []string
		for _, p := range chances {
			if d, ok := c.Hardest(p, t); ok {
				cells = append(cells, upTo(d, "any"))
			} else {
				cells = append(cells, "–") // there is no closed form
			}
		}
		mean := "–"
		if x, ok := c.Mean(s.To, t); ok {
			mean = fmt.Sprintf("%.4f", x)
		}
		fmt.Fprintf(w, "%s\t%s\t\t%s\n", c.Name, strings.Join(cells, "\t"), mean)
	}
}

// upTo returns a number as text, or the text `infinite` if the number is infinite.
func upTo(x float64, infinite string) string {
	switch {
	case math.IsInf(x, 1):
		return infinite
	case x >= 1e6:
		return fmt.Sprintf("%.3g", x)
	}
	return fmt.Sprintf("%.2f", x)
}

func printCrossings(w io.Writer, s *accuracy.Selection, t accuracy.Task) {
	var groups []*accuracy.Group
	for i := range s.Candidates {
		groups = append(groups, &s.Candidates[i].Group)
	}
	for i, c := range accuracy.Crossings(groups, t, s.To) {
		if i == 0 {
			fmt.Fprintf(w, "\n%s: who is right more often up to which difficulty, below %v\n", nameOf(t), s.To)
		}
		var where []string
		for _, d := range c.At {
			where = append(where, fmt.Sprintf("%.2f", d))
		}
		fmt.Fprintf(w, "%s before %s\t%s\n", groups[c.First].Name, groups[c.Second].Name, strings.Join(where, ", "))
	}
}

// numbersOfAnswers returns one task for each combination of a number of answers and weights.
func numbersOfAnswers(s *accuracy.Selection) []accuracy.Task {
	var list []accuracy.Task
	for _, t := range s.Tasks {
		if !slices.ContainsFunc(list, func(o accuracy.Task) bool {
			return o.Answers == t.Answers && slices.Equal(o.Weights, t.Weights)
		}) {
			list = append(list, t.Task)
		}
	}
	slices.SortStableFunc(list, func(a, b accuracy.Task) int { return a.Answers - b.Answers })
	return list
}

// nameOf returns a name for all tasks with the number of answers and the weights of t.
func nameOf(t accuracy.Task) string {
	if t.Weights != nil {
		return fmt.Sprintf("%d answers, abilities weighted by %v", t.Answers, t.Weights)
	}
	return fmt.Sprintf("%d answers", t.Answers)
}
