package voe

import (
	"bytes"
	"fmt"
	"io"

	"achilles/sim/record"

	"github.com/parquet-go/parquet-go"
)

// A Surprise is a row of the table of surprises: what an observer made of the test trial of a video.
type Surprise struct {
	Observer string   `parquet:"observer,dict"`
	Item     string   `parquet:"item,dict"`
	Video    string   `parquet:"video,dict"` // a, b
	Surprise float64  `parquet:"surprise"`
	MaxStep  *float64 `parquet:"max_step,optional"` // of observers with beliefs
	MeanStep *float64 `parquet:"mean_step,optional"`
}

// A TrialSurprise is a row of the table of trials: what an observer with beliefs made of one trial.
type TrialSurprise struct {
	Observer string  `parquet:"observer,dict"`
	Item     string  `parquet:"item,dict"`
	Video    string  `parquet:"video,dict"`
	Trial    int32   `parquet:"trial"` // the test trial is the last
	Actor    string  `parquet:"actor,dict"`
	Surprise float64 `parquet:"surprise"`
	MaxStep  float64 `parquet:"max_step"`
	MeanStep float64 `parquet:"mean_step"`
}

// A Conviction is a row of the table of beliefs: one share of what an observer thinks after one trial.
type Conviction struct {
	Observer string  `parquet:"observer,dict"`
	Item     string  `parquet:"item,dict"`
	Video    string  `parquet:"video,dict"`
	Trial    int32   `parquet:"trial"` // the test trial is the last
	Actor    string  `parquet:"actor,dict"`
	Kind     string  `parquet:"kind,dict"` // goal, preference or manner
	Name     string  `parquet:"name,dict"`
	P        float64 `parquet:"p"`
}

// A Frame is a row of the table of moments: what an observer thinks in one frame.
type Frame struct {
	Observer string    `parquet:"observer,dict"`
	Item     string    `parquet:"item,dict"`
	Video    string    `parquet:"video,dict"`
	Trial    int32     `parquet:"trial"`
	Frame    int32     `parquet:"frame"`
	Step     float64   `parquet:"step"`
	Shift    float64   `parquet:"shift"`
	Regret   float64   `parquet:"regret"`
	Goals    []float64 `parquet:"goals"` // in the order of the trial's convictions of kind goal
}

// Tables collects sightings as rows. The zero Tables is ready for use.
type Tables struct {
	Surprises   []Surprise
	Trials      []TrialSurprise
	Convictions []Conviction
	Frames      []Frame
}

// Add appends the rows of a sighting.
func (t *Tables) Add(s *Sighting) {
	video := record.VideoName(s.Video)
	row := Surprise{Observer: s.Observer, Item: s.Item, Video: video, Surprise: s.Report.Surprise}
	if n := len(s.Beliefs); n > 0 {
		last := s.Beliefs[n-1]
		row.MaxStep, row.MeanStep = &last.MaxStep, &last.MeanStep
	}
	t.Surprises = append(t.Surprises, row)
	for k := range s.Beliefs {
		b := &s.Beliefs[k]
		t.Trials = append(t.Trials, TrialSurprise{s.Observer, s.Item, video, int32(k), b.Actor, b.Surprise, b.MaxStep, b.MeanStep})
		for _, part := range []struct {
			kind   string
			shares []Share
		}{{"goal", b.Goals}, {"preference", b.Preference}, {"manner", b.Manner}} {
			for _, share := range part.shares {
				t.Convictions = append(t.Convictions, Conviction{s.Observer, s.Item, video, int32(k), b.Actor, part.kind, share.Name, share.P})
			}
		}
		for _, m := range b.Moments {
			t.Frames = append(t.Frames, Frame{s.Observer, s.Item, video, int32(k), int32(m.Frame), m.Step, m.Shift, m.Regret, m.Goals})
		}
	}
}

// Encode returns the tables that have rows as Parquet files: surprises.parquet, trials.parquet, beliefs.parquet and
// moments.parquet.
func (t *Tables) Encode() (map[string][]byte, error) {
	files := map[string][]byte{}
	var err error
	put := func(name string, rows int, b []byte, e error) {
		if rows > 0 {
			files[name] = b
		}
		if err == nil && e != nil {
			err = fmt.Errorf("voe: %s: %w", name, e)
		}
	}
	b, e := encodeRows(t.Surprises)
	put("surprises.parquet", len(t.Surprises), b, e)
	b, e = encodeRows(t.Trials)
	put("trials.parquet", len(t.Trials), b, e)
	b, e = encodeRows(t.Convictions)
	put("beliefs.parquet", len(t.Convictions), b, e)
	b, e = encodeRows(t.Frames)
	put("moments.parquet", len(t.Frames), b, e)
	return files, err
}

func encodeRows[T any](rows []T) ([]byte, error) {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, parquet.CreatedBy("achilles-inferred", "1", ""), parquet.Compression(&parquet.Zstd))
	for len(rows) > 0 {
		n := min(len(rows), 1<<14)
		if _, err := w.Write(rows[:n]); err != nil {
			return nil, err
		}
		rows = rows[n:]
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// EncodeSurprises returns rows as surprises.parquet.
func EncodeSurprises(rows []Surprise) ([]byte, error) { return encodeRows(rows) }

// ReadSurprises reads surprises.parquet.
func ReadSurprises(in io.ReaderAt, size int64) ([]Surprise, error) {
	return readRows[Surprise](in, size)
}

// ReadTrials reads a trials table.
func ReadTrials(in io.ReaderAt, size int64) ([]TrialSurprise, error) {
	return readRows[TrialSurprise](in, size)
}

// ReadConvictions reads a beliefs table.
func ReadConvictions(in io.ReaderAt, size int64) ([]Conviction, error) {
	return readRows[Conviction](in, size)
}

// ReadFrames reads a moments table.
func ReadFrames(in io.ReaderAt, size int64) ([]Frame, error) { return readRows[Frame](in, size) }

func readRows[T any](in io.ReaderAt, size int64) (rows []T, err error) {
	defer func() {
		if r := recover(); r != nil { // the library panics on some corrupt files
			rows, err = nil, fmt.Errorf("voe: not a readable table: %v", r)
		}
	}()
	if rows, err = parquet.Read[T](in, size); err != nil {
		return nil, fmt.Errorf("voe: not a readable table: %w", err)
	}
	return rows, nil
}
