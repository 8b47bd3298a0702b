package cli

import (
	"bytes"
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
		var files map[string][]byte
		switch format {
		case "csv":
			files, err = exportCSV(d)
		case "cmdstan":
			files, err = exportCmdStan(d)
		default:
			return usagef("format %q; it must be csv or cmdstan", format)
		}
		if err != nil {
			return err
		}
		if err := store.Write(out, files, force); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%d files in %s\n", len(files), out)
		return nil
	})
	return c
}

func exportCSV(d *results.Dir) (map[string][]byte, error) {
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
		if files["predictions.csv"], err = predictionsCSV(res.Predictions); err != nil {
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
		return append([]string{it.ID[i], it.Suite[i], it.Paradigm[i], it.Task[i]}, cells(it.Columns, i)...)
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

func predictionsCSV(ps []infer.Prediction) ([]byte, error) {
	return table([]string{"subject", "item", "trial", "repetition", "measure", "p"}, len(ps), func(i int) []string {
		p := ps[i]
		return []string{p.Subject, p.Item, strconv.Itoa(int(p.Trial)), strconv.Itoa(int(p.Repetition)), p.Measure, number(p.P)}
	})
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
// expect.
func exportCmdStan(d *results.Dir) (map[string][]byte, error) {
	res, err := openResult(d)
	if err != nil {
		return nil, err
	}
	dr := &res.Draws
	if len(dr.Subject) == 0 {
		return nil, fmt.Errorf("%s has no draws of anybody's profile: --format csv writes the tables that it has", d.Path(seal.InferredPart))
	}
	files := map[string][]byte{}
	for i := 0; i < len(dr.Subject); {
		j := i
		for j < len(dr.Subject) && dr.Subject[j] == dr.Subject[i] && dr.Chain[j] == dr.Chain[i] {
			j++
		}
		b, err := table(dr.Parameters, j-i, func(k int) []string {
			row := make([]string, len(dr.Parameters))
			for p := range row {
				row[p] = number(dr.Values[p][i+k])
			}
			return row
		})
		if err != nil {
			return nil, err
		}
		head := fmt.Sprintf("# model = %s\n# method = sample\n#   num_samples = %d\n#   save_warmup = 0\n#   thin = 1\n# id = %d\n# subject = %s\n",
			res.Diagnostics.Layout, j-i, dr.Chain[i]+1, dr.Subject[i])
		files[fmt.Sprintf("%s-%d.csv", dr.Subject[i], dr.Chain[i]+1)] = append([]byte(head), b...)
		i = j
	}
	return files, nil
}
