package compare

import (
	"cmp"
	"context"
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
	unvisited []float64 // estimated log of prior × evidence of the explanations that were not fitted
}

// glance fits an explanation for the first time, with one small population. set has the indices of its components in s.Entries.
func (s *search) glance(ctx context.Context, e *Entry, set []int) error {
	data, err := e.Design.NewData(s.responses)
	if err != nil {
		return err
	}
	f := &Fitted{Entry: e, Data: data, set: set, logPrior: s.logPrior(set)}
	s.fits = append(s.fits, f)
	return f.sample(ctx, s.config, s.config.First, 1, s.root, s.glancePath(f))
}

func (s *search) glancePath(f *Fitted) []string { return append(s.path, f.Layout.Name, "glance") }

// refit fits the explanations whose populations have missed a mode again, unless they are hopeless: even with that mode they
// would be dropped.
func (s *search) refit(ctx context.Context) error {
	for _, f := range s.fits {
		if math.IsInf(f.missed, -1) || f.highest() < s.top()-s.config.Drop {
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
		if err := s.glance(ctx, &s.Entries[i], []int{i}); err != nil {
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
	return s.prune(ctx)
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
	return out[:min(len(out), s.config.Beam)]
}

// top returns the largest log weight of the explanations that were fitted so far.
func (s *search) top() float64 {
	top := math.Inf(-1)
	for _, f := range s.fits {
		top = max(top, f.logWeight())
	}
	return top
}

// needless is the smallest difference, in nats, between the largest log likelihood of a component and its log evidence, if the
// responses determine its parameter: a component that explains nothing more lowers the evidence by this much.
const needless = 2

// extend fits the explanations that have one more component than base, if they may lie in the window by the estimate of a
// screen.
func (s *search) extend(ctx context.Context, base *Fitted) error {
	p := meanPrediction(base.Target(), base.Draws)
	for i := range s.Entries {
		e := &s.Entries[i]
		set := append(slices.Clone(base.set), i)
		slices.Sort(set)
		if e.Design == nil || !composes(s.rivals(set)) || s.visited(set) {
			continue
		}
		rng := rng.Stream(s.root, append(s.path[:len(s.path):len(s.path)], composedName(s.rivals(set)), "screen")...)
		most, mean := newScreen(base, p, e, s.responses).run(&rng)
		expected := s.logPrior(set) + base.LogEvidence
		if expected+most-needless < s.top()-s.config.Window {
			s.unvisited = append(s.unvisited, expected+mean)
			continue
		}
		if err := s.compose(ctx, set); err != nil {
			return err
		}
	}
	return nil
}

func (s *search) compose(ctx context.Context, set []int) error {
	e, err := s.explanation(set)
	if err != nil {
		return err
	}
	if err := s.glance(ctx, e, set); err != nil {
		return err
	}
	return s.refit(ctx)
}

func (s *search) visited(set []int) bool {
	return slices.ContainsFunc(s.fits, func(f *Fitted) bool { return slices.Equal(f.set, set) })
}

// prune fits the best explanation without each of its components in turn, if it has at least three. It leaves out explanations
// that have been fitted already.
func (s *search) prune(ctx context.Context) error {
	best := slices.MaxFunc(s.fits, func(a, b *Fitted) int { return cmp.Compare(a.logWeight(), b.logWeight()) })
	if len(best.set) < 3 {
		return nil
	}
	for k := range best.set {
		if set := slices.Delete(slices.Clone(best.set), k, k+1); !s.visited(set) {
			if err := s.compose(ctx, set); err != nil {
				return err
			}
		}
	}
	return nil
}

// mass estimates the posterior probability of the explanations that were screened and not fitted.
func (s *search) mass() float64 {
	if s.unvisited == nil {
		return 0
	}
	var visited []float64
	for _, f := range s.fits {
		visited = append(visited, f.logWeight())
	}
	return num.Logistic(num.LogSumExp(s.unvisited) - num.LogSumExp(visited))
}
