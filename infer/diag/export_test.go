package diag

// NormalQuantile is tested on its own: all ranks go through it.
var NormalQuantile = normalQuantile
