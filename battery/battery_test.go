package battery_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/gridworld"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// small returns a battery of three items with three features: a number, a number with a missing value, and a text.
func small() battery.Battery {
	b := battery.Battery{
		Suite: "small",
		Schema: []record.Feature{
			{Name: "size", Kind: record.Number, Range: &[2]float64{0, 5}},
			{Name: "time", Kind: record.Number},
			{Name: "colour", Kind: record.Text},
		},
		Measure: []record.Measure{{Name: "success", Family: record.Binary}},
	}
	add := func(name string, size float64, time battery.Value, colour string) {
		b.Items.Append(&battery.Item{
			Name: name, Suite: "small", Paradigm: "p", Task: "t" + name,
			Values: battery.PackValues(battery.Value{Number: size}, time, battery.Value{Text: colour}),
		})
	}
	add("a", 1, battery.Value{Number: 3}, "red")
	add("b", 2, battery.Value{Missing: true}, "blue")
	add("c", 3, battery.Value{Number: 5}, "red")
	return b
}

func names(b battery.Battery) string {
	var s []string
	for _, it := range b.Items.All() {
		s = append(s, it.Name)
	}
	return strings.Join(s, " ")
}

func TestWhere(t *testing.T) {
	for _, c := range []struct{ condition, want, why string }{
		{"size >= 2", "b c", "a number"},
		{`colour == "red"`, "a c", "a text"},
		{`in(task, "ta", "tb")`, "a b", "task, suite and paradigm are columns too"},
		{"time < 9", "a c", "an item without the value is left out"},
		{"time != 3", "c", "even where a comparison with nothing would hold"},
		{"size > 9", "", "nothing"},
	} {
		b, err := small().Where(c.condition)
		if err != nil || names(b) != c.want {
			t.Errorf("%s: %s keeps %q (%v), want %q", c.why, c.condition, names(b), err, c.want)
		}
	}
	for condition, says := range map[string]string{
		"sise > 1":        "did you mean size",
		"size":            "compare it",
		`colour > 1`:      "compares",
		"size > ":         "column",
		`colour == "red`:  "column",
		"size = 1":        "==",
		"mean(size) == 1": "unknown function",
	} {
		if _, err := small().Where(condition); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v does not say %q", condition, err, says)
		}
	}
}

func TestCompleteAndSample(t *testing.T) {
	b, err := small().Complete([]string{"time", "size"})
	if err != nil || names(b) != "a c" {
		t.Errorf("complete keeps %q (%v), want a c", names(b), err)
	}
	if _, err := small().Complete([]string{"tiem"}); err == nil || !strings.Contains(err.Error(), "did you mean time") {
		t.Errorf("error %v suggests nothing", err)
	}
	if got := names(small().Sample(9, rng.Stream(1, "s"))); got != "a b c" {
		t.Errorf("a sample of more than there are is %q", got)
	}
	count := map[string]int{}
	const n = 3000
	for root := range uint64(n) {
		count[names(small().Sample(2, rng.Stream(root, "s")))]++
	}
	// Each of three pairs is expected n/3 times. With a random seed a correct Sample would deviate by more than 5 standard
	// deviations once in 10⁶ runs.
	for _, pair := range []string{"a b", "a c", "b c"} {
		if d := math.Abs(float64(count[pair]) - n/3.0); d > 5*math.Sqrt(n*2/9.0) {
			t.Errorf("pair %s was drawn %d times of %d", pair, count[pair], n)
		}
	}
}

