package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/scenarios/score"
	"achilles/scenarios/seal"
	"achilles/sim/expr"
	"achilles/sim/part"
	"achilles/sim/table"
)

func showCommand(a *app) *cobra.Command {
	var form showing
	c := &cobra.Command{
		Use:   "show DIR [TABLE]",
		Short: "List the tables of a results directory or an analysis, or print one",
		Long: `Show lists the tables of a results directory (grades, what was inferred, what is public) or of one that analyse or irt has
written, or prints one of them, all of it or some rows.

A condition names columns: numbers are compared with == != < <= > >=, texts with == and !=, and && || ! join
conditions. Rows are sorted in descending order; a minus before the column reverses it.`,
		Example: `  achilles show results/quickstart
  achilles show results/quickstart prediction
  achilles show results/quickstart prediction --where 'brier > 0.1' --sort brier
  achilles show results/quickstart prediction --format md
  achilles show results/quickstart inferred/profiles --sort mean
  achilles show results/embodied responses --where 'choice == "A"'
  achilles show results/quickstart-analysis losses`,
		Args: cobra.RangeArgs(1, 2),
	}
	form.flags(c)
	c.RunE = a.do(func(_ context.Context, args []string) error {
		parts, done, err := partsIn(args[0], slices.Concat(args, []string{""})[1])
		if err != nil {
			return err
		}
		defer done()
		t := contents(parts)
		if len(args) == 2 {
			if t, err = tableOf(parts, args[1]); err != nil {
				err = fmt.Errorf("%s: %w", args[0], err)
				if parts[0].name == seal.InferredPart {
					err = results.Hinted(err, "achilles score %s makes the tables of grades", expr.Quote(args[0]))
				}
				return err
			}
		}
		return form.print(a, t)
	})
	return c
}

// A showing says which rows of a table are printed, in which order and form.
type showing struct{ where, by, format string }

func (f *showing) flags(c *cobra.Command) {
	c.Flags().StringVar(&f.where, "where", "", "condition that the rows must meet")
	c.Flags().StringVar(&f.by, "sort", "", "column to sort by")
	c.Flags().StringVar(&f.format, "format", "text", "text, csv, json, md, html, latex or parquet")
}

func (f *showing) print(a *app, t *table.Table) error {
	t, err := f.chosen(t)
	if err != nil {
		return err
	}
	return a.printAs(t, f.format)
}

// chosen returns the rows that are asked for, in their order.
func (f *showing) chosen(t *table.Table) (_ *table.Table, err error) {
	if f.where != "" {
		if t, err = tabular.Where(t, f.where); err != nil {
			return nil, usagef("--where: %w", err)
		}
	}
	if f.by != "" {
		if t, err = tabular.Sort(t, f.by); err != nil {
			return nil, usagef("--sort: %w", err)
		}
	}
	return t, nil
}

// A shown part is one whose tables are listed and printed.
type shownPart struct {
	name string // empty: an analysis, which has no other part beside it
	*part.Manifest
	files fs.FS
}

// partsIn returns the parts in a directory, of results or of an analysis, whose files it has verified, with the one that has the table of a
// name; "" is no table. done closes them.
func partsIn(dir, name string) (parts []shownPart, done func(), err error) {
	if isItemAnalysis(dir) {
		m, fsys, err := itemAnalysis(dir)
		return []shownPart{{"", m, fsys}}, func() {}, err
	}
	if isAnalysis(dir) {
		m, fsys, err := analysisPart(dir)
		return []shownPart{{"", m, fsys}}, func() {}, err
	}
	d, err := results.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	m, fsys, err := score.OpenScores(d)
	switch {
	case err == nil:
		parts = append(parts, shownPart{seal.ScoresPart, m, fsys})
	case !errors.Is(err, score.ErrNotScored):
		d.Close()
		return nil, nil, err
	}
	if d.Has(seal.InferredPart) {
		m, fsys, err := d.Part(seal.InferredPart)
		if err != nil {
			d.Close()
			return nil, nil, err
		}
		parts = append(parts, shownPart{seal.InferredPart, m, fsys})
	}
	named, err := d.Named()
	for _, name := range named {
		m, fsys, err2 := d.Part(part.As(name))
		if err = cmp.Or(err, err2); err == nil {
			parts = append(parts, shownPart{part.As(name), m, fsys})
		}
	}
	public, err2 := publicPart(d)
	if err = cmp.Or(err, err2); err == nil && len(parts) == 0 && name != "" && !public.has(name) {
		_, err = d.Inferred() // says how to infer
	}
	parts = append(parts, public)
	if err != nil {
		d.Close()
		return nil, nil, err
	}
	return parts, func() { d.Close() }, nil
}

