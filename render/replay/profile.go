package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"achilles/infer"
	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/infer/trajectory"
	"achilles/sim/record"
)

// A Profile is the posterior of one subject's parameters, given all its responses.
type Profile struct {
	Subject    string // name of the subject, or its id if names are sealed
	Layout     string
	Parameters []Parameter
	Warnings   []string // warnings about the fit to all responses
	RMSE       *float64 // over the subject's graded capabilities, noise left out, as a fraction of their maxima; nil if none is graded

	paths *walker // nil if the profile predicts no paths
}

// A Parameter is a capability, bias or robustness of a profile.
type Parameter struct {
	infer.Profile
	Averaged *compare.ParameterEstimate // over a candidate set by weight, which is what is graded; nil without one
	Draws    []float64                  // of the layout alone
	Unit     string                     // unit that the layout states; may be empty
	Scale    float64                    // maximum of the parameter; 0 if it is unknown or sealed
	Truth    *float64                   // true value in the parameter's unit; nil if it is sealed or undefined
}

// Reported returns the mean, the standard deviation and the 90 % interval that are graded: averaged over a candidate set, if there is one.
func (p *Parameter) Reported() (mean, sd, low, high float64) {
	if a := p.Averaged; a != nil {
		return a.Mean, a.SD, a.Q5, a.Q95
	}
	return p.Mean, p.SD, p.Q5, p.Q95
}

// Error returns the reported mean − truth, in the parameter's unit. ok is false if there is no truth.
func (p *Parameter) Error() (x float64, ok bool) {
	if p.Truth == nil {
		return 0, false
	}
	mean, _, _, _ := p.Reported()
	return mean - *p.Truth, true
}

var errNoProfile = errors.New("no profile was inferred for this subject")

// profile reads the posterior of a subject. subject is the public id. The error wraps errNoProfile if nothing was
// inferred about the subject.
func (a *Archive) profile(subject string) (*Profile, error) {
	r, err := a.inferred()
	if err != nil {
		return nil, err
	}
	p := &Profile{Subject: a.sealed.subject(subject), Layout: r.Settings.Layout.Name}
	var draws *infer.SubjectDraws
	if r.Draws != nil {
		if draws, err = r.Draws.Of(subject); err != nil {
			return nil, err
		}
	}
	for _, row := range r.Profiles {
		if row.Subject != subject {
			continue
		}
		x := Parameter{Profile: row}
		if draws != nil {
			if k := slices.Index(r.Draws.Parameters(), row.Parameter); k >= 0 {
				x.Draws = draws.Values[k]
			}
		}
		x.Averaged = averaged(r, subject, row.Parameter)
		x.Unit = unit(a.layout(), row.Parameter)
		x.Scale, x.Truth = a.sealed.parameter(subject, row.Parameter)
		p.Parameters = append(p.Parameters, x)
	}
	if len(p.Parameters) == 0 {
		return nil, fmt.Errorf("subject %s: %w", subject, errNoProfile)
	}
	for _, f := range r.Diagnostics.Fits {
		if f.Subject == subject && f.Rows == infer.AllRows {
			for _, w := range f.Warnings {
				p.Warnings = append(p.Warnings, w.Message)
			}
		}
	}
	if s := a.Scores(); s != nil {
		p.RMSE = s.RMSEOf(subject)
	}
	p.paths = walkerOf(r, p, failure(a.data, subject))
	return p, nil
}

// averaged returns a subject's posterior of a parameter over the candidate set; nil without one.
func averaged(r *infer.Result, subject, parameter string) *compare.ParameterEstimate {
	if r.Verdicts == nil {
		return nil
	}
	for _, v := range r.Verdicts.Subjects {
		for i := range v.Profile {
			if v.Subject == subject && v.Profile[i].Name == parameter {
				return &v.Profile[i]
			}
		}
	}
	return nil
}

// unit returns the unit that a layout states for a parameter. It returns "" if the layout is nil or states none.
func unit(l *layout.Layout, parameter string) string {
	if l != nil {
		for _, p := range l.Parameters {
			if p.Name == parameter {
				return p.Unit
			}
		}
	}
	return ""
}

// inferred returns the inferred part. The first call reads it. The error is errNoProfile if there is no posterior of
// any subject.
func (a *Archive) inferred() (*infer.Result, error) {
	if a.result != nil {
		return a.result, nil
	}
	if a.asked {
		return nil, errNoProfile
	}
	a.asked = true
	sub, err := fs.Sub(a.dir, inferredPart)
	if err != nil {
		return nil, err
	}
	if _, err := fs.Stat(sub, "diagnostics.json"); errors.Is(err, fs.ErrNotExist) {
		return nil, errNoProfile
	}
	r, err := infer.Open(sub)
	if err != nil {
		a.note("profiles are not shown: %v", err)
		return nil, err
	}
	a.result = r
	return r, nil
}

// keptDraws is the number of posterior draws from which paths are sampled; the inference uses the same number.
const keptDraws = 400

// A walker has the draws from which a subject's paths are predicted.
type walker struct {
	section    *layout.Walking
	parameters []string
	draws      [][]float64
	chance     float64 // of a lapse that walks to the reward
}

// walkerOf returns what predicts the paths of a profile. It returns nil if the layout says nothing about walking, or if there are no
// draws. failure is the subject's rate of failure.
func walkerOf(r *infer.Result, p *Profile, failure float64) *walker {
	section := r.Settings.Layout.Walking
	if section == nil {
		return nil
	}
	q := &walker{section: section, chance: failure}
	if section.Chance != nil {
		q.chance = *section.Chance
	}
	n := 0
	for i := range p.Parameters {
		q.parameters = append(q.parameters, p.Parameters[i].Parameter)
		n = len(p.Parameters[i].Draws)
	}
	if n == 0 {
		return nil
	}
	kept := min(n, keptDraws)
	for k := range kept {
		draw := make([]float64, len(p.Parameters))
		for i := range draw {
			draw[i] = p.Parameters[i].Draws[(2*k+1)*n/(2*kept)]
		}
		q.draws = append(q.draws, draw)
	}
	return q
}

// on returns the traits that the draws give for an episode. The error says that the items lack a feature.
func (q *walker) on(d *record.Dataset, key record.Key) (*trajectory.Profile, error) {
	item, ok := slices.BinarySearch(d.Items.ID, key.Item)
	if !ok {
		return nil, fmt.Errorf("there is no item %s", key.Item)
	}
	position := int32(0)
	if s, ok := slices.BinarySearch(d.Subjects, key.Subject); ok {
		for _, x := range d.Responses.To(s, item) {
			if int(x.Trial) == key.Trial && int(x.Repetition) == key.Repetition {
				position = x.Position
			}
		}
	}
	traits, draws, err := q.section.Traits(q.parameters, q.draws, d.Items.NumberAt(item, position))
	if err != nil {
		return nil, err
	}
	return &trajectory.Profile{Traits: traits, Draws: draws, Place: q.section.Place, Chance: q.chance}, nil
}
