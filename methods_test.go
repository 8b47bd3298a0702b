package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"testing"
)

// mostMethods is the largest number of methods that one type declares. A type with more is several ideas.
const mostMethods = 29

// functions calls declared with each function and method that a file outside tests declares.
func functions(file string, src []byte, declared func(fn *ast.FuncDecl)) error {
	if isTest(file) {
		return nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			declared(fn)
		}
	}
	return nil
}

// methodsOf counts the methods that the types of a file outside tests declare, by folder and type.
func methodsOf(file string, src []byte, count map[string]int) error {
	return functions(file, src, func(fn *ast.FuncDecl) {
		if fn.Recv == nil {
			return
		}
		ast.Inspect(fn.Recv.List[0].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				count[path.Dir(file)+"."+id.Name]++
				return false
			}
			_, of := n.(*ast.IndexExpr)
			if of { // a generic type: its name comes first, its parameters after it
				count[path.Dir(file)+"."+fmt.Sprint(n.(*ast.IndexExpr).X)]++
			}
			return !of
		})
	})
}

// crowded lists the types with more methods than mostMethods.
func crowded(count map[string]int) (faults []string) {
	for name, n := range count {
		if n > mostMethods {
			faults = append(faults, fmt.Sprintf("%s declares %d methods, at most %d: find the ideas in it", name, n, mostMethods))
		}
	}
	slices.Sort(faults)
	return faults
}

// TestTypesAreOneIdea checks that no type declares more methods than mostMethods.
func TestTypesAreOneIdea(t *testing.T) {
	count := map[string]int{}
	eachFile(t, func(file string, src []byte) {
		if err := methodsOf(file, src, count); err != nil {
			t.Error(err)
		}
	})
	for _, why := range crowded(count) {
		t.Error(why)
	}
}

func TestMethodWallHolds(t *testing.T) {
	src := "package p\ntype T struct{}\ntype G[X any] struct{}\n"
	for i := range mostMethods {
		src += fmt.Sprintf("func (t *T) M%d() {}\nfunc (g G[X]) M%d() {}\n", i, i)
	}
	for _, c := range []struct{ why, more, want string }{
		{"as many as may be", "", ""},
		{"one more", "func (t T) More() {}\n", "a.T declares 30 methods"},
		{"one more of a generic type", "func (g *G[X]) More() {}\n", "a.G declares 30 methods"},
	} {
		count := map[string]int{}
		if err := methodsOf("a/x.go", []byte(src+c.more), count); err != nil {
			t.Fatal(err)
		}
		complain(t, c.why, crowded(count), c.want)
	}
}
