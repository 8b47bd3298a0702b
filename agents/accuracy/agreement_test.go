package accuracy_test

import (
	"math"
	"strings"
	"testing"

	"achilles/agents/accuracy"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

func agree(t testing.TB, b []accuracy.Ballot, seed uint64) *accuracy.Agreement {
	t.Helper()
	a, err := accuracy.Agree(b, accuracy.PluralityVote, nil, 0.9, seed)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestAgreeByHand checks votes of three members among three options.
func TestAgreeByHand(t *testing.T) {
	// One right and two wrong answers win if those differ and the draw is lucky: 1/2 · 1/3. Two right answers win.
	a := agree(t, []accuracy.Ballot{{Votes: []int{0, 1, 1}, Options: 3, Right: 0}, {Votes: []int{1, 1, 2}, Options: 3, Right: 1}}, 1)
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"mean", a.Mean, 0.5}, {"best", a.Best, 1}, {"actual", a.Actual.Value, 0.5}, {"same successes", a.Same.Value, (1.0/6 + 1) / 2},
		{"independent", a.Independent.Value, 0.5 + 0.5/6}, {"alike", a.SameWrong.Value, 1}, {"alike by chance", a.SameWrongLuck.Value, 0.5},
	} {
		if !(math.Abs(c.got-c.want) < 1e-12) {
			t.Errorf("%s %v, want %v", c.what, c.got, c.want)
		}
	}
	if !math.IsNaN(a.Items.Value) || !math.IsNaN(a.Answers.Low) {
		t.Errorf("shares of a loss that two items do not show: %+v, %+v", a.Items, a.Answers)
	}
	// All fail on the same half of the items: all of the loss is due to the items. Independent: 1/8 + 3/8 + 3/8 · 1/6.
	var same []accuracy.Ballot
	for range 50 {
		same = append(same, accuracy.Ballot{Votes: []int{2, 2, 2}, Options: 3, Right: 2}, accuracy.Ballot{Votes: []int{0, 0, 0}, Options: 3, Right: 2})
	}
	a = agree(t, same, 1)
	if math.Abs(a.Independent.Value-0.5625) > 1e-12 || a.Same.Value != 0.5 || a.Actual.Value != 0.5 || math.Abs(a.Items.Value-1) > 1e-12 || a.Answers.Value != 0 || a.Items.Low > 1+1e-9 {
		t.Errorf("%+v", a)
	}
	// Somebody who gives no answer is wrong, and agrees with nobody.
	if a = agree(t, []accuracy.Ballot{{Votes: []int{0, -1, -1}, Options: 3, Right: 0}, {Votes: []int{0, 1, -1}, Options: 3, Right: 0}}, 1); a.Actual.Value != 0.75 || !math.IsNaN(a.SameWrong.Value) && a.SameWrong.Value != 0 {
		t.Errorf("without answers: %+v", a)
	}
}

func TestAgreeRefuses(t *testing.T) {
	two := []accuracy.Ballot{{Votes: []int{0, 1}, Options: 3, Right: 0}, {Votes: []int{1, 1}, Options: 3, Right: 0}}
	for _, c := range []struct {
		ballots []accuracy.Ballot
		rule    accuracy.Rule
		want    string
	}{
		{two, accuracy.BordaCount, "plurality, majority and weighted"},
		{two, accuracy.BestMember, "plurality, majority and weighted"},
		{two[:1], accuracy.PluralityVote, "at least two items"},
		{nil, accuracy.PluralityVote, "at least two items"},
		{[]accuracy.Ballot{{Votes: []int{0}, Options: 3, Right: 0}, {Votes: []int{1}, Options: 3, Right: 0}}, accuracy.PluralityVote, "two members"},
		{[]accuracy.Ballot{{Votes: make([]int, 300), Options: 3, Right: 0}, {Votes: make([]int, 300), Options: 3, Right: 0}}, accuracy.PluralityVote, "300 members are too many"},
	} {
		if _, err := accuracy.Agree(c.ballots, c.rule, nil, 0.95, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want …%s…", err, c.want)
		}
	}
}

