package battery_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"achilles/battery"
)

// TestInOrderStops checks that nothing is used after the context was cancelled, and little more is made.
func TestInOrderStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	made, used := 0, 0
	err := battery.InOrder(ctx, 1, battery.Ahead, 10_000, func() int { return 0 },
		func(_, i int) int {
			if made++; i == 600 {
				cancel()
			}
			return i
		},
		func(int, int) error { used++; return nil })
	if !errors.Is(err, context.Canceled) || made != 601 || used != 600 {
		t.Errorf("%d made, %d used, error %v", made, used, err)
	}
}

// TestInOrder checks that all things are used once and in order, also where there are more than are made at a time, that
// no maker works in two goroutines, and that nothing is used after an error.
func TestInOrder(t *testing.T) {
	type maker struct{ things []int } // a data race under -race if two goroutines have the same
	for _, n := range []int{0, 1, 7, 511, 512, 513, 1300} {
		for _, last := range []int{0, n / 2, n} {
			fault := fmt.Errorf("thing %d", last)
			var got []int
			err := battery.InOrder(t.Context(), 4, n%100, n, func() *maker { return &maker{} },
				func(m *maker, i int) int { m.things = append(m.things, i); return i * i },
				func(i, thing int) error {
					if i == last {
						return fault
					}
					if thing != i*i {
						t.Fatalf("of %d: thing %d is %d", n, i, thing)
					}
					got = append(got, i)
					return nil
				})
			want := make([]int, min(last, n))
			for i := range want {
				want[i] = i
			}
			if !slices.Equal(got, want) || (last < n) != errors.Is(err, fault) {
				t.Errorf("of %d, error at %d: %d used, %v", n, last, len(got), err)
			}
		}
	}
}

// TestInOrderSlides checks that a thing that takes long does not hold up the things after it, as far as the window goes.
func TestInOrderSlides(t *testing.T) {
	passed := make(chan struct{})
	err := battery.InOrder(t.Context(), 2, battery.Ahead, 1300, func() int { return 0 },
		func(_, i int) int {
			switch i {
			case 500:
				<-passed
			case 900:
				close(passed)
			}
			return i
		},
		func(int, int) error { return nil })
	if err != nil {
		t.Error(err)
	}
}
