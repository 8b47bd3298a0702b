package redteam

import (
	"context"
	"math"
	"slices"

	"achilles/battery"
	"achilles/battery/measure"
	"achilles/gridworld"
	"achilles/sim/num"
)

// A Row says how often one way to pass without looking picks a right place.
type Row struct {
	Name, Doc string // Doc completes the phrase "whoever …"
	Right     []Tally
	All       Tally
}

// A Tally is how many of some items a row passes, and how many of them chance passes on average.
type Tally struct {
	Passed, Of int
	Chance     float64 // sum of the chances
}

// Rate returns the share of the items that is passed, and 0 if there are none; Luck that which chance passes.
func (t Tally) Rate() float64 { return float64(t.Passed) / float64(max(t.Of, 1)) }
func (t Tally) Luck() float64 { return t.Chance / float64(max(t.Of, 1)) }

// Least returns the lower end of the 95 % interval of Rate (Wilson 1927).
func (t Tally) Least() float64 {
	low, _ := num.WilsonInterval(float64(t.Passed), float64(t.Of), 0.95)
	return low
}

// Enough is the least number of items on which a row is judged; Margin is by how much it may be better than chance.
const (
	Enough = 400
	Margin = 0.10
)

// Leaks reports whether a row passes on Enough items by more than Margin more often than chance, as far as the lower end of its interval
// says.
func (t Tally) Leaks() bool { return t.Of >= Enough && t.Least() > t.Luck()+Margin }

func (t *Tally) add(luck float64, right bool) {
	t.Of, t.Passed, t.Chance = t.Of+1, t.Passed+is(right), t.Chance+luck
}

// A way fits something on some items, and returns how it does on another.
type way struct {
	name, doc string
	fit       func(fitted []*try) (passes func(*try) bool)
	luck      func(*try) (chance float64, applies bool) // nil: that of a place drawn at random
}

// Rows returns a row for every way to pass without looking, and the paradigms with items that leave a choice, sorted. It returns none
// for batteries without such items. The error is that of the context, or of a world that cannot be read.
func Rows(ctx context.Context, b *battery.Battery) (paradigms []string, rows []Row, err error) {
	tries, err := triesOf(ctx, b)
	if err != nil || len(tries) == 0 {
		return nil, nil, err
	}
	var halves [2][]*try
	of := map[string]int{} // by paradigm: number of items so far
	for i := range tries {
		x := &tries[i]
		if of[x.paradigm] == 0 {
			paradigms = append(paradigms, x.paradigm)
		}
		halves[of[x.paradigm]%2] = append(halves[of[x.paradigm]%2], x)
		of[x.paradigm]++
	}
	slices.Sort(paradigms)
	for _, w := range ways() {
		row := Row{Name: w.name, Doc: w.doc, Right: make([]Tally, len(paradigms))}
		for half, list := range halves {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			passes := w.fit(halves[1-half])
			for _, x := range list {
				luck, applies := x.chance(), true
				if w.luck != nil {
					luck, applies = w.luck(x)
				}
				if applies {
					right := passes(x)
					row.All.add(luck, right)
					row.Right[slices.Index(paradigms, x.paradigm)].add(luck, right)
				}
			}
		}
		rows = append(rows, row)
	}
	return paradigms, rows, nil
}

func ways() []way {
	return []way{
		{"clock", "goes to the place whose distance fits the time limit and the time for which it is held", fitClock, nil},
		{"index", "goes to where the reward of a certain index ends", fitIndex, lucky},
		{"order", "goes to a certain place of those listed", fitOrder, nil},
		{"nearest", "goes to the place nearest to the start", to((*try).away), nil},
		{"farthest", "goes to the place farthest from the start", to(func(x *try, k int) int { return -x.away(k) }), nil},
		{"replay", "repeats the actions that passed another item, without looking", fitReplay, nil},
		{"learner", "has learned in other rooms in which place of a room the reward lies", fitLearner, nil},
	}
}

// to returns what fits nothing, and goes to the place of the least cost.
func to(cost func(*try, int) int) func([]*try) func(*try) bool {
	return func([]*try) func(*try) bool {
		return func(x *try) bool { return x.right[x.least(func(k int) int { return cost(x, k) })] }
	}
}

// least returns the first place with the least cost.
func (x *try) least(cost func(k int) int) int {
	best := 0
	for k := range x.places {
		if cost(k) < cost(best) {
			best = k
		}
	}
	return best
}

