package cli

import (
	"slices"
	"strings"
	"sync"

	"achilles/sim/num"
)

// failures are the trials of programs and language models that stay without a score. Several goroutines may add to them.
type failures struct {
	mutex sync.Mutex
	list  []failure
}

// A failure is how many trials of a subject failed, and why the first did.
type failure struct {
	subject, first string
	n              int
}

func (f *failures) add(subject, why string) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	k := slices.IndexFunc(f.list, func(x failure) bool { return x.subject == subject })
	if k < 0 {
		k, f.list = len(f.list), append(f.list, failure{subject: subject, first: why})
	}
	f.list[k].n++
}

// note says for each subject, in the order of their names, how many trials are unscored.
func (f *failures) note(a *app) {
	slices.SortFunc(f.list, func(x, y failure) int { return strings.Compare(x.subject, y.subject) })
	for _, x := range f.list {
		a.note("warning: %s: %s unscored; the first: %s", x.subject, num.Counted(x.n, "trial"), x.first)
	}
}
