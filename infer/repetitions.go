package infer

import (
	"achilles/sim/num"
	"achilles/sim/record"
)

// repetitionsDiffer returns the probability that repetitions of the same items differ as much as they do, all subjects together, if responses of a repetition are not
// alike; 1 without repetitions. A few repetitions of one subject say little about it, those of all subjects more. Each response is compared with the mean of
// its subject and item, so that no layout is needed; the sum of squares of the sums of repetitions is compared with a gamma distribution.
func repetitionsDiffer(d *record.Dataset) float64 {
	var total, mean, spread float64
	for s := range d.Subjects {
		q, m, n := repeatedBy(d.Responses.Of(s))
		if n > 1 && m > 0 {
			total, mean, spread = total+q, mean+m, spread+2*float64(m*m)/float64(n-1)
		}
	}
	if spread == 0 {
		return 1
	}
	_, p := num.GammaTails(float64(mean*mean)/spread, total*mean/spread)
	return p
}

// repeatedBy returns, of the responses of one subject, the sum of squares of the sums of repetitions beyond the means of items, what it is on average
// if responses are independent, and the number of repetitions.
func repeatedBy(responses []record.Response) (square, expected float64, repetitions int) {
	type key struct {
		item    int32
		measure uint8
	}
	type sums struct{ n, sum, square float64 }
	items := map[key]*sums{}
	of := func(x record.Response) *sums {
		k := key{x.Item, x.Measure}
		if items[k] == nil {
			items[k] = &sums{}
		}
		return items[k]
	}
	last := 0
	for _, x := range responses {
		if x.Unscored == 0 {
			i := of(x)
			i.n, i.sum, i.square, last = i.n+1, i.sum+x.Value, i.square+float64(x.Value*x.Value), max(last, int(x.Repetition))
		}
	}
	sum, seen := make([]float64, last+1), make([]bool, last+1)
	for _, x := range responses {
		if i := of(x); x.Unscored == 0 && i.n > 1 {
			sum[x.Repetition] += x.Value - i.sum/i.n
			seen[x.Repetition] = true
			expected += (i.square - float64(i.sum*i.sum)/i.n) / i.n // variance within the item, less that of its mean
		}
	}
	for e, x := range sum {
		if seen[e] {
			square += float64(x * x)
			repetitions++
		}
	}
	return square, expected, repetitions
}
