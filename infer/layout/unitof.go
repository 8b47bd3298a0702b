package layout

// UnitOf returns the unit of parameter i of a bound layout that a response of a subject to an item has, both by their indices.
func UnitOf(j *Joint, i, subject, item int) int {
	switch p := &j.layout.Parameters[i]; {
	case p.OfSubjects():
		return subject
	case p.Per != "" && p.of() == ofSubjects:
		return j.groupOf[i][subject]
	case p.Per != "":
		return j.groupOf[i][item]
	case p.Group == Item:
		return item
	}
	return 0
}
