package tables

import "slices"

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
	for _, names := range [][]string{usual, labelled(), generic()} {
		if name := s.named(names, nil); name != "" {
			return name
		}
	}
	return ""
}

// labelled returns words for those who respond, each alone and with every word for a name before or after it.
func labelled() (out []string) {
	for _, p := range people() {
		out = append(out, p)
		for _, l := range labels() {
			out = append(out, p+l, l+p)
		}
	}
	return out
}
