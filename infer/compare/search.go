package compare

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A search looks for explanations of one subject's responses in Occam's window (Madigan and Raftery 1994, JASA 89): those
// whose posterior probability is not much lower than that of the best one (Config.Window). It fits first all rivals of the
// bank alone, then the best explanations with one more component.
type search struct {
	*Bound
	config    *Config
	responses []record.Response
	root      uint64
	path      []string
	fits      []*Fitted
	extended  []*Fitted            // fits to which extend has added components
	unvisited map[string]candidate // explanations that were screened and not fitted, by composedName
}

// glance fits an explanation for the first time, with one small population. set has the indices of its components in s.Entries,
// and floor says whether they share a floor.
func (s *search) glance(ctx context.Context, e *Entry, set []int, floor bool) error {
	data, err := e.Design.NewData(s.responses)
	if err != nil {
		return err
	}
	f := &Fitted{Entry: e, Data: data, set: set, floor: floor, logPrior: s.logPrior(set)}
	s.fits = append(s.fits, f)
	delete(s.unvisited, composedName(s.rivals(set)))
	return f.sample(ctx, s.config, s.config.First, 1, s.root, s.glancePath(f))
}

func (s *search) glancePath(f *Fitted) []string { return append(s.path, f.Layout.Name, "glance") }

// refit fits the explanations whose populations have missed a mode again, unless they are hopeless: even with that mode they
// would be dropped.
func (s *search) refit(ctx context.Context) error {
	for _, f := range s.fits {
		if math.IsInf(f.missed, -1) || f.highest() < s.leading().logWeight()-s.config.Drop {
			continue
		}
		if err := f.refit(ctx, s.config, s.root, s.glancePath(f)); err != nil {
			return err
		}
	}
	return nil
}

// alone fits every rival of the bank that is not left out.
func (s *search) alone(ctx context.Context) error {
	for i := range s.Entries {
		if s.Entries[i].Design == nil {
			continue
		}
		if err := s.glance(ctx, &s.Entries[i], []int{i}, false); err != nil {
			return err
		}
	}
	return s.refit(ctx)
}

// grow adds components to the best explanations if the result may lie in the window, one at a time.
func (s *search) grow(ctx context.Context) error {
	for size := 1; size < len(s.sizes)-1; size++ {
		for _, base := range s.best(size) {
			if err := s.extend(ctx, base); err != nil {
				return err
			}
		}
	}
	return s.exchange(ctx)
}

// best returns the most probable explanations with size components to which more can be added: at most Config.Beam of them.
func (s *search) best(size int) []*Fitted {
	var out []*Fitted
	for _, f := range s.fits {
		if len(f.set) == size && s.Entries[f.set[0]].component() {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b *Fitted) int { return cmp.Compare(b.logWeight(), a.logWeight()) })
	var sets []*Fitted // the better one of each set
	for _, f := range out {
		if !slices.ContainsFunc(sets, func(g *Fitted) bool { return slices.Equal(f.set, g.set) }) {
			sets = append(sets, f)
		}
	}
	return sets[:min(len(sets), s.config.Beam)]
}

// needless is the smallest difference, in nats, between the largest log likelihood of a component and its log evidence, if the
// responses determine its parameter: a component that explains nothing more lowers the evidence by this much.
const needless = 2

// synergy is the largest ratio, in practice, of the gain of a component beside another right one to its gain without that one.
const synergy = 2

// A candidate is an explanation with one more component than one that was fitted, with the estimates of a screen.
type candidate struct {
	set      []int
	expected float64 // log weight if the component explains nothing
	gain     float64 // by how much more the log weight may be at most
	mean     float64 // by how much more it is expected to be
	matters  float64 // probability that the new component costs more than a share 1 − Bank.Weak of the successes, if the explanation is right
	added    int     // index in Bound.Entries of the new component
}

// logWeight estimates the log of prior × evidence.
func (c candidate) logWeight() float64 { return c.expected + c.mean }

// extend fits the explanations that have one more component than base, if they may lie in the window by the estimate of a
// screen. It also fits the best of them, at most Config.Beam, if they may lie in the window with the components that can still be
// added (synergy): of three equal weaknesses, two explain too little.
func (s *search) extend(ctx context.Context, base *Fitted) error {
	if slices.Contains(s.extended, base) {
		return nil
	}
	s.extended = append(s.extended, base)
	list := s.candidates(base)
	ranked := slices.Clone(list)
	slices.SortStableFunc(ranked, func(a, b candidate) int { return cmp.Compare(b.expected+b.gain, a.expected+a.gain) })
	for _, c := range list {
		may := c.expected + c.gain
		if k := slices.IndexFunc(ranked, func(r candidate) bool { return slices.Equal(r.set, c.set) }); k < s.config.Beam {
			may += synergy * gains(slices.Delete(slices.Clone(ranked), k, k+1), len(s.sizes)-1-len(c.set))
		}
		if may < s.leading().logWeight()-s.config.Window {
			s.leave(c)
			continue
		}
		if err := s.compose(ctx, c.set); err != nil {
			return err
		}
	}
	return nil
}