// fitIndex finds the index of which the reward ends in a right place most often.
func fitIndex(fitted []*try) func(*try) bool {
	hits := make([]int, 8)
	for _, x := range fitted {
		for k := range hits {
			hits[k] += is(k < len(x.rewards) && x.ends(k))
		}
	}
	best := slices.Index(hits, slices.Max(hits))
	return func(x *try) bool { return x.ends(min(best, len(x.rewards)-1)) }
}

// ends says whether reward k ends in a right place.
func (x *try) ends(k int) bool {
	p := slices.Index(x.places, x.rewards[k])
	return p >= 0 && x.right[p]
}

// lucky returns the share of the rewards that end in a right place; an index can tell something where there are others.
func lucky(x *try) (float64, bool) {
	n := 0
	for k := range x.rewards {
		n += is(x.ends(k))
	}
	return float64(n) / float64(len(x.rewards)), n < len(x.rewards)
}

// fitOrder finds, for every number of places, which of them is right most often.
func fitOrder(fitted []*try) func(*try) bool {
	hits := map[int][]int{}
	for _, x := range fitted {
		n := len(x.places)
		if hits[n] == nil {
			hits[n] = make([]int, n)
		}
		for k, r := range x.right {
			hits[n][k] += is(r)
		}
	}
	return func(x *try) bool {
		h := hits[len(x.places)]
		return h != nil && x.right[slices.Index(h, slices.Max(h))]
	}
}

// fitReplay finds, among some recorded ways, the one that passes most of some items.
func fitReplay(fitted []*try) func(*try) bool {
	const recorded, tried = 40, 120
	some := func(n int) (list []*try) {
		for i := range min(n, len(fitted)) {
			list = append(list, fitted[i*len(fitted)/min(n, len(fitted))])
		}
		return list
	}
	var best []gridworld.Action
	most := -1
	for _, x := range some(recorded) {
		var y measure.Way
		if !y.Walk(x.world, x.places[slices.Index(x.right, true)], false) {
			continue
		}
		passed := 0
		for _, other := range some(tried) {
			passed += is(other != x && other.replays(y.Actions))
		}
		if passed > most {
			best, most = y.Actions, passed
		}
	}
	return func(x *try) bool { return x.replays(best) }
}

// replays says whether an actor passes that performs some actions as soon as it may act.
func (x *try) replays(actions []gridworld.Action) bool {
	if x.event == nil {
		x.event = x.world.Clone()
		for x.event.Tick() < x.free && x.event.Outcome() == gridworld.Running {
			x.event.Step(gridworld.Stay)
		}
	}
	w := x.event.Clone()
	for _, a := range actions {
		if w.Outcome() != gridworld.Running {
			break
		}
		w.Step(a)
	}
	return w.Outcome() == gridworld.Finished
}

// fitClock predicts the time to walk to the right place, by least squares, from the time limit, from the tick at which the actor may
// act, and from the rest that it leaves of fifty ticks, in which design times are counted.
func fitClock(fitted []*try) func(*try) bool {
	says := func(x *try) [4]float64 {
		return [4]float64{1, float64(x.world.Rules().Limit - x.free), float64(x.free), float64(x.free % 50)}
	}
	var a [4][5]float64
	for k := range a {
		a[k][k] = 1e-6
	}
	for _, x := range fitted {
		v, to := says(x), float64(x.ticks[slices.Index(x.right, true)])
		for i := range v {
			for j := range v {
				a[i][j] += v[i] * v[j]
			}
			a[i][4] += v[i] * to
		}
	}
	weights := solve(a)
	return func(x *try) bool {
		want := 0.0
		for i, v := range says(x) {
			want += v * weights[i]
		}
		return x.right[x.least(func(k int) int { return int(100 * math.Abs(float64(x.ticks[k])-want)) })]
	}
}

// solve solves four linear equations by elimination.
func solve(a [4][5]float64) (x [4]float64) {
	for i := range a {
		best := i
		for r := i; r < 4; r++ {
			if math.Abs(a[r][i]) > math.Abs(a[best][i]) {
				best = r
			}
		}
		a[i], a[best] = a[best], a[i]
		for r := range a {
			if r != i && a[i][i] != 0 {
				f := a[r][i] / a[i][i]
				for c := range a[r] {
					a[r][c] -= f * a[i][c]
				}
			}
		}
	}
	for i := range x {
		if a[i][i] != 0 {
			x[i] = a[i][4] / a[i][i]
		}
	}
	return x
}
