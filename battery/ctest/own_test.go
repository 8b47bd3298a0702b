package ctest_test

import (
	"context"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/ctest"
)

// TestOwn gives published series as if they were one's own: they get the published complexities, and answers as they are named.
func TestOwn(t *testing.T) {
	of := func(series ...string) battery.Request {
		return battery.Request{Levels: []battery.Factor{{Name: "series", Text: series}, {Name: "answers", Number: []float64{5}}}, Root: 3}
	}
	b, err := ctest.Own(context.Background(), of("abcd", "yyxwwv", "adgj m", "aazcyex g"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		k, answer string
	}{{"k7", "e"}, {"k9", "u"}, {"k9", "m"}, {"k12", "g"}} {
		it := b.Items.At(i)
		if options := it.Values.At(6).Text; it.Task != want.k || it.Answer != want.answer || len(options) != 9 || !strings.Contains(options, want.answer) {
			t.Errorf("%s: %s, answer %s of %s", it.Name, it.Task, it.Answer, options)
		}
	}
	if err := b.Check(context.Background(), 1); err != nil {
		t.Error(err)
	}
	again, err := ctest.Own(context.Background(), of("abcd", "ababab b")) // after ababab no cheap program writes b
	if err != nil {
		t.Fatal(err)
	}
	if it := again.Items.At(1); !(it.Values.At(0).Number > 9) || it.Answer != "b" {
		t.Errorf("ababab b: complexity %g, answer %s", it.Values.At(0).Number, it.Answer)
	}
	for want, r := range map[string]battery.Request{
		"letter 3 is not one of a to z":       of("ab3"),
		"series abcd appears twice":           of("abcd", "abcd"),
		"want one letter after the space":     of("abcd ef"),
		"own series are named by levels":      {},
		"factor k: own series have the facto": {Levels: []battery.Factor{{Name: "k", Number: []float64{7}}}},
		"factor answers: own series have":     {Levels: []battery.Factor{{Name: "answers", Number: []float64{1}}}},
		"no program of LT":                    of("qzmfkwobtxvneu"),
	} {
		if _, err := ctest.Own(context.Background(), r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
