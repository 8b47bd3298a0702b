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

// SameUnits reports whether parameters i and k of a layout have the same units.
func SameUnits(l *Layout, i, k int) bool {
	a, b := &l.Parameters[i], &l.Parameters[k]
	return a.of() == b.of() && a.Per == b.Per && a.Within == b.Within
}
