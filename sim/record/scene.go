package record

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
	Barrier       []Rect  // cannot be passed; may vanish during the trial
	Keys, Locks   []Shape // a key that is brought to a lock makes the barrier vanish
	Objects       []Shape // things that an actor may want
	Home, Agent   Shape   // marked place where the actor starts; the actor
}

// A Change is the state of barrier, keys and locks from a frame on.
type Change struct {
	Frame       int
	Barrier     []Rect
	Keys, Locks []Shape
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
