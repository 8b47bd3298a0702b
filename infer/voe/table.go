package voe

import (
	"cmp"
	"fmt"

	"achilles/sim/record"
	"achilles/sim/table"
)

// A Surprise is a row of the table of surprises: the surprise of one observer at the test trial of one video.
type Surprise struct {
	Observer string   `parquet:"observer,plain"`
	Item     string   `parquet:"item,plain"`
	Video    string   `parquet:"video,plain"` // a or b
	Surprise float64  `parquet:"surprise"`
	MaxStep  *float64 `parquet:"max_step,optional"`  // as in Belief; nil for observers without beliefs
	MeanStep *float64 `parquet:"mean_step,optional"` // as in Belief; nil for observers without beliefs
	Goal     *string  `parquet:"goal,optional"`      // as in Expectation; nil if the observer does not say where the actor goes
	Reached  *bool    `parquet:"reached,optional"`   // as in Expectation
	Nearest  *bool    `parquet:"nearest,optional"`   // as in Expectation
	Path     *string  `parquet:"path,optional"`      // as in Expectation: JSON, a list of [x, y]; nil if the observer does not say
	Apart    *float64 `parquet:"apart,optional"`     // as in Expectation
}

// Expect sets what an observer expects.
func (s *Surprise) Expect(e Expectation) {
	s.Goal, s.Reached, s.Nearest = &e.Goal, &e.Reached, &e.Nearest
	if len(e.Path) > 0 {
		text := "["
		for i, p := range e.Path {
			if i > 0 {
				text += ","
			}
			text += fmt.Sprintf("[%d,%d]", p.X, p.Y)
		}
		text += "]"
		s.Path, s.Apart = &text, &e.Apart
	}
}

// A TrialSurprise is a row of the table of trials: the surprise of one observer at one trial of a video. Only observers
// with beliefs have such rows.
type TrialSurprise struct {
	Observer string  `parquet:"observer,plain"`
	Item     string  `parquet:"item,plain"`
	Video    string  `parquet:"video,plain"`
	Trial    int32   `parquet:"trial"` // from 0; the test trial is the last
	Actor    string  `parquet:"actor,plain"`
	Surprise float64 `parquet:"surprise"`
	MaxStep  float64 `parquet:"max_step"`
	MeanStep float64 `parquet:"mean_step"`
}

// A Conviction is a row of the table of beliefs: the probability of one goal, preference or manner in the belief of an
// observer after one trial.
type Conviction struct {
	Observer string  `parquet:"observer,plain"`
	Item     string  `parquet:"item,plain"`
	Video    string  `parquet:"video,plain"`
	Trial    int32   `parquet:"trial"` // from 0; the test trial is the last
	Actor    string  `parquet:"actor,plain"`
	Kind     string  `parquet:"kind,plain"` // goal, preference or manner
	Name     string  `parquet:"name,plain"`
	P        float64 `parquet:"p"`
}

// A Frame is a row of the table of moments: a Moment with its observer, item, video and trial.
type Frame struct {
	Observer string    `parquet:"observer,plain"`
	Item     string    `parquet:"item,plain"`
	Video    string    `parquet:"video,plain"`
	Trial    int32     `parquet:"trial"`
	Frame    int32     `parquet:"frame"`
	Step     float64   `parquet:"step"`
	Shift    float64   `parquet:"shift"`
	Regret   float64   `parquet:"regret"`
	Goals    []float64 `parquet:"goals"` // probabilities, in the order of the trial's rows of kind goal in the table of beliefs
}

// An Asked is a row of the table of what language models were asked: what an external observer that is one was asked about a video.
type Asked struct {
	Observer  string  `parquet:"observer,plain"`
	Item      string  `parquet:"item,plain"`
	Video     string  `parquet:"video,plain"`
	Failed    string  `parquet:"failed,plain"` // refused or malformed, if the last answer was; else empty
	Requests  int32   `parquet:"requests"`
	Refused   int32   `parquet:"refused"`
	Malformed int32   `parquet:"malformed"`
	Input     int32   `parquet:"input"`  // tokens
	Output    int32   `parquet:"output"` // tokens
	Cost      float64 `parquet:"cost"`
	Seconds   float64 `parquet:"seconds"` // of all requests
}

