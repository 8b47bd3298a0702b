package battery

import (
	"context"
	"sync"
)

// Ahead is a number of small things that may well wait to be used.
const Ahead = 512

// InOrder makes n things in up to jobs goroutines, at least one, and uses them in order in the calling goroutine, which is
// one of these. Each goroutine has a maker of its own, created by newMaker; what it makes for an index must depend on the
// index alone. At most `ahead` things, at least one, wait to be used. The error is the first one of use, or that of the
// context; nothing is used after it.
func InOrder[M, T any](ctx context.Context, jobs, ahead, n int, newMaker func() M, produce func(maker M, i int) T, use func(i int, thing T) error) error {
	room := min(max(ahead, 1), n)
	q := &queue[T]{n: n, made: make([]bool, room), things: make([]T, room)}
	q.changed.L = q
	var group sync.WaitGroup
	defer group.Wait()
	defer q.stop()
	for range min(jobs, n) - 1 {
		group.Go(func() {
			for maker := newMaker(); ctx.Err() == nil; {
				i, ok := q.claim(true)
				if !ok {
					return
				}
				q.put(i, produce(maker, i))
			}
		})
	}
	for maker := newMaker(); q.used < n; {
		i, mine := q.claim(false)
		if mine {
			q.put(i, produce(maker, i))
		}
		for wait := !mine; ; wait = false {
			if err := ctx.Err(); err != nil {
				return err
			}
			thing, ok := q.take(wait)
			if !ok {
				break
			}
			if err := use(q.used-1, thing); err != nil {
				return err
			}
		}
	}
	return nil
}

// A queue has the things that were made and not yet used. Goroutines claim indices in order, put what they make, and one of
// them takes all things in order.
type queue[T any] struct {
	sync.Mutex
	changed sync.Cond // one of the following has changed
	n       int
	next    int    // the first index that is not claimed
	used    int    // the first index that is not taken; only the goroutine that takes changes it
	over    bool   // no more is claimed
	made    []bool // of the next things to be taken: the one of index i is at i modulo the length, as in things
	things  []T
}

// claim returns the next index. ok is false if there is none, or no room for one more thing; wait says to wait for room.
func (q *queue[T]) claim(wait bool) (i int, ok bool) {
	q.Lock()
	defer q.Unlock()
	for wait && q.next == q.used+len(q.things) && !q.over {
		q.changed.Wait()
	}
	if q.over || q.next == q.n || q.next == q.used+len(q.things) {
		return 0, false
	}
	q.next++
	return q.next - 1, true
}

// put adds the thing of a claimed index.
func (q *queue[T]) put(i int, thing T) {
	q.Lock()
	defer q.Unlock()
	q.things[i%len(q.things)], q.made[i%len(q.things)] = thing, true
	if i == q.used {
		q.changed.Broadcast()
	}
}

// take returns the next thing. ok is false if it has not been made; wait says to wait for it.
func (q *queue[T]) take(wait bool) (thing T, ok bool) {
	q.Lock()
	defer q.Unlock()
	at := q.used % len(q.things)
	for wait && !q.made[at] {
		q.changed.Wait()
	}
	if !q.made[at] {
		return thing, false
	}
	var none T
	thing, q.things[at], q.made[at] = q.things[at], none, false
	if q.used++; q.next == q.used-1+len(q.things) {
		q.changed.Broadcast()
	}
	return thing, true
}

// stop lets no more be claimed.
func (q *queue[T]) stop() {
	q.Lock()
	defer q.Unlock()
	q.over = true
	q.changed.Broadcast()
}
