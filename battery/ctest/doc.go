// Package ctest has the C-test (Hernández-Orallo 1997; Hernández-Orallo and Minaya-Collado 1998): series of letters to
// be continued, whose complexity is that of the cheapest program that writes them. The machine is the published one; that
// its registers begin at a, that a program ends behind its last instruction, and that each instruction takes one unit of
// time is assumed, as is the complexity's being measured at letter 7 and rounded down: so the four published
// complexities come out.
package ctest