func TestCheck(t *testing.T) {
	good := small()
	if err := good.Check(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		why   string
		spoil func(*battery.Battery)
		says  string
	}{
		{"same name twice", func(b *battery.Battery) { batterytest.Edit(&b.Items, 1, func(it *battery.Item) { it.Name = "a" }) }, `name "a" is empty or taken`},
		{"no task", func(b *battery.Battery) { batterytest.Edit(&b.Items, 1, func(it *battery.Item) { it.Task = "" }) }, "needs suite, paradigm and task"},
		{"too few values", func(b *battery.Battery) { edit(b, 0, func(v []battery.Value) []battery.Value { return v[:2] }) }, "2 values for 3 features"},
		{"outside the range", func(b *battery.Battery) { set(b, 0, 0, battery.Value{Number: 5.5}) }, "feature size: 5.5 is outside its range 0 to 5"},
		{"NaN", func(b *battery.Battery) { set(b, 0, 1, battery.Value{Number: math.NaN()}) }, "want a finite number"},
		{"number for a text", func(b *battery.Battery) { set(b, 0, 2, battery.Value{Number: 1}) }, "want a text"},
		{"missing with a value", func(b *battery.Battery) { set(b, 1, 1, battery.Value{Number: 2, Missing: true}) }, "missing, and yet"},
		{"name no expression can mention", func(b *battery.Battery) { b.Schema[0].Name = "goal size" }, "not a name"},
		{"feature named like a label", func(b *battery.Battery) { b.Schema[0].Name = "task" }, "taken"},
		{"a brief of two lines", func(b *battery.Battery) {
			batterytest.Edit(&b.Items, 0, func(it *battery.Item) { it.Brief = "Find it.\nQuick." })
		}, "one line"},
		{"no world", func(b *battery.Battery) {
			batterytest.Edit(&b.Items, 0, func(it *battery.Item) { it.Trials = []battery.Trial{{World: battery.Packed("wurld")}} })
		}, "trial 0: world: gridworld: not the binary form of a world"},
		{"places of no world", withWorld("", gridworld.Pos{}), "trial 0: world: there is none"},
		{"nobody there", withWorld("world 1\nlimit 9\nmap\n.g\n"), "no actor"},
		{"no time limit", withWorld("world 1\nmap\nAg\n"), "no time limit"},
		{"under way", withWorld("world 1\nlimit 9\nmap\nA.g\n\ntick 1\n"), "tick 0"},
		{"place outside", withWorld("world 1\nlimit 9\nmap\nAg\n", gridworld.Pos{X: 2}), "2,0 is outside"},
		{"places out of order", withWorld("world 1\nlimit 9\nmap\nAg\n", gridworld.Pos{X: 1}, gridworld.Pos{}), "0,0 is outside the world, twice or out of order"},
		{"an answer to nothing", func(b *battery.Battery) { batterytest.Edit(&b.Items, 0, func(it *battery.Item) { it.Answer = "red" }) }, "no features question and options"},
		{"an answer that is no option", asking("red blue", "green"), `the answer "green" among them`},
		{"one option", asking("red", "red"), "two or more"},
		{"the same option twice", asking("red blue red", "red"), `"red" appears twice`},
		{"no items", func(b *battery.Battery) { b.Items = battery.Items{} }, "needs a measure and an item"},
	} {
		b := small()
		c.spoil(&b)
		if err := b.Check(t.Context(), 2); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.says)
		}
	}
}

// TestCheckFirst checks that the first fault is reported, at any number of goroutines.
func TestCheckFirst(t *testing.T) {
	b := small()
	it := b.Items.At(0)
	for i := range 3000 {
		it.Name, it.Brief = fmt.Sprintf("more-%d", i), ""
		if i >= 1000 {
			it.Brief = "two\nlines"
		}
		b.Items.Append(&it)
	}
	for _, jobs := range []int{0, 1, 2, 7} {
		if err := b.Check(t.Context(), jobs); err == nil || !strings.Contains(err.Error(), "item more-1000: ") {
			t.Errorf("%d goroutines: %v", jobs, err)
		}
	}
}

// edit changes the values of item i.
func edit(b *battery.Battery, i int, f func([]battery.Value) []battery.Value) {
	batterytest.Edit(&b.Items, i, func(it *battery.Item) {
		var list []battery.Value
		for _, v := range it.Values.All() {
			list = append(list, v)
		}
		it.Values = battery.PackValues(f(list)...)
	})
}

// set replaces value k of item i.
func set(b *battery.Battery, i, k int, x battery.Value) {
	edit(b, i, func(v []battery.Value) []battery.Value {
		v[k] = x
		return v
	})
}

