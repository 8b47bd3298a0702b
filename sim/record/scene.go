package record

// Scenes are what an observer watches: a flat world in pixels, seen from above, the origin at the bottom left and y
// upwards. Nothing in them says what an actor wants, or what anybody expects.

// A Point is a position in pixels.
type Point struct{ X, Y int16 }

// A Rect is a rectangle by its bottom-left corner and extent, in pixels.
type Rect struct{ X, Y, W, H int16 }

// A Shape is a drawn thing: a square of side 2·Half with its bottom-left corner at X, Y, so that its centre is at
// (X+Half, Y+Half). Icon and Colour (red, green, blue) together are its identity.
type Shape struct {
	X, Y, Half int16
	Icon       string
	Colour     [3]uint8
}

// A Scene is what there is in the first frame of a trial. Walls may overlap or be listed twice.
type Scene struct {
	Width, Height int16
	Walls         []Rect  // stay for ever
	Barrier       []Rect  // cannot be passed before it vanishes
	Keys, Locks   []Shape // a key that is brought to a lock makes the barrier vanish
	Objects       []Shape // things an actor may want
	Home, Agent   Shape   // where the actor starts, and the actor
}

// A Change is a new state of what else than the actor changes in a trial, from frame Frame on.
type Change struct {
	Frame       int
	Barrier     []Rect
	Keys, Locks []Shape
}

// A SceneTrial is one presentation: a scene, the bottom-left corner of the actor's square in every frame, the first
// of which is the scene's, and the changes in the order of their frames.
type SceneTrial struct {
	Scene   Scene
	Path    []Point
	Changes []Change
}

// A Video is what is shown at a stretch: familiarisation trials and a test trial.
type Video struct {
	Familiarisation []SceneTrial
	Test            SceneTrial
}

// A Watched is an item of violation of expectation: one video, or two that end in outcomes a and b. Which of the two
// is the expected one is sealed. The videos may share familiarisation trials.
type Watched struct {
	Item   string
	Videos []Video
}

// VideoName names the video with index i of a Watched: a, b, …
func VideoName(i int) string { return string(rune('a' + i)) }
