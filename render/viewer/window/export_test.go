package window

// RunWatched is Run with a witness, who is called after every frame with its number and what the screen shows then, and
// may end it all.
var RunWatched = run
