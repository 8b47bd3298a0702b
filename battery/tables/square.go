package tables

import (
	"fmt"
	"math"
)

// correlations returns an error if a matrix is not of responses but of correlations, covariances or distances: as many rows as columns, and the same
// above the diagonal as below, in numbers that are not whole. Correlations have 1 on the diagonal.
func (s *surveyed) correlations() error {
	var cells []int
	broken, within := false, true // whether a number is not whole, and whether all are from −1 to 1
	for i, c := range s.columns {
		if s.used[c.name] == "response" {
			cells = append(cells, i)
			broken, within = broken || c.broken > 0, within && c.lo >= -1 && c.hi <= 1
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
			x, ok := s.read.number(row.Cells[i])
			switch {
			case ok:
				r[k] = x
			case missing(row.Cells[i]):
				r[k] = math.NaN()
			default:
				return nil
			}
		}
		m = append(m, r)
		within = within && (math.IsNaN(r[len(m)-1]) || r[len(m)-1] == 1)
	}
	equal, gaps := 0, 0
	for i, r := range m {
		for j := range i {
			switch d := math.Abs(r[j] - m[j][i]); {
			case d > 1e-9:
				return nil
			case math.IsNaN(d): // a triangle alone is one, too
				gaps++
			default:
				equal++
			}
		}
	}
	if gaps > equal {
		return nil
	}
	what := "a symmetric matrix, such as of covariances or distances,"
	if within {
		what = "a matrix of correlations"
	}
	return fmt.Errorf("%s: %s of %d variables; import the responses that they were computed from", s.src.Name, what, len(m))
}
