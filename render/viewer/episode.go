package viewer

import "achilles/render/canvas"

// A Cell is a place of the world that is shown: column and row from the south-west.
type Cell struct{ X, Y int }

// A Picture draws the moments of one episode.
type Picture interface {
	// Draw draws the moment of a tick into r.
	Draw(s *canvas.Scene, r canvas.Rect, tick int, show Show)
	// Tell says in a line what is at a point of the picture that Draw would draw into r, and what is believed of it;
	// nothing where there is nothing to say.
	Tell(r canvas.Rect, x, y float32, tick int, show Show) string
	// Locate is the middle of a cell in that picture, for a probe that is moved by keys; ok is false outside.
	Locate(r canvas.Rect, c Cell, tick int) (p canvas.Point, ok bool)
}

// An Event is something that happens in an episode.
type Event struct {
	Tick int
	Name string // what is written beside the timeline
}

// A Curve is a quantity over the ticks of an episode.
type Curve struct {
	Name   string
	Unit   string
	Value  []float64 // by tick; NaN where there is none
	Second []float64 // of the other outcome, beside it; nil where there is one outcome
	Mean   float64   // what is written beside the name; NaN: nothing
}

// A Fact is a line of the panel about an episode.
type Fact struct{ Name, Value string }

// An Exhibit is an episode that was opened.
type Exhibit struct {
	Title   string
	Facts   []Fact
	Last    int     // the last tick
	Rate    float64 // ticks a second at speed 1
	Events  []Event // by tick
	Curves  []Curve // per-step distance between predicted and actual path, surprise
	Start   Cell    // where the actor begins
	Picture Picture
	Profile *Profile         // of the subject; nil where nothing was inferred
	Absent  [Overlays]string // why the picture has no such overlay, in the order of Show; empty where it has
}

func (e *Exhibit) ticks() []int {
	var ticks []int
	for _, v := range e.Events {
		ticks = append(ticks, v.Tick)
	}
	return ticks
}

// A Profile is the posterior of one subject.
type Profile struct {
	Subject   string
	Densities []Density
	Overall   *float64 // root mean square error over the capabilities, each in shares of its maximum; nil while sealed
	Note      string   // a warning about the fit
}

// A Density is the posterior of one parameter.
type Density struct {
	Name      string
	Low, High float64   // what the axis shows
	Height    []float64 // of the density at evenly spaced places from Low to High, at most 1
	Mean, SD  float64
	Q5, Q95   float64
	Truth     *float64 // nil while sealed, or where it is undefined
	RMSE      *float64 // root mean square of draw − truth, in the parameter's unit
}

// A Battery is a table of how well predicted and actual paths agree, a row a paradigm.
type Battery struct {
	Columns []string
	Rows    [][]string
	Notes   []string
}
