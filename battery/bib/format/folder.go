package format

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"achilles/battery/bib"
	"achilles/sim/record"
)

// A Kind is a task with the benchmark's name of its folder and the two letters in its file names. The letters lo, co
// and ii are the benchmark's. Those of its other tasks are not published, and were chosen here.
type Kind struct {
	Task   bib.Task
	Folder string
	Code   string
}

// Kinds returns the kinds of the evaluation tasks and then those of the background tasks, whose folders are below
// background/.
func Kinds() []Kind {
	return []Kind{
		{bib.Preference, "preference", "lo"},
		{bib.MultiAgent, "multi_agent", "ma"},
		{bib.InaccessibleGoal, "inaccessible_goal", "ig"},
		{bib.EfficiencyPath, "efficiency_path", "ep"},
		{bib.EfficiencyTime, "efficiency_time", "et"},
		{bib.EfficiencyIrrational, "efficiency_irrational", "ei"},
		{bib.EfficiencyIrrationalControl, "efficiency_irrational_control", "ec"},
		{bib.InstrumentalNoBarrier, "instrumental_no_barrier", "in"},
		{bib.InstrumentalInconsequential, "instrumental_inconsequential_barrier", "iq"},
		{bib.InstrumentalBlocking, "instrumental_blocking_barrier", "ib"},
		{bib.ConstrainedPreference, "constrained_preference", "cp"},
		{bib.FalseBelief, "false_belief", "fb"},
		{bib.TrueBelief, "true_belief", "tb"},
		{bib.UnseenReturn, "unseen_return", "ur"},
		{bib.IgnorantActor, "ignorant_actor", "un"},
		{bib.SingleObject, "background/single_object", "co"},
		{bib.BackgroundPreference, "background/preference", "po"},
		{bib.BackgroundMultiAgent, "background/multi_agent", "mo"},
		{bib.InstrumentalAction, "background/instrumental_action", "ii"},
	}
}

// KindOf returns the kind of a task. It panics for an unknown one.
func KindOf(t bib.Task) Kind {
	for _, k := range Kinds() {
		if k.Task == t {
			return k
		}
	}
	panic("format: no such task")
}

// FileName returns the path of an episode below the benchmark's folder. The last letter of the name is e for the
// expected outcome and u for the unexpected one.
func FileName(t bib.Task, index int, unexpected bool) string {
	k, letter := KindOf(t), "e"
	if unexpected {
		letter = "u"
	}
	return fmt.Sprintf("%s/%06d%s%s.json", k.Folder, index, k.Code, letter)
}

// An Item is one episode of a folder. Everything except the videos comes from the names of its files.
type Item struct {
	Task       bib.Task
	Expected   record.Video
	Unexpected *record.Video // nil: there is no u file
	Faults     []Fault
}

// Episode returns the task and the videos of the item.
func (it *Item) Episode() bib.Episode {
	e := bib.Episode{Task: it.Task, Expected: it.Expected}
	if it.Unexpected != nil {
		e.Unexpected = *it.Unexpected
	}
	return e
}

