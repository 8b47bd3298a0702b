package scenario

// LocateLines returns the line of every key that locate finds.
func LocateLines(text string) map[string]int {
	lines := map[string]int{}
	for path, at := range locate(text) {
		lines[path] = at.line
	}
	return lines
}
