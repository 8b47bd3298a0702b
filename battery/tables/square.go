package tables

import (
	"fmt"
	"math"
)

// correlations returns an error if a matrix is not of responses but of correlations: as many rows as columns, 1 from corner to corner,
// the same above as below, and other numbers than 0 and 1 from −1 to 1.
func (s *surveyed) correlations() error {
	var cells []int
	broken := false
	for i, c := range s.columns {
		if s.used[c.name] == "response" {
			cells = append(cells, i)
			broken = broken || c.broken > 0
			if c.lo < -1 || c.hi > 1 {
				return nil
			}
		}
	}
	if s.rows != len(cells) || s.rows < 3 || !broken {
		return nil
	}
	var m [][]float64
	for row, err := range s.src.Each {
		if err != nil {
			return err
		}
		r := make([]float64, len(cells))
		for k, i := range cells {
			var ok bool
			if r[k], ok = s.read.number(row.Cells[i]); !ok {
				return nil
			}
		}
		if m = append(m, r); r[len(m)-1] != 1 {
			return nil
		}
	}
	for i, r := range m {
		for j := range i {
			if math.Abs(r[j]-m[j][i]) > 1e-9 {
				return nil
			}
		}
	}
	return fmt.Errorf("%s: a matrix of correlations of %d variables; import the responses that they were computed from", s.src.Name, len(m))
}