// Files returns the sorted stems of the items of a folder, without reading the files. It looks at all files whose name
// is six digits, two letters, e or u, and .json. The error says that there are none, that a u file has no e file, or
// that an e file has no u file although other e files of its kind have one.
func Files(fsys fs.FS) ([]string, error) {
	letters := map[string]string{}
	paired := map[string]bool{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if stem, letter, ok := cutName(name); ok {
			letters[stem] += letter
			paired[group(stem)] = paired[group(stem)] || letter == "u"
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var stems []string
	for stem, l := range letters {
		switch {
		case l == "u":
			return nil, fmt.Errorf("%su.json: the file with the expected outcome, %se.json, is missing", stem, path.Base(stem))
		case l == "e" && paired[group(stem)]:
			return nil, fmt.Errorf("%se.json: the file with the unexpected outcome, %su.json, is missing", stem, path.Base(stem))
		}
		stems = append(stems, stem)
	}
	if len(stems) == 0 {
		return nil, errors.New("no file has a name as in the benchmark: six digits, two letters, e or u, .json")
	}
	slices.Sort(stems)
	return stems, nil
}

// group returns the folder and the two letters of a stem, which all files of a kind share.
func group(stem string) string { return path.Dir(stem) + "/" + stem[len(stem)-2:] }

// cutName splits a file name: 000010loe.json has the stem 000010lo and the last letter e.
func cutName(name string) (stem, letter string, ok bool) {
	rest, ok := strings.CutSuffix(name, ".json")
	base := path.Base(rest)
	if !ok || len(base) != 9 || base[8] != 'e' && base[8] != 'u' {
		return "", "", false
	}
	for i, c := range base[:8] {
		if i < 6 && (c < '0' || c > '9') || i >= 6 && (c < 'a' || c > 'z') {
			return "", "", false
		}
	}
	return rest[:len(rest)-1], rest[len(rest)-1:], true
}

// Open returns the item with a stem that Files returned. name is the name of the folder fsys, or "". The task is that of the
// nearest surrounding folder whose name is that of a task, or else that of the two letters. Some background tasks have the
// folder names of evaluation tasks: an item without a u file belongs to the background task.
func Open(fsys fs.FS, name, stem string) (Item, error) {
	var it Item
	v, faults, err := open(fsys, stem+"e.json")
	if err != nil {
		return it, err
	}
	it.Expected, it.Faults = v, faults
	v, faults, err = open(fsys, stem+"u.json")
	switch {
	case err == nil:
		it.Unexpected = &v
		it.Faults = append(it.Faults, faults...)
	case !errors.Is(err, fs.ErrNotExist):
		return it, err
	}
	it.Task, err = taskOf(path.Join(name, stem), it.Unexpected != nil)
	return it, err
}

func open(fsys fs.FS, name string) (record.Video, []Fault, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return record.Video{}, nil, err
	}
	v, faults, err := Read(data)
	if err != nil {
		return v, nil, fmt.Errorf("%s: %w", name, err)
	}
	return v, faults, nil
}

// archives returns the tasks by the names of the benchmark's published archives and of the folders in them, as far as they
// differ from those in Kinds. The misspelt name is in one of the benchmark's programs.
func archives() map[string]bib.Task {
	return map[string]bib.Task{
		"agents_evaluation_object_preference_eval_4":                     bib.Preference,
		"agents_evaluation_multiple_agents":                              bib.MultiAgent,
		"agents_evaluation_inaccessible_goal":                            bib.InaccessibleGoal,
		"agents_evaluation_efficient_action_path":                        bib.EfficiencyPath,
		"agents_evaluation_efficient_action_time":                        bib.EfficiencyTime,
		"agents_evaluation_efficient_action_irrational":                  bib.EfficiencyIrrational,
		"agents_evaluation_instrumental_action_no_barriers":              bib.InstrumentalNoBarrier,
		"agents_evaluation_instrumental_action_inconsequential_barriers": bib.InstrumentalInconsequential,
		"agents_evaluation_instrumental_action_blocking_barriers":        bib.InstrumentalBlocking,
		"agents_background_single_object_v2":                             bib.SingleObject,
		"agents_background_object_preference_v2":                         bib.BackgroundPreference,
		"agents_background_multiple_agents":                              bib.BackgroundMultiAgent,
		"agents_background_instrumental_action":                          bib.InstrumentalAction,
		"instrucmental_inconsequential_barrier":                          bib.InstrumentalInconsequential,
	}
}

// taskOf returns the task of the nearest folder around a file whose name is that of a task, or else the task of the file's
// two letters. paired is true if the item has a u file.
func taskOf(stem string, paired bool) (bib.Task, error) {
	for dir := path.Dir(stem); dir != "." && dir != "/"; dir = path.Dir(dir) {
		folder := path.Base(dir)
		if t, ok := archives()[folder]; ok && t.Paired() == paired {
			return t, nil
		}
		for _, k := range Kinds() {
			if path.Base(k.Folder) == folder && k.Task.Paired() == paired {
				return k.Task, nil
			}
		}
	}
	code := stem[len(stem)-2:]
	for _, k := range Kinds() {
		if k.Code == code && k.Task.Paired() == paired {
			return k.Task, nil
		}
	}
	return "", fmt.Errorf("%s: neither the folder %q nor the letters %q name the task; put the files into a folder with the benchmark's name for it", stem, path.Base(path.Dir(stem)), code)
}
