package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"achilles/infer/irt"
	"achilles/render/report"
	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/scenarios/setting"
	"achilles/sim/expr"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/store"
)

func irtCommand(a *app) *cobra.Command {
	q := &itemTesting{Settings: irt.Default()}
	c := &cobra.Command{
		Use:   "irt PATH… [--out DIR]",
		Short: "Item analysis of a table of responses: item response theory by marginal maximum likelihood",
		Long: `Irt reads responses as import does, or those of a results directory, fits a model of item response theory by marginal maximum
likelihood, and writes one page, DIR/report/index.html, and every table as CSV: item parameters with standard errors, item fit, local
dependence, person fit, abilities, reliability, information; with --by, differential item functioning between groups of subjects; with
--anchor, all on the scale of an earlier analysis. It warns of results not to trust. achilles show DIR lists the tables.`,
		Example: `  achilles irt docs/examples/matrix.csv --out results/matrix-irt
  achilles irt docs/examples/lsat6.csv --count count --model rasch --out results/lsat6-irt`,
		Args: cobra.ArbitraryArgs,
	}
	q.flags(c.Flags())
	setting.Of(&q.Settings).Flags(c.Flags())
	c.Flags().StringVar(&q.anchor, "anchor", "", "parameters.csv of an earlier analysis: its items keep these parameters")
	q.given = c.Flags()
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		given := q.out != ""
		if err := q.check(args); err != nil {
			return err
		}
		if !given {
			q.out += "-irt"
		}
		return whileLocked(q.out, func() error { return q.analyse(ctx, a) })
	})
	return c
}

// An itemTesting is a question about items: which responses, and what is asked of them.
type itemTesting struct {
	importing
	irt.Settings
	anchor string
	given  *pflag.FlagSet
	notes  []string // on how the table was read
}

// responsesOf returns the data of a results directory, or those that import reads, with the mapping that it found.
func (q *itemTesting) responsesOf() (*record.Dataset, string, map[string]string, error) {
	if len(q.importing.responses) == 1 {
		dir := q.importing.responses[0]
		if _, err := os.Stat(filepath.Join(dir, seal.PublicPart, part.ManifestFile)); err == nil {
			d, err := results.Open(dir)
			if err != nil {
				return nil, "", nil, err
			}
			defer d.Close()
			if err := alreadyImported(dir, q.given); err != nil {
				return nil, "", nil, err
			}
			data, parents, err := public(d)
			if err == nil {
				err = withSubjects(data, d, q.importing.subjects)
			}
			return data, "", parents, err
		}
	}
	if q.Count != "" {
		q.wish.Count = "none" // the analysis weighs rows, which is the same and quicker
	}
	in, err := q.gather()
	if err != nil {
		return nil, "", nil, err
	}
	if q.By == "" && q.Abilities == "" {
		q.By = in.form // subjects of different forms may differ in ability
	}
	for _, x := range in.found {
		if x[0] == "note" || x[0] == "read as" { // what else the table may be, with the flag that says so
			q.notes = append(q.notes, strings.TrimPrefix(x[0]+" ", "note ")+x[1])
		}
	}
	return in.data, in.mapping, nil, nil
}

// analyse analyses, writes the analysis and prints its first screen.
func (q *itemTesting) analyse(ctx context.Context, a *app) error {
	data, mapping, parents, err := q.responsesOf()
	if err != nil {
		return err
	}
	if data.Responses.Len() == 0 {
		return errors.New("there are no responses to analyse")
	}
	if q.anchor != "" {
		text, err := store.ReadFile(q.anchor, maxInput)
		if err != nil {
			return err
		}
		if q.Anchors, err = irt.ReadAnchors(q.anchor, text); err != nil {
			return err
		}
	}
	w, err := store.Begin(q.out, q.force)
	if err != nil {
		return err
	}
	defer w.Abort()
	q.Running = a.running
	found, err := q.run(ctx, data)
	if err != nil {
		return err
	}
	name := named(q.importing.responses)
	page, err := report.ItemPage(found, name).Encode()
	if err != nil {
		return err
	}
	m := part.New(part.Items, parents, found.Settings)
	files := map[string][]byte{"report/" + reportFile: page}
	for _, t := range found.Tables() {
		path := t.Name + ".csv"
		files[path] = tabular.CSV(t)
		m.Add(path, files[path], t)
	}
	if mapping != "" {
		files[mappingFile] = []byte(mapping)
		m.Add(mappingFile, files[mappingFile], nil)
	}
	files[part.ManifestFile] = m.Encode()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if err := w.Put(path, files[path]); err != nil {
			return err
		}
	}
	if err := w.Commit(); err != nil {
		return err
	}
	for _, n := range q.notes {
		a.note("%s", n)
	}
	dir := filepath.ToSlash(q.out)
	fmt.Fprint(a.stdout, report.Items(found, name, a.width(), []string{
		"Page:   " + dir + "/report/" + reportFile,
		"Tables: achilles show " + expr.Quote(dir) + " [TABLE]",
	}))
	return nil
}

// named returns what to call an analysis of files or a directory: their names without folders and extensions.
func named(paths []string) string {
	var names []string
	for _, p := range paths {
		names = append(names, strings.TrimSuffix(filepath.Base(filepath.Clean(p)), filepath.Ext(p)))
	}
	if more := len(names) - 3; more > 0 {
		names = append(names[:2], fmt.Sprintf("%d more", more+1))
	}
	return strings.Join(names, " + ")
}

// run analyses until ctx is done. What has been found by then is lost: nothing of it is written before all is.
func (q *itemTesting) run(ctx context.Context, data *record.Dataset) (*irt.Analysis, error) {
	type outcome struct {
		found *irt.Analysis
		err   error
	}
	done := make(chan outcome, 1)
	settings := q.Settings
	go func() {
		found, err := irt.Run(data, settings)
		done <- outcome{found, err}
	}()
	select {
	case o := <-done:
		return o.found, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