// gains returns the sum of the n largest gains above 0.
func gains(list []candidate, n int) float64 {
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Compare(b.gain, a.gain) })
	sum := 0.0
	for _, c := range list[:min(n, len(list))] {
		sum += max(c.gain, 0)
	}
	return sum
}

// candidates returns the explanations that have one more component than base and were not fitted yet.
func (s *search) candidates(base *Fitted) (list []candidate) {
	p := meanPrediction(base.Target(), base.Draws)
	for i := range s.Entries {
		e := &s.Entries[i]
		set := append(slices.Clone(base.set), i)
		slices.Sort(set)
		if e.Design == nil || !composes(s.rivals(set)) || s.visited(set) {
			continue
		}
		rng := rng.Stream(s.root, append(s.path[:len(s.path):len(s.path)], composedName(s.rivals(set)), "screen")...)
		most, mean, matters := newScreen(base, p, e, s.responses).run(s.Weak, &rng)
		list = append(list, candidate{set, s.logPrior(set) + s.forms(set) + base.LogEvidence, most - needless, mean, matters, i})
	}
	return list
}

// compose fits the explanations with these components: that in which their shares multiply and, if there is one, that in which
// they share a floor.
func (s *search) compose(ctx context.Context, set []int) error {
	for _, floor := range []bool{false, true} {
		if floor && !floors(s.rivals(set)) {
			break
		}
		e, err := s.explanation(set, floor)
		if err != nil {
			return err
		}
		if err := s.glance(ctx, e, set, floor); err != nil {
			return err
		}
	}
	return s.refit(ctx)
}

func (s *search) visited(set []int) bool { return s.fitted(set) != nil }

// fitted returns the most probable explanation with these components, or nil if there is none yet.
func (s *search) fitted(set []int) (best *Fitted) {
	for _, f := range s.fits {
		if slices.Equal(f.set, set) && (best == nil || f.logWeight() > best.logWeight()) {
			best = f
		}
	}
	return best
}

// exchange fits the best explanation without each of its components in turn, if it has at least three, and extends what is left:
// a component that came first, because it resembles two others together, may stand in the way of the right one. It goes on as
// long as this finds a better explanation.
func (s *search) exchange(ctx context.Context) error {
	for {
		best := s.leading()
		if len(best.set) < 3 {
			return nil
		}
		for k := range best.set {
			set := slices.Delete(slices.Clone(best.set), k, k+1)
			if !s.visited(set) {
				if err := s.compose(ctx, set); err != nil {
					return err
				}
			}
			if err := s.extend(ctx, s.fitted(set)); err != nil {
				return err
			}
		}
		if s.leading() == best {
			return nil
		}
	}
}

// leading returns the most probable explanation that was fitted so far.
func (s *search) leading() *Fitted {
	return slices.MaxFunc(s.fits, func(a, b *Fitted) int { return cmp.Compare(a.logWeight(), b.logWeight()) })
}

// mostVisits is the largest number of explanations that visit fits.
const mostVisits = 24

// visit fits the most probable explanations that were left, until what remains has at most the probability Config.Left: many that are
// each below the window may matter together, and the estimates by which they were left are rough.
func (s *search) visit(ctx context.Context) error {
	for range mostVisits {
		list := s.left()
		sum := 0.0
		for _, u := range list {
			sum += u.Weight
		}
		if sum <= s.config.Left {
			return nil
		}
		next := slices.MaxFunc(list, func(a, b Unvisited) int { return cmp.Compare(a.Weight, b.Weight) })
		if err := s.compose(ctx, next.set); err != nil {
			return err
		}
	}
	return nil
}

// left returns the explanations that were screened and not fitted, with their estimated posterior probabilities.
func (s *search) left() (out []Unvisited) {
	var visited, all []float64
	for _, f := range s.fits {
		visited = append(visited, f.logWeight())
	}
	names := slices.Sorted(maps.Keys(s.unvisited))
	for _, name := range names {
		all = append(all, s.unvisited[name].logWeight())
	}
	total := num.LogSumExp(append(visited, all...))
	for k, name := range names {
		c := s.unvisited[name]
		out = append(out, Unvisited{Name: name, Weight: num.Exp(all[k] - total), Matters: c.matters, set: c.set, added: c.added})
	}
	return out
}

// leave records that a candidate is not fitted. If it was screened from several bases, the largest estimate counts.
func (s *search) leave(c candidate) {
	if s.unvisited == nil {
		s.unvisited = map[string]candidate{}
	}
	name := composedName(s.rivals(c.set))
	if old, ok := s.unvisited[name]; !ok || c.logWeight() > old.logWeight() {
		s.unvisited[name] = c
	}
}
