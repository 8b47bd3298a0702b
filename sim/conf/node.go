package conf

import (
	"strconv"
	"strings"
)

// A node is the position of a key or of an element of a list in a text. The decoder gives the lines of keys, but not
// those of tables in an array, nor the end of a value.
type node struct {
	line       int // line of the key, from 1
	start, end int // the value is text[start:end]; for a table's header this is its whole line
	header     bool
	number     int // index among the children of its parent, by first mention
	child      map[string]*node
	items      []*node // elements of a list, or tables of an array
}

// order returns the position of a key among those of its table, by first mention. It puts an unknown key last.
func (n *node) order(key string) int {
	if c := n.child[key]; c != nil {
		return c.number
	}
	return len(n.child)
}

// find follows a path such as rule[0].p to the last node that exists; whole is true if the path ends there.
func (n *node) find(path string) (at *node, whole bool) {
	for path != "" {
		var next *node
		if rest, ok := strings.CutPrefix(path, "["); ok {
			number, rest, _ := strings.Cut(rest, "]")
			if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(n.items) {
				next = n.items[i]
			}
			path = rest
		} else {
			var key string
			key, path = firstKey(path)
			next = n.child[key]
		}
		if next == nil {
			return n, false
		}
		n, path = next, strings.TrimPrefix(path, ".")
	}
	return n, true
}

// firstKey splits a path after its first key, which may be quoted.
func firstKey(path string) (key, rest string) {
	if quoted, err := strconv.QuotedPrefix(path); err == nil {
		key, _ = strconv.Unquote(quoted)
		return key, path[len(quoted):]
	}
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		return path, ""
	}
	return path[:end], path[end:]
}

// join adds a key to a path, and quotes the key if necessary.
func join(path, key string) string {
	if !isBare(key) {
		key = strconv.Quote(key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// isBare reports whether a key needs no quotes.
func isBare(key string) bool {
	return key != "" && strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}
