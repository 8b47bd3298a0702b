package blocks

// FactorDoc returns what the manual says of a factor.
func FactorDoc(name string) string {
	for _, f := range factors() {
		if f.Name == name {
			return f.doc
		}
	}
	panic("no such factor")
}
