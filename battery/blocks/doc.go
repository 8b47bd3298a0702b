// Package blocks makes batteries of blocks of trials: in each trial the subject itself goes to a place, and what it did in one trial matters
// in those after it. The trials of a block are in one room, and every subject takes them in order.
//
// A paradigm is a file: which rooms it has, and what happens in its trials.
package blocks
