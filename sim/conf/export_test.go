package conf

import "strconv"

// MaxDepth is the largest depth of nested tables and lists.
const MaxDepth = maxDepth

// Join returns the path with the key added.
func Join(path, key string) string { return join(path, key) }

// Lines returns the line of every key and element that the scan finds, by its path.
func Lines(text string) map[string]int {
	root, _ := scan(text)
	lines := map[string]int{}
	var walk func(path string, n *node)
	walk = func(path string, n *node) {
		if n.line > 0 {
			lines[path] = n.line
		}
		for key, c := range n.child {
			walk(join(path, key), c)
		}
		for i, c := range n.items {
			walk(path+"["+strconv.Itoa(i)+"]", c)
		}
	}
	if root != nil {
		walk("", root)
	}
	return lines
}
