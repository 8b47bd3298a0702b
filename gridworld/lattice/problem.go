package lattice

// A Problem is a trial as an actor finds it. Things are known by their index.
type Problem struct {
	Start  Point
	Open   *Map    // where one can be once no barrier stands
	Shut   *Map    // where one can be while the barrier stands; nil: there is none
	Ghost  *Map    // where one could be if the walls that are only imagined stood as well; nil: none are
	Things []Point // centres of the objects, and of the key
	Wants  []int   // indices of things, the most wanted first; the others are not touched on the way

	Key, Lock Point // centres; they count where Locked
	Reach     int   // an actor whose centre is so many king's steps from that of the lock touches it
	Locked    bool  // the barrier vanishes when the key is brought to the lock
	Fetch     bool  // the actor is to do so even where it need not
}

// A Walk is what an actor did.
type Walk struct {
	Track  []Point // its centre after every frame in which it moved; the start is not in it
	Took   int     // the key was taken after that many frames; −1: it was not
	Opened int     // the lock was opened after that many frames; −1: it was not
	Thing  int     // index of the thing that was touched at the end
	Excess int     // what the way that was planned costs more than the cheapest; 0 for an actor that wastes nothing
}
