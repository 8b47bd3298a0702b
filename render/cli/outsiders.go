package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"achilles/agents/external/observer"
	"achilles/agents/external/process"
	"achilles/infer"
	"achilles/infer/voe"
	"achilles/scenarios/results"
	"achilles/sim/record"
	"achilles/sim/store"
)

// An outsider is an observer of the user's own. It is either a program that is asked, or a file of answers.
type outsider struct {
	infer.External
	program []string
	form    observer.Form // how the program gets the videos
	answers []byte
	seat    *process.Seat // where the program is started
}

// outsiders returns the observers that the flags --outside, --reader and --surprises name. It reads their files of
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

// programmed returns the observer that NAME=PROGRAM describes. ok is false if the name or the program is missing.
func programmed(flag string, form observer.Form) (o outsider, ok bool) {
	name, program, ok := strings.Cut(flag, "=")
	o = outsider{External: infer.External{Name: name, Asked: program}, program: strings.Fields(program), form: form}
	return o, ok && len(o.program) > 0
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
func (j *inferring) askOutside(ctx context.Context, a *app, public fs.FS) error {
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
		answers, err := j.asked[i].watch(ctx, a, items, j.timeout)
		if err != nil {
			return fmt.Errorf("observer %s: %w", j.asked[i].Name, err)
		}
		j.Outside[i].Surprises = surprises(j.asked[i].Name, answers)
	}
	return nil
}

func (o *outsider) watch(ctx context.Context, a *app, items []record.Watched, timeout time.Duration) ([]observer.Answer, error) {
	if o.program == nil {
		return observer.Read(bytes.NewReader(o.answers), items)
	}
	p := &observer.Program{Command: o.program, Seat: o.seat, Form: o.form, Timeout: timeout, Complaints: a.stderr, Progress: a.progress("observer " + o.Name)}
	return p.Ask(ctx, items)
}

// surprises returns the answers of an observer as rows of the table of surprises.
func surprises(name string, answers []observer.Answer) []voe.Surprise {
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
		rows = append(rows, row)
	}
	return rows
}
