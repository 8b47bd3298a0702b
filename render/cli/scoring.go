package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/scenarios/score"
	"achilles/scenarios/seal"
)

func (a *app) scoreCommand() *cobra.Command {
	var force bool
	var published string
	c := &cobra.Command{
		Use:   "score DIR",
		Short: "Open the seal and grade what was inferred",
		Long: `Score verifies that public/, sealed/ and inferred/ belong together, opens the seal, grades recovery, coverage and
prediction, or observers, prints the tables and writes DIR/scores. Published values stand beside ours where the scenario has them.
A result inferred after the seal was opened is marked unblinded.`,
		Example: `  achilles score results/quickstart
  achilles score results/aaio --published aaio`,
		Args: cobra.ExactArgs(1),
	}
	c.Flags().BoolVar(&force, "force", false, "overwrite the grades of an earlier result")
	c.Flags().StringVar(&published, "published", "", "values to print beside ours, of imported data: a shipped set's name or a TOML file")
	c.RunE = a.do(func(_ context.Context, args []string) error {
		beside, err := readPublished(published)
		if err != nil {
			return err
		}
		return writeInto(args[0], func(d *results.Dir) error { return a.score(d, beside, force) })
	})
	return c
}

// readPublished reads a set of published values. Its file has the keys that a scenario has under [published]. It
// returns nil if ref is empty.
func readPublished(ref string) (*score.Published, error) {
	if ref == "" {
		return nil, nil
	}
	file, text, err := shipped("published set", ref, "published")
	if err != nil {
		return nil, err
	}
	values, err := scenario.ParsePublished(file, text)
	if err != nil {
		return nil, err
	}
	return score.ParsePublished(values)
}

// score grades a results directory and prints the tables.
func (a *app) score(d *results.Dir, published *score.Published, force bool) error {
	s, err := score.Grade(d, published, force, tabular.CSV)
	if err != nil {
		return err
	}
	for _, t := range s.Tables() {
		fmt.Fprintf(a.stdout, "%s\n", tabular.Text(t, a.width()))
	}
	if _, err := a.stdout.Write(s.Text()); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "\nall tables in %s\n", d.Path(seal.ScoresPart))
	return nil
}

// writeInto calls f with a results directory, which must exist. The directory is locked until f returns.
func writeInto(dir string, f func(d *results.Dir) error) error {
	there, err := results.Open(dir) // fails before anything is made or locked
	if err != nil {
		return err
	}
	there.Close()
	return results.Write(dir, f)
}
