package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"achilles/agents/external/observer"
	"achilles/battery"
	"achilles/battery/bib"
	"achilles/battery/bib/format"
	"achilles/scenarios/seal"
	"achilles/sim/record"
	"achilles/sim/store"
)

func (a *app) exportEpisodesCommand() *cobra.Command {
	var out string
	var episodes int
	var force bool
	c := &cobra.Command{
		Use:   "bib DIR --out FOLDER",
		Short: "Write episodes in the format of the Baby Intuitions Benchmark",
		Long: `Export bib writes the episodes of a results directory as the benchmark's files have them: a folder a task, one JSON
file a video, its frames in pixels. A video takes about two megabytes. The names say which outcome is expected, so the
seal is opened, and the ledger says so.`,
		Example: `  achilles export bib results/bib --episodes 1 --out episodes`,
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&out, "out", "", "folder to write (required)")
	c.Flags().IntVar(&episodes, "episodes", 0, "write at most so many of each task (default: all)")
	c.Flags().BoolVar(&force, "force", false, "overwrite what is there")
	c.RunE = a.do(func(_ context.Context, args []string) error {
		if out == "" {
			return usagef("export bib needs --out: where to write")
		}
		if episodes < 0 {
			return usagef("--episodes is %d; it must be at least 1, or left out", episodes)
		}
		d, err := openResults(args[0])
		if err != nil {
			return err
		}
		defer d.close()
		n, err := d.exportEpisodes(out, episodes, force)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%d videos in %s\n", n, out)
		return nil
	})
	return c
}

// exportEpisodes opens the seal and writes the videos of at most so many episodes of each task (0: all) under names
// that say what they are. It returns the number of videos.
func (d *results) exportEpisodes(out string, most int, force bool) (videos int, err error) {
	shards, public, err := d.scenes()
	if err != nil {
		return 0, err
	}
	labels, err := d.openLabels(public)
	if err != nil {
		return 0, err
	}
	stage, err := store.NewStage(out, force)
	if err != nil {
		return 0, overwriteHint(err)
	}
	defer stage.Abort()
	written := map[bib.Task]int{}
	for _, f := range shards {
		items, err := record.SceneShard(public, f)
		if err != nil {
			return 0, err
		}
		for i := range items {
			l, ok := labels[items[i].Item]
			if !ok || len(l.Outcome) != len(items[i].Videos) {
				return 0, fmt.Errorf("item %s has no label that fits", items[i].Item)
			}
			if most > 0 && written[l.Task] == most {
				continue
			}
			written[l.Task]++
			for k := range items[i].Videos {
				if len(items[i].Videos[k].Familiarisation) != format.Trials-1 {
					return 0, fmt.Errorf("item %s has %d familiarisation trials; the benchmark's files have %d", l.Item, len(items[i].Videos[k].Familiarisation), format.Trials-1)
				}
				if err := stage.Put(videoFile(l, l.Outcome[k] == battery.Unexpected), format.Write(&items[i].Videos[k])); err != nil {
					return 0, err
				}
				videos++
			}
		}
	}
	return videos, stage.Commit()
}

// videoFile is the name under which a video is written: that of the file from which it was read, if there was one.
func videoFile(l *bib.Label, unexpected bool) string {
	if l.Source == "" {
		return format.FileName(l.Task, l.Index, unexpected)
	}
	if unexpected {
		return l.Source + "u.json"
	}
	return l.Source + "e.json"
}

// scenes lists the shards of scenes of a results directory.
func (d *results) scenes() ([]record.File, fs.FS, error) {
	public, err := d.public()
	if err != nil {
		return nil, nil, err
	}
	m, err := record.ReadManifest(public)
	if err != nil {
		return nil, nil, err
	}
	shards := record.SceneShards(m)
	if len(shards) == 0 {
		return nil, nil, hinted(fmt.Errorf("%s has no episodes to watch", d.path("public")), "achilles generate bib makes some")
	}
	return shards, public, nil
}

// openLabels opens the seal, which it enters into the ledger first, and returns the labels by item.
func (d *results) openLabels(public fs.FS) (map[string]*bib.Label, error) {
	m, err := record.ReadManifest(public)
	if err != nil {
		return nil, err
	}
	digest, err := manifestDigest(public)
	if err != nil {
		return nil, err
	}
	if !d.has("sealed") {
		return nil, fmt.Errorf("%s has no sealed part: nothing says which outcome is expected, and the names of the files do", d.dir)
	}
	sealed, err := d.root("sealed")
	if err != nil {
		return nil, err
	}
	truth, err := seal.Open(sealed, m.Sealed)
	if err != nil {
		return nil, err
	}
	if err := d.enter("export", map[string]string{seal.PublicPart: digest, seal.SealedPart: truth.Digest}, nil); err != nil {
		return nil, err
	}
	labels := map[string]*bib.Label{}
	for _, l := range truth.Episodes() {
		labels[l.Item] = &l
	}
	return labels, nil
}

func (a *app) exportVideosCommand() *cobra.Command {
	var out string
	var force bool
	c := &cobra.Command{
		Use:   "videos DIR --out FILE",
		Short: "Write episodes as questions to an observer of your own, one video a line of JSON",
		Long: `Export videos writes every video of DIR/public as a line of JSON, under a name that does not tell what is expected.
An observer of your own answers each with {"video": "…", "surprise": 1.5}; achilles infer DIR --surprises NAME=FILE
reads the answers, and achilles score grades them beside the others. docs/theory/bib.md has the format.`,
		Example: `  achilles export videos results/bib --out questions.jsonl`,
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&out, "out", "", "file to write (required)")
	c.Flags().BoolVar(&force, "force", false, "overwrite what is there")
	c.RunE = a.do(func(_ context.Context, args []string) error {
		if out == "" {
			return usagef("export videos needs --out: the file to write")
		}
		d, err := openResults(args[0])
		if err != nil {
			return err
		}
		defer d.close()
		return a.exportVideos(d, out, force)
	})
	return c
}

func (a *app) exportVideos(d *results, out string, force bool) error {
	shards, public, err := d.scenes()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(out); err == nil && !force {
		return overwriteHint(fmt.Errorf("%s %w", out, store.ErrExists))
	}
	var items []record.Watched
	videos := 0
	for _, f := range shards {
		part, err := record.SceneShard(public, f)
		if err != nil {
			return err
		}
		for i := range part {
			videos += len(part[i].Videos)
		}
		items = append(items, part...)
	}
	partial := out + ".partial"
	f, err := os.Create(partial)
	if err != nil {
		return err
	}
	err = errors.Join(observer.Write(f, items), f.Close())
	if err == nil {
		err = os.Rename(partial, out)
	}
	if err != nil {
		_ = os.Remove(partial) // the first error is what the user needs
		return err
	}
	fmt.Fprintf(a.stdout, "%d videos in %s\n", videos, out)
	return nil
}
