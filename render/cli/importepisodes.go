package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"achilles/scenarios/generate"
	"achilles/scenarios/results"
)

func (a *app) importEpisodesCommand() *cobra.Command {
	m := &making{}
	var skip bool
	c := &cobra.Command{
		Use:   "bib FOLDER --out DIR",
		Short: "Make a results directory of episodes in the format of the Baby Intuitions Benchmark",
		Long: `Import bib reads a folder of the benchmark's own files, one per video, named by six digits, two letters, e or u, and .json, and
writes DIR/public, where episodes have opaque ids, and DIR/sealed, which has what the names say: the task and which
outcome is expected. Faults that files of the benchmark are known to have are put right and reported. The task is told
by the name of a folder around the files, as the benchmark and its archives have them, or by the two letters.`,
		Example: `  achilles import bib episodes --out results/real`,
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&m.out, "out", "", "results directory to write (required)")
	c.Flags().IntVar(&m.jobs, "jobs", 0, "shards of episodes processed in parallel (default: one per processor); results do not depend on it")
	c.Flags().BoolVar(&skip, "skip-broken", false, "leave out episodes whose files cannot be read, and report them")
	c.Flags().BoolVar(&m.force, "force", false, "overwrite what is there")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if m.out == "" {
			return usagef("import bib needs --out: where to write")
		}
		if err := m.checkJobs(); err != nil {
			return err
		}
		return results.Write(m.out, func(d *results.Dir) error { return a.importEpisodes(ctx, d, args[0], skip, m) })
	})
	return c
}

func (a *app) importEpisodes(ctx context.Context, d *results.Dir, folder string, skip bool, m *making) error {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is no folder", folder)
	}
	shipped, err := loadScenario("bib", nil, newMeasuring()) // the shipped scenario has the values that were published on these files
	if err != nil {
		return err
	}
	b, err := generate.OpenBenchmark(ctx, os.DirFS(folder), folderName(folder), skip)
	if err != nil {
		return err
	}
	s, err := b.Session(shipped.Published)
	if err != nil {
		return err
	}
	err = s.PublishInto(ctx, d, "import", m.jobs, a.progress("import"), m.force)
	for _, n := range b.Notes() {
		a.note("%s", n)
	}
	if err != nil {
		return err
	}
	episodes, tasks := b.Count()
	fmt.Fprintf(a.stdout, "%d episodes of %d tasks; public and sealed in %s\n", episodes, tasks, d)
	return nil
}

// folderName returns the name of a folder, also if its path is . or ..
func folderName(folder string) string {
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	return filepath.Base(folder)
}
