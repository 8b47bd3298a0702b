package chart_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"image/png"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"achilles/render/figure/chart"
)

var update = flag.Bool("update", false, "rewrite the golden figures in testdata")

// golden compares got with a file of testdata by the function same. With -update, it rewrites the file instead. If they
// differ, it writes got into the test's artifact directory.
func golden(t *testing.T, name string, got []byte, same func(got, want []byte) bool) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !same(got, want) {
		out := filepath.Join(t.ArtifactDir(), name)
		_ = os.WriteFile(out, got, 0o644)
		t.Errorf("%s differs from the golden figure: look at %s; -update rewrites it", name, out)
	}
}

// TestGolden compares the SVG of every kind of figure with that in testdata, byte by byte.
func TestGolden(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("coordinates are rounded after sums that other processors may fuse")
	}
	fs := samples()
	for _, name := range slices.Sorted(maps.Keys(fs)) {
		golden(t, name+".svg", fs[name].SVG("Title of "+name), bytes.Equal)
	}
}

// TestPicture compares a PNG with that in testdata. The components of their pixels' colours, 0 … 255, may differ by 2
// on average. Pixels that are white in both pictures do not count.
func TestPicture(t *testing.T) {
	b, err := samples()["forest"].PNG("A forest", 2)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "forest.png", b, func(got, want []byte) bool {
		a, err1 := png.Decode(bytes.NewReader(got))
		b, err2 := png.Decode(bytes.NewReader(want))
		if err1 != nil || err2 != nil || a.Bounds() != b.Bounds() {
			return false
		}
		sum, n := 0.0, 1.0
		for y := range a.Bounds().Dy() {
			for x := range a.Bounds().Dx() {
				r, g, bl, _ := a.At(x, y).RGBA()
				r2, g2, b2, _ := b.At(x, y).RGBA()
				if r&g&bl&r2&g2&b2 == 0xffff {
					continue
				}
				n++
				for _, d := range []float64{float64(r) - float64(r2), float64(g) - float64(g2), float64(bl) - float64(b2)} {
					sum += math.Abs(d) / 257 / 3
				}
			}
		}
		return sum/n <= 2 && n > 1000
	})
}

// TestSameBytes checks that the same numbers give the same bytes of SVG and of PNG.
func TestSameBytes(t *testing.T) {
	for name, f := range samples() {
		again := samples()[name]
		a, err := f.PNG(name, 1)
		b, _ := again.PNG(name, 1)
		if err != nil || !bytes.Equal(a, b) || !bytes.Equal(f.Inline(name), again.Inline(name)) {
			t.Errorf("%s: two drawings differ (%v)", name, err)
		}
	}
}

// TestWellFormed checks that every figure has a plausible size, is valid XML and contains no NaN or infinity, and that
// the inline SVG takes the ink colour from the page.
func TestWellFormed(t *testing.T) {
	for name, f := range samples() {
		if f.Empty() || f.Width > 660 || f.Height < 50 {
			t.Errorf("%s is %g × %g", name, f.Width, f.Height)
		}
		for _, b := range [][]byte{f.SVG(`a title with <&">`), f.Inline(`words <&">`)} {
			d := xml.NewDecoder(bytes.NewReader(b))
			for {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			if bytes.Contains(b, []byte("NaN")) || bytes.Contains(b, []byte("Inf")) {
				t.Errorf("%s has numbers that are none", name)
			}
		}
		if in := string(f.Inline("x")); !strings.Contains(in, "var(--ink)") || strings.Contains(in, "#1c2126") {
			t.Errorf("%s does not follow the page's ink", name)
		}
	}
}

// TestNothing checks that figures of no data are empty, and that an empty figure can be written.
func TestNothing(t *testing.T) {
	for name, f := range map[string]chart.Figure{"forest": chart.Forest("x", 0, 1, nil), "range": chart.Forest("x", 1, 1, []chart.Estimate{{}}), "heat": chart.Heat(nil, nil, nil, ""),
		"forests": chart.Forests(nil), "recovery": chart.Recovery(nil), "reliability": chart.Reliability(nil), "brier": chart.Brier(nil), "models": chart.Models("x", nil), "trace": chart.Traces(nil),
		"ranks": chart.Ranks(nil), "grids": chart.Grids(nil), "curves": chart.Curves(nil), "lines": chart.Lines("x", "y", nil, 0, 1), "surprises": chart.Surprises(nil), "shares": chart.StackedBars("x", nil, nil),
		"replicated": chart.Replicated(nil), "items": chart.ItemMap(nil), "scatter": chart.Scatter("x", "y", nil), "wright": chart.Wright(nil, nil), "reliabilities": chart.Reliabilities(nil), "pairs": chart.Pairs([]chart.ParameterDraws{{Name: "x"}, {Name: "y"}}, nil)} {
		if !f.Empty() {
			t.Errorf("%s of nothing is drawn", name)
		}
	}
	if b := (chart.Figure{Width: 10, Height: 10}).SVG(""); !bytes.Contains(b, []byte("</svg>")) {
		t.Errorf("an empty figure is %q", b)
	}
}

// TestDegenerate checks that single points, constant draws and values outside the axes give figures without NaN or
// infinity.
func TestDegenerate(t *testing.T) {
	nan := math.NaN()
	for name, f := range map[string]chart.Figure{
		"constant draws": chart.Traces([]chart.ParameterDraws{{Name: "x", Draws: [][]float64{{1, 1, 1}, {1, 1, 1}}}}),
		"constant ranks": chart.Ranks([]chart.ParameterDraws{{Name: "x", Draws: [][]float64{{1, 1, 1}, {1, 1, 1}}}}),
		"constant pairs": chart.Pairs([]chart.ParameterDraws{{Name: "x", Draws: [][]float64{{1, 1}, {1, 1}}}, {Name: "y", Draws: [][]float64{{1, 2}, {3, 4}}}}, [][]int{{0, 7}, nil, {1}}),
		"one point":      chart.Lines("x", "y", []chart.Series{{Name: "a", Points: []chart.Point{{X: 1, Y: 2, Low: nan, High: nan}}}}, 0, 3),
		"one value":      chart.Curves([]chart.Curve{{Feature: "f", Values: []chart.Point{{X: 1, Y: 0.5, Weight: 1}}, Slope: nan, Intercept: nan}}),
		"outside":        chart.Forest("x", 0, 1, []chart.Estimate{{Label: "a", Mean: 5, Q5: -3, Q25: 0, Q75: 6, Q95: 9}}),
		"no surprise":    chart.Surprises([]chart.SurprisePair{{Title: "t", Expected: []float64{0}, Unexpected: nil}}),
	} {
		if b := f.SVG(name); bytes.Contains(b, []byte("NaN")) || bytes.Contains(b, []byte("Inf")) {
			t.Errorf("%s has numbers that are none", name)
		}
	}
}
