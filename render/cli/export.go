package cli

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/infer/voe"
	"achilles/scenarios/results"
	"achilles/sim/record"
	"achilles/sim/store"
)

func exportCommand(a *app) *cobra.Command {
	var format, as string
	c := &cobra.Command{
		Use:   "export DIR",
		Short: "Write a results directory as CSV, or its posterior draws as CmdStan-style CSV",
		Long: `Export writes the tables of a results directory for other programs.

  csv      items, responses, covariates of subjects and, where inferred, profiles and predictions, one file each;
           for episodes, surprises
  cmdstan  posterior draws as CmdStan writes them, for R's package posterior: one file per subject and chain or, where all
           were measured together, one per chain, with ability[SUBJECT], difficulty[ITEM] …; export arviz is for ArviZ`,
		Example: `  achilles export results/quickstart --format csv --out tables
  achilles export results/quickstart --format cmdstan --out draws`,
		Args: cobra.ExactArgs(1),
	}
	asFlag(c, &as)
	c.Flags().StringVar(&format, "format", "csv", "csv or cmdstan")
	c.AddCommand(pictureCommands(a)...)
	c.AddCommand(exportEpisodesCommand(a), exportVideosCommand(a), exportStimuliCommand(a), exportArenasCommand(a), exportArraysCommand(a), exportWarehouseCommand(a), exportArvizCommand(a), exportCardCommand(a), exportStatesCommand(a), figureCommand(a), figuresCommand(a))
	return a.writes(c, "directory", "", func(ctx context.Context, args []string, to destination) error {
		d, err := openChecked(args[0])
		if err != nil {
			return err
		}
		defer d.Close()
		var n int
		switch format {
		case "csv":
			n, err = exportCSV(d, as, to.out, to.force)
		case "cmdstan":
			n, err = exportCmdStan(d, as, to.out, to.force)
		default:
			return usagef("format %q; it must be csv or cmdstan", format)
		}
		if err != nil {
			return err
		}
		a.say("%d files in %s", n, to.out)
		return nil
	})
}

// exportCSV writes the tables of a results directory, and returns the number of files. It holds few rows of them at a time.
func exportCSV(d *results.Dir, as, out string, force bool) (int, error) {
	public, err := d.Public()
	if err != nil {
		return 0, err
	}
	data, err := record.Read(public)
	if err != nil {
		return 0, err
	}
	res, err := resultOf(d, as)
	if err != nil && !errors.Is(err, results.ErrNotInferred) {
		return 0, err
	}
	w, err := store.Begin(out, force)
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	t := &csvTables{out: w}
	t.table("items.csv", func(c *csv.Writer) error { return itemsCSV(c, &data.Items) })
	if len(data.Covariates) > 0 {
		t.table("subjects.csv", func(c *csv.Writer) error { return subjectsCSV(c, data) })
	}
	if data.Responses.Len() > 0 {
		t.table("responses.csv", func(c *csv.Writer) error { return responsesCSV(c, data) })
	}
	if res != nil && len(res.Diagnostics.Fits) > 0 {
		t.copied("profiles.csv", d, placeOf(as))
		t.table("predictions.csv", func(c *csv.Writer) error { return predictionsCSV(c, res) })
	}
	if res != nil && len(res.Surprises) > 0 {
		t.table("surprises.csv", func(c *csv.Writer) error { return surprisesCSV(c, res.Surprises) })
	}
	if t.err != nil {
		return 0, t.err
	}
	return t.files, w.Commit()
}

// itemsAtOnce is the number of items whose values are unpacked at a time.
const itemsAtOnce = 1 << 12

func itemsCSV(w *csv.Writer, it *record.Items) error {
	header := []string{"item", "suite", "paradigm", "task"}
	for _, c := range it.Columns {
		header = append(header, c.Name)
	}
	var part *record.Items
	return writeRows(w, header, it.Len(), func(i int) []string {
		if i%itemsAtOnce == 0 {
			part = it.Part(i, min(itemsAtOnce, it.Len()-i))
		}
		return append([]string{it.ID[i], it.Suite[i], it.Paradigm[i], it.Task[i]}, cells(part.Columns, i%itemsAtOnce)...)
	})
}

func subjectsCSV(w *csv.Writer, d *record.Dataset) error {
	header := []string{"subject"}
	for _, c := range d.Covariates {
		header = append(header, c.Name)
	}
	return writeRows(w, header, len(d.Subjects), func(i int) []string {
		return append([]string{d.Subjects[i]}, cells(d.Covariates, i)...)
	})
}

func responsesCSV(w *csv.Writer, d *record.Dataset) error {
	header := []string{"subject", "item", "trial", "phase", "pair", "repetition", "position", "measure", "value", "split", "unscored"}
	counted := d.Responses.ContainsFunc(func(r record.Response) bool { return r.Trials > 0 })
	if counted {
		header = append(header, "trials")
	}
	chosen := d.Responses.ContainsFunc(func(r record.Response) bool { return r.Chosen.Went != record.Unrecorded })
	if chosen {
		header = append(header, "choice", "place", "latency", "visited")
	}
	return writeRows(w, header, d.Responses.Len(), func(i int) []string {
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
		if c := r.Chosen; chosen {
			visited := ""
			if c.Visited > 0 {
				visited = d.Visits[c.Visited]
			}
			row = append(row, c.Went.String(), strconv.Itoa(int(c.Place)), strconv.Itoa(int(c.Latency)), visited)
		}
		return row
	})
}

func predictionsCSV(w *csv.Writer, res *infer.Result) error {
	if err := w.Write([]string{"subject", "item", "trial", "repetition", "measure", "p"}); err != nil || res.Predictions == nil {
		return err
	}
	for ps, err := range res.Predictions {
		for _, p := range ps {
			err = cmp.Or(err, w.Write([]string{p.Subject, p.Item, strconv.Itoa(int(p.Trial)), strconv.Itoa(int(p.Repetition)), p.Measure, number(p.P)}))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func surprisesCSV(w *csv.Writer, rows []voe.Surprise) error {
	step := func(x *float64) string {
		if x == nil {
			return ""
		}
		return number(*x)
	}
	return writeRows(w, []string{"observer", "item", "video", "surprise", "max_step", "mean_step"}, len(rows), func(i int) []string {
		s := &rows[i]
		return []string{s.Observer, s.Item, s.Video, number(s.Surprise), step(s.MaxStep), step(s.MeanStep)}
	})
}
