// Package format reads and writes episodes in the JSON of the Baby Intuitions Benchmark: nine lists of frames, every
// frame an object with the geometry of everything (docs/theory/bib.md). Its files have no label but in their names; whoever
// imports them must keep the names sealed.
package format
