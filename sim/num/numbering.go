package num

// A Numbering numbers keys from 0, in the order in which they are first asked for.
type Numbering[K comparable] map[K]int

// Of returns the number of a key.
func (n Numbering[K]) Of(key K) int {
	k, ok := n[key]
	if !ok {
		k = len(n)
		n[key] = k
	}
	return k
}
