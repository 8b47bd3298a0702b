package window

// RunWatched is Run with a function that is called after every frame, with its number and the screen, and may end it.
var RunWatched = run