// asking returns a function that makes every item of a battery a question with the given options and answer.
func asking(options, answer string) func(*battery.Battery) {
	return func(b *battery.Battery) {
		for _, name := range []string{battery.QuestionFeature, battery.OptionsFeature} {
			b.Schema = append(b.Schema, record.Feature{Name: name, Kind: record.Text})
		}
		for i := range b.Items.Len() {
			batterytest.Edit(&b.Items, i, func(it *battery.Item) { it.Answer = answer })
			edit(b, i, func(v []battery.Value) []battery.Value {
				return append(v, battery.Value{Text: "which?"}, battery.Value{Text: options})
			})
		}
	}
}

func TestQuestion(t *testing.T) {
	b := small()
	if _, _, ok := b.Question(0); ok {
		t.Error("an item without answer is a question")
	}
	asking("red blue", "blue")(&b)
	if err := b.Check(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if text, options, ok := b.Question(1); !ok || text != "which?" || strings.Join(options, ",") != "red,blue" {
		t.Errorf("it asks %q with options %q (%v)", text, options, ok)
	}
}

func withWorld(text string, places ...gridworld.Pos) func(*battery.Battery) {
	return func(b *battery.Battery) {
		batterytest.Edit(&b.Items, 0, func(it *battery.Item) {
			it.Trials = []battery.Trial{{World: batterytest.World(text), Places: places}}
		})
	}
}

func TestCorrelate(t *testing.T) {
	b := small()
	c, err := b.Correlate("size", "time", "colour")
	if err != nil {
		t.Fatal(err)
	}
	// By hand: size is 1, 2, 3; time is 3, 4 (the mean, because it is missing) and 5; the indicator of red is 1, 0, 1.
	want := [][]float64{{1, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, -1}, {0, 0, -1, 1}}
	for i := range want {
		for j := range want {
			if math.Abs(c.R[i][j]-want[i][j]) > 1e-12 {
				t.Errorf("r(%s, %s) is %v, want %v", c.Names[i], c.Names[j], c.R[i][j], want[i][j])
			}
		}
	}
	if x, y, r := c.Largest(); x != "size" || y != "time" || math.Abs(r-1) > 1e-12 {
		t.Errorf("largest is %s, %s, %v: levels of one text must not count", x, y, r)
	}
	x := c.Table()
	if err := x.Check(); err != nil {
		t.Error(err)
	}
	var got []string
	for i := range x.Rows {
		r, _ := x.Value(i, "r").Number()
		got = append(got, fmt.Sprintf("%s %s %.2f", x.Value(i, "feature").Text(), x.Value(i, "other").Text(), r))
	}
	if want := []string{"size size 1.00", "time size 1.00", "time time 1.00", "colour=red size 0.00", "colour=red time 0.00", "colour=red colour=red 1.00",
		"colour=blue size 0.00", "colour=blue time 0.00", "colour=blue colour=red -1.00", "colour=blue colour=blue 1.00"}; !slices.Equal(got, want) {
		t.Errorf("table is %q, want %q", got, want)
	}
	if x.View.Short["colour=red"] != "3" || x.Foot[0] != "The largest is 1.000, of size and time." {
		t.Errorf("%v, %q", x.View.Short, x.Foot)
	}
}

func TestCross(t *testing.T) {
	points, err := battery.Cross([]battery.Factor{{Name: "a", Number: []float64{5, 6}}, {Name: "b", Text: []string{"x", "y", "z"}}})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]int{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}
	for i := range want {
		if points[i][0] != want[i][0] || points[i][1] != want[i][1] {
			t.Errorf("point %d is %v, want %v", i, points[i], want[i])
		}
	}
}

