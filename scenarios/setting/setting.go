// Package setting makes one list of settings out of a struct, whose tags say what people need to know of each field. Flags,
// keys of a TOML table, help and a table of the manual come from this list, so that a new setting is one line:
//
//	Draws int `setting:"draws" json:"draws" of:"responses" limits:"[100, 1000000]" doc:"draws per chain"`
//
// setting is the name; ",flag" after it says that only the command line has it, ",file" that only files do, ",each" that a list takes one element a flag. A
// struct with a tag table has the keys of a table below, which only files have.
// doc says what it is, without its default, its limits and its choices. limits is an interval, of a list that of its length, and choices is a list of words.
// of says which data it is for, if not for all. was is a former name, which flags and files may have, too. The field's value, when the list is made, is the default. The JSON object of
// the settings on which a result depends is that of encoding/json: json:"-" marks a setting on which none depends.
//
// A value from the command line counts before one from a file, and this before the default. Zero is a value like any other.
package setting

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"achilles/sim/conf"
	"achilles/sim/expr"
)

// A Set is the list of settings of a struct.
type Set struct{ all []*Setting }

// A Setting is one of them: a field that has a tag setting.
type Setting struct {
	Name, Doc string
	Table     string   // the table below that of the others, which has it
	Was       string   // its former name, which flags and files may have, too
	For       string   // which data it is for; "": all
	Choices   []string // nil: any value
	limits    *interval
	fileOnly  bool          // whether it is no flag
	flagOnly  bool          // whether no file has it
	each      bool          // whether a flag is one element of a list
	value     reflect.Value // the field
	custom    pflag.Value   // the field, if it has its own form on the command line; only flags have it
	standard  string        // the default, as it is written on the command line; "" for none
	flagged   bool          // whether the command line has given the value
	given     bool          // whether the command line or a file has given it
}

// Of returns the settings of the struct that target points to, and of structs embedded in it, in their order. It panics if
// a tag is wrong.
func Of(target any) *Set {
	s := &Set{}
	s.collect(reflect.ValueOf(target).Elem(), "")
	return s
}

func (s *Set) collect(v reflect.Value, table string) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if below := f.Tag.Get("table"); f.Type.Kind() == reflect.Struct && (f.Anonymous || below != "") {
			s.collect(v.Field(i), cmp.Or(below, table))
			continue
		}
		tag, ok := f.Tag.Lookup("setting")
		if !ok {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		x := &Setting{Name: name, Table: table, Was: f.Tag.Get("was"), Doc: f.Tag.Get("doc"), For: f.Tag.Get("of"), value: v.Field(i),
			flagOnly: strings.Contains(options, "flag"), fileOnly: table != "" || strings.Contains(options, "file"), each: strings.Contains(options, "each")}
		if words := f.Tag.Get("choices"); words != "" {
			x.Choices = strings.Split(words, ", ")
		}
		x.limits = parseInterval(f.Tag.Get("limits"))
		x.custom, _ = v.Field(i).Addr().Interface().(pflag.Value)
		if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" && key != "-" && key != name {
			panic("setting: the key of a manifest is the setting's name")
		}
		if x.Name == "" || x.Doc == "" || s.find(x.path()) != nil || x.limits == nil && (x.is(reflect.Int, reflect.Float64) || x.isDuration()) {
			panic("setting: a setting needs a name of its own, a doc, and limits if it is a number")
		}
		x.flagOnly = x.flagOnly || x.custom != nil
		x.standard = x.String()
		s.all = append(s.all, x)
	}
}

// path returns the name, after that of the table.
func (x *Setting) path() string {
	if x.Table == "" {
		return x.Name
	}
	return x.Table + "." + x.Name
}

func (s *Set) find(name string) *Setting {
	if i := slices.IndexFunc(s.all, func(x *Setting) bool { return x.path() == name }); i >= 0 {
		return s.all[i]
	}
	return nil
}

// Given reports whether the command line or a file has given a value to a setting.
func (s *Set) Given(name string) bool { return s.find(name).given }

// GivenFor returns the names of the settings for some data that the command line or a file has given a value.
func (s *Set) GivenFor(data string) (names []string) {
	for _, x := range s.all {
		if x.given && x.For == data {
			names = append(names, x.Name)
		}
	}
	return names
}

// Read reads the settings for some data, and those for all, from a table of a file, and reports its faults to the table.
func (s *Set) Read(t *conf.Table, data string) {
	for _, x := range s.all {
		at := t
		if x.Table != "" {
			at = t.Table(x.Table)
		}
		key := at.Renamed(x.Name, x.Was)
		if x.flagOnly || x.For != "" && x.For != data || !at.Has(key) {
			continue
		}
		v := x.read(at, key)
		if x.given = true; !x.flagged {
			x.value.Set(reflect.ValueOf(v).Convert(x.value.Type()))
		}
	}
}

