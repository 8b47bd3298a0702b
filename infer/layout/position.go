package layout

import (
	"slices"

	"achilles/sim/record"
)

// ByPosition reports whether a metafeature is the position of a response in its subject's sequence: the layout names the
// column record.Position, and the items have none. Such a layout is bound to the rows of record.Items.ByPosition in place of
// the items.
func (l *Layout) ByPosition(items *record.Items) bool {
	_, known := items.Column(record.Position)
	return !known && l.NamesPosition()
}

// NamesPosition reports whether a metafeature is the column record.Position.
func (l *Layout) NamesPosition() bool {
	return slices.ContainsFunc(l.Metafeatures, func(m Metafeature) bool { return m.Column == record.Position })
}
