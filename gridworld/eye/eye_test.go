package eye_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/eye"
	"achilles/gridworld/gridtest"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

var update = flag.Bool("update", false, "rewrite the picture of testdata")

// hiding returns a copy of a world in which some things are hidden.
func hiding(t *testing.T, w *gridworld.World, which func(i int) bool) *gridworld.World {
	t.Helper()
	lines := strings.Split(w.String(), "\n")
	i := 0
	for k, line := range lines {
		if words := strings.Fields(line); len(words) > 4 && words[0] == "thing" {
			if which(i) {
				words[4] = "hidden"
			}
			lines[k] = strings.Join(words, " ")
			i++
		}
	}
	out, err := gridworld.Parse(strings.Join(lines, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestThingsAreThoseInView compares pictures with and without each thing: they differ if and only if the world says that the actor sees it within
// the field of the picture.
func TestThingsAreThoseInView(t *testing.T) {
	roots, first := uint64(150), uint64(1)
	if longtest.On() {
		roots, first = 3000, 501
	}
	with, without := eye.Picture{Size: 48}, eye.Picture{Size: 48}
	var view gridworld.View
	seen, hidden := 0, 0
	for root := first; root < first+roots; root++ {
		r := rng.Stream(root, "eye")
		w := gridtest.Random(&r, gridworld.Mode(r.IntN(2)), 14, root%3 == 0)
		a := w.Actor()
		if !w.Inside(a.Pos) {
			continue
		}
		for i := range w.Len() {
			if w.Thing(i).State > gridworld.Air {
				continue
			}
			alone, none := hiding(t, w, func(k int) bool { return k != i }), hiding(t, w, func(int) bool { return true })
			with.Draw(alone, eye.Eyes{Acuity: 300})
			without.Draw(none, eye.Eyes{Acuity: 300})
			alone.View(gridworld.Viewer{HalfAngle: eye.HalfAngle, Acuity: 300}, &view)
			if shown := !bytes.Equal(with.Pix, without.Pix); shown != (len(view.Things) > 0) {
				t.Fatalf("seed %d: thing %d is in the picture: %t; in view: %t\n%s", root, i, shown, !shown, alone)
			} else if shown {
				seen++
			} else {
				hidden++
			}
		}
	}
	if seen < 50 || hidden < 50 {
		t.Errorf("%d things in view, %d not: want more of both", seen, hidden)
	}
}

// sceneText is a world with one of everything that a picture shows.
const sceneText = `world 1
legend g floor + reward size 2 value 1 final
legend r floor + reward air size 3 value 1 colour 230,190,20
legend O occluder colour 90,60,160
legend P platform height 2
map
##############
#.....r......#
#..OO....TT..#
#..OO.g..TT..#
#............#
#.oo.LL..PP..#
#.oo.LL..==..#
#............#
#......A.....#
##############
`

// TestScene draws a scene, twice the same, and compares it with the picture that somebody has looked at.
func TestScene(t *testing.T) {
	w, err := gridworld.Parse(sceneText)
	if err != nil {
		t.Fatal(err)
	}
	p := eye.Picture{Size: eye.DefaultSize}
	p.Draw(w, eye.Eyes{})
	again := eye.Picture{Size: eye.DefaultSize}
	again.Draw(w.Clone(), eye.Eyes{})
	if !bytes.Equal(p.Pix, again.Pix) {
		t.Fatal("two pictures of one world")
	}
	const file = "testdata/scene.ppm"
	head := fmt.Sprintf("P6 %d %d 255\n", p.Size, p.Size)
	if *update {
		if err := os.WriteFile(file, append([]byte(head), p.Pix...), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, append([]byte(head), p.Pix...)) {
		t.Errorf("the picture is not that of %s (-update rewrites it; look at it)", file)
	}
}

// TestDark draws black where nothing is seen.
func TestDark(t *testing.T) {
	w, err := gridworld.Parse(strings.Replace(sceneText, "......A.....#\n##############\n", "......A.....#\n##############\n\ndark 0 3\n", 1))
	if err != nil {
		t.Fatal(err)
	}
	p := eye.Picture{Size: eye.DefaultSize}
	p.Draw(w, eye.Eyes{})
	if !bytes.Equal(p.Pix, make([]byte, 84*84*3)) {
		t.Error("the picture in the dark is not black")
	}
}
