// Package infer is Team B: it recovers cognitive profiles from a public directory, blind to how the responses came about.
package infer
