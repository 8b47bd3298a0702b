package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"achilles/battery/tables"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/record"
	"achilles/sim/store"
)

func (a *app) importCommand() *cobra.Command {
	var items, responses, subjects, mapping, out string
	var force bool
	c := &cobra.Command{
		Use:   "import --items FILE --responses FILE [--subjects FILE] --mapping NAME_OR_FILE --out DIR",
		Short: "Make a public directory of your own tables of items and responses",
		Long: `Import reads a table of items and a table of responses, CSV or Parquet, and writes DIR/public. The responses
are wide (one column per item), transposed (one column per subject) or long (one row per response). The mapping, a
small TOML file, says which column is what; docs/guide/your-data.md explains it. Shipped mappings: aaio, aaio-as-published,
aaio-99, op-table, titanic. A table of subjects has covariates known before they respond, such as age or model
family; only the columns that the mapping declares are published.

There is no truth to seal: score then grades predictions of held-out responses only.`,
		Example: `  achilles import --items task_codes.csv --responses scores_all.csv --mapping aaio --out results/aaio`,
		Args:    cobra.NoArgs,
	}
	c.Flags().StringVar(&items, "items", "", "table of items, CSV or Parquet (required)")
	c.Flags().StringVar(&responses, "responses", "", "table of responses, CSV or Parquet (required)")
	c.Flags().StringVar(&subjects, "subjects", "", "table of subjects, CSV or Parquet, if the mapping has covariates")
	c.Flags().StringVar(&mapping, "mapping", "", "a shipped mapping's name or a TOML file (required)")
	c.Flags().StringVar(&out, "out", "", "results directory to write (required)")
	c.Flags().BoolVar(&force, "force", false, "overwrite what is there")
	c.AddCommand(a.importEpisodesCommand())
	c.RunE = a.do(func(_ context.Context, _ []string) error {
		for _, f := range []struct{ name, value string }{{"items", items}, {"responses", responses}, {"mapping", mapping}, {"out", out}} {
			if f.value == "" {
				return usagef("import needs --%s", f.name)
			}
		}
		d, err := importTables(items, responses, subjects, mapping)
		if err != nil {
			return err
		}
		return results.Write(out, func(to *results.Dir) error { return a.publishImport(d, to, force) })
	})
	return c
}

func importTables(items, responses, subjects, mapping string) (*record.Dataset, error) {
	file, text, err := shipped("mapping", mapping, "mappings")
	if err != nil {
		return nil, err
	}
	m, err := tables.ParseMapping(file, text)
	if err != nil {
		return nil, err
	}
	var read [3]*tables.Table
	for i, path := range []string{items, responses, subjects} {
		if path == "" {
			continue // no table of subjects
		}
		b, err := store.ReadFile(path, maxInput)
		if err != nil {
			return nil, err
		}
		if read[i], err = tables.Read(filepath.Base(path), b); err != nil {
			return nil, err
		}
	}
	return tables.Build(read[0], read[1], read[2], m)
}

func (a *app) publishImport(d *record.Dataset, to *results.Dir, force bool) error {
	files, err := record.Encode(d)
	if err != nil {
		return err
	}
	dir := to.Path(seal.PublicPart)
	if to.Same(seal.PublicPart, files) {
		a.note("%s has these data already", dir)
	} else if err := to.PutPublic("import", force, func(create results.Create) error { return create.PutAll(files) }); err != nil {
		return err
	}
	held := 0
	for _, r := range d.Responses.All() {
		if r.Split == record.HeldOut {
			held++
		}
	}
	fmt.Fprintf(a.stdout, "%d subjects × %d items: %d responses, %d of them held out; in %s\n", len(d.Subjects), d.Items.Len(), d.Responses.Len(), held, dir)
	return nil
}
