package picture_test

import (
	"bytes"
	"image/gif"
	"testing"

	"achilles/render/canvas"
	"achilles/render/canvastest"
	"achilles/render/picture"
)

// TestStimulus checks that the film of a trial takes 25 frames a second, shows each change and nothing twice, plays once, and looks as in the
// golden file: the scene alone.
func TestStimulus(t *testing.T) {
	e := open(t, "bib", "", "preference 000000")
	trial := &e.Watched.Videos[0].Trials[e.Watched.Test()]
	a := picture.Stimulus(trial)
	time := 0
	for i := range a.Frames {
		time += a.Delay(i)
	}
	if time != 4*len(trial.Path) || a.Frames > len(trial.Path) || a.Frames < 2 {
		t.Errorf("%d pictures take %d hundredths of a second; want those of %d frames", a.Frames, time, len(trial.Path))
	}
	canvastest.Golden(t, "testdata/stimulus.png", a.Frame(a.Frames/2))
	var b bytes.Buffer
	if err := canvas.EncodeGIF(&b, a); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&b)
	if err != nil || g.LoopCount != -1 || g.Config.Width != 200 || g.Config.Height != 200 || len(g.Image) != a.Frames {
		t.Errorf("the film: %v; %d pictures, loop %d", err, len(g.Image), g.LoopCount)
	}
}
