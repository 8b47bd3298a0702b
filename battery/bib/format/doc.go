// Package format reads and writes episodes in the JSON of the Baby Intuitions Benchmark: nine lists of frames; every
// frame is an object with the whole geometry (docs/theory/bib.md). Only the names of the files tell which outcome is
// expected; whoever imports files must keep their names sealed.
package format
