package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/infer/contrast"
	"achilles/infer/layout"
	"achilles/render/figure/chart"
	"achilles/render/format"
	"achilles/render/tabular"
	"achilles/scenarios"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/scenarios/setting"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/part"
	"achilles/sim/store"
	"achilles/sim/table"
)

// A contrasting is a question about who differs.
type contrasting struct {
	contrast.Settings
	Table string   `setting:"table,flag" choices:"pairs, ranks, capabilities" doc:"print this table alone (default: all, or pairs if --where, --sort or --format is given)"`
	As    string   `setting:"as,flag" doc:"the result of infer --as NAME"`
	Draws string   `setting:"draws,flag" doc:"an expression over posterior draws instead, a condition or a number: 'ability[ada] > ability[bob]', 'difficulty[q1] - difficulty[q2]'"`
	About []string `setting:"subjects,flag" doc:"table of subjects, whose columns --by can name, too"`
	Out   string   `setting:"out,flag" doc:"file for the figure of all pairs, .png or .svg"`
	Force bool     `setting:"force,flag" doc:"overwrite existing output"`
}

// The largest numbers of subjects: of which all pairs are compared; drawn as a grid; whose differences are printed or drawn one by one; and of the best and
// of the worst that are printed.
const (
	mostContrasted = 1000
	mostInGrid     = 100
	mostListed     = 12
	mostEnds       = 10
)

func compareCommand(a *app) *cobra.Command {
	q := &contrasting{}
	var form showing
	c := &cobra.Command{
		Use:   "compare DIR [DIR] [SUBJECT…]",
		Short: "Who is better, at what, how certainly, and how many more items would decide",
		Long: `Compare takes the responses of subjects to the items that they have in common, and prints the difference of every pair with its
interval and a p-value corrected for the number of pairs; which pairs the responses do not distinguish and how many more items would; and
ranks with their intervals. Where DIR has an inference, it also compares capabilities by their posterior draws. With a second
directory, subjects of both are compared on the items of both. With --by, groups of subjects are compared.`,
		Example: `  achilles compare results/matrix model-1 model-12
  achilles compare results/matrix --table ranks
  achilles compare results/matrix --where 'p < 0.05' --sort difference`,
		Args: cobra.MinimumNArgs(1),
	}
	setting.Of(q).Flags(c.Flags())
	form.flags(c)
	c.RunE = a.do(func(_ context.Context, args []string) error {
		if q.Out != "" && !isPicture(q.Out) {
			return usagef("--out %s: want a file that ends in .png or .svg", q.Out)
		}
		if q.Draws != "" {
			if len(args) > 1 {
				return usagef("--draws names its subjects in the expression: give one directory and no subjects")
			}
			d, err := openChecked(args[0])
			if err != nil {
				return err
			}
			defer d.Close()
			res, err := resultOf(d, q.As)
			if err != nil {
				return err
			}
			t, err := overDraws(res, namesIn(d), q.Draws)
			if err != nil {
				return usagef("--draws: %w", err)
			}
			return form.print(a, t)
		}
		if q.Table == "" && (form.where != "" || form.by != "" || form.format != "text") {
			q.Table = "pairs"
		}
		tables, f, many, err := q.compare(args)
		if err != nil {
			return err
		}
		if q.Out != "" {
			b, err := drawn(f, tables[0].Title, filepath.Ext(q.Out))
			if err != nil {
				return err
			}
			if err := store.WriteFile(q.Out, b, q.Force); err != nil {
				return err
			}
		}
		if q.Table != "" {
			i := slices.IndexFunc(tables, func(t *table.Table) bool { return t.Name == q.Table })
			if i < 0 {
				return fmt.Errorf("there is no table of %s: nothing was inferred by a layout in %s", q.Table, args[0])
			}
			if err := form.print(a, tables[i]); err != nil && form.where != "" && len(args) == 1 {
				return results.Hinted(err, "of parameters: achilles compare %s --draws %s", expr.Quote(args[0]), expr.Quote(form.where))
			} else {
				return err
			}
		}
		if many != "" {
			tables[1] = tabular.Ends(tables[1], mostEnds)
			tables = tables[1:2] // ranks
		}
		a.printEach(tables...)
		if many != "" {
			a.say("%s", many)
		}
		return nil
	})
	return c
}

