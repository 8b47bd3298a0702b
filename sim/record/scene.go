package record

import "slices"

// Scenes are what an observer watches: a flat world in pixels, seen from above, with the origin at the bottom left and
// y upwards. They do not say what an actor wants, or which outcome is expected.

// A Point is a position in pixels.
type Point struct{ X, Y int16 }

// A Rect is a rectangle by its bottom-left corner and extent, in pixels.
type Rect struct{ X, Y, W, H int16 }

// A Shape is a drawn thing: a square of side 2·Half with its bottom-left corner at (X, Y) and its centre at (X+Half,
// Y+Half). Icon and Colour (red, green, blue) together identify the thing.
type Shape struct {
	X, Y, Half int16
	Icon       string
	Colour     [3]uint8
}

// A Scene is the content of the first frame of a trial. Walls may overlap or be listed twice.
type Scene struct {
	Width, Height int16
	Walls         []Rect  // stay during the whole trial
	Covers        []Rect  // whoever watches looks through them; the actor does not see what is under them
	Barrier       []Rect  // cannot be passed; may vanish during the trial
	Keys, Locks   []Shape // a key that is brought to a lock makes the barrier vanish
	Objects       []Shape // things that an actor may want
	Home, Agent   Shape   // marked place where the actor starts; the actor
	Away          bool    // the actor is not there and sees nothing
}

// A Change is the state, from a frame on, of all that can change but the actor's place.
type Change struct {
	Frame       int
	Barrier     []Rect
	Keys, Locks []Shape
	Objects     []Shape // in the order of the scene's
	Covers      []Rect
	Away        bool
}

// State returns the state in the first frame.
func (s *Scene) State() Change {
	return Change{Barrier: s.Barrier, Keys: s.Keys, Locks: s.Locks, Objects: s.Objects, Covers: s.Covers, Away: s.Away}
}

// Same reports whether c and d are the same state, whatever their frames.
func (c *Change) Same(d *Change) bool {
	return slices.Equal(c.Barrier, d.Barrier) && slices.Equal(c.Keys, d.Keys) && slices.Equal(c.Locks, d.Locks) &&
		slices.Equal(c.Objects, d.Objects) && slices.Equal(c.Covers, d.Covers) && c.Away == d.Away
}

// At returns the state in a frame.
func (t *SceneTrial) At(frame int) Change {
	now := t.Scene.State()
	for i := range t.Changes {
		if t.Changes[i].Frame > frame {
			break
		}
		now = t.Changes[i]
	}
	return now
}

// A SceneTrial is one presentation: a scene, the bottom-left corner of the actor's square in every frame (the first is
// that of the scene), and the changes, sorted by frame.
type SceneTrial struct {
	Scene   Scene
	Path    []Point
	Changes []Change
}

// A Video is shown without interruption: familiarisation trials, then a test trial.
type Video struct {
	Familiarisation []SceneTrial
	Test            SceneTrial
}

// A Watched is an item that an observer watches, to test what it expects: one video, or two that end in outcomes a and
// b. Which outcome is expected is sealed. The two videos may share familiarisation trials.
type Watched struct {
	Item   string
	Videos []Video
}

// VideoName returns the name of the video with index i of a Watched: a, b, …
func VideoName(i int) string { return string(rune('a' + i)) }
