// Package ctest has the C-test (Hernández-Orallo 1997; Hernández-Orallo and Minaya-Collado 1998): series of letters to
// be continued. The complexity of a series is that of the cheapest program that writes it. The machine that runs the
// programs is the published one. Some of its rules are not published and are assumed: registers begin at a, a program ends
// after its last instruction, each instruction takes one unit of time, and the complexity is measured at letter 7 and
// rounded down. With these rules four of five published complexities result.
package ctest
