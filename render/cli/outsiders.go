package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"achilles/agents"
	"achilles/agents/external/chat"
	"achilles/agents/external/observer"
	"achilles/agents/external/process"
	"achilles/infer"
	"achilles/infer/voe"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/sim/conf"
	"achilles/sim/record"
	"achilles/sim/store"
)

// An outsider is an observer of the user's own. It is a program or a language model that is asked, or a file of answers.
type outsider struct {
	infer.External
	program []string
	form    observer.Form // how the program gets the videos
	answers []byte
	model   *agents.LanguageModel
	seat    *process.Seat // where the program is started
}

// outsiders returns the observers that the flags --outside, --reader, --language-model and --surprises name. It reads their files of
// answers.
func (m *measuring) outsiders() ([]outsider, error) {
	var all []outsider
	for _, p := range m.Programs {
		o, ok := programmed(p, observer.Pixels)
		if !ok {
			return nil, usagef("--outside %q: want NAME=PROGRAM, such as mine=\"python3 observer.py\"", p)
		}
		all = append(all, o)
	}
	for _, p := range m.Readers {
		o, ok := programmed(p, observer.Text)
		if !ok {
			return nil, usagef("--reader %q: want NAME=PROGRAM, such as mine=\"python3 reader.py\"", p)
		}
		o.Asked = "text " + o.Asked
		all = append(all, o)
	}
	for _, p := range m.Models {
		name, path, ok := strings.Cut(p, "=")
		if !ok || path == "" {
			return nil, usagef("--language-model %q: want NAME=FILE, such as mine=model.toml", p)
		}
		text, err := store.ReadFile(path, conf.MaxBytes)
		if err != nil {
			return nil, fmt.Errorf("--language-model: %w", err)
		}
		lm, err := scenario.LanguageModel(filepath.Base(path), string(text), readPrompt)
		if err != nil {
			return nil, err
		}
		all = append(all, modelled(name, lm))
	}
	for _, p := range m.Answers {
		name, path, ok := strings.Cut(p, "=")
		if !ok || path == "" {
			return nil, usagef("--surprises %q: want NAME=FILE, such as mine=answers.jsonl", p)
		}
		text, err := readAnswers(path)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		all = append(all, outsider{External: infer.External{Name: name, Asked: "answers " + hex.EncodeToString(sum[:])}, answers: text})
	}
	return all, nil
}

// watchedBy adds the language models that watch the episodes of a scenario.
func (m *measuring) watchedBy(s *scenario.Scenario) {
	for i := range s.Watchers {
		m.watchers = append(m.watchers, modelled(s.Watchers[i].Name, s.Watchers[i].Model))
	}
}

// programmed returns the observer that NAME=PROGRAM describes. ok is false if the name or the program is missing.
func programmed(flag string, form observer.Form) (o outsider, ok bool) {
	name, program, ok := strings.Cut(flag, "=")
	o = outsider{External: infer.External{Name: name, Asked: program}, program: strings.Fields(program), form: form}
	return o, ok && len(o.program) > 0
}

// modelled returns the observer that is a language model. What is asked of it tells apart all settings on which its answers depend.
func modelled(name string, m *agents.LanguageModel) outsider {
	of := *m
	of.Key, of.Timeout, of.Rate, of.Requests, of.Prompt = "", 0, 0, 0, ""
	text, err := json.Marshal(of)
	if err != nil {
		panic("cli: the settings of a language model do not encode")
	}
	sum := sha256.Sum256(text)
	return outsider{External: infer.External{Name: name, Asked: "language model " + m.Model + " " + hex.EncodeToString(sum[:8])}, model: m}
}

