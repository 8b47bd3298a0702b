package layout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A plating says over what the names of a layout are repeated.
type plating struct{ *Layout }

// A plate has the names of a layout that are repeated over the same units, as in plate notation (Buntine 1994).
type plate struct {
	title string
	names []string // those of responses are "response.0" and so on
}

// The plates of subjects, of items and of both. A name that is there once has the title "".
const (
	eachSubject = "each subject"
	eachItem    = "each item"
	eachBoth    = "each subject and item"
)

// plates returns the plates in the order of first mention, without names that are there once.
func (l plating) plates() (out []plate) {
	add := func(name string) {
		title := l.plateOf(name)
		i := slices.IndexFunc(out, func(p plate) bool { return p.title == title })
		if i < 0 {
			i, out = len(out), append(out, plate{title: title})
		}
		out[i].names = append(out[i].names, name)
	}
	for _, m := range slices.Concat(l.Metafeatures, l.Covariates) {
		add(m.Name)
	}
	for _, p := range l.Parameters {
		add(p.Name)
	}
	for _, p := range l.Performances {
		add(p.Name)
	}
	for i := range l.Responses {
		add("response." + strconv.Itoa(i))
	}
	return slices.DeleteFunc(out, func(p plate) bool { return p.title == "" })
}

// plateOf returns the title of the plate of a name.
func (l plating) plateOf(name string) string {
	s := l.symbols[name]
	switch {
	case s == nil: // a response
		return eachBoth
	case s.kind == aConstant:
		return ""
	case s.kind == aMetafeature:
		return eachItem
	case s.kind == aCovariate, s.kind == aMean:
		return eachSubject
	case s.kind == aParameter:
		switch p := &l.Parameters[s.index]; {
		case p.Per != "":
			return "each " + p.Per
		case p.Group == Shared:
			return ""
		case p.Group == Item:
			return eachItem
		}
		return eachSubject
	}
	title := ""
	for _, from := range l.parents(name) {
		title = l.both(title, l.plateOf(from))
	}
	return title
}

// both returns the plate of what depends on names of two plates.
func (l plating) both(a, b string) string {
	switch {
	case a == b || b == "":
		return a
	case a == "":
		return b
	}
	subjects, items := l.over(a)
	more, also := l.over(b)
	switch {
	case (subjects || more) && (items || also):
		return eachBoth
	case subjects || more:
		return eachSubject
	}
	return eachItem
}

// over says whether a plate is over subjects or groups of them, and over items or groups of them.
func (l plating) over(title string) (subjects, items bool) {
	switch title {
	case eachSubject:
		return true, false
	case eachItem:
		return false, true
	case eachBoth:
		return true, true
	}
	for i := range l.Parameters {
		if p := &l.Parameters[i]; "each "+p.Per == title {
			return p.of() == ofSubjects, p.of() != ofSubjects
		}
	}
	return false, false
}

// writePlates writes the plates as clusters of a graph of Graphviz.
func (l plating) writePlates(b *strings.Builder) {
	for i, p := range l.plates() {
		fmt.Fprintf(b, "\tsubgraph cluster_%d { label=%s; labeljust=r; labelloc=b; style=rounded;", i, strconv.Quote(p.title))
		for _, name := range p.names {
			fmt.Fprintf(b, " %s;", strconv.Quote(name))
		}
		b.WriteString(" }\n")
	}
}

// platesSection returns the plates as a section of text.
func (l plating) platesSection() section {
	s := section{title: "plates"}
	for _, p := range l.plates() {
		var names []string
		for _, name := range p.names {
			if i, ok := strings.CutPrefix(name, "response."); ok {
				k, _ := strconv.Atoi(i)
				name = l.Responses[k].Measure
			}
			names = append(names, name)
		}
		s.lines = append(s.lines, []string{p.title, strings.Join(names, ", ")})
	}
	return s
}