// compare returns the tables of what is compared, and the figure of the first; and if these are many what it says in short.
func (q *contrasting) compare(args []string) (tables []*table.Table, f chart.Figure, many string, err error) {
	dirs, names := args[:1], args[1:]
	if len(names) > 0 && isResults(names[0]) {
		dirs, names = args[:2], args[2:]
	}
	var sources []contrast.Source
	var opened []*results.Dir
	defer func() {
		for _, d := range opened {
			d.Close()
		}
	}()
	for _, dir := range dirs {
		d, err := openChecked(dir)
		if err != nil {
			return nil, f, "", err
		}
		opened = append(opened, d)
		data, _, err := public(d)
		if err != nil {
			return nil, f, "", err
		}
		if err := withSubjects(data, d, q.About); err != nil {
			return nil, f, "", err
		}
		known := namesIn(d)
		for i, id := range data.Subjects {
			data.Subjects[i] = known.name(id)
		}
		if len(dirs) == 1 {
			for i := range names {
				names[i] = known.name(names[i])
			}
		}
		source := contrast.Source{Data: data}
		if len(dirs) > 1 {
			source.Name = filepath.Base(filepath.Clean(dir))
		}
		sources = append(sources, source)
	}
	if len(sources) == 2 && sources[0].Name == sources[1].Name {
		sources[0].Name, sources[1].Name = filepath.ToSlash(filepath.Clean(dirs[0])), filepath.ToSlash(filepath.Clean(dirs[1]))
	}
	r, err := contrast.Read(q.Settings, sources...)
	if err != nil {
		return nil, f, "", err
	}
	list, err := q.differences(r, names)
	if err != nil {
		return nil, f, "", notLayouts(err, opened[0], names, r.Subjects)
	}
	if !slices.ContainsFunc(list, func(d contrast.Difference) bool { return d.Items > 0 }) {
		return nil, f, "", errors.New("nothing to compare: no two of these have an item in common")
	}
	var together []contrast.Together
	if q.By == "" {
		together = r.Together(list)
	}
	ranks := contrast.Ranks(list)
	tables = append(tables, r.Table(list, together), contrast.RankTable(ranks))
	if len(ranks) > mostListed {
		many = contrast.Counts(list) + " --table pairs has them all, --table ranks all ranks."
	}
	if q.Out != "" {
		if len(ranks) > mostInGrid {
			return nil, f, "", usagef("--out: %s make an unreadable grid: name at most %d", num.Counted(len(ranks), "subject"), mostInGrid)
		}
		f = contrasted(list)
		if len(ranks) > mostListed {
			f = contrastedGrid(ranks, list)
		}
	}
	if len(dirs) == 1 && (opened[0].Has(seal.InferredPart) || q.As != "" || q.Table == "capabilities") && (many == "" || q.Table == "capabilities") {
		t, err := q.capabilities(opened[0], r, names)
		if err != nil {
			return nil, f, "", err
		}
		if t != nil && q.Table == "" {
			t, err = decided(t)
		}
		if err != nil {
			return nil, f, "", err
		}
		if t != nil {
			tables = append(tables, t)
		}
	}
	return tables, f, many, nil
}

// notLayouts returns err, with a hint where names that no subject has are those of layouts.
func notLayouts(err error, d *results.Dir, names, subjects []string) error {
	shipped := scenarios.Shipped("layouts")
	for _, name := range names {
		if slices.Contains(subjects, name) {
			continue
		}
		if done, e := stored(d, name); slices.Contains(shipped, name) || e == nil && done != nil {
			return results.Hinted(err, "layouts are compared by achilles layouts compare %s %s", d, strings.Join(names, " "))
		}
	}
	return err
}

// isResults reports whether a path is that of a results directory with responses or without.
func isResults(path string) bool {
	_, err := os.Stat(filepath.Join(path, seal.PublicPart, part.ManifestFile))
	return err == nil
}

// differences compares the subjects that are named, or all, or groups.
func (q *contrasting) differences(r *contrast.Responses, names []string) ([]contrast.Difference, error) {
	if q.By != "" {
		switch {
		case len(names) > 0:
			return nil, usagef("--by %s compares groups of all subjects: omit the names of subjects", q.By)
		case q.Cluster != "":
			return nil, usagef("--by %s takes subjects as a sample, and items as they are: omit --cluster %s", q.By, q.Cluster)
		}
		if list := r.Groups(); len(list) > 0 {
			return list, nil
		}
		return nil, fmt.Errorf("--by %s: all subjects are in one group", q.By)
	}
	if len(names) == 0 {
		names = r.Subjects
	}
	switch {
	case len(names) == 1:
		if _, err := r.Pairs(names); err != nil { // an unknown name
			return nil, err
		}
		return nil, fmt.Errorf("one subject, %s, cannot be compared: name another, too", names[0])
	case len(names) > mostContrasted:
		return nil, fmt.Errorf("%s make %s: name those to compare, at most %d, or groups with --by", num.Counted(len(names), "subject"), num.Counted(len(names)*(len(names)-1)/2, "pair"), mostContrasted)
	}
	return r.Pairs(names)
}