// readAnswers reads a file of answers, or all files of a folder that end in .json or .jsonl, sorted by name.
func readAnswers(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("no answers at %s: %w", path, fs.ErrNotExist)
	}
	if !info.IsDir() {
		return store.ReadFile(path, maxInput)
	}
	files, err := filepath.Glob(filepath.Join(path, "*.json*"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var all [][]byte
	for _, f := range files {
		if ext := filepath.Ext(f); ext != ".json" && ext != ".jsonl" {
			continue
		}
		b, err := store.ReadFile(f, maxInput)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no file ends in .json or .jsonl", path)
	}
	return bytes.Join(all, []byte("\n")), nil
}

// seatOutside finds a seat for the programs among the observers of the user's own, and notes which are not confined.
func (j *inferring) seatOutside(ctx context.Context, a *app, d *results.Dir) error {
	seat, err := a.seat(ctx, j.allow, d.String())
	if err != nil {
		return err
	}
	for i := range j.asked {
		if j.asked[i].program != nil {
			j.asked[i].seat = seat(j.asked[i].program)
			j.Outside[i].NotConfined = j.asked[i].seat.Launcher == ""
		}
	}
	return nil
}

// askOutside lets the observers of the user's own watch the episodes, and puts their surprises into the job.
// kept has the answers that language models gave before.
func (j *inferring) askOutside(ctx context.Context, a *app, public fs.FS, kept chat.Kept) error {
	if len(j.asked) == 0 {
		return nil
	}
	data, err := record.Read(public)
	if err != nil {
		return err
	}
	items, err := record.Scenes(public, &data.Manifest)
	if err != nil {
		return err
	}
	for i := range j.asked {
		answers, calls, err := j.asked[i].watch(ctx, a, items, j.timeout, kept)
		if err != nil {
			return fmt.Errorf("observer %s: %w", j.asked[i].Name, err)
		}
		j.Outside[i].Calls = calls
		j.Outside[i].Surprises = surprises(j.asked[i].Name, answers, items)
	}
	return nil
}

func (o *outsider) watch(ctx context.Context, a *app, items []record.Watched, timeout time.Duration, kept chat.Kept) (answers []observer.Answer, calls []voe.Asked, err error) {
	switch {
	case o.model != nil:
		return o.read(ctx, a, items, kept)
	case o.program == nil:
		answers, err = observer.Read(bytes.NewReader(o.answers), items)
	default:
		p := &observer.Program{Command: o.program, Seat: o.seat, Form: o.form, Timeout: timeout, Complaints: a.stderr, Progress: a.progress("observer " + o.Name)}
		answers, err = p.Ask(ctx, items)
	}
	return answers, nil, err
}

// read lets a language model read the items.
func (o *outsider) read(ctx context.Context, a *app, items []record.Watched, kept chat.Kept) ([]observer.Answer, []voe.Asked, error) {
	key, err := modelKey(o.model)
	if err != nil {
		return nil, nil, err
	}
	m := &observer.LanguageModel{Settings: o.model, Key: key, Kept: kept, Progress: a.progress("observer " + o.Name)}
	answers, calls, err := m.Ask(ctx, items)
	var rows []voe.Asked
	for _, c := range calls {
		rows = append(rows, voe.Asked{
			Observer: o.Name, Item: c.Item, Video: record.VideoName(c.Video), Failed: c.Failed, Requests: int32(c.Requests), Refused: int32(c.Refused), Malformed: int32(c.Malformed),
			Input: int32(c.Input), Output: int32(c.Output), Cost: o.model.Cost(c.Calls), Seconds: c.Total(),
		})
	}
	return answers, rows, err
}

// surprises returns the answers of an observer about items as rows of the table of surprises.
func surprises(name string, answers []observer.Answer, items []record.Watched) []voe.Surprise {
	byItem := map[string]*record.Watched{}
	for i := range items {
		byItem[items[i].Item] = &items[i]
	}
	var rows []voe.Surprise
	for _, x := range answers {
		row := voe.Surprise{Observer: name, Item: x.Item, Video: record.VideoName(x.Video), Surprise: x.Surprise}
		if len(x.Steps) > 0 {
			most, mean := slices.Max(x.Steps), 0.0
			for _, s := range x.Steps {
				mean += s / float64(len(x.Steps))
			}
			row.MaxStep, row.MeanStep = &most, &mean
		}
		if g := x.Goal; g != nil {
			var path []record.Point
			for _, p := range x.Path {
				path = append(path, record.Point{X: int16(p[0]), Y: int16(p[1])})
			}
			if e, ok := voe.Expect(&byItem[x.Item].Videos[x.Video].Test, g[0], g[1], path); ok {
				row.Expect(e)
			}
		}
		rows = append(rows, row)
	}
	return rows
}
