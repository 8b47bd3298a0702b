package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"achilles/render/canvas"
	"achilles/render/replay"
	"achilles/render/viewer"
	"achilles/render/viewer/window"
	"achilles/render/web"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/record"
)

func viewCommand(a *app) *cobra.Command {
	var first viewer.Options
	var browser bool
	c := &cobra.Command{
		Use:   "view DIR",
		Short: "Watch the episodes of a results directory, what was believed and what was predicted",
		Long: `View opens a window with the episodes of a results directory: a list to search and filter, a replay with a
timeline, the actor's field of view, predicted and actual paths, and the profile. Press ?
for the keys, which are listed below. docs/guide/viewer.md shows it all.

Without a display, or with --browser, the same viewer is served to browsers from this machine, to anyone with the
printed address, until it is interrupted. It draws here, so that the browser needs no WebAssembly.

Sealed data are shown only if the ledger records that scoring has opened the seal.

Keys:
` + viewer.Keys(),
		Example: `  achilles view results/embodied
  achilles view results/embodied --subject body-003 --item worlds-000007
  achilles view results/embodied --browser`,
		Args: cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&first.Subject, "subject", "", "show an episode of this subject first, by name or id")
	c.Flags().StringVar(&first.Item, "item", "", "show an episode of this item first, by name or id")
	c.Flags().BoolVar(&browser, "browser", false, "serve it to a browser, whether there is a display or not")
	c.RunE = a.do(func(ctx context.Context, args []string) error { return viewEpisodes(ctx, a, args[0], first, browser) })
	return c
}

// viewEpisodes shows the episodes of a results directory in a window or a browser.
func viewEpisodes(ctx context.Context, a *app, dir string, first viewer.Options, browser bool) error {
	asked := dir
	archive, dir, err := openArchive(asked)
	if err != nil {
		return err
	}
	for _, n := range archive.Notes {
		a.note("%s: %s", dir, n)
	}
	if _, err := archive.Find(first.Subject, first.Item); err != nil {
		err = results.Hinted(fmt.Errorf("%s has %w", dir, err), "without --subject and --item the viewer lists all episodes")
		return errors.Join(err, archive.Close())
	}
	first.Title = filepath.ToSlash(filepath.Clean(dir))
	if dir != asked {
		of := ofBodies(asked, archive)
		first.Title += "   ·   " + of
		a.note("%s: the same subjects as %s", dir, of)
	}
	if browser {
		return errors.Join(archive.Close(), viewInBrowser(ctx, a, dir, first))
	}
	v := viewer.Open(first, func() (*replay.Archive, error) { return archive, nil })
	err = window.Run(until{v, ctx}, window.Options{Title: "Achilles · " + first.Title, MinWidth: viewer.LeastWidth, MinHeight: viewer.LeastHeight})
	v.Close()
	if errors.Is(err, window.ErrNoDisplay) {
		a.note("%v", err)
		return viewInBrowser(ctx, a, dir, first)
	}
	return err
}

// An until is a view that closes when its context ends, so that an interrupt closes the window.
type until struct {
	canvas.View
	ctx context.Context
}

// Update implements canvas.View.
func (u until) Update(in canvas.Input) (revision uint64, done bool) {
	revision, done = u.View.Update(in)
	return revision, done || u.ctx.Err() != nil
}

// openArchive opens the episodes of a results directory. If it has no episodes, openArchive opens those of its
// subdirectory results.BodiesPart, where the same subjects have bodies. at is the directory whose episodes were opened.
// Damage in the public or the inferred part is an error.
func openArchive(dir string) (archive *replay.Archive, at string, err error) {
	d, err := results.Open(dir)
	if err != nil {
		return nil, dir, err
	}
	defer d.Close()
	if err := d.Check(); err != nil {
		return nil, dir, err
	}
	archive, err = replay.Open(os.DirFS(dir))
	if errors.Is(err, replay.ErrNoEpisodes) {
		if d.Has(results.BodiesPart) {
			return openArchive(d.Path(results.BodiesPart))
		}
		err = results.Hinted(fmt.Errorf("%s: %w", dir, err), "achilles report %s makes its page, where Most wrong says what fails and why; achilles run embodied makes a directory with episodes", expr.Quote(dir))
	}
	return archive, dir, err
}

// ofBodies says on how many items the episodes of bodies are, and that the results beside them are of others.
func ofBodies(dir string, bodies *replay.Archive) string {
	text := "bodies on " + num.Counted(bodies.Items(), "item")
	if data, err := record.Tables(os.DirFS(filepath.Join(dir, seal.PublicPart))); err == nil {
		text += fmt.Sprintf(", not the %s of %s", num.Count(data.Items.Len()), filepath.Base(filepath.Clean(dir)))
	}
	return text
}

// viewInBrowser serves the viewer of a directory until the context ends. It refuses names and links that lead out of
// the directory.
func viewInBrowser(ctx context.Context, a *app, dir string, first viewer.Options) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return serveSite(ctx, a, &web.Site{
		Title: first.Title, MinWidth: viewer.LeastWidth, MinHeight: viewer.LeastHeight,
		Open: func(place string) (canvas.View, func()) {
			v := viewer.Open(first.At(place), func() (*replay.Archive, error) { return replay.Open(root.FS()) })
			return v, v.Close
		},
	})
}

// serveSite serves a site and prints its address. It runs until the user interrupts it.
func serveSite(ctx context.Context, a *app, site *web.Site) error {
	return web.Serve(ctx, site, func(address string) {
		a.note("%s   (interrupt to end)", address)
	})
}
