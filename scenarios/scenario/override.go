package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// Override returns the text with one key changed, for --set KEY=VALUE: responses.repetitions=3, battery.coding=design,
// agent[0].name=first. A value that is not TOML counts as a text. A key that is absent is added to its table, and the
// table where that is absent too; everything else, comments included, stays as it is. A key that stands in one table of
// the text only may be given without the table's name: episodes=1000. Whether the key means anything shows when the text
// is parsed. The error says what is wrong with the setting or the text.
func Override(text, setting string) (string, error) {
	key, value, ok := strings.Cut(setting, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !ok || !legalPath(key) || value == "" || !utf8.ValidString(value) {
		return "", fmt.Errorf("setting %q: want KEY=VALUE, such as responses.repetitions=3 or agent[0].name=first", setting)
	}
	value = asTOML(value)
	if _, err := toml.Decode(text, &map[string]any{}); err != nil {
		return "", fmt.Errorf("setting %q: the scenario is not valid TOML: %w", setting, err)
	}
	out, err := place(text, key, value)
	if err != nil {
		return "", fmt.Errorf("setting %q: %w", setting, err)
	}
	if _, err := toml.Decode(out, &map[string]any{}); err != nil {
		return "", fmt.Errorf("setting %q: the scenario would not be valid TOML: %w", setting, err)
	}
	return out, nil
}

// legalPath admits bare keys and indices, joined by dots.
func legalPath(key string) bool {
	return regexp.MustCompile(`^[A-Za-z0-9_-]+(\[\d+\])?(\.[A-Za-z0-9_-]+(\[\d+\])?)*$`).MatchString(key)
}

// asTOML is the value as TOML: as it stands where it is, else in quotes.
func asTOML(value string) string {
	if _, err := toml.Decode("x = "+value, &map[string]any{}); err == nil && !strings.Contains(value, "\n") {
		return value
	}
	return quote(value)
}

// quote writes a text as a basic string of TOML, whose escapes are not quite those of Go.
func quote(text string) string {
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

func place(text, key, value string) (string, error) {
	spots := locate(text)
	key, err := fullKey(spots, key)
	if err != nil {
		return "", err
	}
	if at, ok := spots[key]; ok {
		if at.header || at.start == at.end {
			return "", fmt.Errorf("%s is a table: set a key in it", key)
		}
		return text[:at.start] + value + text[at.end:], nil
	}
	if strings.HasSuffix(key, "]") {
		return "", fmt.Errorf("there is no %s", key)
	}
	table, name := above(key), key
	if table != "" {
		name = key[len(table)+1:]
	}
	line := name + " = " + value + "\n"
	if table == "" {
		return line + text, nil
	}
	at, ok := spots[table]
	switch {
	case ok && at.header:
		rest := strings.TrimPrefix(text[at.end:], "\n")
		return text[:at.end] + "\n" + line + rest, nil
	case ok && strings.HasPrefix(text[at.start:], "{"):
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

// fullKey completes a key that is given without its table, where just one table of the text has such a key. The keys of
// every scenario stand for themselves.
func fullKey(spots map[string]spot, key string) (string, error) {
	if _, there := spots[key]; there || strings.ContainsAny(key, ".[") || slices.Contains([]string{"name", "doc", "seed"}, key) {
		return key, nil
	}
	var found []string
	for _, path := range sortedKeys(spots) {
		if strings.HasSuffix(path, "."+key) && !strings.Contains(path, "[") && !spots[path].header {
			found = append(found, path)
		}
	}
	switch len(found) {
	case 0:
		return key, nil
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%s stands in several tables: want one of %s", key, strings.Join(found, ", "))
}
