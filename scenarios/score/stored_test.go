package score_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"achilles/infer/compare"
	"achilles/scenarios/score"
)

// TestStored checks that the scores which a file has are those that were graded, and that they give the same tables: of
// profiles, of verdicts and of what a layout drew. Runs of the command line have the others.
func TestStored(t *testing.T) {
	for name, s := range map[string]*score.Scores{"by hand": run(t, hand()), "averaged": run(t, averaged()), "drawn": run(t, drawnByHand())} {
		files, err := s.Files(asCSV)
		if err != nil {
			t.Fatal(err)
		}
		back, err := score.Restore(files["rows.json"])
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(s, back, cmpopts.IgnoreUnexported(score.Scores{}, score.VerdictRow{}), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s: scores differ from those that were written:\n%s", name, d)
		}
		again, err := back.Files(asCSV)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(files, again); d != "" {
			t.Errorf("%s: files differ:\n%s", name, d)
		}
	}
	old, err := score.Restore([]byte(`{"scores": {"version": 1, "verdicts": {"cannot_tell": {"n": 3}, "confusion": {"cannot-tell": {"capable": 2}}}},
		"verdicts": [{"Name": "a", "family": "cannot-tell", "cannot_tell": "a tie"}]}`)) // words of version 1
	if err != nil {
		t.Fatal(err)
	}
	if g := old.Verdicts; g == nil || g.CannotSay.N != 3 || g.Confusion[compare.Unclassified][compare.Capable] != 2 || g.Rows[0].Family != compare.Unclassified || g.Rows[0].Unclassified != "a tie" {
		t.Errorf("scores of version 1 are read as %+v", g)
	}
	for _, rows := range []string{"", "{}", "[1]", `{"scores": null}`} {
		if _, err := score.Restore([]byte(rows)); err == nil {
			t.Errorf("%q is read", rows)
		}
	}
}
