package tables

import (
	"slices"
	"strings"
)

// people are words for those who respond, likeliest first, beyond the whole names that subjectNames has.
func people() []string {
	return []string{"subject", "subj", "participant", "ppt", "person", "student", "pupil", "child", "examinee", "respondent", "patient", "learner", "player", "user", "infant", "baby", "toddler", "candidate", "animal", "individual", "rat", "mouse", "bird", "monkey", "dog", "chimp", "chimpanzee", "ape", "bonobo", "gorilla", "orangutan", "primate", "macaque", "capuchin", "marmoset", "lemur", "parrot", "crow", "raven", "pigeon", "horse", "cat", "goat", "sheep", "pig", "wolf", "elephant", "dolphin", "fish", "bee", "kind", "tier", "proband", "teilnehmer", "schüler"}
}

// labels are words that, beside one for those who respond, say that a column has their names: subject_site, ID_animal, ChildCode. What is known of them,
// such as child_sex, is not among them.
func labels() []string {
	return []string{"id", "ids", "name", "names", "code", "no", "nr", "num", "number", "key", "label", "initials", "site", "pseudonym", "identifier", "uuid", "hash", "nummer", "kürzel"}
}

// generic are names of subjects that a row, an item or anything else may have as well.
func generic() []string { return []string{"id", "name", "kind", "record", "recordid", "solver"} }

// who returns the column with the names of subjects, and "" if no column is called so: one with a usual name, or with a word for those who respond and one
// for a name, or with a name that anything may have.
func (s *surveyed) who() string {
	usual := slices.DeleteFunc(subjectNames(), func(n string) bool { return slices.Contains(generic(), n) })
	if name := s.named(usual, nil); name != "" {
		return name
	}
	for _, c := range s.columns {
		if s.used[c.name] == "" && isLabelled(c.name) && !slices.Contains(s.src.Demands, c.name) {
			return c.name
		}
	}
	return s.named(generic(), nil)
}

// isWho reports whether a column is called as those with the names of subjects are.
func isWho(name string) bool { return slices.Contains(subjectNames(), plain(name)) || isLabelled(name) }

// isLabelled reports whether a column's name is a word for those who respond, alone or with a word for a name before or after it.
func isLabelled(name string) bool {
	name = plain(name)
	return slices.ContainsFunc(people(), func(who string) bool {
		after, first := strings.CutPrefix(name, who)
		before, last := strings.CutSuffix(name, who)
		return name == who || first && slices.Contains(labels(), after) || last && slices.Contains(labels(), before)
	})
}

// callsOf returns the usual names of subjects, and those of some columns that are called so otherwise, in the plain form.
func callsOf(columns ...string) []string {
	out := subjectNames()
	for _, c := range columns {
		if isLabelled(c) {
			out = append(out, plain(c))
		}
	}
	return out
}
