package replay

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"strings"

	"achilles/infer/voe"
	"achilles/sim/record"
)

// A Watched is an item of which an observer watches videos: familiarisation trials and a test trial, in one video or in
// two that differ in their outcome. Trial k of both videos begins at the same tick; the shorter one waits at its end.
type Watched struct {
	Videos   []Video // expected before unexpected once unsealed; before that a and b
	Starts   []int   // by trial: the tick at which it begins
	Shared   []bool  // by trial: all videos show the same
	Observer string  // whose beliefs the videos have; empty where there are none
}

// A Video is one of the videos of an item.
type Video struct {
	Name     string // a or b
	Outcome  string // expected or unexpected; empty while sealed
	Trials   []record.SceneTrial
	Surprise float64      // of the test trial; NaN where no observer watched
	Beliefs  []GoalBelief // by trial; empty where none are known
}

// A GoalBelief is what an observer believes about the actor's goal in one trial.
type GoalBelief struct {
	Goals  []voe.Share // the probability of every goal after the trial
	Frames []voe.Frame // the same while the trial runs, by frame; empty where it was not kept
}

// Test is the index of the test trial.
func (w *Watched) Test() int { return len(w.Starts) - 1 }

// At is the trial that runs at a tick, and the frame of video v then: its last one where the video has ended.
func (w *Watched) At(v, tick int) (trial, frame int) {
	trial, ok := slices.BinarySearch(w.Starts, tick)
	if !ok {
		trial--
	}
	trial = max(trial, 0)
	return trial, min(tick-w.Starts[trial], len(w.Videos[v].Trials[trial].Path)-1)
}

// BeliefAt is the observer's belief at a frame of a trial; ok is false where none is known.
func (v *Video) BeliefAt(trial, frame int) (f voe.Frame, ok bool) {
	if trial >= len(v.Beliefs) {
		return f, false
	}
	frames := v.Beliefs[trial].Frames
	after, _ := slices.BinarySearchFunc(frames, frame+1, func(f voe.Frame, frame int) int { return int(f.Frame) - frame })
	if after == 0 {
		return f, false
	}
	return frames[after-1], true
}

// Surprise is the surprise of a video by tick, from 0 to the last: voe.Curve of every trial, one after the other. ok is
// false where it is unknown at every tick.
func (w *Watched) Surprise(video, last int) (nats []float64, ok bool) {
	v := &w.Videos[video]
	nats = make([]float64, last+1)
	for k, start := range w.Starts {
		end := last
		if k < w.Test() {
			end = w.Starts[k+1] - 1
		}
		var frames []voe.Frame
		if k < len(v.Beliefs) {
			frames = v.Beliefs[k].Frames
		}
		copy(nats[start:], voe.Curve(frames, end-start))
		ok = ok || len(frames) > 0
	}
	return nats, ok
}

// Title is the outcome of the video, or its name while the outcome is sealed.
func (v *Video) Title() string { return cmp.Or(v.Outcome, v.Name) }

// Identity is the name of a goal as observers write it: icon and colour.
func Identity(s *record.Shape) string {
	return fmt.Sprintf("%s#%02x%02x%02x", s.Icon, s.Colour[0], s.Colour[1], s.Colour[2])
}

// watch opens an item of scenes.
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

// outcomes says which of an item's videos end as expected, by video; none while sealed.
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

// scene finds the n-th item that is watched; items stand in their order, in shards of one size.
func (a *Archive) scene(n int, item string) (*record.Watched, error) {
	const perShard = 256 // docs/theory/bib.md
	order := []int{min(n/perShard, len(a.scenes)-1)}
	for i := range a.scenes { // an importer may have cut them otherwise
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

// An outcomeKey names a video.
type outcomeKey struct{ item, video string }

// observer is whose surprise and beliefs are shown: ours.
const observer = "achilles"

// readSurprises reads the table of surprises, where there is one.
func (a *Archive) readSurprises() {
	rows, err := readTable(a, "surprises.parquet", voe.ReadSurprises)
	if err != nil {
		a.note("surprises are not shown: %v", err)
	}
	a.surprises = map[outcomeKey]voe.Surprise{}
	for _, s := range rows {
		if s.Observer == observer {
			a.surprises[outcomeKey{s.Item, s.Video}] = s
		}
	}
}

// readTable reads a table of inferred/ as its manifest states it; a table that is not listed has no rows.
func readTable[T any](a *Archive, name string, read func(in io.ReaderAt, size int64) ([]T, error)) ([]T, error) {
	files, err := a.inferredFiles()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(files, func(f record.File) bool { return f.Path == name })
	if i < 0 {
		return nil, nil
	}
	data, err := fs.ReadFile(a.dir, inferredPart+"/"+name)
	if err != nil {
		return nil, err
	}
	if record.NewFile(name, data) != files[i] {
		return nil, fmt.Errorf("%s/%s: digest differs from the manifest: the file was changed or is incomplete", inferredPart, name)
	}
	rows, err := read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("%s/%s: %w", inferredPart, name, err)
	}
	return rows, nil
}

// inferredFiles are those that the manifest of inferred/ lists; none where nothing was inferred.
func (a *Archive) inferredFiles() ([]record.File, error) {
	data, err := fs.ReadFile(a.dir, inferredPart+"/manifest.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var m struct{ Files []record.File }
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("%s/manifest.json: %w", inferredPart, err)
	}
	return m.Files, nil
}

// mostSurprising is the greatest surprise of an item's videos, NaN where nobody watched.
func (a *Archive) mostSurprising(item string) float64 {
	most := math.NaN()
	for i := range 2 {
		if s, ok := a.surprises[outcomeKey{item, record.VideoName(i)}]; ok && !(s.Surprise <= most) {
			most = s.Surprise
		}
	}
	return most
}

// observations are what observers made of the items of one shard.
type observations struct {
	convictions []voe.Conviction
	frames      []voe.Frame
}

// addBeliefs fills in the surprise and the beliefs of the observer.
func (a *Archive) addBeliefs(w *Watched, item string) {
	if a.tables == nil {
		a.tables = a.observations(a.shard)
	}
	for i := range w.Videos {
		v := &w.Videos[i]
		if s, ok := a.surprises[outcomeKey{item, v.Name}]; ok {
			v.Surprise, w.Observer = s.Surprise, observer
		}
		beliefs := make([]GoalBelief, len(v.Trials))
		known := false
		for _, c := range a.tables.convictions {
			if c.Item == item && c.Video == v.Name && c.Observer == observer && c.Kind == "goal" && int(c.Trial) < len(beliefs) {
				beliefs[c.Trial].Goals = append(beliefs[c.Trial].Goals, voe.Share{Name: c.Name, P: c.P})
				known = true
			}
		}
		for _, f := range a.tables.frames {
			if f.Item == item && f.Video == v.Name && f.Observer == observer && int(f.Trial) < len(beliefs) {
				beliefs[f.Trial].Frames = append(beliefs[f.Trial].Frames, f)
				known = true
			}
		}
		if known {
			v.Beliefs, w.Observer = beliefs, observer
		}
	}
}

// observations reads the tables of the shard of that number, as far as they are there.
func (a *Archive) observations(shard int) *observations {
	name := fmt.Sprintf("%06d.parquet", shard)
	var o observations
	var err1, err2 error
	o.convictions, err1 = readTable(a, "beliefs/"+name, voe.ReadConvictions)
	o.frames, err2 = readTable(a, "moments/"+name, voe.ReadFrames)
	if err := errors.Join(err1, err2); err != nil {
		a.note("what observers believe is not shown: %v", err)
	}
	return &o
}
