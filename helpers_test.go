package main

import (
	"go/ast"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"testing"
)

// describing are the functions that return a mean or a quantile of a list of numbers. There is one of each.
var describing = []string{"sim/num.Mean", "sim/num.Moments", "sim/num.SortedQuantile"}

// describes is what they are called.
var describes = regexp.MustCompile(`(?i)^(sorted)?(mean|average|moments|median|quantile|percentile)s?(of)?$`)

// helpers lists the functions of a file outside tests, no methods, which are called so and take a list of numbers first, or a list of
// lists.
func helpers(file string, src []byte, found map[string]bool) error {
	return functions(file, src, func(fn *ast.FuncDecl) {
		if fn.Recv != nil || !describes.MatchString(fn.Name.Name) || len(fn.Type.Params.List) == 0 {
			return
		}
		if of := types.ExprString(fn.Type.Params.List[0].Type); of == "[]float64" || of == "[][]float64" && fn.Type.Params.NumFields() == 1 {
			found[path.Dir(file)+"."+fn.Name.Name] = true
		}
	})
}

// TestMeansAndQuantilesAreComputedOnce checks that nobody has a mean or a quantile of his own. That of all chains' draws, without a copy
// of them, is of diag alone.
func TestMeansAndQuantilesAreComputedOnce(t *testing.T) {
	found := map[string]bool{}
	eachFile(t, func(file string, src []byte) {
		if err := helpers(file, src, found); err != nil {
			t.Error(err)
		}
	})
	want := append([]string{"infer/diag.momentsOf"}, describing...)
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
		t.Errorf("means and quantiles are computed by %v, want %v: take those of sim/num", got, want)
	}
}

func TestHelperWallHolds(t *testing.T) {
	for _, c := range []struct {
		why, file, src string
		want           int
	}{
		{"one more mean", "infer/x.go", "package p\nfunc mean(x []float64) float64 { return 0 }\n", 1},
		{"a median that has another name for its list", "infer/x.go", "package p\nfunc Median(values []float64, empty float64) float64 { return 0 }\n", 1},
		{"a quantile of chains", "infer/x.go", "package p\nfunc quantileOf(chains [][]float64) float64 { return 0 }\n", 1},
		{"that of a distribution", "infer/x.go", "package p\ntype d struct{}\nfunc (d) quantile(p []float64) float64 { return 0 }\n", 0},
		{"in a test", "infer/x_test.go", "package p\nfunc mean(x []float64) float64 { return 0 }\n", 0},
	} {
		found := map[string]bool{}
		if err := helpers(c.file, []byte(c.src), found); err != nil || len(found) != c.want {
			t.Errorf("%s: %v, %v", c.why, found, err)
		}
	}
}
