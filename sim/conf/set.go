package conf

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Set returns the text with one key changed by a setting KEY=VALUE, such as responses.repetitions=3 or
// agent[0].name=first. A value that is not TOML is taken as a text. Set adds an absent key to its table, and an absent
// table to the file; it keeps everything else, including comments. A key that occurs in only one table may be given
// without its table, as in episodes=1000. The keys in root always mean those of the root table. Set does not check
// whether readers know the key. The error says what is wrong with the setting or with the file.
func Set(file, text, setting string, root ...string) (string, error) {
	key, value, ok := strings.Cut(setting, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !ok || !legalPath(key) || value == "" || !utf8.ValidString(value) {
		return "", fmt.Errorf("setting %q: want KEY=VALUE, such as responses.repetitions=3 or agent[0].name=first", setting)
	}
	places, err := check(file, text)
	if err != nil {
		return "", fmt.Errorf("setting %q: %w", setting, err)
	}
	text = strings.TrimPrefix(text, byteOrderMark) // places do not count it
	if !slices.Contains(root, key) {
		if key, err = places.complete(key); err != nil {
			return "", fmt.Errorf("setting %q: %w", setting, err)
		}
	}
	out, err := places.insert(text, key, asTOML(value))
	if err != nil {
		return "", fmt.Errorf("setting %q: %w", setting, err)
	}
	if _, err := check(file, out); err != nil {
		return "", fmt.Errorf("setting %q makes the file invalid: %w", setting, err)
	}
	return out, nil
}

// check scans and decodes a text.
func check(file, text string) (*node, error) {
	t, err := Parse(file, text)
	if err != nil {
		return nil, err
	}
	return t.at, nil
}

// legalPath says whether a path consists of bare keys joined by dots, each with or without an index.
func legalPath(path string) bool {
	for _, key := range strings.Split(path, ".") {
		if name, index, indexed := strings.Cut(key, "["); indexed {
			number, closed := strings.CutSuffix(index, "]")
			if !closed || number == "" || strings.Trim(number, "0123456789") != "" {
				return false
			}
			key = name
		}
		if !isBare(key) {
			return false
		}
	}
	return true
}

// asTOML returns a value unchanged if it is TOML within the limits, and otherwise as a quoted text.
func asTOML(value string) string {
	if !strings.Contains(value, "\n") {
		if places, fault := scan("x = " + value); fault == nil {
			if keys, fault := decode("x = "+value, places); fault == nil && len(keys) == 1 {
				return value
			}
		}
	}
	return Quote(value)
}

// Quote returns a text as a basic string of TOML, whose escapes differ from those of Go.
func Quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// complete returns a bare key with the path of its table, if exactly one table of the text has this key.
func (n *node) complete(key string) (string, error) {
	if n.child[key] != nil || strings.ContainsAny(key, ".[") {
		return key, nil
	}
	var found, other []string
	n.visit("", func(path, name string, at *node) {
		switch {
		case at.header:
		case name == key:
			found = append(found, path)
		case fold(name) == fold(key):
			other = append(other, path)
		}
	})
	switch {
	case len(found)+len(other) == 0:
		return key, nil
	case len(found) == 0:
		return "", fmt.Errorf("unknown key %s: write %s", key, other[0])
	case len(found) == 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%s is a key of several tables: want one of %s", key, strings.Join(found, ", "))
}

// visit calls f for every key below the node, sorted, except those in lists.
func (n *node) visit(path string, f func(path, name string, at *node)) {
	for _, name := range slices.Sorted(maps.Keys(n.child)) {
		below := join(path, name)
		f(below, name, n.child[name])
		n.child[name].visit(below, f)
	}
}

// insert writes a value at a path of the text whose root node is n.
func (n *node) insert(text, path, value string) (string, error) {
	if at, whole := n.find(path); whole {
		if at.header || at.start == at.end {
			return "", fmt.Errorf("%s is a table: set a key in it", path)
		}
		return text[:at.start] + value + text[at.end:], nil
	}
	if strings.HasSuffix(path, "]") {
		return "", fmt.Errorf("there is no %s", path)
	}
	table, name := "", path
	if dot := strings.LastIndexByte(path, '.'); dot >= 0 {
		table, name = path[:dot], path[dot+1:]
	}
	at, whole := n.find(table)
	if whole {
		for _, other := range slices.Sorted(maps.Keys(at.child)) {
			if fold(other) == fold(name) {
				return "", fmt.Errorf("unknown key %s: write %s", path, strings.TrimPrefix(table+"."+other, "."))
			}
		}
	}
	line := name + " = " + value + "\n"
	switch {
	case table == "":
		return line + text, nil
	case whole && at.header:
		return text[:at.end] + "\n" + line + strings.TrimPrefix(text[at.end:], "\n"), nil
	case whole && strings.HasPrefix(text[at.start:], "{"):
		comma := ", "
		if strings.TrimSpace(text[at.start+1:at.end-1]) == "" {
			comma = ""
		}
		return text[:at.start+1] + " " + name + " = " + value + comma + text[at.start+1:], nil
	case strings.Contains(table, "["):
		return "", fmt.Errorf("there is no %s", table)
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + "\n[" + table + "]\n" + line, nil
}
