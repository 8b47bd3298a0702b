//go:build !nowindow && !js

package window

// RunWatched is Run with a function that is called after every frame, with its number and the screen. If the function
// returns true, the run ends.
var RunWatched = run
