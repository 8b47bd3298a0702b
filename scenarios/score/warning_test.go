package score_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"achilles/infer/posterior"
	"achilles/scenarios/score"
	"achilles/sim/table"
)

// TestWarnings checks that warnings name posteriors that exclude the truth, fits without a result and replaced fits,
// the gravest first, and that minor warnings mark no number.
func TestWarnings(t *testing.T) {
	in := hand()
	for i := range in.Result.Profiles {
		if p := &in.Result.Profiles[i]; p.Subject == "s2" && p.Parameter == "op" {
			p.Mean, p.SD = 7.5, 1.8 // the truth is 2: 3.06 sd away
		}
	}
	d := &in.Result.Diagnostics
	d.Fits = d.Fits[:4]
	d.Fits[1].Warnings[0].Kind = posterior.Divergent
	d.Fits[1].Divergences = 3
	d.Fits[2].Replaced = []string{"R-hat of op is 1.5", "3 % diverged"}
	d.Fits[3].Divergences, d.Fits[3].Chains, d.Fits[3].Draws = 7, 4, 1000
	d.Fits = append(d.Fits, d.Fits[0])
	d.Fits[4].Subject, d.Fits[4].Warnings = "s3", []posterior.Warning{{Kind: posterior.NoResult, Message: "nothing is reported"}}
	s := run(t, in)
	want := []score.Warning{
		{Kind: "unresolved", Subject: "agent 1", Rows: "all", Detail: "nothing is reported"},
		{Kind: "off-truth", Subject: "agent 10", Parameter: "op", Rows: "all", Detail: "op is 7.5 ±1.8, but the truth is 2.0"},
		{Kind: "rhat", Subject: "agent 2", Parameter: "op", Rows: "all", Detail: "R-hat of op is 1.02"},
		{Kind: "replaced", Subject: "agent 10", Rows: "all", Detail: "NUTS failed, resampled with the tempered sampler: R-hat of op is 1.5; 3 % diverged"},
		{Kind: "divergences", Subject: "agent 2", Rows: "fit", Detail: "3 divergences"},
		{Kind: "divergences", Subject: "agent 10", Rows: "fit", Detail: "7 of 4000 draws diverged"},
	}
	if len(s.Warnings) != len(want) {
		t.Fatalf("%d warnings: %+v", len(s.Warnings), s.Warnings)
	}
	for i, w := range want {
		if s.Warnings[i] != w {
			t.Errorf("warning %d is %+v, want %+v", i, s.Warnings[i], w)
		}
	}
	text := string(tables(s))
	for _, w := range []string{"estimate: agent 10: op is 7.5"} {
		if !strings.Contains(text, w) {
			t.Errorf("the tables have no %q:\n%s", w, text)
		}
	}
	if strings.Contains(text, ": agent 10: 7 of 4000") || strings.Contains(text, ": agent 10: the chains") {
		t.Errorf("a minor warning marks a number:\n%s", text)
	}
	in.Sealed = nil // without a truth no posterior can be off it
	in.Public.Manifest.Parents = nil
	for _, w := range run(t, in).Warnings {
		if w.Kind == score.OffTruth {
			t.Errorf("%+v without a truth", w)
		}
	}
}

// TestWarningsOf checks that many goroutines find the warnings about a subject.
func TestWarningsOf(t *testing.T) {
	s := run(t, hand())
	want := map[string]int{}
	for _, w := range s.Warnings {
		want[w.Subject]++
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, subject := range []string{"agent 1", "agent 2", "agent 10"} {
				got := s.WarningsOf(subject)
				if len(got) != want[subject] {
					t.Errorf("%d warnings about %s, want %d", len(got), subject, want[subject])
				}
				for _, w := range got {
					if w.Subject != subject {
						t.Errorf("a warning about %s is said to be about %s", w.Subject, subject)
					}
				}
			}
		})
	}
	all.Wait()
	if len(want) == 0 {
		t.Error("there are no warnings, so that the test shows nothing")
	}
}

// TestNoWarnings checks that a result without any warning has no table of them.
func TestNoWarnings(t *testing.T) {
	in := hand()
	in.Result.Diagnostics.Fits = nil
	if x := run(t, in).Tables(); slices.ContainsFunc(x, func(x *table.Table) bool { return x.Name == "warnings" }) {
		t.Error("there is a table of warnings")
	}
}

// TestVerdictWarnings checks that there are warnings and doubts about a subject on whom there is no verdict, and about
// verdicts with a flagged misfit.
func TestVerdictWarnings(t *testing.T) {
	in := judged()
	in.Result.Verdicts.Subjects[0].Unclassified = "the rivals tie"
	in.Result.Verdicts.Subjects[4].Misfit[0].Statement = "where side is 1 it passes .2"
	s := run(t, in)
	var got []string
	for _, w := range s.Warnings {
		if w.Kind == score.Misfit || w.Kind == score.Unclassified {
			got = append(got, string(w.Kind)+" "+w.Subject+" "+w.Detail)
		}
	}
	want := []string{"misfit five where side is 1 it passes .2", "unclassified one the rivals tie", "misfit three where side is 1 it passes .2"}
	if !slices.Equal(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
	if !slices.Contains(s.Doubts(), score.Doubt{About: "one", Text: "the rivals tie"}) {
		t.Errorf("doubts %+v", s.Doubts())
	}
}

// TestManyOfAKind checks that of many warnings of one kind the doubts name the first, and give the number of the others and of their subjects.
func TestManyOfAKind(t *testing.T) {
	s := &score.Scores{}
	for i := range 25 {
		s.Warnings = append(s.Warnings, score.Warning{Kind: "few-draws", Subject: fmt.Sprintf("s%d", i/2), Detail: fmt.Sprint(i)})
	}
	s.Warnings = append(s.Warnings, score.Warning{Kind: score.Misfit, Subject: "x", Detail: "differs"}, score.Warning{Kind: score.Replaced, Subject: "x", Detail: "minor"})
	got := s.Doubts()
	if len(got) != 22 || got[19] != (score.Doubt{About: "s9", Text: "19"}) || got[20] != (score.Doubt{About: "x", Text: "differs"}) ||
		got[21] != (score.Doubt{About: "few-draws", Text: "5 more of this kind, about 3 subjects; all: achilles show . warnings"}) {
		t.Errorf("%d doubts, the last %+v", len(got), got[19:])
	}
}
