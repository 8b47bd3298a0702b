package irt

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"achilles/infer/mml"
)

// Anchors are parameters of items that another analysis estimated: item → parameter → value, with the parameters' names in the table
// parameters.
type Anchors map[string]map[string]anchor

// An anchor is an estimate and its standard error; 0: none is known.
type anchor struct{ x, se float64 }

// ReadAnchors reads the table parameters of an earlier analysis, or any CSV with columns item, parameter and estimate. The error names
// file, line and column.
func ReadAnchors(file string, text []byte) (Anchors, error) {
	r := csv.NewReader(strings.NewReader(string(text)))
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	at := map[string]int{}
	for k, name := range head {
		at[name] = k + 1
	}
	for _, name := range []string{"item", "parameter", "estimate"} {
		if at[name] == 0 {
			return nil, fmt.Errorf("%s: there is no column %s; the file parameters.csv of an earlier achilles irt has it", file, name)
		}
	}
	out := Anchors{}
	for {
		row, err := r.Read()
		if row == nil {
			break
		}
		line, _ := r.FieldPos(0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		item, name, value := row[at["item"]-1], row[at["parameter"]-1], row[at["estimate"]-1]
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || x-x != 0 {
			return nil, fmt.Errorf("%s:%d: column estimate: %q is not a number", file, line, value)
		}
		known := anchor{x: x}
		if k := at["estimate_se"]; k > 0 && row[k-1] != "" {
			if known.se, err = strconv.ParseFloat(row[k-1], 64); err != nil || !(known.se >= 0) {
				return nil, fmt.Errorf("%s:%d: column estimate_se: %q is not a standard error", file, line, row[k-1])
			}
		}
		if out[item] == nil {
			out[item] = map[string]anchor{}
		}
		if _, twice := out[item][name]; twice {
			return nil, fmt.Errorf("%s:%d: %s of item %s appears twice", file, line, name, item)
		}
		out[item][name] = known
	}
	return out, nil
}

// of returns the known parameters of each item that is analysed; nil: of none.
func (a Anchors) of(in *input, names []string, m mml.Model) ([]*mml.Item, error) {
	if a == nil {
		return nil, nil
	}
	out := make([]*mml.Item, len(in.items))
	found := 0
	slope := 0.0
	for k, i := range in.items {
		known, ok := a[names[i]]
		if !ok {
			continue
		}
		it := &mml.Item{}
		value := func(name string) (anchor, error) {
			x, ok := known[name]
			if !ok {
				return x, fmt.Errorf("--anchor: item %s has no parameter %s, which %s needs", names[i], name, m)
			}
			return x, nil
		}
		x, err := value(slopeName)
		if err != nil {
			return nil, err
		}
		if m.OneSlope() && found > 0 && x.x != slope {
			return nil, fmt.Errorf("--anchor: item %s has slope %g and another one %g, where %s has one for all", names[i], x.x, slope, m)
		}
		slope = x.x
		it.Slope, it.SlopeSE = []float64{x.x}, []float64{x.se}
		for c := range len(in.levels[k]) - 1 {
			x, err := value(interceptName(c, len(in.levels[k])))
			if err != nil {
				return nil, err
			}
			it.Intercept, it.InterceptSE = append(it.Intercept, x.x), append(it.InterceptSE, x.se)
		}
		if m == mml.ThreePL {
			x, err := value(guessName)
			if err != nil {
				return nil, err
			}
			it.Guess = x.x
			if !(it.Guess > 0 && it.Guess < 1) {
				return nil, fmt.Errorf("--anchor: item %s has a guessing parameter of %g: want one between 0 and 1", names[i], it.Guess)
			}
		}
		out[k] = it
		found++
	}
	if found == 0 {
		return nil, fmt.Errorf("--anchor: none of its %d items is among those that are analysed", len(a))
	}
	return out, nil
}

// Names of parameters.
const (
	slopeName = "slope"
	guessName = "guess"
)

// interceptName returns the name of an intercept, from 0.
func interceptName(k, categories int) string {
	if categories == 2 {
		return "intercept"
	}
	return fmt.Sprintf("intercept_%d", k+1)
}
