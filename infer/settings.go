package infer

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"achilles/infer/compare"
	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/infer/voe"
	"achilles/sim/table"

	"github.com/parquet-go/parquet-go"
)

// Settings are the settings of an inference. Default returns good ones; a value of zero is a value. The tags are for
// package scenarios/setting, which makes flags, keys of scenarios, help and the manual's tables of them: setting is the
// name, of says which data it is for, and json is the key in manifests, or - if no result depends on it.
type Settings struct {
	Seed uint64 `setting:"seed,flag" json:"seed,string" doc:"seed of the draws"` // a text in JSON, whose numbers are not safe above 2^53
	Jobs int    `setting:"jobs,flag" json:"-" limits:"[0, 10000]" doc:"subjects fitted in parallel (0: one per processor); results do not depend on it"`

	Layout LayoutDigest  `json:"layout,omitzero"`      // set in a result, as is Bank
	Bank   *LayoutDigest `json:"candidates,omitempty"` // digest of all files of the candidate set; nil without one

	// Submitted says that the result was not made by this program but handed in (Submit). Layout has the name and the digest of what was handed in.
	Submitted bool `json:"submitted,omitempty"`

	posterior.Sampling
	Carried   []Carried `json:"carried,omitempty"`    // priors of single subjects (Carry)
	PriorFrom string    `json:"prior_from,omitempty"` // digest of the manifest of the result that they come from

	Predict bool `setting:"predict" json:"predict,omitempty" of:"responses" doc:"fit a second time without the held-out responses, to grade predictions of them"`

	Observers []string   `setting:"observers" json:"observers,omitempty" of:"scenes" doc:"observers of the episodes (default: all)"`
	Moments   int        `setting:"moments" json:"moments,omitempty" of:"scenes" limits:"[0, 999999]" doc:"number of episodes with observer beliefs stored frame by frame"`
	Outside   []External `json:"outside,omitempty"` // observers of the user's own, with their surprises
}

// An External is an observer that the user has added, with its surprises at every video.
type External struct {
	Name      string         `json:"name"`
	Asked     string         `json:"asked"` // the program that was asked, or the digest of the answers
	Surprises []voe.Surprise `json:"-"`
	Calls     []voe.Asked    `json:"-"` // nil if it is no language model
	// NotConfined says that the program could read what its user can, the truth included.
	NotConfined bool `json:"not_confined,omitempty"`
}

// NotConfined reports whether an external observer is a program that was not confined.
func (s *Settings) NotConfined() bool {
	return slices.ContainsFunc(s.Outside, func(o External) bool { return o.NotConfined })
}

// Default returns the settings of an inference by a layout; nil for data without responses.
func Default(l *layout.Layout) Settings {
	s := Settings{Seed: 1, Sampling: posterior.Default().Sampling, Predict: true, Moments: 60}
	if l != nil && l.Joint() {
		s.Sampling = joint.Default().Sampling
	}
	return s
}

// A Job is an inference to do: its settings, the layout and the bank that it uses, already read, and where it writes.
type Job struct {
	Settings
	Layout *layout.Layout  // for data with responses; nil without. It stands before the digest of its text in Settings, as does Bank
	Bank   *compare.Source // rival layouts to compare; nil: no rivals and no verdicts

	// Only names the subjects that are fitted, and the items that observers watch; nil: all. What a result says of them does not depend on
	// the others, except for predicted paths, which are left out, and for what diagnostics compare between subjects. A layout that
	// measures all subjects together fits all.
	Only []string

	CSV      func(*table.Table) []byte // makes profiles.csv and parameters.csv, which are read by scripts and not by this package; nil: they are left out
	Scratch  parquet.BufferPool        // where the columns of large tables wait until they are written; nil: in memory
	Doubt    func(text string)         // is told of stored results that cannot be believed and are computed again; called from several goroutines; may be nil
	Progress func(done, total int)     // called from one goroutine at a time; may be nil
}

// maxDraws is the largest number of draws in all chains of one fit, and maxNumbers the largest number of values in them: 2 GiB.
const (
	maxDraws   = 10_000_000
	maxNumbers = 1 << 28
)

// Check returns an error if settings are wrong, or if the layout is missing. responses and scenes say whether the data have
// responses, and scenes for observers to watch; settings for what the data do not have are ignored. The error wraps
// ErrNoLayout if the layout is missing.
func (j *Job) Check(responses, scenes bool) error {
	if scenes {
		if err := j.checkObservers(); err != nil {
			return err
		}
	}
	switch {
	case !responses:
		return nil
	case j.Layout == nil:
		return ErrNoLayout
	case j.Carried != nil && j.Bank != nil:
		return errors.New("candidate models have priors of their own, and none can be carried over to them: choose --candidates none")
	}
	return j.checkSampling()
}

