package score

import (
	"slices"
	"strings"
)

// weaknessNames returns the names of weaknesses, with other words for each. docs/reference/scoring.md has the same
// table.
func weaknessNames() []weaknessName {
	return []weaknessName{
		{"op", []string{"object permanence"}},
		{"memory", nil},
		{"positions", []string{"numpositions"}},
		{"visual", []string{"visual acuity"}},
		{"flatnav", []string{"distance", "navigation", "endurance"}},
		{"lava", nil},
		{"ramp", []string{"ramps"}},
		{"platform", []string{"platforms"}},
		{"colour", []string{"color"}},
		{"right-bias", []string{"right bias"}},
		{"left-bias", []string{"left bias"}},
		{"look-alike", []string{"look-alike positions", "similarity"}},
		{"cup", []string{"cups"}},
		{"grid", nil},
		{"cv", []string{"chick"}},
		{"basic", nil},
	}
}

type weaknessName struct {
	name   string
	others []string
}

// A weakness is a name and the detail that the text adds, for instance colour and DarkBlue.
type weakness struct{ name, detail string }

// parseWeaknesses splits a text such as "cup and grid" or "colour DarkBlue" into weaknesses. It returns nil for the
// texts "none", "nonspecific" and "unknown". A name that weaknessNames does not list stands for itself.
func parseWeaknesses(text string) []weakness {
	text = strings.ToLower(text)
	switch text {
	case "", "none", "nonspecific", "unknown":
		return nil
	}
	var out []weakness
	for _, part := range strings.FieldsFunc(strings.ReplaceAll(text, " and ", ","), func(r rune) bool { return r == ',' || r == '+' || r == ';' }) {
		w := parseWeakness(strings.TrimSpace(part))
		if w.name != "" && !slices.ContainsFunc(out, func(o weakness) bool { return o.name == w.name }) {
			out = append(out, w)
		}
	}
	return out
}

func parseWeakness(text string) weakness {
	for _, n := range weaknessNames() {
		for _, word := range append(slices.Clone(n.others), n.name) {
			if text == word {
				return weakness{name: n.name}
			}
		}
	}
	for _, n := range weaknessNames() { // a name followed by a detail, such as colour DarkBlue or colour: DarkBlue
		for _, word := range append(slices.Clone(n.others), n.name) {
			if rest, ok := strings.CutPrefix(text, word); ok && strings.ContainsAny(rest[:1], " :(") {
				return weakness{n.name, strings.Trim(rest, " :()")}
			}
		}
	}
	return weakness{name: text}
}
