package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/infer/voe"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/record"
	"achilles/sim/store"
)

func (a *app) exportCommand() *cobra.Command {
	var out, format string
	var force bool
	c := &cobra.Command{
		Use:   "export DIR",
		Short: "Write a results directory as CSV, or its posterior draws as CmdStan-style CSV",
		Long: `Export writes the tables of a results directory for other programs.

  csv      items, responses, what is known of subjects and, where inferred, profiles and predictions, one file each;
           of episodes surprises
  cmdstan  posterior draws, one file a subject and chain, as CmdStan writes them: ArviZ (from_cmdstan) and R's
           posterior package read them`,
		Example: `  achilles export results/quickstart --format csv --out tables
  achilles export results/quickstart --format cmdstan --out draws`,
		Args: cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&out, "out", "", "directory to write (required)")
	c.Flags().StringVar(&format, "format", "csv", "csv or cmdstan")
	c.Flags().BoolVar(&force, "force", false, "overwrite what is there")
	c.AddCommand(a.pictureCommands()...)
	c.AddCommand(a.exportEpisodesCommand(), a.exportVideosCommand(), a.exportArraysCommand(), a.figureCommand(), a.figuresCommand())
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if out == "" {
			return usagef("export needs --out: where to write")
		}
		d, err := openChecked(args[0])
		if err != nil {
			return err
		}
		defer d.Close()
		var n int
		switch format {
		case "csv":
			n, err = exportCSV(d, out, force)
		case "cmdstan":
			n, err = exportCmdStan(d, out, force)
		default:
			return usagef("format %q; it must be csv or cmdstan", format)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%d files in %s\n", n, out)
		return nil
	})
	return c
}

// exportCSV writes the tables of a results directory, and returns the number of files.
func exportCSV(d *results.Dir, out string, force bool) (int, error) {
	files, err := tablesCSV(d)
	if err != nil {
		return 0, err
	}
	return len(files), store.Write(out, files, force)
}

