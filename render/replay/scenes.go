package replay

import (
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"strings"

	"achilles/sim/part"
	"achilles/sim/record"
)

// watch fills in the videos of an item of scenes, and the observer's beliefs about them.
func (a *Archive) watch(e *Episode, row int) error {
	item, err := a.scenes.item(row-a.acts.Len(), e.Key.Item)
	if err != nil {
		return err
	}
	w := &Watched{}
	outcomes := a.sealed.outcomes(e.Key.Item)
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

// A shelf has the scenes that observers watch, one shard at a time.
type shelf struct {
	public  fs.FS
	shards  []part.File
	shard   int // number of the shard that the field watched has; −1: none
	watched []record.Watched
}

// item returns the item with the given id, which is item number n of the scenes. Items are sorted by id, and shards
// usually have perShard items. An importer may write shards of other sizes, so item searches all shards if necessary.
func (s *shelf) item(n int, item string) (*record.Watched, error) {
	const perShard = 256 // see docs/theory/bib.md
	order := []int{min(n/perShard, len(s.shards)-1)}
	for i := range s.shards {
		if i != order[0] {
			order = append(order, i)
		}
	}
	for _, shard := range order {
		if err := s.load(shard); err != nil {
			return nil, err
		}
		if i, ok := slices.BinarySearchFunc(s.watched, item, func(w record.Watched, item string) int { return strings.Compare(w.Item, item) }); ok {
			return &s.watched[i], nil
		}
	}
	return nil, fmt.Errorf("scenes of item %s: %w", item, fs.ErrNotExist)
}

func (s *shelf) load(shard int) (err error) {
	if s.shard == shard {
		return nil
	}
	s.shard = -1
	if s.watched, err = record.SceneShard(s.public, s.shards[shard]); err == nil {
		s.shard = shard
	}
	return err
}
