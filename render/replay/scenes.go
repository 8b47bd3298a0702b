package replay

import (
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"strings"

	"achilles/sim/record"
)

// watch fills in the videos of an item of scenes, and the observer's beliefs about them.
func (a *Archive) watch(e *Episode, row int) error {
	item, err := a.scene(row-a.acts.Len(), e.Key.Item)
	if err != nil {
		return err
	}
	w := &Watched{}
	outcomes := a.outcomes(e.Key.Item)
	for i, v := range item.Videos {
		video := Video{Name: record.VideoName(i), Trials: append(slices.Clone(v.Familiarisation), v.Test), Surprise: math.NaN()}
		if i < len(outcomes) {
			video.Outcome = outcomes[i]
		}
		w.Videos = append(w.Videos, video)
	}
	a.addBeliefs(w, e.Key.Item)
	if len(w.Videos) == 2 && w.Videos[0].Outcome == "unexpected" {
		slices.Reverse(w.Videos)
	}
	for k := range w.Videos[0].Trials {
		w.Starts = append(w.Starts, e.Last)
		longest := 0
		for i := range w.Videos {
			if k < len(w.Videos[i].Trials) {
				longest = max(longest, len(w.Videos[i].Trials[k].Path))
			}
		}
		e.Last += longest
		last := &w.Videos[len(w.Videos)-1]
		w.Shared = append(w.Shared, k < len(last.Trials) && reflect.DeepEqual(w.Videos[0].Trials[k], last.Trials[k]))
	}
	e.Last--
	e.Watched, e.Rate = w, watchedRate
	e.Events = w.events()
	return nil
}

// outcomes returns "expected" or "unexpected" for each of an item's videos. It returns nil if that is sealed.
func (a *Archive) outcomes(item string) []string {
	if a.truth == nil {
		return nil
	}
	label := a.truth.Items[item].Episode
	if label == nil {
		return nil
	}
	var list []string
	for _, o := range label.Outcome {
		list = append(list, o.String())
	}
	return list
}

// scene returns the item with the given id, which is item number n of the scenes. Items are sorted by id, and shards
// usually have perShard items. An importer may write shards of other sizes, so scene searches all shards if necessary.
func (a *Archive) scene(n int, item string) (*record.Watched, error) {
	const perShard = 256 // see docs/theory/bib.md
	order := []int{min(n/perShard, len(a.scenes)-1)}
	for i := range a.scenes {
		if i != order[0] {
			order = append(order, i)
		}
	}
	for _, shard := range order {
		if err := a.loadScenes(shard); err != nil {
			return nil, err
		}
		if i, ok := slices.BinarySearchFunc(a.watched, item, func(w record.Watched, item string) int { return strings.Compare(w.Item, item) }); ok {
			return &a.watched[i], nil
		}
	}
	return nil, fmt.Errorf("scenes of item %s: %w", item, fs.ErrNotExist)
}

func (a *Archive) loadScenes(shard int) (err error) {
	if a.shard == shard {
		return nil
	}
	a.shard, a.tables = -1, nil
	if a.watched, err = record.SceneShard(a.public, a.scenes[shard]); err == nil {
		a.shard = shard
	}
	return err
}
