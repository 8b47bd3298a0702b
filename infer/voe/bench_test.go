package voe_test

import (
	"testing"

	"achilles/infer/voe"
)

// BenchmarkWatch measures the time for both videos of an item, averaged over the golden pairs.
func BenchmarkWatch(b *testing.B) {
	items := pairs(b)
	for _, o := range voe.Observers(1)[:2] {
		b.Run(o.Name, func(b *testing.B) {
			var s voe.Studio
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				for _, v := range s.Prepare(&items[i%len(items)]) {
					o.Watch(v)
				}
			}
		})
	}
}
