package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/infer"
	"achilles/infer/adaptive"
	"achilles/infer/layout"
	"achilles/infer/table"
	taking "achilles/scenarios/adaptive"
	"achilles/scenarios/results"
	"achilles/sim/expr"
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
	continuous := slices.ContainsFunc(s.of.Responses, func(r layout.ResponseModel) bool { return r.Family.Continuous() })
	if !s.of.Joint() && continuous {
		return s.ofScores()
	}
	if !s.of.Joint() {
		return taking.Choice{Settings: adaptive.Settings{Items: items}, Layout: s.of}.Models(s.data)
	}
	if s.result == nil {
		return nil, fmt.Errorf("layout %s infers items together with subjects, but nobody has taken these items: name a layout of their demands", s.of.Name)
	}
	if s.subject == "" && len(s.of.Covariates) > 0 {
		return nil, results.Hinted(fmt.Errorf("layout %s uses columns of subjects, which are known only for the subjects in the data", s.of.Name), "achilles infer %s --layout rasch --as NAME, or another layout without them, then --as NAME; achilles next --subject NAME is about one of these subjects", s.dir)
	}
	j, draws, times, err := infer.ForOneSubject(s.data, s.result, s.of, s.subject)
	if err != nil {
		if errors.Is(err, infer.ErrTogether) {
			err = results.Hinted(err, "achilles infer %s --force infers it again", s.dir)
		}
		return nil, err
	}
	f := &adaptive.Fitted{Joint: j, Draws: draws, Within: s.within()}
	if s.subject != "" {
		f.Took, f.Given, f.Times = true, s.given(), times
	}
	out := []adaptive.Model{{Fitted: f, Prior: 1}}
	if err := adaptive.Check(out, adaptive.Settings{}); err != nil {
		return nil, results.Hinted(err, "achilles compare %s says how many more items would distinguish two subjects", expr.Quote(s.dir))
	}
	return out, nil
}

// ofScores returns what is believed of a subject by a layout of scores whose demands are known: its prior.
func (s *itemSource) ofScores() ([]adaptive.Model, error) {
	j, err := s.of.BindJoint(&s.data.Items, []string{s.subject}, nil, s.data.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	out := []adaptive.Model{{Fitted: &adaptive.Fitted{Joint: j, Draws: [][]float64{make([]float64, j.Len())}}, Prior: 1}}
	return out, adaptive.Check(out, adaptive.Settings{})
}

// within returns the clusters of items within which responses are alike beyond the layout.
func (s *itemSource) within() (out []adaptive.Clusters) {
	if s.result == nil {
		return nil
	}
	all := make([]record.Response, s.data.Items.Len()) // one to each item: nobody to come has repetitions
	for i := range all {
		all[i].Item = int32(i)
	}
	ways := table.Clusterings(&s.data.Items, all)
	for _, by := range s.result.Diagnostics.WidenedBy() {
		if k := slices.IndexFunc(ways, func(w table.Clustering) bool { return w.Name == by.Name }); k >= 0 && by.Correlation > 0 {
			out = append(out, adaptive.Clusters{Name: by.Name, Of: ways[k].Of, Correlation: by.Correlation})
		}
	}
	return out
}

// alike says that SDs are those of responses that are alike within clusters; "" if there are none.
func (s *itemSource) alike() string {
	within := s.within()
	if within == nil {
		return ""
	}
	var by []string
	for _, w := range within {
		by = append(by, fmt.Sprintf("%s (correlation %.2f)", w.Name, w.Correlation))
	}
	n := s.data.Items.Len()
	return fmt.Sprintf("responses are alike within %s, and SDs allow for it: an estimate from all %d items has about %.2f times the error that it had if they were independent",
		strings.Join(by, " and "), n, math.Sqrt(adaptive.EffectOfAll(within, n)))
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
