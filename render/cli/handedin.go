package cli

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"achilles/infer"
	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/store"
)

// maxSubmission is the largest size of a table that is handed in.
const maxSubmission = 1 << 30

// A handedIn says which tables have what somebody else inferred.
type handedIn struct {
	files []string
	name  string
}

func (h *handedIn) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&h.files, "submission", nil, "CSV table of what another program or person inferred, to be graded like an inference; may be given several times (docs/reference/format.md)")
	f.StringVar(&h.name, "submitted-by", "", "who made the submission (default: the name of its first file)")
}

// check returns an error if other flags are given than go with a submission.
func (h *handedIn) check(f *pflag.FlagSet) (err error) {
	f.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "submission", "submitted-by", "force":
		default:
			err = usagef("nothing is fitted with --submission: omit --%s", f.Name)
		}
	})
	return err
}

// submitTables makes the inferred part of a results directory from a submission.
func (h *handedIn) submitTables(a *app, d *results.Dir, force bool) error {
	s := &infer.Submission{Name: cmp.Or(h.name, strings.TrimSuffix(filepath.Base(h.files[0]), ".csv"))}
	for _, file := range h.files {
		text, err := store.ReadFile(file, maxSubmission)
		if err != nil {
			return err
		}
		if err := s.Read(filepath.Base(file), text); err != nil {
			return err
		}
	}
	public, err := d.Public()
	if err != nil {
		return err
	}
	out, err := d.Begin(seal.InferredPart, force)
	if err != nil {
		return err
	}
	defer out.Abort()
	res, err := infer.Submit(public, s, tabular.CSV, out)
	if err != nil {
		return err
	}
	if err := d.PutInferred(out); err != nil {
		return err
	}
	if err := d.EnterInferred(res.Manifest.Parents[seal.PublicPart], false); err != nil {
		return err
	}
	sumUp(a, res, d, seal.InferredPart)
	return nil
}
