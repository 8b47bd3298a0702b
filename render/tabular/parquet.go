package tabular

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/table"
)

// Parquet returns all columns of the table, in their order, null where there is no value. The same table gives the same bytes.
func Parquet(t *table.Table) []byte {
	var fields []reflect.StructField
	for k, c := range t.Columns {
		kind := map[table.Kind]reflect.Type{table.Text: reflect.TypeFor[*string](), table.Number: reflect.TypeFor[*float64](), table.Count: reflect.TypeFor[*int64](), table.Flag: reflect.TypeFor[*bool]()}[c.Kind]
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("C%d", k), Type: kind, Tag: reflect.StructTag(fmt.Sprintf(`parquet:"%s,optional"`, c.Name))})
	}
	row := reflect.StructOf(fields) // a struct keeps the order of the columns, which a parquet.Group does not
	var b bytes.Buffer
	w := parquet.NewWriter(&b, parquet.SchemaOf(reflect.New(row).Interface()), parquet.CreatedBy("achilles", "", ""))
	for _, values := range t.Rows {
		at := reflect.New(row)
		for k, v := range values {
			x, number := v.Number()
			switch f := at.Elem().Field(k); {
			case !v.Exists():
			case !number:
				f.Set(reflect.ValueOf(new(v.Text())))
			case v.Kind() == table.Flag:
				f.Set(reflect.ValueOf(new(x != 0)))
			case v.Kind() == table.Count:
				f.Set(reflect.ValueOf(new(int64(x))))
			default:
				f.Set(reflect.ValueOf(new(x)))
			}
		}
		if err := w.Write(at.Interface()); err != nil {
			panic("tabular: writing Parquet to memory failed") // a Buffer does not fail
		}
	}
	if err := w.Close(); err != nil {
		panic("tabular: writing Parquet to memory failed")
	}
	return b.Bytes()
}