func tablesCSV(d *results.Dir) (map[string][]byte, error) {
	public, err := d.Public()
	if err != nil {
		return nil, err
	}
	data, err := record.Read(public)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	if files["items.csv"], err = itemsCSV(&data.Items); err != nil {
		return nil, err
	}
	if len(data.Covariates) > 0 {
		if files["subjects.csv"], err = subjectsCSV(data); err != nil {
			return nil, err
		}
	}
	if data.Responses.Len() > 0 {
		if files["responses.csv"], err = responsesCSV(data); err != nil {
			return nil, err
		}
	}
	res, err := openResult(d)
	if errors.Is(err, results.ErrNotInferred) {
		return files, nil
	}
	if err != nil {
		return nil, err
	}
	if len(res.Diagnostics.Fits) > 0 {
		if files["profiles.csv"], err = d.ReadFile(seal.InferredPart + "/profiles.csv"); err != nil {
			return nil, err
		}
		if files["predictions.csv"], err = predictionsCSV(res); err != nil {
			return nil, err
		}
	}
	if len(res.Surprises) > 0 {
		files["surprises.csv"], err = surprisesCSV(res.Surprises)
	}
	return files, err
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func table(header []string, n int, row func(i int) []string) ([]byte, error) {
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	err := w.Write(header)
	for i := 0; err == nil && i < n; i++ {
		err = w.Write(row(i))
	}
	w.Flush()
	return buf.Bytes(), errors.Join(err, w.Error())
}

func itemsCSV(it *record.Items) ([]byte, error) {
	header := []string{"item", "suite", "paradigm", "task"}
	for _, c := range it.Columns {
		header = append(header, c.Name)
	}
	return table(header, it.Len(), func(i int) []string {
		one := it.Part(i, 1)
		return append([]string{it.ID[i], it.Suite[i], it.Paradigm[i], it.Task[i]}, cells(one.Columns, 0)...)
	})
}

func subjectsCSV(d *record.Dataset) ([]byte, error) {
	header := []string{"subject"}
	for _, c := range d.Covariates {
		header = append(header, c.Name)
	}
	return table(header, len(d.Subjects), func(i int) []string {
		return append([]string{d.Subjects[i]}, cells(d.Covariates, i)...)
	})
}

// cells returns a row of columns; a missing value is empty.
func cells(columns []record.Column, i int) (row []string) {
	for _, c := range columns {
		switch {
		case c.Missing != nil && c.Missing[i]:
			row = append(row, "")
		case c.Kind == record.Number:
			row = append(row, number(c.Number[i]))
		default:
			row = append(row, c.Text[i])
		}
	}
	return row
}

func responsesCSV(d *record.Dataset) ([]byte, error) {
	header := []string{"subject", "item", "trial", "phase", "pair", "repetition", "position", "measure", "value", "split", "unscored"}
	counted := d.Responses.ContainsFunc(func(r record.Response) bool { return r.Trials > 0 })
	if counted {
		header = append(header, "trials")
	}
	return table(header, d.Responses.Len(), func(i int) []string {
		r := d.Responses.At(i)
		value := ""
		if r.Unscored == 0 {
			value = number(r.Value)
		}
		row := []string{d.Subjects[r.Subject], d.Items.ID[r.Item], strconv.Itoa(int(r.Trial)), r.Phase.String(), strconv.Itoa(int(r.Pair)),
			strconv.Itoa(int(r.Repetition)), strconv.Itoa(int(r.Position)), d.Manifest.Measures[r.Measure].Name, value, r.Split.String(), d.Reasons[r.Unscored]}
		if counted {
			row = append(row, strconv.Itoa(int(r.Trials)))
		}
		return row
	})
}

func predictionsCSV(res *infer.Result) ([]byte, error) {
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	err := w.Write([]string{"subject", "item", "trial", "repetition", "measure", "p"})
	if res.Predictions == nil {
		w.Flush()
		return buf.Bytes(), cmp.Or(err, w.Error())
	}
	for ps, e := range res.Predictions {
		err = cmp.Or(err, e)
		for _, p := range ps {
			err = cmp.Or(err, w.Write([]string{p.Subject, p.Item, strconv.Itoa(int(p.Trial)), strconv.Itoa(int(p.Repetition)), p.Measure, number(p.P)}))
		}
	}
	w.Flush()
	return buf.Bytes(), cmp.Or(err, w.Error())
}

func surprisesCSV(rows []voe.Surprise) ([]byte, error) {
	step := func(x *float64) string {
		if x == nil {
			return ""
		}
		return number(*x)
	}
	return table([]string{"observer", "item", "video", "surprise", "max_step", "mean_step"}, len(rows), func(i int) []string {
		s := &rows[i]
		return []string{s.Observer, s.Item, s.Video, number(s.Surprise), step(s.MaxStep), step(s.MeanStep)}
	})
}

// exportCmdStan writes one file for each subject and chain, with the comment lines that readers of CmdStan's output
// expect. It holds the draws of one subject at a time, and returns the number of files.
func exportCmdStan(d *results.Dir, out string, force bool) (n int, err error) {
	res, err := openResult(d)
	if err != nil {
		return 0, err
	}
	if res.Draws == nil {
		return 0, fmt.Errorf("%s has no draws of anybody's profile: --format csv writes the tables that it has", d.Path(seal.InferredPart))
	}
	w, err := store.Begin(out, force)
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	for of, err := range res.Draws.All() {
		if err != nil {
			return 0, err
		}
		for from := 0; from < len(of.Chain); {
			to := from
			for to < len(of.Chain) && of.Chain[to] == of.Chain[from] {
				to++
			}
			b, err := chainCSV(res, of, from, to)
			if err != nil {
				return 0, err
			}
			if err := w.Put(fmt.Sprintf("%s-%d.csv", of.Subject, of.Chain[from]+1), b); err != nil {
				return 0, err
			}
			from, n = to, n+1
		}
	}
	return n, w.Commit()
}

// chainCSV returns the draws of one chain, which are those of a subject from `from` to `to`.
func chainCSV(res *infer.Result, of *infer.SubjectDraws, from, to int) ([]byte, error) {
	b, err := table(res.Draws.Parameters(), to-from, func(k int) []string {
		row := make([]string, len(of.Values))
		for p := range row {
			row[p] = number(of.Values[p][from+k])
		}
		return row
	})
	head := fmt.Sprintf("# model = %s\n# method = sample\n#   num_samples = %d\n#   save_warmup = 0\n#   thin = 1\n# id = %d\n# subject = %s\n",
		res.Diagnostics.Layout, to-from, of.Chain[from]+1, of.Subject)
	return append([]byte(head), b...), err
}
