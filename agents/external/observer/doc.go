// Package observer lets an external observer watch the same episodes: it writes videos as JSON lines and reads one
// surprise for each. An observer is a response model and not an agent: it acts in no environment.
//
// docs/theory/bib.md specifies both; docs/examples/observer.py is an observer in thirty lines of Python.
package observer
