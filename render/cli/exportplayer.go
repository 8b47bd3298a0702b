package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"achilles/render/player"
	"achilles/render/replay"
	"achilles/scenarios/results"
	"achilles/sim/expr"
	"achilles/sim/store"
)

func playerCommand(a *app) *cobra.Command {
	var out string
	var episodes []string
	var force bool
	c := &cobra.Command{
		Use:   "player DIR",
		Short: "Write a web page that plays a few episodes, with predictions and hurdles",
		Long: `Export player writes one HTML file that plays episodes: what happened, what was predicted, and why. Without --episodes it has the
five whose predictions are most wrong, of five subjects where there are as many. The file loads nothing, and opens from a disk or in a frame of another page.`,
		Example: `  achilles export player results/embodied
  achilles export player results/embodied --episodes body-003/worlds-000007,body-007/worlds-000012 --out two.html`,
		Args: cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&out, "out", "", "file to write (default: player.html in DIR)")
	c.Flags().StringSliceVar(&episodes, "episodes", nil, "episodes, each as SUBJECT/ITEM, by name or id (default: the five most wrong)")
	c.Flags().BoolVar(&force, "force", false, "overwrite existing output")
	c.RunE = a.do(func(_ context.Context, args []string) (err error) {
		archive, dir, err := openArchive(args[0])
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, archive.Close()) }()
		for _, n := range archive.Notes {
			a.note("%s: %s", dir, n)
		}
		page, err := playerOf(archive, dir, episodes)
		if err != nil {
			return err
		}
		b, err := page.Page()
		if err != nil {
			return err
		}
		if out == "" {
			out = filepath.Join(args[0], "player.html")
		}
		if err := store.WriteFile(out, b, force); err != nil {
			return err
		}
		a.say("%s, %d kB", out, (len(b)+999)/1000)
		return nil
	})
	return c
}

// playerOf returns a player of the named episodes, or of those that are most wrong.
func playerOf(archive *replay.Archive, dir string, episodes []string) (*player.Player, error) {
	rows, wrong := player.MostWrong(archive, player.Episodes)
	page := &player.Player{Title: filepath.ToSlash(filepath.Clean(dir))}
	switch {
	case len(episodes) > 0:
		rows = nil
	case wrong:
		page.Title += ": the most wrong predictions"
	default:
		page.Title += ": episodes"
	}
	for _, name := range episodes {
		subject, item, ok := strings.Cut(name, "/")
		if !ok {
			return nil, usagef("--episodes %s: want SUBJECT/ITEM", name)
		}
		row, err := archive.Find(subject, item)
		if err != nil {
			return nil, results.Hinted(fmt.Errorf("%s has %w", dir, err), "achilles view %s lists them", expr.Quote(dir))
		}
		rows = append(rows, row)
	}
	for _, row := range rows {
		e, err := archive.Episode(row)
		if err != nil {
			return nil, err
		}
		if err := page.Add(e); err != nil {
			return nil, err
		}
	}
	return page, nil
}
