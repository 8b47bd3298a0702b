package conf

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// decode runs the decoder, and turns a panic of the decoder into an error. places are the keys that were found in the text.
func decode(text string, places *node) (keys map[string]any, fault *Error) {
	defer func() {
		if r := recover(); r != nil {
			fault = &Error{Msg: "this TOML cannot be decoded: " + tidy(fmt.Sprint(r))}
		}
	}()
	_, err := toml.Decode(text, &keys)
	var at toml.ParseError
	switch {
	case err == nil:
		return keys, nil
	case !errors.As(err, &at):
		return nil, &Error{Msg: tidy(strings.TrimPrefix(err.Error(), "toml: "))}
	case at.Message == "": // the parser wraps the error of another package
		at.Message = strings.TrimPrefix(err.Error(), "toml: ")
	}
	if _, rest, ok := strings.Cut(at.Message, "Key '"); ok && strings.Contains(at.Message, "already") {
		key, _, _ := strings.Cut(rest, "'")
		return nil, &Error{Line: at.Position.Line, Key: tidy(key), Msg: twice(key, places)}
	}
	return nil, &Error{Line: at.Position.Line, Key: tidy(at.LastKey), Msg: tidy(right(at.Message))}
}

// A wanted says what would be right where the decoder's message has one of some texts.
type wanted struct {
	texts []string
	want  string
}

// faults of syntax, the special ones first.
var syntax = []wanted{
	{[]string{"expected key separator", "expected '.' or '='"}, `key = value, with one key per line`},
	{[]string{"key name appears blank", "keys cannot start", "unexpected '='", "unexpected '.'"}, `a name before =, and between dots`},
	{[]string{`expected '"`, `expected "'`, `unexpected '"`, `unexpected "'`, "strings cannot contain newlines"}, `a closing quote on the same line, or """ at both ends of a text of several lines`},
	{[]string{"array terminator", "unexpected comma"}, `a comma between the elements of a list, and ] at its end`},
	{[]string{"inline table"}, `{key = value, key = value} on one line, or a table of its own under [name]`},
	{[]string{"top-level item to end"}, `nothing after a value but a comment, which begins with #; a text is in quotes`},
	{[]string{"table name", "table array name"}, `a table's name in brackets, [name], or [[name]] for each table of a list`},
	{[]string{"escape", "hexadecimal digits", "Escaped character"}, `\\ for a backslash, or the text in single quotes, where a backslash is one`},
	{[]string{"datetime", "expected a digit", "floats must", "Invalid", "invalid float", "not a binary", "not an octal", "not a hexadecimal", "cannot use sign"}, `a number, such as 1000, -0.5 or 1e-3, or a text in quotes`},
	{[]string{"out of range", "out of the safe"}, `a whole number up to 9e18, or a number up to 1.7e308`},
	{[]string{"UTF-8", "control characters"}, `a text file in UTF-8`},
	{[]string{"expected value"}, `a value: a text in quotes, a number, true or false, or a list in brackets`},
}

// twice says where a key stands for the first time.
func twice(key string, places *node) string {
	first, _ := places.find(key)
	if first.line == 0 {
		return "appears twice: keep one"
	}
	said := fmt.Sprintf("is in line %d already: keep one", first.line)
	if first.header {
		said += ", or write each of a list of tables under [[" + tidy(key) + "]]"
	}
	return said
}

// right returns what would be right in place of what the decoder's message says, and what is there.
func right(message string) string {
	for _, w := range syntax {
		for _, text := range w.texts {
			if strings.Contains(message, text) {
				return "want " + w.want + found(message)
			}
		}
	}
	return message
}

// found returns the end of a message that says what was found.
func found(message string) string {
	what := message
	for _, word := range []string{"found ", "got "} {
		if _, after, ok := strings.Cut(message, word); ok {
			what = strings.TrimSuffix(after, " instead")
		}
	}
	switch {
	case what == `'\n'`:
		return ", not the end of the line"
	case what == "end of file" || strings.Contains(message, "unexpected EOF"):
		return ", not the end of the file"
	case what != message:
		return ", not " + what
	}
	return " (" + strings.TrimSuffix(message, ".") + ")"
}
