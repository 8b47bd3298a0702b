package generate

import (
	"fmt"
	"io/fs"

	"achilles/battery"
	"achilles/battery/bib"
	"achilles/battery/bib/format"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/store"
)

// scenesOf returns the public part of a results directory, and the list of the files that have episodes to watch. It
// returns an error if there are none.
func scenesOf(d *results.Dir) (fs.FS, []part.File, error) {
	public, err := d.Public()
	if err != nil {
		return nil, nil, err
	}
	m, err := record.ReadManifest(public)
	if err != nil {
		return nil, nil, err
	}
	shards := record.SceneShards(m)
	if len(shards) == 0 {
		return nil, nil, results.Hinted(fmt.Errorf("%s has no episodes to watch", d.Path(seal.PublicPart)), "achilles generate bib makes some")
	}
	return public, shards, nil
}

// Watched returns all items of a results directory that observers watch. It returns an error if there are none.
func Watched(d *results.Dir) ([]record.Watched, error) {
	public, shards, err := scenesOf(d)
	if err != nil {
		return nil, err
	}
	var all []record.Watched
	for _, f := range shards {
		items, err := record.SceneShard(public, f)
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
	}
	return all, nil
}

// ExportBenchmark opens the seal of a results directory and writes the videos as files of the Baby Intuitions
// Benchmark, with names that give the task and the outcome. Before it writes, it enters in the ledger that the seal was
// opened. most is the largest number of episodes of each task; 0 means all. It returns the number of videos.
func ExportBenchmark(d *results.Dir, out string, most int, force bool) (videos int, err error) {
	public, shards, err := scenesOf(d)
	if err != nil {
		return 0, err
	}
	labels, err := openLabels(d, public)
	if err != nil {
		return 0, err
	}
	w, err := store.Begin(out, force)
	if err != nil {
		return 0, err
	}
	defer w.Abort()
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
			if err := exportVideos(w, &items[i], l); err != nil {
				return 0, err
			}
			videos += len(items[i].Videos)
		}
	}
	return videos, w.Commit()
}

func exportVideos(w *store.Draft, item *record.Watched, l *bib.Label) error {
	for k := range item.Videos {
		v := &item.Videos[k]
		if n := len(v.Familiarisation); n != format.Trials-1 {
			return fmt.Errorf("item %s has %d familiarisation trials; the benchmark's files have %d", l.Item, n, format.Trials-1)
		}
		if err := w.Put(videoFile(l, l.Outcome[k] == battery.Unexpected), format.Write(v)); err != nil {
			return err
		}
	}
	return nil
}

// videoFile returns the name of the file of a video: the name of the imported file if the video was imported, else a
// new name.
func videoFile(l *bib.Label, unexpected bool) string {
	if l.Source == "" {
		return format.FileName(l.Task, l.Index, unexpected)
	}
	if unexpected {
		return l.Source + "u.json"
	}
	return l.Source + "e.json"
}

// Labels opens the seal of a results directory, enters that in the ledger, and returns what its episodes are by their items.
func Labels(d *results.Dir) (map[string]*bib.Label, error) {
	public, _, err := scenesOf(d)
	if err != nil {
		return nil, err
	}
	return openLabels(d, public)
}

// openLabels opens the seal, enters that in the ledger, and returns the labels by item. A label says which outcome of
// the item is expected.
func openLabels(d *results.Dir, public fs.FS) (map[string]*bib.Label, error) {
	manifest, err := fs.ReadFile(public, "manifest.json")
	if err != nil {
		return nil, err
	}
	m, err := record.ReadManifest(public)
	if err != nil {
		return nil, err
	}
	if !d.Has(seal.SealedPart) {
		return nil, fmt.Errorf("%s has no sealed part: file names need the expected outcomes, which are unknown", d)
	}
	sealed, err := d.FS(seal.SealedPart)
	if err != nil {
		return nil, err
	}
	truth, err := seal.Open(sealed, m.Parents[part.Sealed])
	if err != nil {
		return nil, err
	}
	if err := d.Enter("export", map[string]string{seal.PublicPart: part.NewFile("", manifest).SHA256, seal.SealedPart: truth.Digest}, nil); err != nil {
		return nil, err
	}
	labels := map[string]*bib.Label{}
	for _, l := range truth.Episodes() {
		labels[l.Item] = &l
	}
	return labels, nil
}