// TestBalanceBeatsShuffles checks that the largest correlation of a balanced design is far below that of independent
// shuffles, about 3/√n.
func TestBalanceBeatsShuffles(t *testing.T) {
	var factors []battery.Factor
	for _, name := range strings.Fields("a b c d e f g h") {
		factors = append(factors, battery.Factor{Name: name, Number: []float64{0, 1, 2, 5}})
	}
	for root := range uint64(10) {
		b := battery.Battery{}
		for _, f := range factors {
			b.Schema = append(b.Schema, record.Feature{Name: f.Name, Kind: record.Number})
		}
		points, err := battery.Balance(t.Context(), rng.Stream(root, "balance"), factors, 400)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range points {
			var values []battery.Value
			for f, l := range p {
				values = append(values, battery.Value{Number: factors[f].Number[l]})
			}
			b.Items.Append(&battery.Item{Values: battery.PackValues(values...)})
		}
		c, err := b.Correlate()
		if err != nil {
			t.Fatal(err)
		}
		if x, y, r := c.Largest(); math.Abs(r) > 0.005 {
			t.Errorf("root %d: %s and %s correlate %v", root, x, y, r)
		}
	}
}

// TestBalanceStops checks that the balance of a large design looks whether it is cancelled more often than once for each factor.
func TestBalanceStops(t *testing.T) {
	flag := []float64{0, 1}
	ctx := &ending{Context: t.Context(), left: 20}
	if _, err := battery.Balance(ctx, rng.Stream(1, "stops"), []battery.Factor{{Name: "a", Number: flag}, {Name: "b", Number: flag}}, 100_000); err == nil {
		t.Error("it was cancelled, and went on to its end")
	}
}

// An ending context is cancelled after it was asked some times.
type ending struct {
	context.Context
	left int
}

func (c *ending) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestBalanceWithin checks that forbidden combinations do not occur, that the levels of a factor are used equally often,
// and that the correlations that the forbidden combinations do not force are small.
func TestBalanceWithin(t *testing.T) {
	factors := []battery.Factor{
		{Name: "wall", Number: []float64{0, 1}}, {Name: "time", Number: []float64{0, 1, 2, 3, 4}},
		{Name: "size", Number: []float64{1, 2, 5}}, {Name: "family", Text: []string{"x", "y", "z"}},
	}
	alike := func(f, level int) int { return level }
	// Two combinations are forbidden: a wall with time 0, and the family x with size 5.
	faults := func(p []int) (n int) {
		if p[0] == 1 && p[1] == 0 {
			n++
		}
		if p[3] == 0 && p[2] == 2 {
			n++
		}
		return n
	}
	for root := range uint64(20) {
		const n = 300
		points, ok := battery.BalanceWithin(t.Context(), rng.Stream(root, "within"), factors, n, battery.Rule{Faults: faults, Alike: alike})
		if !ok {
			t.Fatalf("root %d: no arrangement", root)
		}
		b := battery.Battery{}
		for _, f := range factors[:3] {
			b.Schema = append(b.Schema, record.Feature{Name: f.Name, Kind: record.Number})
		}
		used := make([][5]int, len(factors))
		for _, p := range points {
			if faults(p) > 0 {
				t.Fatalf("root %d: point %v is forbidden", root, p)
			}
			var values []battery.Value
			for f, l := range p {
				used[f][l]++
				if f < 3 {
					values = append(values, battery.Value{Number: factors[f].Number[l]})
				}
			}
			b.Items.Append(&battery.Item{Values: battery.PackValues(values...)})
		}
		for f, fac := range factors {
			for l := range fac.Levels() {
				if used[f][l] != n/fac.Levels() {
					t.Errorf("root %d: level %d of %s stands %d times, want %d", root, l, fac.Name, used[f][l], n/fac.Levels())
				}
			}
		}
		c, err := b.Correlate()
		if err != nil {
			t.Fatal(err)
		}
		if x, y, r := c.Largest(); math.Abs(r) > 0.02 {
			t.Errorf("root %d: %s and %s correlate %v", root, x, y, r)
		}
	}
	never := func(p []int) int { return 1 }
	if _, ok := battery.BalanceWithin(t.Context(), rng.Stream(1, "within"), factors, 10, battery.Rule{Faults: never, Alike: alike}); ok {
		t.Error("points without faults were found where there are none")
	}
}
