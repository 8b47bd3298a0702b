package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"achilles/scenarios/generate"
	"achilles/scenarios/results"
	"achilles/scenarios/setting"
)

// An episodesImport has the settings of import bib.
type episodesImport struct {
	Out   string `setting:"out,flag" doc:"results directory to write (required)"`
	Jobs  int    `setting:"jobs,flag" limits:"[0, 10000]" doc:"shards of episodes processed in parallel (default: one per processor); results do not depend on it"`
	Skip  bool   `setting:"skip-broken,flag" doc:"leave out episodes whose files cannot be read, and report them"`
	Force bool   `setting:"force,flag" doc:"overwrite existing output"`
}

func importEpisodesCommand(a *app) *cobra.Command {
	m := &episodesImport{}
	c := &cobra.Command{
		Use:   "bib FOLDER --out DIR",
		Short: "Make a results directory from episodes in the format of the Baby Intuitions Benchmark",
		Long: `Import bib reads a folder of the benchmark's own files, one per video, named by six digits, two letters, e or u, and .json, and
writes DIR/public, where episodes have opaque ids, and DIR/sealed, which has what the names say: the task and which
outcome is expected. Faults that files of the benchmark are known to have are corrected and reported. The task is read
from the name of a folder around the files, as in the benchmark and its archives, or from the two letters.`,
		Example: `  achilles import bib episodes --out results/real`,
		Args:    cobra.ExactArgs(1),
	}
	setting.Of(m).Flags(c.Flags())
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if m.Out == "" {
			return usagef("import bib needs --out: the directory to write")
		}
		m.Jobs = cmp.Or(m.Jobs, runtime.GOMAXPROCS(0))
		return results.Write(m.Out, func(d *results.Dir) error { return m.importEpisodes(ctx, a, d, args[0]) })
	})
	return c
}

func (m *episodesImport) importEpisodes(ctx context.Context, a *app, d *results.Dir, folder string) error {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is not a folder", folder)
	}
	shipped, err := loadScenario("bib", nil, newMeasuring()) // the shipped scenario has the values that were published on these files
	if err != nil {
		return err
	}
	b, err := generate.OpenBenchmark(ctx, os.DirFS(folder), folderName(folder), m.Skip)
	if err != nil {
		return err
	}
	s, err := b.Session(shipped.Published)
	if err != nil {
		return err
	}
	err = s.PublishInto(ctx, d, "import", m.Jobs, a.progress("import"), m.Force)
	for _, n := range b.Notes() {
		a.note("%s", n)
	}
	if err != nil {
		return err
	}
	if err := keepCards(d, nil); err != nil {
		return err
	}
	episodes, tasks := b.Count()
	a.say("%d episodes of %d tasks; public and sealed in %s", episodes, tasks, d)
	return nil
}

// folderName returns the name of a folder, also if its path is . or ..
func folderName(folder string) string {
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	return filepath.Base(folder)
}
