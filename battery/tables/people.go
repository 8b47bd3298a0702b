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

// isPerson reports whether a column is called as those with the names of subjects are, and as hardly anything else is.
func isPerson(name string) bool {
	return isWho(name) && !slices.Contains(generic(), plain(name)) && !slices.Contains(modelNames(), plain(name))
}

// whoOf returns the column with the names of subjects of a table that has a row for each response to an item: of several that are called so, one of which
// each name has an item once, such as a worker's, where another has it again and again, such as the subject of a sentence.
func whoOf(s *surveyed, item []string) string {
	name := s.who()
	if !isPerson(name) || !s.again(slices.Concat([]string{name}, item)) {
		return name
	}
	for _, c := range s.columns {
		if c.name == name || s.used[c.name] != "" || !isPerson(c.name) || !varies(c) || !s.again([]string{c.name}) {
			continue
		}
		hired := strings.HasPrefix(plain(c.name), "worker") || strings.HasPrefix(plain(c.name), "prolific") // nothing else is called so
		if !s.again(slices.Concat([]string{c.name}, item)) || hired && s.differs(c.name, []string{name}) && s.differs(name, []string{c.name}) {
			return c.name
		}
	}
	return name
}

// coarser reports whether a column is called as those with the names of subjects are, and another one too, which has another name in every row where this one
// has not: patient, which is 0 or 1, beside subj.
func coarser(p *proposer, c *profile) bool {
	if !isWho(c.name) || !p.again([]string{c.name}) {
		return false
	}
	return slices.ContainsFunc(p.columns, func(o *profile) bool {
		return o != c && p.used[o.name] == "" && isPerson(o.name) && o.gone == 0 && !p.again([]string{o.name})
	})
}

// manyRows reports whether a column has the names of people, each in several rows: then no column is what one person responded.
func manyRows(s *surveyed) bool {
	name := s.who()
	return isPerson(name) && s.again([]string{name})
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
