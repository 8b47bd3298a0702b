package replay

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"achilles/infer"
	"achilles/infer/voe"
	"achilles/sim/part"
	"achilles/sim/record"
)

// defaultObserver is the observer whose surprise and beliefs are shown first, if it watched any of the episodes.
const defaultObserver = "achilles"

// readSurprises reads the table of surprises, if there is one.
func (a *Archive) readSurprises() {
	rows, err := readTable[voe.Surprise](a, "surprises.parquet")
	if err != nil {
		a.note("surprises are not shown: %v", err)
	}
	for i := range rows {
		if !slices.Contains(a.Observers, rows[i].Observer) {
			a.Observers = append(a.Observers, rows[i].Observer)
		}
	}
	slices.SortStableFunc(rows, func(x, y voe.Surprise) int { return cmp.Compare(x.Item, y.Item) })
	a.surprises = rows
	if len(a.Observers) > 0 && !slices.Contains(a.Observers, defaultObserver) {
		a.Observer = a.Observers[0]
		return
	}
	a.Observer = defaultObserver
}

// Observe chooses an observer. The rows, and the episodes that are opened from now on, have the surprises and beliefs
// of this observer. Observe replaces Rows by another slice. It changes nothing if the name is not among Observers.
func (a *Archive) Observe(observer string) {
	if !slices.Contains(a.Observers, observer) {
		return
	}
	a.Observer = observer
	a.Rows = slices.Clone(a.Rows)
	for i := range a.Rows {
		if a.isScene(i) {
			a.Rows[i].Surprise = a.surprises.most(a.Observer, a.keys[i].Item)
		}
	}
}

// readTable reads a table of inferred/ and compares its digest with that in the manifest. It returns nil if there is no
// manifest, or if the manifest does not list the table.
func readTable[T any](a *Archive, name string) ([]T, error) {
	dir, err := fs.Sub(a.dir, inferredPart)
	if err != nil {
		return nil, err
	}
	m, err := part.ReadManifest(dir, part.Inferred)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s/%w", inferredPart, err)
	}
	return infer.ReadRows[T](dir, m, name)
}

// surprises are those of all observers, sorted by item.
type surprises []voe.Surprise

// find returns the row of an observer and a video of an item; nil if the observer did not watch the video.
func (all surprises) find(observer, item, video string) *voe.Surprise {
	i, _ := slices.BinarySearchFunc(all, item, func(s voe.Surprise, item string) int { return cmp.Compare(s.Item, item) })
	for ; i < len(all) && all[i].Item == item; i++ {
		if s := &all[i]; s.Video == video && s.Observer == observer {
			return s
		}
	}
	return nil
}

// of returns the surprise of an observer at a video of an item. It returns NaN if the observer did not watch the video.
func (all surprises) of(observer, item, video string) float64 {
	if s := all.find(observer, item, video); s != nil {
		return s.Surprise
	}
	return math.NaN()
}

// most returns the larger surprise of an item's two videos. It returns NaN if the observer did not watch them.
func (all surprises) most(observer, item string) float64 {
	most := math.NaN()
	for i := range 2 {
		if s := all.of(observer, item, record.VideoName(i)); !math.IsNaN(s) && !(s <= most) {
			most = s
		}
	}
	return most
}

// observations has the beliefs of observers about the items of one shard: after each trial, and frame by frame.
type observations struct {
	shard       int
	convictions []voe.Conviction
	frames      []voe.Frame
}

// addBeliefs fills in the surprise and the beliefs of the chosen observer about an item.
func (a *Archive) addBeliefs(w *Watched, item string) {
	if a.tables == nil || a.tables.shard != a.scenes.shard {
		a.tables = a.observations(a.scenes.shard)
	}
	for i := range w.Videos {
		v := &w.Videos[i]
		if v.Surprise = a.surprises.of(a.Observer, item, v.Name); !math.IsNaN(v.Surprise) {
			w.Observer = a.Observer
		}
		if s := a.surprises.find(a.Observer, item, v.Name); s != nil && s.Goal != nil {
			v.Expected = *s.Goal
			if s.Path != nil && json.Unmarshal([]byte(*s.Path), &v.Path) != nil {
				v.Path = nil
			}
		}
		beliefs := make([]ObserverBelief, len(v.Trials))
		known := false
		for _, c := range a.tables.convictions {
			if c.Item == item && c.Video == v.Name && c.Observer == a.Observer && int(c.Trial) < len(beliefs) {
				b := &beliefs[c.Trial]
				of := map[string]*[]voe.Share{"goal": &b.Goals, "preference": &b.Preference, "manner": &b.Manner}[c.Kind]
				if of != nil {
					*of = append(*of, voe.Share{Name: c.Name, P: c.P})
					known = true
				}
			}
		}
		for _, f := range a.tables.frames {
			if f.Item == item && f.Video == v.Name && f.Observer == a.Observer && int(f.Trial) < len(beliefs) {
				beliefs[f.Trial].Frames = append(beliefs[f.Trial].Frames, f)
				known = true
			}
		}
		if known {
			v.Beliefs, w.Observer = beliefs, a.Observer
		}
	}
}

// observations reads the tables of a shard. A table that does not exist is empty.
func (a *Archive) observations(shard int) *observations {
	name := fmt.Sprintf("%06d.parquet", shard)
	o := observations{shard: shard}
	var err1, err2 error
	o.convictions, err1 = readTable[voe.Conviction](a, "beliefs/"+name)
	o.frames, err2 = readTable[voe.Frame](a, "moments/"+name)
	if err := errors.Join(err1, err2); err != nil {
		a.note("what observers believe is not shown: %v", err)
	}
	return &o
}
