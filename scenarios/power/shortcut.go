package power

import (
	"achilles/battery"
	"achilles/sim/num"
)

// A subject with object permanence is assumed to pass with probability permanent, and a fraudster with probability cheating at most
// where its shortcut fails.
const (
	permanent = 0.95
	cheating  = 0.4
)

// Against returns the expected log Bayes factor, in nats, of a subject with object permanence against a fraudster who uses a
// shortcut, from the items of b that test object permanence. shortcut is the name of the feature that is 1 on items which the shortcut
// passes. Both pass these alike; each other item gives the Kullback–Leibler divergence of the two probabilities.
func Against(b *battery.Battery, shortcut string) (float64, error) {
	fails, err := b.Where(battery.HiddenFeature + " == 1 && " + shortcut + " == 0")
	if err != nil {
		return 0, err
	}
	each := float64(permanent*num.Log(permanent/cheating)) + float64((1-permanent)*num.Log((1-permanent)/(1-cheating)))
	return float64(fails.Items.Len()) * each, nil
}