// capabilities compares the capabilities of subjects by their draws; nil: there are none.
func (q *contrasting) capabilities(d *results.Dir, r *contrast.Responses, names []string) (*table.Table, error) {
	res, err := resultOf(d, q.As)
	if err != nil || res.Draws == nil {
		return nil, err
	}
	kept := map[string]bool{}
	for _, p := range res.Profiles {
		if p.Group == string(layout.Capability) {
			kept[p.Parameter] = true
		}
	}
	drawn := &contrast.Drawn{Together: slices.ContainsFunc(res.Diagnostics.Fits, func(f infer.Fit) bool { return f.Subject == infer.Everybody })}
	var at []int
	for k, name := range res.Draws.Parameters() {
		if kept[name] {
			drawn.Parameters, at = append(drawn.Parameters, name), append(at, k)
		}
	}
	if len(names) == 0 {
		names = r.Subjects
	}
	known := namesIn(d)
	for _, name := range names {
		one, err := res.DrawsOf(known.id(name))
		if err != nil {
			return nil, err
		}
		if one == nil {
			continue
		}
		values := make([][]float64, len(at))
		for k, i := range at {
			values[k] = one.Values[i]
		}
		drawn.Subjects, drawn.Values = append(drawn.Subjects, name), append(drawn.Values, values)
	}
	if q.By != "" {
		if drawn.Together && !r.Connected() {
			return nil, nil
		}
		drawn = r.ByGroup(drawn)
	}
	gaps, skipped := r.Gaps(drawn)
	if len(gaps) == 0 && skipped == 0 {
		return nil, nil
	}
	t := contrast.GapTable(gaps, skipped, q.By != "")
	t.Foot = append(t.Foot, averaging(res)...)
	return t, nil
}

// decided returns a table of capabilities as the first screen has it: if it has many rows, those alone in which one is found to have more.
func decided(t *table.Table) (*table.Table, error) {
	const most = mostListed * (mostListed - 1) / 2
	if len(t.Rows) <= most {
		return t, nil
	}
	out, err := tabular.Where(t, `finding != "cannot tell"`)
	if err != nil {
		return nil, err
	}
	out.Columns = slices.Clone(out.Columns)
	for i := range out.Columns {
		if out.Columns[i].Name == "finding" {
			out.Columns[i].Weight = 1 // the sign of the difference says it where there is little room
		}
	}
	out.Foot = append([]string{fmt.Sprintf("%s of %s cannot be distinguished, and are not shown: --table capabilities has all.", num.Count(len(t.Rows)-len(out.Rows)), num.Counted(len(t.Rows), "difference"))}, out.Foot...)
	return tabular.Ends(out, most/2), nil
}

// averaging says whether draws are averaged over a candidate set; nothing without one.
func averaging(res *infer.Result) []string {
	switch {
	case res.Averaged != nil:
		return []string{"Draws are model-averaged over the candidate set."}
	case res.Settings.Bank != nil:
		return []string{fmt.Sprintf("Draws are of layout %s alone, not averaged over the candidate set.", res.Settings.Layout.Name)}
	}
	return nil
}

// contrasted draws the differences of all pairs that can be compared.
func contrasted(list []contrast.Difference) chart.Figure {
	var rows []chart.Estimate
	low, high := 0.0, 0.0
	for _, d := range list {
		if math.IsNaN(d.Mean) || math.IsNaN(d.Low) {
			continue
		}
		rows = append(rows, chart.Estimate{Label: d.A + []string{" < ", " ? ", " > "}[d.Found()+1] + d.B, Mean: d.Mean, Q5: d.Low, Q25: d.Mean, Q75: d.Mean, Q95: d.High})
		low, high = min(low, d.Low), max(high, d.High)
	}
	return chart.Forest("first − second, with its 95 % interval; ?: cannot tell", low, high, rows)
}

// contrastedGrid draws the differences of all pairs as a grid in the order of the ranks.
func contrastedGrid(ranks []contrast.Rank, list []contrast.Difference) chart.Figure {
	at := map[string]int{}
	names := make([]string, len(ranks))
	cells := make([][]chart.Cell, len(ranks))
	for i, r := range ranks {
		at[r.Name], names[i], cells[i] = i, r.Name, make([]chart.Cell, len(ranks))
	}
	largest := 0.0
	for _, d := range list {
		if !math.IsNaN(d.Mean) {
			largest = max(largest, math.Abs(d.Mean))
		}
	}
	for _, d := range list {
		if math.IsNaN(d.Mean) || largest == 0 {
			continue
		}
		size, faint := math.Abs(d.Mean)/largest, 0.0
		if d.Found() == 0 {
			faint = 0.75
		}
		cells[at[d.A]][at[d.B]] = chart.Cell{Share: &size, Text: format.Number(d.Mean, 2), Faint: faint}
		cells[at[d.B]][at[d.A]] = chart.Cell{Share: &size, Text: format.Number(-d.Mean, 2), Faint: faint}
	}
	return chart.Heat(names, names, cells, "of "+format.Number(largest, 2)+", the largest difference; row − column; pale: cannot tell")
}
