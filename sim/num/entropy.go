package num

// BinaryEntropy returns the entropy of a response with success probability p, in nats. It is 0 if p is not between 0 and 1.
func BinaryEntropy(p float64) float64 {
	if !(p > 0 && p < 1) {
		return 0
	}
	return -float64(p*Log(p)) - float64((1-p)*Log1p(-p))
}
