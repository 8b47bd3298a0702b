package predict_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/rng"
)

// TestGradeByHand checks a grade by hand. For A's responses 1 and 0, the predictions are 0.8 and 0.4; for B's response 1, the
// prediction is 0.3. One of the three is wrong. The numbers of errors by subject, 0 of 2 and 1 of 1, differ by 2/3 from those
// that the mean 1/3 gives: SE = √(2 · 2 · (2/3)²)/3 = 4/9.
func TestGradeByHand(t *testing.T) {
	tb := &table.Table{Subjects: []string{"A", "B", "C"}, Items: []string{"i"}, Subject: []int32{0, 0, 1}, Item: []int32{0, 0, 0}, Value: []float64{1, 0, 1}}
	g := predict.NewGrade(tb, []float64{0.8, 0.4, 0.3})
	near(t, "error", g.Mean[predict.Error], 1.0/3, 1e-12)
	near(t, "MAE", g.Mean[predict.MAE], 1.3/3, 1e-12)
	near(t, "MSE", g.Mean[predict.MSE], 0.69/3, 1e-12)
	near(t, "bias", g.Mean[predict.Bias], -0.5/3, 1e-12)
	near(t, "log loss", g.Mean[predict.LogLoss], -(math.Log(0.8)+math.Log(0.6)+math.Log(0.3))/3, 1e-12)
	near(t, "SE", g.SE[predict.Error], 4.0/9, 1e-12)
	if g.Subjects != 2 || g.N != 3 {
		t.Errorf("%d subjects, %d rows", g.Subjects, g.N)
	}
	// every prediction has a bin of its own, so that calibration is the whole MSE
	near(t, "calibration", g.Calibration, 0.69/3, 1e-12)
	near(t, "refinement", g.Refinement, 0, 1e-12)
	h := predict.NewGrade(tb, []float64{0.6, 0.6, 0.6}) // one bin of rate 2/3
	near(t, "calibration", h.Calibration, (0.6-2.0/3)*(0.6-2.0/3), 1e-12)
	near(t, "refinement", h.Refinement, 2.0/9, 1e-12)
	near(t, "sum", h.Calibration+h.Refinement, h.Mean[predict.MSE], 1e-12)
}

// TestSummary checks a summary by hand: errors 0.2, 0.3, 0.4 over three splits with a third as many test as training
// rows. Their sd is 0.1, the corrected standard error 0.1·√(1/3 + 1/3), and t = 4.302653 with 2 degrees of freedom.
func TestSummary(t *testing.T) {
	split := predict.Split{Train: make([]int32, 3), Test: make([]int32, 1)}
	var gs []predict.Grade
	for _, e := range []float64{0.2, 0.3, 0.4} {
		g := predict.Grade{}
		g.Mean[predict.Error] = e
		gs = append(gs, g)
	}
	s := predict.Summarise(predict.Error, gs, []predict.Split{split, split, split}, 0.95)
	near(t, "mean", s.Mean, 0.3, 1e-12)
	near(t, "sd", s.SD, 0.1, 1e-12)
	near(t, "low", s.Low, 0.3-4.302652729911275*0.1*math.Sqrt(2.0/3), 1e-9)
	one := predict.Grade{Subjects: 11}
	one.Mean[predict.Error], one.SE[predict.Error] = 0.2, 0.01
	near(t, "one split", predict.Summarise(predict.Error, []predict.Grade{one}, []predict.Split{split}, 0.95).High, 0.2+2.228138851986*0.01, 1e-9)
	alike := predict.Summarise(predict.Error, []predict.Grade{one, one}, []predict.Split{split, split}, 0.95)
	near(t, "two splits that are alike", alike.High, 0.2+2.228138851986*0.01, 1e-9)
	one.Subjects = 1
	if s := predict.Summarise(predict.Error, []predict.Grade{one}, []predict.Split{split}, 0.95); !math.IsNaN(s.Low) {
		t.Error("one subject gives no interval")
	}
}

// TestAggregatesByHand checks aggregates by hand: three of four training responses are successes, 2 of 2 of A and 1 of
// 2 of B; C has no response.
func TestAggregatesByHand(t *testing.T) {
	tb := &table.Table{Binary: true, Subjects: []string{"A", "B", "C"}, Items: []string{"i"}, Subject: []int32{0, 0, 1, 1}, Item: make([]int32, 4), Value: []float64{1, 1, 1, 0}}
	for _, c := range []struct {
		p    predict.Predictor
		want [3]float64
	}{{predict.Majority{}, [3]float64{1, 1, 1}}, {predict.Global{}, [3]float64{0.75, 0.75, 0.75}}, {predict.Subject{}, [3]float64{1, 0.5, 0.75}}} {
		p := make([]float64, 3)
		fit(t, c.p, tb).Predict([]int32{0, 1, 2}, []int32{0, 0, 0}, p)
		if [3]float64(p) != c.want {
			t.Errorf("%s: %v, want %v", c.p.Name(), p, c.want)
		}
	}
}

