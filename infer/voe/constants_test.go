package voe_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"achilles/infer/voe"
)

// TestConstantsAreListed checks that the table of docs/theory/bib.md has every constant of the observer achilles with its value.
func TestConstantsAreListed(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "theory", "bib.md"))
	if err != nil {
		t.Fatal(err)
	}
	v := reflect.ValueOf(*voe.DefaultPlanner())
	for i := range v.NumField() {
		name, value := v.Type().Field(i).Name, v.Field(i).Float()
		_, after, _ := strings.Cut(string(page), "`"+name+"` ")
		number, _, _ := strings.Cut(after, " ")
		if x, err := strconv.ParseFloat(strings.TrimSuffix(number, ","), 64); err != nil || x != value {
			t.Errorf("%s is %v, and %q in docs/theory/bib.md", name, value, number)
		}
	}
}

// trained has what a trial of the training file shows: its last frame.
type trained []struct {
	Agent   []any
	Objects [][]any
}

// TestTrainingFile checks that the touches of the benchmark's background episode 000005coe, the one file that may set a constant of
// an observer because nobody is graded on it, lie within the bounds, which are sums of its shapes' sides: at most half of both squares
// and half a pixel, at least half an object less a frame's step of two pixels.
func TestTrainingFile(t *testing.T) {
	dir := os.Getenv("ACHILLES_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	data, err := os.ReadFile(filepath.Join(dir, "bib", "000005coe.json"))
	if err != nil {
		t.Skipf("the training file is not here: %v", err)
	}
	var trials []trained
	if err := json.Unmarshal(data, &trials); err != nil {
		t.Fatal(err)
	}
	p := voe.DefaultPlanner()
	centre := func(shape []any) (x, y, half float64) {
		at := shape[0].([]any)
		half = shape[1].(float64)
		return at[0].(float64) + half, at[1].(float64) + half, half
	}
	for k, frames := range trials {
		last := frames[len(frames)-1]
		x, y, actor := centre(last.Agent)
		ox, oy, object := centre(last.Objects[0])
		if d := math.Hypot(x-ox, y-oy); d > p.Touch || d < p.Hit || p.Touch != actor+object+0.5 || p.Hit != object-2 {
			t.Errorf("trial %d ends %.2f from its goal, halves are %v and %v; bounds are %v and %v", k, d, actor, object, p.Hit, p.Touch)
		}
	}
	if len(trials) != 9 {
		t.Errorf("%d trials", len(trials))
	}
}

// TestBoundsOfTouchMatterLittle checks that all golden pairs are right under other bounds of touching, too, from the extremes of the
// training file to bounds wider by a frame's step: no accuracy rests on their digits.
func TestBoundsOfTouchMatterLittle(t *testing.T) {
	for _, b := range [][2]float64{{5, 17}, {6, 16}, {8.2, 14.6}} {
		p := voe.DefaultPlanner()
		p.Hit, p.Touch = b[0], b[1]
		var s voe.Studio
		for _, w := range pairs(t) {
			v := s.Prepare(&w)
			if e, u := p.Watch(v[0]).Surprise, p.Watch(v[1]).Surprise; !(u > e) {
				t.Errorf("hit %v, touch %v: item %s surprises %.2f, as expected %.2f", b[0], b[1], w.Item, u, e)
			}
		}
	}
}
