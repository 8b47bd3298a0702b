package cli

import (
	"errors"
	"fmt"
	"math"

	"achilles/infer"
	"achilles/infer/adaptive"
	"achilles/infer/layout"
	taking "achilles/scenarios/adaptive"
	"achilles/scenarios/results"
	"achilles/sim/record"
)

// An itemSource has items of which some are to be taken, and a layout that says what a response to each tells.
type itemSource struct {
	dir, layout, as string // as the user names them
	subject         string // of whom the responses so far are known; "": nobody

	d      *results.Dir // nil: items of a scenario
	data   *record.Dataset
	result *infer.Result // nil: nothing was inferred, or another layout is asked for
	of     *layout.Layout
	about  string
}

// open opens the directory, which the caller closes, and what was inferred in it.
func (s *itemSource) open(a *app) error {
	d, err := openChecked(s.dir)
	if err != nil {
		return err
	}
	s.d = d
	if s.data, _, err = public(d); err != nil {
		return err
	}
	if s.layout != "" && s.as != "" {
		return usagef("--layout and --as: omit one; the result of infer --as has its own layout")
	}
	if s.layout != "" {
		err := s.by(a, s.layout)
		if err == nil && s.of.Joint() {
			err = results.Hinted(fmt.Errorf("layout %s infers items together with subjects", s.of.Name), "achilles infer %s --layout %s --as NAME, then --as NAME instead of --layout", s.dir, s.layout)
		}
		return err
	}
	s.result, err = resultOf(d, s.as)
	if named, _ := d.Named(); named == nil && errors.Is(err, results.ErrNotInferred) {
		return results.Hinted(fmt.Errorf("%s: nothing was inferred yet that says how responses depend on capabilities", s.dir), "run achilles infer %s --layout NAME, or name a layout with known demands with --layout", s.dir)
	}
	if err != nil {
		return err
	}
	if s.result.Settings.Layout.Name == "" {
		return errors.New("the result has no layout")
	}
	s.of, err = layoutOfResult(a, s.result, "", d)
	s.about = "layout " + s.result.Settings.Layout.Name
	return err
}

// by takes a layout by its name.
func (s *itemSource) by(a *app, ref string) (err error) {
	if ref == "" {
		return usagef("name a layout with --layout: the scenario has none")
	}
	s.of, err = a.layout(ref)
	s.about = "layout " + ref
	return err
}

// models returns what is believed of a subject who is to take this many items: of the one that is named, or of another.
func (s *itemSource) models(items int) ([]adaptive.Model, error) {
	if !s.of.Joint() {
		return taking.Choice{Settings: adaptive.Settings{Items: items}, Layout: s.of}.Models(s.data)
	}
	if s.result == nil {
		return nil, fmt.Errorf("layout %s infers items together with subjects, but nobody has taken these items: name a layout of their demands", s.of.Name)
	}
	if s.subject == "" && len(s.of.Covariates) > 0 {
		return nil, results.Hinted(fmt.Errorf("layout %s uses columns of subjects, which are known only for the subjects in the data", s.of.Name), "achilles infer %s --layout rasch --as NAME, or another layout without them, then --as NAME; achilles next --subject NAME is about one of these subjects", s.dir)
	}
	j, draws, err := infer.ForOneSubject(s.data, s.result, s.of, s.subject)
	if err != nil {
		if errors.Is(err, infer.ErrTogether) {
			err = results.Hinted(err, "achilles infer %s --force infers it again", s.dir)
		}
		return nil, err
	}
	f := &adaptive.Fitted{Joint: j, Draws: draws}
	if s.subject != "" {
		f.Took, f.Given = true, s.given()
	}
	return []adaptive.Model{{Fitted: f, Prior: 1}}, nil
}

// alike returns a warning for each column of items within which responses are alike beyond the layout: what is expected of items to come takes them
// for independent. The errors of an estimate from all items grow by the root of the design effect, 1 + (m − 1)·ρ, of clusters with m items (Kish 1965,
// Survey Sampling, section 5.4).
func (s *itemSource) alike() (out []string) {
	if s.result == nil {
		return nil
	}
	for _, by := range s.result.Diagnostics.WidenedBy() {
		column, err := labels(&s.data.Items, by.Name)
		if err != nil || by.Correlation <= 0 {
			continue // repetitions, of which one subject to come has none
		}
		size, square := map[string]int{}, 0
		for _, label := range column {
			size[label]++
		}
		for label, n := range size {
			if label == "" {
				n = 1 // items without a value are each alone
			}
			square += n * size[label]
		}
		m := float64(square) / float64(len(column))
		out = append(out, fmt.Sprintf("responses are alike within %s (correlation %.2f), and SDs of items to come are those of independent responses: estimates from all %d items have about %.2f times the error",
			by.Name, by.Correlation, len(column), math.Sqrt(1+float64((m-1)*by.Correlation))))
	}
	return out
}

// given returns the responses of the subject that the data have, as those of the only subject.
func (s *itemSource) given() (out []record.Response) {
	for i, id := range s.data.Subjects {
		if id != s.subject {
			continue
		}
		for _, x := range s.data.Responses.Of(i) {
			if x.Phase == record.Test && x.Unscored == 0 {
				x.Subject = 0
				out = append(out, x)
			}
		}
	}
	return out
}

func (s *itemSource) close() {
	if s.d != nil {
		s.d.Close()
	}
}