// TestBlendByHand checks a blend by hand: the log odds of 0.1 and 0.5 are −log 9 and 0, and their mean is that of the
// probability ¼.
func TestBlendByHand(t *testing.T) {
	p := make([]float64, 1)
	b := predict.Blend{ID: "blend", Parts: []predict.Predictor{says(0.1), says(0.5)}}
	fit(t, b, &table.Table{}).Predict([]int32{0}, []int32{0}, p)
	near(t, "blend", p[0], 0.25, 1e-12)
}

// A says is a predictor whose predictions are all itself.
type says float64

func (says) Name() string { return "says" }
func (s says) Fit(context.Context, *table.Table, uint64) (predict.Model, error) {
	return s, nil
}
func (s says) Predict(_, _ []int32, p []float64) {
	for i := range p {
		p[i] = float64(s)
	}
}

func TestRandomSplits(t *testing.T) {
	r := rng.Stream(1, "splits")
	tb, _ := simulated(&r, 9, 21)
	for _, c := range []struct {
		unit predict.Unit
		of   func(i int32) int32
		want int
	}{{predict.Response, func(i int32) int32 { return i }, 141}, {predict.Item, func(i int32) int32 { return tb.Item[i] }, 15}, {predict.Person, func(i int32) int32 { return tb.Subject[i] }, 6}} {
		splits := predict.Random(tb, c.unit, 3, 0.75, 1)
		if slices.Equal(splits[0].Train, splits[1].Train) {
			t.Errorf("%s: two splits are equal", c.unit)
		}
		for _, s := range splits {
			train := map[int32]bool{}
			for _, i := range s.Train {
				train[c.of(i)] = true
			}
			if len(s.Train)+len(s.Test) != tb.Rows() || len(train) != c.want || !slices.IsSorted(s.Train) {
				t.Errorf("%s: %d + %d rows, %d units train, want %d", c.unit, len(s.Train), len(s.Test), len(train), c.want)
			}
			for _, i := range s.Test {
				if train[c.of(i)] {
					t.Errorf("%s: unit of row %d is in both parts", c.unit, i)
				}
			}
		}
	}
}

// TestNewSubjectsAndItems checks that, with the unit Both, no subject and no item is in both parts, and that all responses of a
// training subject to a training item train: two thirds of 9 subjects × 21 items.
func TestNewSubjectsAndItems(t *testing.T) {
	r := rng.Stream(1, "both")
	tb, _ := simulated(&r, 9, 21)
	for _, s := range predict.Random(tb, predict.Both, 3, 0.67, 1) {
		seen := [2]map[int32]bool{{}, {}}
		for _, i := range s.Train {
			seen[0][tb.Subject[i]], seen[1][tb.Item[i]] = true, true
		}
		for _, i := range s.Test {
			if seen[0][tb.Subject[i]] || seen[1][tb.Item[i]] {
				t.Errorf("row %d: subject %d or item %d was trained on", i, tb.Subject[i], tb.Item[i])
			}
		}
		if len(s.Train) != 6*14 || len(s.Test) != 3*7 {
			t.Errorf("%d training and %d test responses", len(s.Train), len(s.Test))
		}
	}
}

// TestItemMeansByHand checks success rates of items by hand: 1 of 2 on the first, 1 of 1 on the second; the third has no
// response, and gets the rate of all, 2 of 3.
func TestItemMeansByHand(t *testing.T) {
	tb := &table.Table{Binary: true, Subjects: []string{"A", "B"}, Items: []string{"i", "j", "k"}, Subject: []int32{0, 0, 1}, Item: []int32{0, 1, 0}, Value: []float64{1, 1, 0}}
	p := make([]float64, 3)
	fit(t, predict.ItemMean{}, tb).Predict([]int32{0, 0, 1}, []int32{0, 1, 2}, p)
	for j, want := range []float64{0.5, 1, 2.0 / 3} {
		near(t, tb.Items[j], p[j], want, 1e-12)
	}
}

const splitText = "item,subject,a,b\ni0,s0,1,0\ni1,s0,0,1\ni0,s1,1,0\n"

