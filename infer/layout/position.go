package layout

import (
	"slices"

	"achilles/sim/record"
)

// ByPosition reports whether a metafeature is the position of a response in its subject's sequence, or counts what the subject did before: the
// layout names the column record.Position or one of record.History, and the items have no such column. Such a layout is bound to the rows of
// record.Items.ByPosition in place of the items.
func (l *Layout) ByPosition(items *record.Items) bool {
	return slices.ContainsFunc(l.Metafeatures, func(m Metafeature) bool {
		_, known := items.Column(m.Column)
		return !known && record.IsHistory(m.Column)
	})
}

// NamesPosition reports whether a metafeature is the column record.Position or one of record.History.
func (l *Layout) NamesPosition() bool {
	return slices.ContainsFunc(l.Metafeatures, func(m Metafeature) bool { return record.IsHistory(m.Column) })
}
