package ctest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"achilles/battery"
)

// ownLimit bounds the search of explanations of series that somebody else has thought out: the best has at most 16 bits, and one that goes on
// with another letter at most 5 more.
var ownLimit = Limit{Best: 16, Above: 5}

// Own returns a battery of the series that the levels of the factor series are, each once: "adgj", which goes on as its cheapest explanation does,
// or "adgj m", which goes on with m. Complexity is that of the cheapest explanation that goes on so. The levels of the factor
// answers, one number, say how many letters there are to choose from, all of them without it. A series that appears twice or that no
// program within the limits explains is an error.
func Own(ctx context.Context, r battery.Request) (battery.Battery, error) {
	n, list := Letters, []string(nil)
	for _, f := range r.Levels {
		switch {
		case f.Name == "series" && f.Text != nil:
			list = f.Text
		case f.Name == "answers" && len(f.Number) == 1 && f.Number[0] == float64(int(f.Number[0])) && f.Number[0] >= 2 && f.Number[0] <= Letters:
			n = int(f.Number[0])
		default:
			return battery.Battery{}, fmt.Errorf("factor %s: own series have the factors series, a list of texts such as \"adgj\" or \"adgj m\", and answers, one number from 2 to %d", f.Name, Letters)
		}
	}
	if list == nil {
		return battery.Battery{}, errors.New("own series are named by levels: series = [\"adgj\", \"abcd e\"]")
	}
	var problems []Problem
	for _, text := range list {
		if err := ctx.Err(); err != nil {
			return battery.Battery{}, err
		}
		p, others, err := own(text)
		if err != nil {
			return battery.Battery{}, err
		}
		if slices.ContainsFunc(problems, func(o Problem) bool { return o.Series == p.Series }) {
			return battery.Battery{}, fmt.Errorf("series %s appears twice", p.Series)
		}
		p.offer(n, others, r.Stream("ctest", "own", p.Series))
		problems = append(problems, p)
	}
	return Of(problems), nil
}

// own returns the problem of a series, and the explanations that go on otherwise.
func own(text string) (p Problem, others []Explanation, err error) {
	shown, next, given := strings.Cut(text, " ")
	s, err := ParseSeries(shown)
	if err != nil {
		return p, nil, err
	}
	all, err := Explain(s, ownLimit)
	if err != nil {
		return p, nil, err
	}
	best := 0
	if given {
		if len(next) != 1 || next[0] < 'a' || next[0] > 'z' {
			return p, nil, fmt.Errorf("series %q: want one letter after the space, the one that comes next", text)
		}
		best = slices.IndexFunc(all, func(e Explanation) bool { return letter(shown[0]-'a', e.Next) == next[0] })
		if best < 0 {
			return p, nil, fmt.Errorf("series %s: no program of LT ≤ %.1f bits goes on with %s; the cheapest of %.1f bits goes on with %c", shown, all[0].Cost.LT()+ownLimit.Above, next, all[0].Cost.LT(), letter(shown[0]-'a', all[0].Next))
		}
	}
	return problem(s, shown[0]-'a', all[best]), slices.Delete(all, best, best+1), nil
}
