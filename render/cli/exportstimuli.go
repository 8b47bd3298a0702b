package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"achilles/render/canvas"
	"achilles/render/picture"
	"achilles/scenarios/generate"
	"achilles/sim/record"
	"achilles/sim/store"
)

// A stimuliOrder has the values of the flags of export stimuli.
type stimuliOrder struct {
	destination
	key      string
	episodes int
}

func exportStimuliCommand(a *app) *cobra.Command {
	o := &stimuliOrder{}
	c := &cobra.Command{
		Use:   "stimuli DIR --out FOLDER",
		Short: "Write episodes as films to show to people, one file per trial",
		Long: `Export stimuli writes every trial of DIR/public as an animated GIF of 200 × 200 pixels and 25 frames a second, without titles,
paths or frames around it, and FOLDER/stimuli.csv, which lists them. The two outcomes of an episode are two files, test-a and
test-b; which of them is expected stays sealed. --key FILE opens the seal, which the ledger records, and writes tasks and
outcomes into a file outside of FOLDER.`,
		Example: `  achilles export stimuli results/bib --episodes 2 --out stimuli
  achilles export stimuli results/bib --episodes 2 --out stimuli --key key.csv --force`,
		Args: cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&o.key, "key", "", "file for tasks and expected outcomes; opens the seal")
	c.Flags().IntVar(&o.episodes, "episodes", 0, "write at most this many episodes (default: all)")
	return a.writes(c, "folder", "", func(ctx context.Context, args []string, to destination) error {
		o.destination = to
		return o.write(ctx, a, args[0])
	})
}

// A stimulus is a file of a trial.
type stimulus struct {
	file, item, video, phase string
	trial, frames            int
}

// write writes the trials of a results directory, and the key if it is wanted.
func (o *stimuliOrder) write(ctx context.Context, a *app, dir string) error {
	if o.episodes < 0 {
		return usagef("--episodes is %d; it must be at least 1, or left out", o.episodes)
	}
	if o.key != "" {
		within, err := filepath.Rel(o.out, o.key)
		if err == nil && within != ".." && !strings.HasPrefix(within, ".."+string(filepath.Separator)) {
			return usagef("--key %s is inside of %s: whoever gets the stimuli would have it", o.key, o.out)
		}
	}
	d, err := openChecked(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	items, err := generate.Watched(d)
	if err != nil {
		return err
	}
	if o.episodes > 0 {
		items = items[:min(o.episodes, len(items))]
	}
	w, err := store.Begin(o.out, o.force)
	if err != nil {
		return err
	}
	defer w.Abort()
	var list []stimulus
	for i := range items {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		of, err := writeStimuli(w, &items[i])
		if err != nil {
			return err
		}
		list = append(list, of...)
	}
	if err := w.Put("stimuli.csv", csvOf([]string{"file", "item", "video", "phase", "trial", "frames", "seconds"}, list, func(s stimulus) []string {
		return []string{s.file, s.item, s.video, s.phase, strconv.Itoa(s.trial), strconv.Itoa(s.frames), number(float64(s.frames) / 25)}
	})); err != nil {
		return err
	}
	var key []byte
	if o.key != "" {
		labels, err := generate.Labels(d)
		if err != nil {
			return err
		}
		tests := []stimulus{}
		for _, s := range list {
			if s.phase == "test" && labels[s.item] != nil {
				tests = append(tests, s)
			}
		}
		key = csvOf([]string{"file", "item", "video", "task", "outcome"}, tests, func(s stimulus) []string {
			l := labels[s.item]
			return []string{s.file, s.item, s.video, string(l.Task), l.Outcome[int(s.video[0]-'a')].String()}
		})
	}
	if err := w.Commit(); err != nil {
		return err
	}
	if key != nil {
		if err := store.WriteFile(o.key, key, o.force); err != nil {
			return err
		}
	}
	a.say("%d films of %d episodes in %s", len(list), len(items), o.out)
	return nil
}

// csvOf returns a table of a list.
func csvOf(header []string, list []stimulus, row func(s stimulus) []string) []byte {
	var b bytes.Buffer
	c := csv.NewWriter(&b)
	_ = writeRows(c, header, len(list), func(i int) []string { return row(list[i]) }) // memory takes all
	c.Flush()
	return b.Bytes()
}

// writeStimuli writes the trials of an item. Familiarisation that both videos share is written once.
func writeStimuli(w *store.Draft, item *record.Watched) (list []stimulus, err error) {
	err = eachTrial(item, func(v int, s stimulus, t *record.SceneTrial) error {
		if v > 0 && s.video == "" {
			return nil
		}
		b, err := film(t)
		if err != nil {
			return err
		}
		s.file = item.Item + "/" + s.file
		list = append(list, s)
		return w.Put(s.file, b)
	})
	return list, err
}

// film returns a trial as people are shown it.
func film(t *record.SceneTrial) ([]byte, error) {
	var b bytes.Buffer
	err := canvas.EncodeGIF(&b, picture.Stimulus(t))
	return b.Bytes(), err
}

// eachTrial calls f for every trial of the videos of an item. A trial that both videos have has the same file in both, and no video.
func eachTrial(item *record.Watched, f func(v int, s stimulus, t *record.SceneTrial) error) error {
	for v := range item.Videos {
		name, video := record.VideoName(v), &item.Videos[v]
		for k := range video.Familiarisation {
			t := &video.Familiarisation[k]
			s := stimulus{item: item.Item, phase: "familiarisation", trial: k + 1, frames: len(t.Path), file: fmt.Sprintf("familiarisation-%d.gif", k+1)}
			if len(item.Videos) > 1 && !sameTrial(item, k) {
				s.video, s.file = name, fmt.Sprintf("familiarisation-%d-%s.gif", k+1, name)
			}
			if err := f(v, s, t); err != nil {
				return err
			}
		}
		test := stimulus{item: item.Item, phase: "test", video: name, trial: len(video.Familiarisation) + 1, frames: len(video.Test.Path), file: "test-" + name + ".gif"}
		if err := f(v, test, &video.Test); err != nil {
			return err
		}
	}
	return nil
}

// sameTrial reports whether the two videos of an item have the same trial k of familiarisation.
func sameTrial(item *record.Watched, k int) bool {
	b := item.Videos[1].Familiarisation
	return k < len(b) && reflect.DeepEqual(item.Videos[0].Familiarisation[k], b[k])
}
