package num

import (
	"strconv"
	"strings"
)

// Count writes a count with commas between thousands.
func Count(n int) string {
	s := strconv.Itoa(n)
	first := len(s) - len(strings.TrimPrefix(s, "-")) // index of the first digit
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Counted writes a number of things, whose plural has an s: "1 subject", "2,000 subjects".
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Count(n) + " " + thing + "s"
}
