// Package animalai reads and writes arenas of the Animal-AI environment (Beyret et al. 2019, "The Animal-AI Environment: training and
// testing animal-like artificial cognition"; YAML of its versions 2 to 4), and turns them into grid worlds and back.
//
// An arena is 40 × 40 units: x to the east, z to the north, y up. It has heights, slopes, angles and physics, a grid has cells; so a
// world that is made of an arena comes with Losses, which say by name what it lacks or has otherwise. Arenas that are made of a world
// become the same world again, but for what Losses of the world name.
package animalai

// Side is the length and width of an arena, in units.
const Side = 40

// Settings say how the grid and the arena correspond.
type Settings struct {
	Cell   float64 `setting:"cell,flag" limits:"[0.625, 8]" doc:"side of a cell, in units of the arena, which is 40 × 40"`
	Frames int     `setting:"frames,flag" limits:"[1, 1000]" doc:"steps of the arena that are one tick of the world"`
	Fall   int     `setting:"fall,flag" limits:"[1, 1000]" doc:"tick at which what begins in the air has come down"`
}

// Exporting returns the settings by which worlds become arenas: a cell of 2 units is that of generated worlds (package worlds).
func Exporting() Settings { return Settings{Cell: 2, Frames: 4, Fall: 3} }

// Importing returns the settings by which arenas become worlds: walls of public arenas are often one unit thick and corridors two units wide, so
// that they are closed where a cell is larger.
func Importing() Settings { return Settings{Cell: 1, Frames: 2, Fall: 3} }

// The heights of an arena, in units.
const (
	unit  = 0.5  // of one height of the grid: an agent, one unit tall, sees over it and cannot climb it
	tall  = 5    // of what hides everything: higher than the greatest height and an agent on it
	deep  = 2    // of a hole whose contents are seen from beside it only
	mark  = 0.01 // of a mark on the ground
	flat  = 0.05 // up to which a wall is a mark
	above = 10   // where a thing in the air begins, above its ground: above what is tall
)

// A Loss is something that the other side cannot have as it is.
type Loss struct {
	Name  string // of the item of the arena, or of the kind of cell or thing of the world
	Why   string // in words, after the name
	Count int
}

// Losses are what is lost, each once.
type Losses []Loss

// add counts a loss.
func (l *Losses) add(name, why string) {
	for i := range *l {
		if (*l)[i].Name == name && (*l)[i].Why == why {
			(*l)[i].Count++
			return
		}
	}
	*l = append(*l, Loss{name, why, 1})
}
