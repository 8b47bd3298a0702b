// Package adaptive gives each subject of a session only those items that inference chooses for it, one after another. The
// choosing side gets the published items and the responses so far; all other responses stay with the session.
package adaptive

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"achilles/infer/adaptive"
	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/scenarios/generate"
	"achilles/sim/record"
)

// A Config says how items are chosen.
type Config struct {
	adaptive.Settings
	Layout   *layout.Layout
	Bank     *compare.Source       // rival explanations between which the items are to tell as well; may be nil
	Jobs     int                   // number of subjects that are chosen for at a time; no result depends on it
	Progress func(done, total int) // called after every subject, by one goroutine at a time; may be nil
}

// Take removes from a session, whose subjects took all items, the responses to all items but those that are chosen for the
// subject, and numbers the rest in the order of choice. This is right only for subjects whose response to an item does not
// depend on the items before it.
func Take(ctx context.Context, s *generate.Session, c Config) error {
	candidates, err := s.Candidates()
	if err != nil {
		return err
	}
	public := candidates.Public
	models, err := c.models(public)
	if err != nil {
		return err
	}
	answers := responses(s)
	order := make([][]int, len(s.Subjects))
	var mu sync.Mutex
	done := 0
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(c.Jobs, 1))
	for row, subject := range candidates.SubjectAt {
		group.Go(func() error {
			chooser, err := adaptive.New(models, len(candidates.ItemAt), c.Settings, public.Subjects[row])
			if err != nil {
				return err
			}
			if order[subject], err = choose(ctx, chooser, candidates.ItemAt, answers[subject]); err != nil {
				return fmt.Errorf("subject %s: %w", public.Subjects[row], err)
			}
			mu.Lock()
			defer mu.Unlock()
			if done++; c.Progress != nil {
				c.Progress(done, len(order))
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	s.Keep(order)
	return nil
}

// models returns the layout and the rivals of the bank, each side with half of the prior probability. Rivals by which items
// cannot be chosen are left out.
func (c *Config) models(public *record.Dataset) ([]adaptive.Model, error) {
	design, err := c.Layout.Bind(&public.Items, public.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	out := []adaptive.Model{{Design: design, Prior: 1}}
	if c.Bank == nil {
		return out, nil
	}
	bank, err := compare.Parse(*c.Bank)
	if err != nil {
		return nil, err
	}
	bound, err := bank.Bind(&public.Items, public.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	for _, e := range bound.Entries {
		if e.Design != nil && adaptive.Fits(e.Design) == nil {
			out = append(out, adaptive.Model{Design: e.Design, Prior: e.Share})
		}
	}
	return out, nil
}

// responses returns the responses of a session, by subject and item.
func responses(s *generate.Session) []map[int][]generate.Response {
	out := make([]map[int][]generate.Response, len(s.Subjects))
	for i := range out {
		out[i] = map[int][]generate.Response{}
	}
	for _, r := range s.Responses {
		out[r.Subject][r.Item] = append(out[r.Subject][r.Item], r)
	}
	return out
}

// choose lets one subject take items until the chooser has enough, and returns the items in the order of choice. itemAt has
// the index in the session of each published item; answers has the subject's responses by that index. The chooser gets the
// responses to an item only after it has chosen the item.
func choose(ctx context.Context, c *adaptive.Chooser, itemAt []int, answers map[int][]generate.Response) ([]int, error) {
	var order []int
	for {
		item, ok := c.Next()
		if !ok {
			return order, nil
		}
		var seen []record.Response
		for _, r := range answers[itemAt[item]] {
			x := record.Response{Item: int32(item), Measure: uint8(r.Measure), Value: r.Value}
			if r.Unscored != "" {
				x.Unscored = 1
			}
			seen = append(seen, x)
		}
		if err := c.Record(ctx, item, seen); err != nil {
			return nil, err
		}
		order = append(order, itemAt[item])
	}
}
