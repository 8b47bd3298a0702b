package cli

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/scenarios/score"
	"achilles/sim/expr"
	"achilles/sim/part"
	"achilles/sim/table"
)

func (a *app) showCommand() *cobra.Command {
	var where, by, format string
	c := &cobra.Command{
		Use:   "show DIR [TABLE]",
		Short: "List the tables of a results directory or an analysis, or print one",
		Long: `Show lists the tables of a results directory, or of one that analyse has written, or prints one of them, all of it or
some rows.

A condition names columns: numbers are compared with == != < <= > >=, texts with == and !=, and && || ! join
conditions. Rows are sorted from the largest number down; a minus before the column turns the order round.`,
		Example: `  achilles show results/quickstart
  achilles show results/quickstart prediction
  achilles show results/quickstart prediction --where 'brier > 0.1' --sort brier
  achilles show results/quickstart prediction --format md
  achilles show results/quickstart-analysis losses`,
		Args: cobra.RangeArgs(1, 2),
	}
	c.Flags().StringVar(&where, "where", "", "condition that the rows must meet")
	c.Flags().StringVar(&by, "sort", "", "column to sort by")
	c.Flags().StringVar(&format, "format", "text", "text, csv, json, md, html or latex")
	c.RunE = a.do(func(_ context.Context, args []string) error {
		m, fsys, done, err := tablesIn(args[0])
		if err != nil {
			return err
		}
		defer done()
		t := contents(m)
		if len(args) == 2 {
			found := m.Find(args[1])
			if found == nil {
				var names []string
				for _, x := range m.Tables {
					names = append(names, x.Name)
				}
				return fmt.Errorf("%s has no table %q%s; it has %s", args[0], args[1], expr.DidYouMean(args[1], names), strings.Join(names, ", "))
			}
			if t, err = tabular.Read(fsys, found); err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
		}
		if where != "" {
			if t, err = tabular.Where(t, where); err != nil {
				return usagef("--where: %w", err)
			}
		}
		if by != "" {
			if t, err = tabular.Sort(t, by); err != nil {
				return usagef("--sort: %w", err)
			}
		}
		return a.printAs(t, format)
	})
	return c
}

// printAs prints a table in one of the forms of show.
func (a *app) printAs(t *table.Table, format string) error {
	var out []byte
	switch format {
	case "text":
		out = tabular.Text(t, a.width())
	case "csv":
		out = tabular.CSV(t)
	case "json":
		out = tabular.JSON(t)
	case "md":
		out = tabular.Markdown(t)
	case "html":
		out = []byte(tabular.HTML(t, t.Name, nil))
	case "latex":
		out = tabular.LaTeX(t)
	default:
		return usagef("--format %s is unknown: there are text, csv, json, md, html and latex", format)
	}
	_, err := a.stdout.Write(out)
	return err
}

// tablesIn returns the manifest of the tables in a directory, of results or of an analysis, and their files. done closes them.
func tablesIn(dir string) (m *part.Manifest, fsys fs.FS, done func(), err error) {
	if isAnalysis(dir) {
		m, fsys, err = analysisPart(dir)
		return m, fsys, func() {}, err
	}
	d, err := results.Open(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	if m, fsys, err = score.OpenScores(d); err != nil {
		d.Close()
		return nil, nil, nil, err
	}
	return m, fsys, func() { d.Close() }, nil
}

// contents returns a table of the tables of a part.
func contents(m *part.Manifest) *table.Table {
	return table.Of(table.Table{Name: "tables", Key: []string{"name"}}, m.Tables, []table.Field[part.Table]{
		table.Col(table.Column{Name: "name", Head: "table", Kind: table.Text}, func(t part.Table) table.Value { return table.String(t.Name) }),
		table.Col(table.Column{Name: "rows", Kind: table.Count}, func(t part.Table) table.Value { return table.Int(t.Rows) }),
		table.Col(table.Column{Name: "title", Head: "what it has", Kind: table.Text, Prose: true}, func(t part.Table) table.Value { return table.String(t.Title) }),
	})
}
