package lattice

// A Problem is what an actor must do in a trial: reach one of some objects in a scene, perhaps after opening a lock.
type Problem struct {
	Start  Point
	Open   *Map    // where the actor can be when no barrier stands
	Shut   *Map    // where the actor can be while the barrier stands; nil: there is no barrier
	Ghost  *Map    // where the actor could be if imagined walls stood as well; nil: none are imagined
	Things []Point // centres of the objects, and then of the key
	Wants  []int   // indices into Things, the most wanted first; the actor must not touch the other things on the way

	Key, Lock Point // centres; used if Locked is true
	Reach     int   // the actor touches the lock if its centre is at most this many king's steps from the lock's centre
	Locked    bool  // the barrier vanishes when the actor brings the key to the lock
	Fetch     bool  // the actor must open the lock even if it can reach the object without doing so

	Contact int    // the actor touches a thing at this distance between centres, in pixels; 0: the actor's own
	Room    int    // the actor keeps so many king's steps from the centres of things that it must not touch; 0: just does not touch them
	Via     *Point // a place that the actor goes to first if nothing is locked; nil: none
	Legs    bool   // each leg of the walk ends with a frame at the corner, even if the frame is shorter for it
}

// A Walk says what an actor did in a trial.
type Walk struct {
	Track  []Point // its centre after every frame in which it moved, without the start
	Took   int     // number of frames after which it took the key; −1: it did not
	Opened int     // number of frames after which it opened the lock; −1: it did not
	Thing  int     // index of the thing that it touched at the end
	Excess int     // cost of its planned path minus the cost of the cheapest path
}
