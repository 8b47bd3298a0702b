package cli

import (
	"bytes"
	"context"

	"github.com/spf13/cobra"

	"achilles/agents/external/observer"
	"achilles/scenarios/generate"
	"achilles/sim/record"
)

func exportEpisodesCommand(a *app) *cobra.Command {
	var episodes int
	c := &cobra.Command{
		Use:   "bib DIR --out FOLDER",
		Short: "Write episodes in the format of the Baby Intuitions Benchmark",
		Long: `Export bib writes the episodes of a results directory in the benchmark's file format: one folder per task, one JSON
file per video, its frames in pixels. A video takes about two megabytes. The names say which outcome is expected, so the
seal is opened, and the ledger says so.`,
		Example: `  achilles export bib results/bib --episodes 1 --out episodes`,
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().IntVar(&episodes, "episodes", 0, "write at most this many episodes of each task (default: all)")
	return a.writes(c, "folder", "", func(_ context.Context, args []string, to destination) error {
		if episodes < 0 {
			return usagef("--episodes is %d; it must be at least 1, or left out", episodes)
		}
		d, err := openChecked(args[0])
		if err != nil {
			return err
		}
		defer d.Close()
		n, err := generate.ExportBenchmark(d, to.out, episodes, to.force)
		if err != nil {
			return err
		}
		a.say("%d videos in %s", n, to.out)
		return nil
	})
}

func exportVideosCommand(a *app) *cobra.Command {
	var form string
	c := &cobra.Command{
		Use:   "videos DIR --out FILE",
		Short: "Write episodes as questions to an observer of your own, one line of JSON per video",
		Long: `Export videos writes every video of DIR/public as a line of JSON, under a name that does not reveal which outcome is expected.
An observer of your own answers each with {"video": "…", "surprise": 1.5}; achilles infer DIR --surprises NAME=FILE
reads the answers, and achilles score grades them beside the others. docs/theory/bib.md has the format.`,
		Example: `  achilles export videos results/bib --out questions.jsonl
  achilles export videos results/bib --form text --out questions.jsonl`,
		Args: cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&form, "form", string(observer.Pixels), "pixels: the position of everything in every frame; or text: worlds drawn in letters, to be read")
	return a.writes(c, "file", "", func(_ context.Context, args []string, to destination) error {
		if f := observer.Form(form); f != observer.Pixels && f != observer.Text {
			return usagef("--form %q: want %s or %s", form, observer.Pixels, observer.Text)
		}
		items, err := watchedIn(args[0])
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := observer.Write(&b, items, observer.Form(form)); err != nil {
			return err
		}
		if err := to.file(b.Bytes()); err != nil {
			return err
		}
		a.say("%d videos in %s", bytes.Count(b.Bytes(), []byte("\n")), to.out)
		return nil
	})
}

func exportArraysCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "arrays DIR --out FILE",
		Short: "Write episodes as NumPy arrays, for observers that learn",
		Long: `Export arrays writes every video of DIR/public to a file that numpy.load reads: the place of the actor in every frame,
and masks that say what is where, for every fifth frame. Generate background tasks to learn from; nothing in the file says
what is expected. docs/theory/bib.md has the arrays, and docs/examples/bib-baseline learns from them.`,
		Example: `  achilles export arrays results/bib --out episodes.npz`,
		Args:    cobra.ExactArgs(1),
	}
	return a.writes(c, "file", "", func(_ context.Context, args []string, to destination) error {
		items, err := watchedIn(args[0])
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := observer.WriteArrays(&b, items); err != nil {
			return err
		}
		if err := to.file(b.Bytes()); err != nil {
			return err
		}
		a.say("%d episodes in %s", len(items), to.out)
		return nil
	})
}

// watchedIn returns the episodes of a results directory as observers see them.
func watchedIn(dir string) ([]record.Watched, error) {
	d, err := openChecked(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return generate.Watched(d)
}
