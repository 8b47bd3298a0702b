package ctest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"achilles/sim/rng"
)

// A Request says which problems Generate makes.
type Request struct {
	Count   int    // number of problems
	K       []int  // complexities of problems, used equally often as far as there are enough series
	Answers []int  // numbers of options, used equally often within every complexity
	Root    uint64 // seed
}

// MinK and MaxK bound K. The published test has the same range.
const (
	MinK = 7
	MaxK = 15
)

// Series are shown with 4 to 10 letters, as in the published test.
const (
	minShown = 4
	maxShown = 10
	// stable is the number of further letters for which the best explanation must stay the best.
	stable = 3
)

// Generate makes problems whose answer cannot be disputed:
//
//   - every explanation of the series with another next letter has an LT that is higher by at least one bit;
//   - the best explanation stays the best when up to three further letters are shown;
//   - the series does not end in one repeated letter, and shows at least one and a half rounds of its program's loop;
//   - no two series are beginnings of the same ten letters, up to a rotation of the alphabet.
//
// Few series are simple: if a complexity has too few, the others get more. Generate fails if all together have too few.
func Generate(ctx context.Context, req Request) ([]Problem, error) {
	if err := req.check(); err != nil {
		return nil, err
	}
	g := generator{req: req, seen: map[string]bool{}, ready: map[int][]Problem{}, spent: map[int]bool{}}
	for round := 0; ; round++ {
		share, total := g.shares()
		if total == req.Count && g.has(share) {
			return g.finish(share), nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if round == maxRounds || total < req.Count {
			return nil, fmt.Errorf("ctest: %d series of complexity %v were found, not %d: ask for fewer, or other complexities", g.count(), req.K, req.Count)
		}
		g.search(g.draw(round, share))
	}
}

func (r *Request) check() error {
	if r.Count < 1 || len(r.K) == 0 || len(r.Answers) == 0 {
		return fmt.Errorf("ctest: a count, complexities and numbers of answers are needed")
	}
	for _, k := range r.K {
		if k < MinK || k > MaxK {
			return fmt.Errorf("ctest: complexity %d: problems have %d to %d", k, MinK, MaxK)
		}
	}
	for _, m := range r.Answers {
		if m < 2 || m > Letters {
			return fmt.Errorf("ctest: %d answers: problems have 2 to %d", m, Letters)
		}
	}
	return nil
}

// perProblem is the number of candidates that are drawn for every problem that is wanted, by complexity. Most candidates of
// high complexity are rejected.
var perProblem = [MaxK + 1]int{7: 3, 8: 3, 9: 3, 10: 3, 11: 4, 12: 10, 13: 20, 14: 40, 15: 100}

const (
	// written is the number of letters that the programs of candidates write: at least as many as any check looks at.
	written = maxShown + stable + 1

	// Wrong answers are the next letters of explanations that cost at most `rivals` times as much as the best, and at
	// most maxRival.
	rivals   Cost = 32
	maxRival Cost = 1 << 16

	maxRounds = 6
	maxDraws  = 400_000 // largest number of programs that are drawn in a round
)

type generator struct {
	req   Request
	seen  map[string]bool   // outputs that have been drawn, their first maxShown letters
	ready map[int][]Problem // problems that meet the conditions, by complexity
	spent map[int]bool      // complexities for which a round drew nothing new
}

// A candidate is a series that may become a problem.
type candidate struct {
	output Series            // letters that its program writes, as distances from the first
	goals  [1 + stable]*goal // the series that is shown, and the same with up to `stable` letters more
}

func (c *candidate) shown() int { return len(c.goals[0].series) }

// shares returns how many problems of each complexity to make, and their sum. Shares are equal, except that a spent
// complexity gets no more than it has.
func (g *generator) shares() (share map[int]int, total int) {
	share = map[int]int{}
	for grown := true; grown; {
		grown = false
		for _, k := range g.req.K {
			if total < g.req.Count && (!g.spent[k] || share[k] < len(g.ready[k])) {
				share[k]++
				total++
				grown = true
			}
		}
	}
	return share, total
}

func (g *generator) has(share map[int]int) bool {
	for k, n := range share {
		if len(g.ready[k]) < n {
			return false
		}
	}
	return true
}

func (g *generator) count() (n int) {
	for _, k := range g.req.K {
		n += len(g.ready[k])
	}
	return n
}

// draw draws programs until every complexity has enough candidates to fill its share, at most maxDraws programs.
func (g *generator) draw(round int, share map[int]int) []*candidate {
	r := rng.Stream(g.req.Root, "ctest", "programs", strconv.Itoa(round))
	short, want := map[int]int{}, 0
	for k, n := range share {
		short[k] = max(0, n-len(g.ready[k])) * perProblem[k]
		want += short[k]
	}
	drawn := map[int]int{}
	var list []*candidate
	for range maxDraws {
		if len(list) == want {
			break
		}
		p := drawProgram(&r)
		c, k := g.candidate(p, &r)
		if c == nil || drawn[k] == short[k] {
			continue
		}
		drawn[k]++
		list = append(list, c)
		g.seen[key(c.output)] = true
	}
	for k := range short {
		g.spent[k] = g.spent[k] || short[k] > 0 && drawn[k] == 0
	}
	return list
}

func key(output Series) string { return string(output[:maxShown]) }

// drawProgram returns a random program of 3 to 11 instructions. It ends with a loop; now and then it has another one,
// but not as its first instruction.
func drawProgram(r *rng.Rand) Program {
	length := 3 + r.IntN(9)
	p := make(Program, 0, length)
	var b block
	for len(p) < length-1 {
		op := Op(r.IntN(int(LoopTop)))
		if len(p) > 0 && r.IntN(32) == 0 {
			op = LoopTop
		}
		if longer, ok := extend(p, b, op); ok {
			p, b = append(p, op), longer
		}
	}
	return append(p, LoopTop)
}

// candidate returns the candidate of a program and its complexity by that program; a better program may lower it. The
// candidate is nil if its output was drawn before or cannot become a problem.
func (g *generator) candidate(p Program, r *rng.Rand) (*candidate, int) {
	out := p.Run(written)
	if len(out.Letters) < written || out.Pass == 0 {
		return nil, 0
	}
	k := costOf(len(p), out.Steps[Measured-1]).Floor()
	least := max(minShown, onceAndAHalf(out.Pass))
	if k < MinK || k > MaxK || least > maxShown {
		return nil, 0
	}
	c := &candidate{output: relative(out.Letters)}
	if g.seen[key(c.output)] {
		return nil, 0
	}
	if end := c.output[written/2:]; slices.Max(end) == slices.Min(end) {
		return nil, 0
	}
	shown := least + r.IntN(maxShown+1-least)
	for i := range c.goals {
		// The bound is doubled for the series that is shown, to find explanations with other next letters that cost up to
		// one bit more.
		c.goals[i] = &goal{series: c.output[:shown+i], bound: costOf(len(p), out.Steps[shown+i-1])}
	}
	c.goals[0].bound *= 2
	return c, k
}

// onceAndAHalf returns 1.5 times a number of letters, rounded up.
func onceAndAHalf(letters int) int { return letters + (letters+1)/2 }

// search finds the explanations of all candidates in one enumeration, and keeps those that make problems.
func (g *generator) search(list []*candidate) {
	var goals []*goal
	known := map[string]*goal{}
	for _, c := range list {
		for i, own := range c.goals {
			same, ok := known[string(own.series)]
			if !ok {
				same = own
				known[string(own.series)] = own
				goals = append(goals, own)
			}
			same.bound = max(same.bound, own.bound)
			c.goals[i] = same
		}
	}
	explain(goals...)
	shown := map[string]bool{}
	for _, c := range list {
		e, ok := c.problem()
		if !ok || shown[string(c.goals[0].series)] {
			continue
		}
		shown[string(c.goals[0].series)] = true
		g.ready[e.K()] = append(g.ready[e.K()], problem(c.goals[0].series, 0, e))
	}
}

// problem returns the best explanation of the series that is shown; ok is false if the candidate does not meet the
// conditions of Generate.
func (c *candidate) problem() (Explanation, bool) {
	all := c.goals[0].best
	best := all[0]
	out := best.Program.Run(written)
	switch {
	case len(out.Letters) < written || !slices.Equal(relative(out.Letters), c.output),
		best.K() < MinK,
		out.Pass == 0 || onceAndAHalf(out.Pass) > c.shown(),
		len(all) > 1 && all[1].Cost < 2*best.Cost:
		return best, false
	}
	for i, g := range c.goals {
		if g.best[0].Cost < costOf(len(best.Program), out.Steps[c.shown()+i-1]) {
			return best, false
		}
	}
	return best, true
}

// finish returns the problems with their options, sorted by complexity.
func (g *generator) finish(share map[int]int) []Problem {
	var list []Problem
	for _, k := range slices.Sorted(maps.Keys(share)) {
		list = append(list, g.ready[k][:share[k]]...)
	}
	goals := make([]*goal, len(list))
	for i, p := range list {
		s, _ := ParseSeries(p.Series)
		goals[i] = &goal{series: s, bound: max(p.Explanation.Cost, min(rivals*p.Explanation.Cost, maxRival))}
	}
	explain(goals...)
	for i := range list {
		p := &list[i]
		r := rng.Stream(g.req.Root, "ctest", "problem", p.Series)
		*p = problem(goals[i].series, uint8(r.IntN(Letters)), p.Explanation)
		p.offer(g.req.Answers[i%len(g.req.Answers)], goals[i].best[1:], r)
	}
	return list
}
