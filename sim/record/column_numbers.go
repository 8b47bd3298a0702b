package record

import (
	"fmt"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// integers decodes an integer column of a row group and appends it to dst.
func (t *tableReader) integers(g parquet.RowGroup, name string, dst []int32) ([]int32, error) {
	dst = slices.Grow(dst, expected(g))
	err := t.values(g, name, func(p parquet.Page, v encoding.Values, levels []byte) (err error) {
		if dst, err = appendIntegers(dst, p, v); err != nil {
			return err
		}
		for _, l := range levels {
			if l == 0 {
				return errNull
			}
		}
		return nil
	})
	return dst, err
}

func appendIntegers(dst []int32, p parquet.Page, v encoding.Values) ([]int32, error) {
	if d := p.Dictionary(); d != nil {
		if err := checkIndexes(v.Int32(), d); err != nil {
			return dst, err
		}
		for _, k := range v.Int32() {
			n := int64(d.Index(k).Int32())
			if d.Type().Kind() == parquet.Int64 {
				n = d.Index(k).Int64()
			}
			if err := checkInteger(n); err != nil {
				return dst, err
			}
			dst = append(dst, int32(n))
		}
		return dst, nil
	}
	if v.Kind() == encoding.Int32 {
		return append(dst, v.Int32()...), nil
	}
	for _, n := range v.Int64() {
		if err := checkInteger(n); err != nil {
			return dst, err
		}
		dst = append(dst, int32(n))
	}
	return dst, nil
}

func checkInteger(n int64) error {
	if n < math.MinInt32 || n > math.MaxInt32 {
		return fmt.Errorf("%d does not fit 32 bits", n)
	}
	return nil
}

// numbers decodes an optional float column of a row group and appends it to number and missing.
func (t *tableReader) numbers(g parquet.RowGroup, name string, number []float64, missing []bool) ([]float64, []bool, error) {
	number, missing = slices.Grow(number, expected(g)), slices.Grow(missing, expected(g))
	var page []float64
	err := t.values(g, name, func(p parquet.Page, v encoding.Values, levels []byte) (err error) {
		if page, err = appendFloats(page[:0], p, v); err != nil {
			return err
		}
		rest := page
		if levels == nil { // a required column has no levels: every row has a value
			for _, x := range rest {
				number, missing = append(number, x), append(missing, false)
			}
			return nil
		}
		for _, l := range levels {
			x := 0.0
			if l != 0 {
				if len(rest) == 0 {
					return errLevels
				}
				x, rest = rest[0], rest[1:]
			}
			number, missing = append(number, x), append(missing, l == 0)
		}
		if len(rest) > 0 {
			return errLevels
		}
		return nil
	})
	return number, missing, err
}

func appendFloats(dst []float64, p parquet.Page, v encoding.Values) ([]float64, error) {
	d := p.Dictionary()
	if d == nil {
		return append(dst, v.Double()...), nil
	}
	if err := checkIndexes(v.Int32(), d); err != nil {
		return dst, err
	}
	value := make([]float64, d.Len())
	for i := range value {
		value[i] = d.Index(int32(i)).Double()
	}
	for _, k := range v.Int32() {
		dst = append(dst, value[k])
	}
	return dst, nil
}
