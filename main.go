// Command achilles makes batteries of cognitive tasks, lets synthetic agents with a known, sealed mind take them,
// recovers that mind blind from the responses and grades the recovery against the truth.
package main

func main() {}
