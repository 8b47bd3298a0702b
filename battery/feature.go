package battery

import (
	"math"

	"achilles/sim/record"
)

// A Column is a feature of items, with the function that computes its value from what an item is made of.
type Column[T any] struct {
	record.Feature
	Of func(T) Value
}

// Number returns a column of numbers from low to high. NaN is a missing value.
func Number[T any](name string, role record.Role, unit string, low, high float64, doc string, of func(T) float64) Column[T] {
	f := record.Feature{Name: name, Kind: record.Number, Role: role, Unit: unit, Doc: doc, Range: &[2]float64{low, high}}
	return Column[T]{f, func(from T) Value {
		x := of(from)
		if math.IsNaN(x) {
			return Value{Missing: true}
		}
		return Value{Number: x + 0} // + 0 makes −0, such as a side times −1, to 0
	}}
}

// Text returns a column of texts. An empty text is a missing value.
func Text[T any](name string, role record.Role, doc string, of func(T) string) Column[T] {
	return Column[T]{record.Feature{Name: name, Kind: record.Text, Role: role, Doc: doc}, func(from T) Value {
		text := of(from)
		return Value{Text: text, Missing: text == ""}
	}}
}

// SchemaOf returns the features of columns.
func SchemaOf[T any](columns []Column[T]) (schema []record.Feature) {
	for _, c := range columns {
		schema = append(schema, c.Feature)
	}
	return schema
}

// ValuesOf returns the values of columns for one item.
func ValuesOf[T any](columns []Column[T], from T) Values {
	var room [128]byte
	b := room[:0]
	for _, c := range columns {
		b = c.Of(from).pack(b)
	}
	return Values{string(b)}
}