// read returns the value of a key of a table.
func (x *Setting) read(t *conf.Table, key string) any {
	switch {
	case x.isDuration():
		return time.Duration(t.Number(key, 0, "seconds "+x.limits.words(false), x.limits.has) * float64(time.Second))
	case x.Choices != nil:
		return t.Word(key, x.Choices...)
	case x.is(reflect.String):
		return t.Text(key)
	case x.is(reflect.Bool):
		return t.Flag(key, x.value.Bool())
	case x.is(reflect.Int):
		return t.Whole(key, int(x.value.Int()), int(x.limits.low), int(x.limits.high))
	case x.is(reflect.Uint64):
		return t.Whole(key, 0, 0, math.MaxInt)
	case x.is(reflect.Float64):
		return t.Number(key, 0, "a number "+x.limits.words(false), x.limits.has)
	}
	list := t.Texts(key)
	if x.limits != nil && !x.limits.has(float64(len(list))) {
		t.Reportf(key, "want %s of them, not %d", x.limits.words(false), len(list))
	}
	return list
}

// Set takes a value from the command line: for a list, further elements.
func (x *Setting) Set(text string) error {
	if x.custom != nil {
		x.given, x.flagged = true, true
		return x.custom.Set(text)
	}
	v, err := x.parse(text)
	if err != nil {
		return err
	}
	if list, ok := v.([]string); ok && x.flagged {
		v = append(x.value.Interface().([]string), list...)
	}
	if list, ok := v.([]string); ok && x.limits != nil && !x.limits.has(float64(len(list))) {
		return fmt.Errorf("want %s of them, not %d", x.limits.words(false), len(list))
	}
	x.given, x.flagged = true, true
	x.value.Set(reflect.ValueOf(v).Convert(x.value.Type()))
	return nil
}

func (x *Setting) parse(text string) (any, error) {
	switch {
	case x.isDuration():
		d, err := time.ParseDuration(text)
		if err != nil || !x.limits.has(d.Seconds()) {
			return nil, fmt.Errorf("want a duration such as 90s or 5m, %s", x.limits.words(true))
		}
		return d, nil
	case x.Choices != nil:
		if !slices.Contains(x.Choices, text) {
			return nil, fmt.Errorf("%q is not one of %s%s", text, conf.Quoted(x.Choices), expr.DidYouMean(text, x.Choices))
		}
		return text, nil
	case x.is(reflect.Bool):
		b, err := strconv.ParseBool(text)
		if err != nil {
			return nil, fmt.Errorf("want true or false")
		}
		return b, nil
	case x.is(reflect.Int):
		n, err := strconv.Atoi(text)
		if err != nil || !x.limits.has(float64(n)) {
			return nil, fmt.Errorf("want a whole number %s", x.limits.words(false))
		}
		return n, nil
	case x.is(reflect.Uint64):
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("want a whole number from 0")
		}
		return n, nil
	case x.is(reflect.Float64):
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !x.limits.has(n) {
			return nil, fmt.Errorf("want a number %s", x.limits.words(false))
		}
		return n, nil
	case x.is(reflect.Slice) && x.each:
		return []string{text}, nil
	case x.is(reflect.Slice):
		return strings.Split(text, ","), nil
	}
	return text, nil
}

// String returns the value as it is written on the command line.
func (x *Setting) String() string {
	if x.custom != nil {
		return x.custom.String()
	}
	switch v := x.value.Interface().(type) {
	case []string:
		return strings.Join(v, ",")
	default:
		return fmt.Sprint(v)
	}
}

func (x *Setting) is(kinds ...reflect.Kind) bool {
	return slices.Contains(kinds, x.value.Kind()) && !x.isDuration()
}

func (x *Setting) isDuration() bool { return x.value.Type() == reflect.TypeFor[time.Duration]() }

// An interval has the legal numbers of a setting; those of a duration are seconds.
type interval struct {
	low, high         float64
	aboveLow, toBelow bool // whether low and high themselves are not legal
}

// parseInterval reads an interval such as [4, 1000] or (0, 1). It returns nil for an empty text, and panics for any other.
func parseInterval(text string) *interval {
	if text == "" {
		return nil
	}
	low, high, _ := strings.Cut(strings.Trim(text, "[]()"), ", ")
	l, err := strconv.ParseFloat(low, 64)
	h, err2 := strconv.ParseFloat(high, 64)
	if err != nil || err2 != nil || !strings.ContainsAny(text[:1], "[(") || !strings.ContainsAny(text[len(text)-1:], "])") {
		panic("setting: limits are an interval such as [4, 1000] or (0, 1]")
	}
	return &interval{l, h, text[0] == '(', strings.HasSuffix(text, ")")}
}

func (r *interval) has(n float64) bool {
	return (n > r.low || n == r.low && !r.aboveLow) && (n < r.high || n == r.high && !r.toBelow)
}

// words returns the interval in words: "from 4 to 1000", "above 0, at most 1". times says whether its ends are written as times.
func (r *interval) words(times bool) string {
	end := func(n float64) string {
		if times {
			return time.Duration(n * float64(time.Second)).String()
		}
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	switch {
	case math.IsInf(r.high, 1) && r.aboveLow:
		return "above " + end(r.low)
	case math.IsInf(r.high, 1):
		return "from " + end(r.low)
	case !r.aboveLow && !r.toBelow:
		return "from " + end(r.low) + " to " + end(r.high)
	case !r.aboveLow:
		return "from " + end(r.low) + " to below " + end(r.high)
	case r.toBelow:
		return "above " + end(r.low) + ", below " + end(r.high)
	}
	return "above " + end(r.low) + ", at most " + end(r.high)
}
