// Package observer lets an external program watch the episodes that the observers of this project watch. It writes videos
// as JSON lines and reads one surprise for each. An observer is a response model and not an agent: it acts in no
// environment.
//
// docs/theory/bib.md specifies the lines; docs/examples/observer.py is an observer in thirty lines of Python.
package observer