func TestParseSplits(t *testing.T) {
	r := rng.Stream(1, "splits")
	tb, _ := simulated(&r, 2, 3)
	splits, err := predict.ParseSplits("splits.csv", []byte(splitText), tb)
	if err != nil {
		t.Fatal(err)
	}
	// The rows of the table are s0 × i0 i1 i2, s1 × i0 i1 i2. Three of the six have no line.
	if len(splits) != 2 || splits[0].Name != "a" || !slices.Equal(splits[0].Train, []int32{0, 3}) || !slices.Equal(splits[0].Test, []int32{1}) || !slices.Equal(splits[1].Test, []int32{0, 3}) {
		t.Errorf("splits %+v", splits)
	}
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "splits.csv: EOF"},
		{"head", "subject,a\n", "splits.csv: line 1: the columns subject and item"},
		{"same name", "subject,item,a,a\n", `splits.csv: line 1: column 4 has the name "a", which is empty or taken`},
		{"quote", "subject,item,a\n00\"0,0,1\n", `splits.csv: parse error on line 2`},
		{"subject", "subject,item,a\nx,i0,1\n", `splits.csv: line 2: subject "x" is not in the data`},
		{"item", "subject,item,a\ns0,i0,1\ns0,x,1\n", `splits.csv: line 3: item "x" is not in the data`},
		{"twice", "subject,item,a\ns0,i0,1\ns0,i0,1\n", `line 3: subject "s0" and item "i0" occur twice`},
		{"value", "subject,item,a\ns0,i0,yes\n", `line 2: "yes" is neither 1 (training) nor 0 (test)`},
		{"no test", "subject,item,a\ns0,i0,1\n", `split "a" has 1 training and 0 test responses`},
		{"fields", "subject,item,a\ns0,i0\n", "wrong number of fields"},
	} {
		if _, err := predict.ParseSplits("splits.csv", []byte(c.text), tb); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want …%s…", c.name, err, c.want)
		}
	}
}

func FuzzParseSplits(f *testing.F) {
	f.Add(splitText)
	r := rng.Stream(1, "splits")
	tb, _ := simulated(&r, 2, 3)
	f.Fuzz(func(t *testing.T, text string) {
		splits, err := predict.ParseSplits("f", []byte(text), tb)
		for _, s := range splits {
			if err != nil || len(s.Train) == 0 || len(s.Test) == 0 || len(s.Train)+len(s.Test) > tb.Rows() {
				t.Errorf("%+v, %v", s, err)
			}
		}
	})
}

// TestShift checks demands and shifts by hand. x is 1 2 2 3 and missing, y is 5 5 7 6 4. The shares of items below,
// where ties count half, are 1/8 4/8 4/8 7/8 for x and, over five items, 4/10 4/10 9/10 7/10 for y. The demands are the
// means 0.2625 0.45 0.7 0.7875.
func TestShift(t *testing.T) {
	tb := &table.Table{Subjects: []string{"s"}, Items: make([]string, 5), Features: []table.Feature{
		{Name: "x", Value: []float64{1, 2, 2, 3, 0}, Missing: []bool{4: true}}, {Name: "y", Value: []float64{5, 5, 7, 6, 4}},
		{Name: "c", Value: make([]float64, 5)}, {Name: "side", Levels: []string{"l"}, Value: make([]float64, 5)}}}
	for i := range 5 {
		tb.Subject, tb.Item, tb.Value = append(tb.Subject, 0), append(tb.Item, int32(i)), append(tb.Value, 1)
	}
	d, missing, err := predict.Demand(tb, []string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.2625, 0.45, 0.7, 0.7875} {
		near(t, "demand", d[i], want, 1e-12)
	}
	if !missing[4] || missing[0] {
		t.Errorf("missing %v", missing)
	}
	for _, c := range []struct {
		name        string
		shift       predict.Shift
		train, test []int32
	}{
		{"half of two features", predict.Shift{Features: []string{"x", "y"}}, []int32{0, 1}, []int32{2, 3}},
		{"ties stay together", predict.Shift{Features: []string{"x"}}, []int32{0}, []int32{1, 2, 3}},
		{"most are easy", predict.Shift{Features: []string{"x"}, Easy: 0.9}, []int32{0, 1, 2}, []int32{3}},
		{"fewest that can be", predict.Shift{Features: []string{"x"}, Easy: 0.01}, []int32{0}, []int32{1, 2, 3}},
	} {
		s, err := c.shift.Split(tb)
		if err != nil || !slices.Equal(s.Train, c.train) || !slices.Equal(s.Test, c.test) {
			t.Errorf("%s: %v | %v, %v; want %v | %v", c.name, s.Train, s.Test, err, c.train, c.test)
		}
	}
	for _, c := range []struct {
		shift predict.Shift
		want  string
	}{
		{predict.Shift{Name: "n", Features: []string{"z"}}, `feature "z" is not in the table`},
		{predict.Shift{Name: "n", Features: []string{"side"}}, "more and less are not defined"},
		{predict.Shift{Name: "n", Features: []string{"c"}}, "all items have the same demand"},
		{predict.Shift{Name: "n", Features: []string{"x"}, Easy: 1}, "is not a fraction in (0, 1)"},
	} {
		if _, err := c.shift.Split(tb); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want …%s…", err, c.want)
		}
	}
}
