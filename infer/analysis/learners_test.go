package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/table"
)

// TestLearnersByHand checks success by class and similarity of three subjects on four items, of which c did not take the last:
//
//	red  1 1 0 0
//	a    1 0 1 0   red 1 of 2
//	b    1 1 0 0   red 2 of 2; with a: alike on items 1 and 4 (½), both on 1 of the 3 that either passes
//	c    0 0 0 .   with a: alike on item 2 of 3, none of 2
func TestLearnersByHand(t *testing.T) {
	tb := &table.Table{Subjects: []string{"a", "b", "c"}, Items: []string{"1", "2", "3", "4"}, Features: []table.Feature{{Name: "red", Value: []float64{1, 1, 0, 0}}}}
	for s, row := range [][]float64{{1, 0, 1, 0}, {1, 1, 0, 0}, {0, 0, 0}} {
		for j, v := range row {
			tb.Subject, tb.Item, tb.Value = append(tb.Subject, int32(s)), append(tb.Item, int32(j)), append(tb.Value, v)
		}
	}
	for s, want := range []float64{0.5, 1, 0} {
		if r := classRows(tb, []string{"red"})[s]; r.Class != "red" || r.Responses != 2 || r.SuccessRate != want {
			t.Errorf("%+v, want %v", r, want)
		}
	}
	// of all subjects item 1 has 2 of 3, 2 and 3 have 1 of 3, 4 has 0 of 2; of those called a, 1 and 3 are passed
	var got []string
	for _, r := range extremeRows(tb, []string{"red"}, []string{"a"}) {
		got = append(got, fmt.Sprintf("%s|%s|%s %g %s %.3f/%g", r.Class, r.Family, r.End, r.Rank, r.Item, r.SuccessRate, r.Responses))
	}
	if want := []string{"||easiest 1 1 0.667/3", "||easiest 2 2 0.333/3", "||hardest 1 4 0.000/2", "||hardest 2 3 0.333/3", "red||easiest 1 1 0.667/3", "red||hardest 1 2 0.333/3",
		"|a|easiest 1 1 1.000/1", "|a|easiest 2 3 1.000/1", "|a|hardest 1 4 0.000/1", "|a|hardest 2 2 0.000/1", "red|a|easiest 1 1 1.000/1", "red|a|hardest 1 2 0.000/1"}; !slices.Equal(got, want) {
		t.Errorf("extremes:\n%s", strings.Join(got, "\n"))
	}
	for k, want := range []SimilarityRow{{"a", "b", 4, 0.5, 1. / 3}, {"a", "c", 3, 1. / 3, 0}, {"b", "c", 3, 1. / 3, 0}} {
		r := similarityRows(tb)[k]
		if r.A != want.A || r.B != want.B || r.Items != want.Items || math.Abs(r.Agreement-want.Agreement) > 1e-12 || math.Abs(r.Jaccard-want.Jaccard) > 1e-12 {
			t.Errorf("%+v, want %+v", r, want)
		}
	}
}
