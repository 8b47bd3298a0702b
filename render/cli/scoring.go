package cli

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/scenarios/score"
	"achilles/scenarios/seal"
	"achilles/scenarios/setting"
	"achilles/sim/expr"
	"achilles/sim/part"
)

func scoreCommand(a *app) *cobra.Command {
	var s score.Settings
	var all bool
	c := &cobra.Command{
		Use:   "score DIR",
		Short: "Open the seal and grade what was inferred",
		Long: `Score verifies that public/, sealed/ and inferred/ belong together, opens the seal, grades recovery, coverage and
prediction, or observers, and writes DIR/scores. With --analysis, it also grades what the models of an analysis say about
subjects and items, where a layout drew the data. It prints the result on one screen; achilles show prints any table, and
--tables all of them. Published values stand beside ours where the scenario has them.
A result inferred after the seal was opened is marked unblinded.`,
		Example: `  achilles score results/quickstart
  achilles score results/aaio --published aaio`,
		Args: cobra.ExactArgs(1),
	}
	c.AddCommand(scoreLabelsCommand(a))
	setting.Of(&s).Flags(c.Flags())
	c.Flags().BoolVar(&all, "tables", false, "print every table, too")
	c.RunE = a.do(func(_ context.Context, args []string) error {
		beside, err := readPublished(s.Published)
		if err != nil {
			return err
		}
		analysed, err := readAnalysed(s.Analysis)
		if err != nil {
			return err
		}
		return writeInto(args[0], func(d *results.Dir) error {
			s, err := scoreInto(a, d, score.Job{Settings: s, Published: beside, Analysis: analysed})
			if err != nil {
				return err
			}
			name := expr.Quote(d.String())
			next := "Next: achilles report " + name
			if d.Has(results.ReportPart) {
				next += " --force" // the page that is there has no scores, or others
			}
			firstScreen(a, d, s, "", []string{"Tables: achilles show " + name, next})
			if all {
				fmt.Fprintln(a.stdout)
				printScores(a, s)
			}
			return nil
		})
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

// readAnalysed reads an analysis whose models are graded. It returns nil if dir is empty.
func readAnalysed(dir string) (*score.Analysed, error) {
	if dir == "" {
		return nil, nil
	}
	m, fsys, err := analysisPart(dir)
	if err != nil {
		return nil, err
	}
	material, err := openAnalysis(dir)
	if err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(fsys, part.ManifestFile)
	if err != nil {
		return nil, err
	}
	return &score.Analysed{Document: material.Analysis, Public: m.Parents[seal.PublicPart], Digest: part.NewFile("", text).SHA256}, nil
}

// scoreInto grades a results directory and writes the scores.
func scoreInto(a *app, d *results.Dir, j score.Job) (*score.Scores, error) {
	j.Layouts, j.CSV = a.layouts, tabular.CSV
	faults, err := faultsOfCards(d)
	if err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		return nil, results.Hinted(fmt.Errorf("%s: %w", d, faults[0]), "to write both files again: %s", mends(cardsName, d.String()))
	}
	return score.Grade(d, j)
}

// printScores prints every table of the scores.
func printScores(a *app, s *score.Scores) {
	for _, t := range s.Tables() {
		if !t.FileOnly {
			fmt.Fprintf(a.stdout, "%s\n", tabular.Text(t, a.width()))
		}
	}
}