// Declared returns the tables of observers, without their rows, in the order in which people read them.
func Declared() []table.Table {
	observer, item := table.Column{Name: "observer", Kind: table.Text}, table.Column{Name: "item", Kind: table.Text}
	video := table.Column{Name: "video", Kind: table.Text, Doc: "a or b"}
	trial := table.Column{Name: "trial", Kind: table.Count, Doc: "from 0; the test trial is the last"}
	actor := table.Column{Name: "actor", Kind: table.Text, Weight: 3, Doc: "identity of the actor: icon and colour"}
	surprise := table.Column{Name: "surprise", Digits: 3, Doc: "larger: less expected; comparable within an observer only"}
	most := table.Column{Name: "max_step", Head: "largest step", Unit: "nats", Digits: 3, Weight: 1, Doc: "greatest surprise of a step"}
	mean := table.Column{Name: "mean_step", Head: "mean step", Unit: "nats", Digits: 3, Weight: 1, Doc: "mean surprise of the steps"}
	return []table.Table{
		{Name: "surprises", Title: "Surprise at the test trials", FileOnly: true, Key: []string{"observer", "item", "video"},
			Columns: []table.Column{observer, item, video, surprise, most, mean,
				{Name: "goal", Kind: table.Text, Weight: 3, Doc: "identity of the object to which the observer expects the actor to go; empty if it does not say"},
				{Name: "reached", Kind: table.Flag, Doc: "whether the actor ended there"},
				{Name: "nearest", Kind: table.Flag, Doc: "whether it is the object nearest to the actor's start in a straight line"},
				{Name: "path", Kind: table.Text, Doc: "a list of [x, y]: corners of the way that it expects, for the actor's centre, pixels"},
				{Name: "apart", Digits: 1, Unit: "pixels", Doc: "between that way and the walk: mean distance of a point of one from the other, the larger of the two (modified Hausdorff distance)"}}},
		{Name: "trials", Title: "Surprise at every trial, of observers with beliefs", FileOnly: true, Key: []string{"observer", "item", "video", "trial"},
			Columns: []table.Column{observer, item, video, trial, actor, surprise, most, mean}},
		{Name: "beliefs", Title: "What observers believe after every trial", FileOnly: true, Key: []string{"observer", "item", "video", "trial", "kind", "name"},
			Columns: []table.Column{observer, item, video, trial, actor, {Name: "kind", Kind: table.Text, Doc: "goal, preference or manner"},
				{Name: "name", Kind: table.Text, Doc: "identity of an object or key, or a manner"},
				{Name: "p", Head: "probability", Digits: 3, Doc: "those of one kind after one trial sum to 1"}}},
		{Name: "moments", Title: "What observers believe, frame by frame", FileOnly: true, Key: []string{"observer", "item", "video", "trial", "frame"},
			Columns: []table.Column{observer, item, video, trial, {Name: "frame", Kind: table.Count},
				{Name: "step", Unit: "nats", Digits: 3, Doc: "surprise of the frame"},
				{Name: "shift", Digits: 3, Weight: 1, Doc: "how far the beliefs have moved since the trial began: achilles in nats, hbtom as total variation distances"},
				{Name: "regret", Unit: "pixels", Digits: 1, Weight: 2, Doc: "wasted on the way to the most probable goal"},
				{Name: "goals", Kind: table.Text, Weight: 2, Doc: "a list: probabilities of the goals, in the order of the trial's rows of kind goal in beliefs"}}},
		{Name: "asked", Title: "What language models were asked about each video", FileOnly: true, Key: []string{"observer", "item", "video"},
			Columns: []table.Column{observer, item, video, {Name: "failed", Kind: table.Text, Doc: "refused or malformed, if the last answer was; empty: it has a surprise"},
				{Name: "requests", Kind: table.Count}, {Name: "refused", Kind: table.Count, Doc: "answers that refuse"}, {Name: "malformed", Kind: table.Count, Doc: "answers that are not what was asked for"},
				{Name: "input", Head: "tokens read", Kind: table.Count}, {Name: "output", Head: "written", Kind: table.Count}, {Name: "cost", Digits: 4}, {Name: "seconds", Digits: 2, Doc: "until all answers were there"}}},
	}
}

// Tables collects sightings as the rows of four tables. The zero Tables is ready for use.
type Tables struct {
	Surprises   []Surprise
	Trials      []TrialSurprise
	Convictions []Conviction // rows of the table of beliefs
	Frames      []Frame      // rows of the table of moments
}

// Add appends the rows of a sighting to the tables.
func (t *Tables) Add(s *Sighting) {
	video := record.VideoName(s.Video)
	row := Surprise{Observer: s.Observer, Item: s.Item, Video: video, Surprise: s.Report.Surprise}
	if n := len(s.Beliefs); n > 0 {
		last := s.Beliefs[n-1]
		row.MaxStep, row.MeanStep = &last.MaxStep, &last.MeanStep
	}
	if s.Expected != nil {
		row.Expect(*s.Expected)
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

// Encode returns the tables as Parquet files: surprises.parquet, trials.parquet, beliefs.parquet and moments.parquet. It
// leaves out tables without rows.
func (t *Tables) Encode() (map[string][]byte, error) {
	files := map[string][]byte{}
	return files, cmp.Or(encode(files, "surprises", t.Surprises), encode(files, "trials", t.Trials),
		encode(files, "beliefs", t.Convictions), encode(files, "moments", t.Frames))
}

func encode[T any](files map[string][]byte, name string, rows []T) error {
	if len(rows) == 0 {
		return nil
	}
	b, err := record.EncodeRows(rows)
	if err != nil {
		return fmt.Errorf("voe: %s: %w", name, err)
	}
	files[name+".parquet"] = b
	return nil
}
