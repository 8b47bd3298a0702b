package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"achilles/sim/record"
)

func exportWarehouseCommand(a *app) *cobra.Command {
	var measure string
	c := &cobra.Command{
		Use:   "irw DIR --out FILE",
		Short: "Write responses as a table of the Item Response Warehouse",
		Long: `Export irw writes the responses of DIR/public in the standard 1.0 of the Item Response Warehouse: id, item and resp; trial_number
and trial_index where items were repeated, trial_count for counts of successes; cov_… for covariates of subjects, itemcov_…
for features of items. Responses without a value are left out: the standard allows no imputed ones. Import reads the file back.`,
		Example: `  achilles export irw results/matrix --out author_2026_matrix.csv`,
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&measure, "measure", "", "the measure to write as resp, if there are several")
	return a.writes(c, "file", "; the warehouse's names are author_year_construct.csv", func(_ context.Context, args []string, to destination) error {
		data, err := publicOf(args[0])
		if err != nil {
			return err
		}
		var b bytes.Buffer
		n, left, err := warehouseCSV(&b, data, measure)
		if err != nil {
			return err
		}
		if err := to.file(b.Bytes()); err != nil {
			return err
		}
		without := ""
		if left > 0 {
			without = fmt.Sprintf("; left out: %d without a value, of familiarisation or of another measure", left)
		}
		a.say("%d responses in %s%s", n, to.out, without)
		if name := strings.TrimSuffix(filepath.Base(to.out), ".csv"); !warehouseName.MatchString(name) {
			a.note("the warehouse's names are author_year_construct, in lower case, of at most 40 characters: not %s", name)
		}
		return nil
	})
}

var warehouseName = regexp.MustCompile(`^[a-z0-9]+_[0-9]{4}_[a-z0-9_.]{1,29}$`)

// warehouseCSV writes the responses of a measure in the standard of the Item Response Warehouse. It returns how many there are, and how
// many were left out.
func warehouseCSV(b *bytes.Buffer, d *record.Dataset, measure string) (n, left int, err error) {
	m, ok := d.Measure(measure)
	if measure == "" && len(d.Manifest.Measures) == 1 {
		m, ok = 0, true
	}
	if !ok {
		var names []string
		for _, m := range d.Manifest.Measures {
			names = append(names, m.Name)
		}
		return 0, 0, usagef("name the measure to write as resp with --measure: want one of %s", strings.Join(names, ", "))
	}
	for _, names := range [][]string{d.Subjects, d.Items.ID} {
		for _, name := range names {
			if name == "NA" || name == "NaN" || name == "null" || name == "None" {
				return 0, 0, fmt.Errorf("a subject or item is called %s, which readers of CSV take for a missing name: rename it", name)
			}
		}
	}
	taken := func(r *record.Response) bool { return r.Measure == m && r.Unscored == 0 && r.Phase == record.Test }
	has := func(f func(r record.Response) bool) bool {
		return d.Responses.ContainsFunc(func(r record.Response) bool { return taken(&r) && f(r) })
	}
	columns := []struct {
		name  string
		there bool
		value func(r *record.Response) int
	}{
		{"trial_number", has(func(r record.Response) bool { return r.Repetition != 0 }), func(r *record.Response) int { return int(r.Repetition) }},
		{"trial_index", has(func(r record.Response) bool { return r.Trial != 0 }), func(r *record.Response) int { return int(r.Trial) }},
		{"trial_count", has(func(r record.Response) bool { return r.Trials != 0 }), func(r *record.Response) int { return int(r.Trials) }},
	}
	header := []string{"id", "item", "resp"}
	for _, c := range columns {
		if c.there {
			header = append(header, c.name)
		}
	}
	for _, c := range d.Covariates {
		header = append(header, "cov_"+c.Name)
	}
	features := make([]record.Column, len(d.Items.Columns))
	for k := range features {
		features[k] = d.Items.Values(k)
		header = append(header, "itemcov_"+features[k].Name)
	}
	w := csv.NewWriter(b)
	err = w.Write(header)
	for _, r := range d.Responses.All() {
		if !taken(&r) {
			left++
			continue
		}
		row := []string{d.Subjects[r.Subject], d.Items.ID[r.Item], number(r.Value)}
		for _, c := range columns {
			if c.there {
				row = append(row, strconv.Itoa(c.value(&r)))
			}
		}
		row = append(append(row, cells(d.Covariates, int(r.Subject))...), cells(features, int(r.Item))...)
		if e := w.Write(row); err == nil {
			err = e
		}
		n++
	}
	w.Flush()
	return n, left, err
}