// checkSampling returns an error for numbers of draws that are too small or too large, and for an engine that does not fit
// the layout.
func (j *Job) checkSampling() error {
	switch {
	case j.Chains > maxDraws || j.Warmup > maxDraws || j.Draws > maxDraws || j.Chains*max(j.Draws, j.Warmup) > maxDraws:
		return fmt.Errorf("chains = %d, warmup = %d, draws = %d: at most %d draws of all chains together", j.Chains, j.Warmup, j.Draws, maxDraws)
	case j.Chains < 2:
		return fmt.Errorf("chains = %d; at least 2 are needed to assess convergence", j.Chains)
	case j.Draws < 100 || j.Warmup < 50:
		return fmt.Errorf("draws = %d, warmup = %d; at least 100 and 50 are needed", j.Draws, j.Warmup)
	}
	return checkEngine(j.Engine, j.Layout)
}

// enginesOf returns the engines for a joint fit by a layout, the one for any first.
func enginesOf(l *layout.Layout) []string {
	switch {
	case l.CheckMovable() != nil:
		return []string{string(posterior.Marginal)}
	case joint.Estimable(l) != nil:
		return []string{string(posterior.NUTS), string(posterior.Laplace)}
	}
	return []string{string(posterior.NUTS), string(posterior.Laplace), string(posterior.MML)}
}

// checkEngine returns an error if the engine is for layouts of the other kind: some engines are for layouts that measure subjects one
// by one, and others for those that measure all together, or for some of these.
func checkEngine(e posterior.Engine, l *layout.Layout) error {
	if e != posterior.Auto && e != posterior.Marginal && e != posterior.MML {
		if err := l.CheckMovable(); err != nil {
			return err
		}
	}
	switch {
	case l.Joint() && e == posterior.Tempered:
		return fmt.Errorf("layout %s: engine %s is for layouts that fit subjects separately; this layout needs a joint fit: choose %s", l.Name, e, strings.Join(enginesOf(l), " or "))
	case !l.Joint() && (e == posterior.Marginal || e == posterior.MML):
		return fmt.Errorf("layout %s: engine %s is for joint fits of all subjects; this layout fits subjects separately", l.Name, e)
	case e == posterior.Marginal:
		if l.CheckMovable() == nil {
			return fmt.Errorf("layout %s: engine %s sums over binary parameters, and this layout has none; rerun with --engine %s", l.Name, e, posterior.NUTS)
		}
	case e == posterior.MML:
		if err := joint.Estimable(l); err != nil {
			return fmt.Errorf("%w by engine %s; rerun with --engine %s", err, e, enginesOf(l)[0])
		}
	case !slices.Contains([]posterior.Engine{posterior.Auto, posterior.NUTS, posterior.Tempered, posterior.Laplace}, e):
		return fmt.Errorf("engine %q: want auto, nuts, tempered, laplace, marginal or mml", e)
	}
	return nil
}

// checkObservers returns an error if the name of an observer is unknown, used twice or not legal (goodName).
func (j *Job) checkObservers() error {
	if _, err := voe.Select(j.Observers, j.Seed); err != nil {
		return err
	}
	for i, o := range j.Outside {
		taken := slices.ContainsFunc(j.Outside[:i], func(p External) bool { return p.Name == o.Name })
		if taken || slices.ContainsFunc(voe.All(0), func(n voe.Named) bool { return n.Name == o.Name }) || !goodName(o.Name) {
			return fmt.Errorf("observer %q: an external observer needs a name that no other has, of letters, digits, - and _", o.Name)
		}
	}
	return nil
}

// goodName reports whether a name can be a key of scores.json and a word of a table.
func goodName(s string) bool {
	const legal = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return s != "" && len(s) <= 60 && strings.Trim(s, legal) == ""
}

// used returns the settings on which the result for data with responses, with scenes or with both depends, as its manifest
// has them; the others are zero. Observers have their names, in the order of their surprises.
func (j *Job) used(responses, scenes bool) (Settings, error) {
	s := j.Settings
	s.Jobs = 0
	if responses {
		s.Layout, s.Bank = DigestOf(j.Layout), BankDigest(j.Bank)
	} else {
		s.Sampling, s.Predict, s.Carried, s.PriorFrom = posterior.Sampling{}, false, nil, ""
	}
	if !scenes {
		s.Observers, s.Moments, s.Outside = nil, 0, nil
		return s, nil
	}
	chosen, err := voe.Select(s.Observers, s.Seed)
	s.Observers = nil
	for _, o := range chosen {
		s.Observers = append(s.Observers, o.Name)
	}
	return s, err
}

// ErrNoLayout says that the data have responses and the configuration has no layout.
var ErrNoLayout = errors.New("responses need a layout, and none is given")
