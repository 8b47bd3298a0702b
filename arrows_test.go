package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"achilles/sim/rng"
)

// A usage is one file of a package that uses a function, method, type, variable or constant that another one declares.
type usage struct{ from, to string }

// hollow imports every package as an empty one: what a package itself declares is known without the others.
type hollow struct{}

func (hollow) Import(p string) (*types.Package, error) {
	pkg := types.NewPackage(p, path.Base(p))
	pkg.MarkComplete()
	return pkg, nil
}

// usages returns who uses whom among the files of a package, given by their names.
func usages(t *testing.T, files map[string][]byte) map[usage]bool {
	set := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := parser.ParseFile(set, name, files[name], 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	c := types.Config{Importer: hollow{}, Error: func(error) {}} // what other packages declare is unknown
	pkg, _ := c.Check("p", set, parsed, &info)
	out := map[usage]bool{}
	for id, o := range info.Uses {
		f, isFunc := o.(*types.Func)
		if o.Pkg() != pkg || o.Parent() != pkg.Scope() && !(isFunc && f.Signature().Recv() != nil) {
			continue
		}
		if from, to := set.File(id.Pos()).Name(), set.File(o.Pos()).Name(); from != to {
			out[usage{from, to}] = true
		}
	}
	return out
}

// backArrows returns the usages that run back in an order of the files in which users stand before what they use: the fewest that a search
// from some random orders finds, by moving one file at a time to where fewest run back.
func backArrows(all map[usage]bool) (back []usage) {
	sorted := slices.SortedFunc(maps.Keys(all), func(a, b usage) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	var files []string
	for _, u := range sorted {
		files = append(files, u.from, u.to)
	}
	slices.Sort(files)
	files = slices.Compact(files)
	r := rng.Stream(0, "arrows")
	for start := range 30 {
		order := make([]string, len(files))
		for i, k := range r.Perm(len(files)) {
			order[i] = files[k]
		}
		for settle(order, all) {
		}
		var found []usage
		for _, u := range sorted {
			if slices.Index(order, u.from) > slices.Index(order, u.to) {
				found = append(found, u)
			}
		}
		if start == 0 || len(found) < len(back) {
			back = found
		}
	}
	return back
}

// settle moves each file to where fewest usages run back, and reports whether any has moved.
func settle(order []string, all map[usage]bool) (moved bool) {
	against := func(a, b string) (n int) { // what is gained if a, which stands before b, stands behind it
		if all[usage{b, a}] {
			n++
		}
		if all[usage{a, b}] {
			n--
		}
		return n
	}
	for i, f := range order {
		best, most := i, 0
		for j, sum := i-1, 0; j >= 0; j-- {
			if sum += against(order[j], f); sum > most {
				best, most = j, sum
			}
		}
		for j, sum := i+1, 0; j < len(order); j++ {
			if sum += against(f, order[j]); sum > most {
				best, most = j, sum
			}
		}
		if best != i {
			_ = slices.Insert(slices.Delete(order, i, i+1), best, f) // in place: the length stays
			moved = true
		}
	}
	return moved
}

// mostBack is the largest number of usages that run back among the files of each of the four packages that have most of them, together.
const mostBack = 80

// TestFilesHaveAnOrder checks that the files of the largest packages have an order in which nearly all use later ones alone.
func TestFilesHaveAnOrder(t *testing.T) {
	packages := map[string]map[string][]byte{"scenarios/score": {}, "scenarios/generate": {}, "infer": {}, "render/cli": {}}
	eachFile(t, func(file string, src []byte) {
		if files := packages[path.Dir(file)]; files != nil && !isTest(file) {
			files[path.Base(file)] = src
		}
	})
	n, list := 0, []string(nil)
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		for _, u := range backArrows(usages(t, packages[dir])) {
			n++
			list = append(list, fmt.Sprintf("%s: %s uses %s", dir, u.from, u.to))
		}
	}
	t.Logf("%d usages run back", n)
	if n > mostBack {
		t.Errorf("%d usages run back, want at most %d: move what stands in the wrong file\n%s", n, mostBack, strings.Join(list, "\n"))
	}
}

// TestArrowsByHand counts on files whose answer is seen: a circle of two files has one arrow back, one of three too, and a type with a
// method in another file, a field of the same name as a function and what another package declares have none.
func TestArrowsByHand(t *testing.T) {
	for _, c := range []struct {
		why  string
		src  map[string]string
		uses int
		back int
	}{
		{"two in a circle", map[string]string{"a": "func A() { B() }", "b": "func B() { A() }"}, 2, 1},
		{"three in a circle", map[string]string{"a": "var A = B", "b": "var B = C", "c": "func C() { _ = A }"}, 3, 1},
		{"a method elsewhere", map[string]string{"a": "type A struct{ b int }", "b": "func (a *A) B() { _ = a.b }", "c": "func C(a *A) { a.B() }"}, 3, 0},
		{"a field, and a variable, of that name", map[string]string{"a": "type A struct{ B int }; func F(a A) int { C := a.B; return C }", "b": "func B() {}; func C() { _ = F }"}, 1, 0},
		{"another package's", map[string]string{"a": "import \"b\"; func A() { b.B(); B() }", "b": "func B() {}"}, 1, 0},
	} {
		files := map[string][]byte{}
		for name, src := range c.src {
			files[name] = []byte("package p\n" + src)
		}
		all := usages(t, files)
		if back := backArrows(all); len(all) != c.uses || len(back) != c.back {
			t.Errorf("%s: %v, of which run back %v; want %d and %d", c.why, all, back, c.uses, c.back)
		}
	}
}
