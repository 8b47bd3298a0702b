package voe

import (
	"context"

	"golang.org/x/sync/errgroup"

	"achilles/sim/record"
)

// Watching says how items are watched. The zero value is ready for use.
type Watching struct {
	Observers []Named // nil: Observers(0)
	Jobs      int     // number of goroutines; 0 means one; results do not depend on it
	Moments   bool    // ask observers for a Moment of every frame

	Progress func(done, total int) // called from one goroutine at a time; may be nil
}

// A Sighting is the report of one observer on one video of an item.
type Sighting struct {
	Item     string
	Video    int // 0: video a, 1: video b
	Observer string
	Report
}

// batch is the number of items after which sightings are handed to emit.
const batch = 64

// Run lets every observer watch every video of every item. It calls emit for each sighting, item by item, video by
// video, in the order of the observers. It stops at the first error of emit, or if ctx is cancelled, and returns the
// error.
func Run(ctx context.Context, items []record.Watched, c Watching, emit func(*Sighting) error) error {
	if c.Observers == nil {
		c.Observers = Observers(0)
	}
	studios := make([]Studio, max(c.Jobs, 1))
	for from := 0; from < len(items); from += batch {
		part := items[from:min(from+batch, len(items))]
		seen := make([][]Sighting, len(part))
		var group errgroup.Group
		for k := range studios {
			group.Go(func() error {
				for i := k; i < len(part) && ctx.Err() == nil; i += len(studios) {
					seen[i] = studios[k].watch(&part[i], &c)
				}
				return ctx.Err()
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
		for i := range seen {
			for k := range seen[i] {
				if err := emit(&seen[i][k]); err != nil {
					return err
				}
			}
		}
		if c.Progress != nil {
			c.Progress(from+len(part), len(items))
		}
	}
	return nil
}

// watch returns the sightings of every observer for every video of one item.
func (s *Studio) watch(w *record.Watched, c *Watching) []Sighting {
	var all []Sighting
	for i, v := range s.Prepare(w) {
		v.Moments = c.Moments
		for _, o := range c.Observers {
			r := o.Watch(v)
			r.Expected = r.ahead.expectation(&w.Videos[i].Test)
			all = append(all, Sighting{Item: w.Item, Video: i, Observer: o.Name, Report: r})
		}
	}
	return all
}
