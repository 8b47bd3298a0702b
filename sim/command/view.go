package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"achilles/render/desk"
	"achilles/render/replay"
	"achilles/render/screen"
	"achilles/render/viewer"
)

func (a *app) viewCommand() *cobra.Command {
	var first desk.Wish
	c := &cobra.Command{
		Use:   "view DIR",
		Short: "Watch the episodes of a results directory, what was believed and what was predicted",
		Long: `View opens a window with the episodes of a results directory: a list to search and filter, a replay with a
timeline, what the actor saw, where its profile predicts it to go beside where it went, and the profile itself. Press ?
for the keys. docs/viewer.md shows it all.

What is sealed is shown only where the ledger says that grading has opened the seal.`,
		Example: `  achilles view results/embodied
  achilles view results/embodied --subject body-007 --item i-0000002a`,
		Args: cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&first.Subject, "subject", "", "show an episode of this subject first, by name or id")
	c.Flags().StringVar(&first.Item, "item", "", "show an episode of this item first, by name or id")
	c.RunE = a.do(func(ctx context.Context, args []string) error { return a.view(ctx, args[0], first) })
	return c
}

// view shows a directory in a window.
func (a *app) view(_ context.Context, dir string, first desk.Wish) error {
	archive, err := openArchive(dir)
	if err != nil {
		return err
	}
	if _, err := archive.Find(first.Subject, first.Item); err != nil {
		return errors.Join(err, archive.Close())
	}
	d := desk.Open(filepath.ToSlash(dir), func() (*replay.Archive, error) { return archive, nil }, first)
	defer d.Close()
	return viewer.Run(d, viewer.Options{Title: "Achilles · " + filepath.Base(dir), MinWidth: screen.MinWidth, MinHeight: screen.MinHeight})
}

// openArchive opens the episodes of a results directory.
func openArchive(dir string) (*replay.Archive, error) {
	d, err := openResults(dir)
	if err != nil {
		return nil, err
	}
	defer d.close()
	return replay.Open(os.DirFS(dir))
}