// publicPart returns the public part, of which it has verified the tables alone.
func publicPart(d *results.Dir) (shown shownPart, err error) {
	defer func() {
		if err != nil {
			if _, bad := d.Public(); bad != nil { // says the command that makes it anew
				err = bad
			}
		}
	}()
	fsys, err := d.FS(seal.PublicPart)
	if err != nil {
		return shownPart{}, err
	}
	m, err := part.ReadManifest(fsys, part.Public)
	if err != nil {
		return shownPart{}, fmt.Errorf("%s/%w", seal.PublicPart, err)
	}
	for i := range m.Tables {
		for _, f := range m.Tables[i].Files {
			if err := f.Verify(fsys); err != nil {
				return shownPart{}, fmt.Errorf("%s/%w", seal.PublicPart, err)
			}
		}
	}
	return shownPart{seal.PublicPart, m, fsys}, nil
}

// has says whether the part has a table that tableOf finds by a name.
func (p *shownPart) has(name string) bool { return p.Find(strings.TrimPrefix(name, p.name+"/")) != nil }

// tableOf returns a table by its name, or by the name of its part, a slash and its name. Of tables with one name, that of the first
// part is meant.
func tableOf(parts []shownPart, name string) (*table.Table, error) {
	var names []string
	for _, p := range parts {
		for i := range p.Tables {
			t := &p.Tables[i]
			if bare := strings.TrimPrefix(name, p.name+"/"); bare == t.Name || bare == t.Was && bare != "" {
				if len(t.Columns) == 0 {
					return nil, results.Hinted(fmt.Errorf("the manifest does not say which columns %s has", p.shown(t)), "achilles export --format csv writes them")
				}
				return tabular.Read(p.files, t)
			}
			names = append(names, p.shown(t))
		}
	}
	why := ""
	for _, p := range parts {
		if s, err := score.Graded(p.files); p.name == seal.ScoresPart && err == nil && s.Unranked != "" && (name == "misses" || name == "hurdles") {
			why = ": it is not known which predictions are most wrong: " + s.Unranked
		}
	}
	return nil, fmt.Errorf("no table %q%s%s", name, why, expr.Listed(name, "There are", names))
}

// shown returns the name of a table by which tableOf finds it.
func (p *shownPart) shown(t *part.Table) string {
	if p.name == "" || p.name == seal.ScoresPart {
		return t.Name
	}
	return p.name + "/" + t.Name
}

// contents returns a table of the tables of parts.
func contents(parts []shownPart) *table.Table {
	type row struct {
		name string
		*part.Table
	}
	var rows []row
	for _, p := range parts {
		for i := range p.Tables {
			rows = append(rows, row{p.shown(&p.Tables[i]), &p.Tables[i]})
		}
	}
	return table.Of(table.Table{Name: "tables", Key: []string{"name"}}, rows, []table.Field[row]{
		table.Col(table.Column{Name: "name", Head: "table", Kind: table.Text}, func(r row) table.Value { return table.String(r.name) }),
		table.Col(table.Column{Name: "rows", Kind: table.Count}, func(r row) table.Value {
			if r.Rows < 0 { // of an older version
				return table.None
			}
			return table.Int(r.Rows)
		}),
		table.Col(table.Column{Name: "title", Head: "contents", Kind: table.Text, Prose: true}, func(r row) table.Value { return table.String(r.Title) }),
	})
}
