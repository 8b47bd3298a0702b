//go:build unix

package worlds_test

import (
	"strconv"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/battery/worlds"
)

// BenchmarkGenerate measures making one item: it is drawn, built, measured, and taken by every policy of the bank of
// shortcuts. Small worlds have about 15 × 12 cells, large ones up to 64 × 31.
func BenchmarkGenerate(b *testing.B) {
	number := func(name string, levels ...float64) battery.Factor {
		return battery.Factor{Name: name, Number: levels}
	}
	for _, c := range []struct {
		name   string
		levels []battery.Factor
	}{
		{"default", nil},
		{"small", []battery.Factor{number("goalDistance", 16), number("numPositions", 0, 1, 2)}},
		{"large", []battery.Factor{number("goalDistance", 56), number("numPositions", 11)}},
	} {
		b.Run(c.name, func(b *testing.B) {
			const items = 500
			b.ReportAllocs()
			n, start := 0, batterytest.ProcessorTime()
			for i := 0; b.Loop(); i++ {
				got, err := worlds.OPIAAGETS().Design(b.Context(), battery.Request{Levels: c.levels, Items: items, Root: uint64(i)})
				if err != nil {
					b.Fatal(err)
				}
				n += got.Items.Len()
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "items/s")
			b.ReportMetric(float64(n)/(batterytest.ProcessorTime()-start).Seconds(), "items/cpu-s")
		})
	}
}

// BenchmarkGenerateJobs measures how many items are made in a second on the clock with one job and with two.
func BenchmarkGenerateJobs(b *testing.B) {
	for _, jobs := range []int{1, 2} {
		b.Run(strconv.Itoa(jobs), func(b *testing.B) {
			const items = 4000
			n, start := 0, batterytest.ProcessorTime()
			for i := 0; b.Loop(); i++ {
				got, err := worlds.OPIAAGETS().Design(b.Context(), battery.Request{Items: items, Root: uint64(i), Jobs: jobs})
				if err != nil {
					b.Fatal(err)
				}
				n += got.Items.Len()
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "items/s")
			b.ReportMetric(float64(n)/(batterytest.ProcessorTime()-start).Seconds(), "items/cpu-s")
		})
	}
}
