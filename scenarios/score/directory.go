package score

import (
	"achilles/infer/layout"
	"achilles/scenarios/results"
	"achilles/sim/table"
)

// grade grades the input, and adds whether the ledger of d says that the result is unblinded.
func (in *Input) grade(d *results.Dir) (*Scores, error) {
	s, err := Run(*in)
	if err != nil {
		return nil, err
	}
	s.Unblinded, err = d.Unblinded(in.Inferred)
	return s, err
}

// Settings are the settings of a grading, with tags for package scenarios/setting.
type Settings struct {
	Published string `setting:"published,flag" doc:"values to print beside ours, of imported data: a shipped set's name or a TOML file"`
	Analysis  string `setting:"analysis,flag" doc:"directory of an analysis of these data, whose models are graded too, where a layout drew them"`
	Force     bool   `setting:"force,flag" doc:"overwrite the grades of an earlier result"`
}

// A Job is a grading to do: its settings, what they name, already read, and what makes its files.
type Job struct {
	Settings
	Published *Published                // used if the sealed part has no published values; nil: none
	Analysis  *Analysed                 // that Settings.Analysis names; nil: none
	Layouts   *layout.Library           // nil: each is parsed where it is needed
	CSV       func(*table.Table) []byte // makes the file of a table
}

// Grade opens the seal of a results directory, grades the inferred part and writes the scores. If the directory has other
// scores, it replaces them if Force is true, and else returns an error.
func Grade(d *results.Dir, j Job) (*Scores, error) {
	in, err := openDir(d, true)
	if err != nil {
		return nil, err
	}
	in.Published, in.Analysis, in.Layouts = j.Published, j.Analysis, j.Layouts
	s, err := in.grade(d)
	if err != nil {
		return nil, err
	}
	files, err := s.Files(j.CSV)
	if err != nil {
		return nil, err
	}
	return s, d.PutScores(files, in.Digests(), j.Force)
}