// drawn returns answers of five members to items with four options. Members succeed with a probability that the item has; if lured, half of
// the wrong answers are the item's lure.
func drawn(items int, hard, lured bool, r *rng.Rand) (out []accuracy.Ballot) {
	for range items {
		b := accuracy.Ballot{Options: 4, Right: r.IntN(4)}
		p, lure := 0.6, (b.Right+1+r.IntN(3))%4
		if hard {
			p = []float64{0.3, 0.9}[r.IntN(2)]
		}
		for range 5 {
			v := b.Right
			if !r.Bernoulli(p) {
				if v = (b.Right + 1 + r.IntN(3)) % 4; lured && r.Bernoulli(0.5) {
					v = lure
				}
			}
			b.Votes = append(b.Votes, v)
		}
		out = append(out, b)
	}
	return out
}

// TestAgreeOfIndependentMembers checks that nothing is lost where nothing is, and that a loss is put down to its cause.
func TestAgreeOfIndependentMembers(t *testing.T) {
	for _, c := range []struct {
		hard, lured bool
		share       float64 // expected share of the items
	}{{true, false, 1}, {false, true, 0}} {
		r := rng.Stream(511, "agreement")
		if a := agree(t, drawn(4000, c.hard, c.lured, &r), 1); !(math.Abs(a.Items.Value-c.share) < 0.2) || !(math.Abs(a.Items.Value+a.Answers.Value-1) < 1e-9) {
			t.Errorf("hard %v, lured %v: items %+v, answers %+v", c.hard, c.lured, a.Items, a.Answers)
		}
	}
	r, known := rng.Stream(512, "agreement"), 0
	for seed := range uint64(40) {
		if a := agree(t, drawn(200, false, false, &r), seed); !math.IsNaN(a.Items.Value) {
			known++
		}
	}
	if known > 6 { // 5 % each: more than 6 of 40 has a probability of 0.003
		t.Errorf("independent members: shares of %d of 40 losses", known)
	}
}

// TestAgreementIsCovered checks that nine in ten intervals of 90 % hold what many items give, 100 and 400 items.
func TestAgreementIsCovered(t *testing.T) {
	longtest.Only(t, "takes a minute")
	r := rng.Stream(520, "agreement")
	truth := agree(t, drawn(400_000, true, true, &r), 1)
	for _, items := range []int{100, 400} {
		const runs = 400
		var in [6]int
		known := 0
		for seed := range uint64(runs) {
			r := rng.Stream(530+seed, "agreement", "covered")
			a := agree(t, drawn(items, true, true, &r), seed)
			if !math.IsNaN(a.Items.Value) {
				known++
			}
			for k, p := range [][2]accuracy.Estimate{{a.Independent, truth.Independent}, {a.Same, truth.Same}, {a.Actual, truth.Actual}, {a.Items, truth.Items}, {a.Answers, truth.Answers}, {a.SameWrong, truth.SameWrong}} {
				if p[0].Low <= p[1].Value && p[1].Value <= p[0].High {
					in[k]++
				}
			}
		}
		t.Logf("%d items: covered %v of %d; shares are known in %d", items, in, runs, known)
		for k, n := range in {
			of := runs
			if k == 3 || k == 4 {
				of = known
			}
			if share := float64(n) / float64(of); !(share > 0.85 && share < 0.95) { // ±3 standard errors and a bias of 0.005
				t.Errorf("%d items: interval %d covers in %v", items, k, share)
			}
		}
	}
}

// TestAgreementTable checks that every number has its column, and a loss that is not determined a note.
func TestAgreementTable(t *testing.T) {
	r := rng.Stream(513, "agreement")
	lost, none := agree(t, drawn(2000, true, true, &r), 1), agree(t, drawn(100, false, false, &r), 1)
	none.Items.Value = math.NaN()
	tb := accuracy.AgreementTable([]accuracy.GroupAgreement{{"a", accuracy.PluralityVote, lost}, {"b", accuracy.PluralityVote, none}}, 0.9)
	if len(tb.Rows) != 2 || len(tb.Notes) != 1 || tb.Notes[0].Row != 1 || !strings.Contains(tb.Foot[0], "90 % interval") {
		t.Errorf("%+v", tb)
	}
	for i, c := range tb.Columns {
		if _, has := tb.Rows[0][i].Number(); !has && tb.Rows[0][i].Text() == "" {
			t.Errorf("column %s has no value", c.Name)
		}
	}
}
