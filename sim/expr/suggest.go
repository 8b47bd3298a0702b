package expr

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// DidYouMean returns ": did you mean X?", where X is the first of Nearest, or "" if there is none.
func DidYouMean(name string, known []string) string {
	near := Nearest(name, known)
	if near == nil {
		return ""
	}
	return ": did you mean " + near[0] + "?"
}

// Listed returns DidYouMean and, as a sentence of its own, all known names behind some words, such as "There are".
func Listed(name, words string, known []string) string {
	all := strings.Join(known, ", ")
	if near := DidYouMean(name, known); near != "" {
		return near + " " + words + " " + all
	}
	return "; " + strings.ToLower(words[:1]) + words[1:] + " " + all
}

// mostListed is the largest number of names that Hint lists.
const mostListed = 30

// Hint returns DidYouMean or, if that is "", ": there are A, B" with the known names in their given order, of very many the first ones.
func Hint(name string, known []string) string {
	if near := DidYouMean(name, known); near != "" || len(known) == 0 {
		return near
	}
	if more := len(known) - mostListed; more > 0 {
		return ": there are " + strings.Join(known[:mostListed], ", ") + " and " + strconv.Itoa(more) + " more"
	}
	return ": there are " + strings.Join(known, ", ")
}

// Nearest returns the known names that are the fewest edits away from name, in the given order. It allows one edit per
// three letters of name, and at least one. Capitals do not matter.
func Nearest(name string, known []string) (near []string) {
	length := utf8.RuneCountInString(name)
	limit := max(1, length/3)
	for _, k := range known {
		if diff := length - utf8.RuneCountInString(k); max(diff, -diff) > limit {
			continue // the difference in length alone needs more edits than allowed
		}
		d := edits(strings.ToLower(name), strings.ToLower(k))
		switch {
		case d > limit || k == name:
		case d < limit:
			limit, near = d, []string{k}
		default:
			near = append(near, k)
		}
	}
	return near
}

// edits returns the Levenshtein distance of a and b, in which a swap of neighbouring letters counts once (optimal
// string alignment).
func edits(a, b string) int {
	s, t := []rune(a), []rune(b)
	rows := [3][]int{make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := range s {
		before, last, next := rows[i%3], rows[(i+1)%3], rows[(i+2)%3]
		next[0] = i + 1
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			next[j+1] = min(last[j+1]+1, next[j]+1, last[j]+cost)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
	}
	return rows[(len(s)+1)%3][len(t)]
}
