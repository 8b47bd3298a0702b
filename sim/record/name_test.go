package record_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"achilles/sim/record"
)

// TestCheckName compares CheckName with its rules, one by one, for names near their limits.
func TestCheckName(t *testing.T) {
	fine := func(s string) bool {
		prints := utf8.ValidString(s)
		for _, r := range s {
			prints = prints && unicode.IsPrint(r)
		}
		return prints && len(s) >= 1 && len(s) <= 200 && strings.TrimSpace(s) == s
	}
	part := []string{"a", "~", "!", " ", "\t", "\x7f", "\x1f", "é", "\xff", "\u00a0", "名", strings.Repeat("x", 98), ""}
	for _, a := range part {
		for _, b := range part {
			for _, c := range part {
				for _, d := range part {
					if s := a + b + c + d; (record.CheckName(s) == nil) != fine(s) {
						t.Fatalf("%q: %v", s, record.CheckName(s))
					}
				}
			}
		}
	}
}
