package setting

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Flags adds the flags of the named settings, or of all, to f, but for those that f has already. The flag of a switch that is
// on by default is no-NAME, and turns it off. A former name is a flag, too, which help leaves out and whose use is warned of.
func (s *Set) Flags(f *pflag.FlagSet, names ...string) {
	if names == nil {
		for _, x := range s.all {
			if !x.fileOnly {
				names = append(names, x.Name)
			}
		}
	}
	for _, name := range names {
		x := s.find(name)
		flag := x.flag()
		if f.Lookup(flag.Name) != nil {
			continue
		}
		f.AddFlag(flag)
		if x.Was != "" {
			former := *flag
			former.Name, former.Deprecated, former.Hidden = x.Was, "it is --"+flag.Name+" now", true
			f.AddFlag(&former)
		}
	}
}

func (x *Setting) flag() *pflag.Flag {
	f := &pflag.Flag{Name: x.Name, Usage: x.Help(), Value: x, DefValue: x.standard}
	switch {
	case x.is(reflect.Bool) && x.value.Bool():
		f.Name, f.Usage, f.Value, f.DefValue, f.NoOptDefVal = "no-"+x.Name, "do not "+x.Doc, off{x}, "false", "true"
	case x.is(reflect.Bool):
		f.NoOptDefVal = "true"
	case x.is(reflect.Slice):
		f.Value = list{x}
	}
	return f
}

// Type names the value in the help of flags.
func (x *Setting) Type() string {
	switch {
	case x.custom != nil:
		return x.custom.Type()
	case x.isDuration():
		return "duration"
	case x.is(reflect.Slice) && x.each:
		return "stringArray"
	case x.is(reflect.Slice):
		return "stringSlice"
	}
	return x.value.Kind().String()
}

// Help says what a setting is, and which values are legal. It does not say that a number must not be negative.
func (x *Setting) Help() string {
	switch {
	case x.Choices != nil:
		last := len(x.Choices) - 1
		return x.Doc + ": " + strings.Join(x.Choices[:last], ", ") + " or " + x.Choices[last]
	case !x.is(reflect.Slice) && x.limits != nil && (x.limits.low != 0 || x.limits.aboveLow):
		return x.Doc + ", " + x.limits.words(x.isDuration())
	}
	return x.Doc
}

// off is the flag that turns a switch off.
type off struct{ *Setting }

func (o off) Set(text string) error {
	err := o.Setting.Set(text)
	if err == nil {
		o.value.SetBool(!o.value.Bool())
	}
	return err
}

func (o off) String() string { return fmt.Sprint(!o.value.Bool()) }

// list is the flag of a list.
type list struct{ *Setting }

// GetSlice returns the elements: what another program is given to get the same.
func (l list) GetSlice() []string { return l.value.Interface().([]string) }

// Markdown returns the rows of the manual's table about the keys that a file may have: key, meaning, default. section is
// the name of the TOML table; empty: the file itself.
func (s *Set) Markdown(section string) string {
	var b strings.Builder
	b.WriteString("| key | meaning | default |\n|---|---|---|\n")
	for _, x := range s.all {
		if !x.flagOnly {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.TrimPrefix(section+"."+x.path(), "."), x.meaning(), x.written())
		}
	}
	return b.String()
}

// meaning is Help as the manual has it: words in quotes, and times in seconds.
func (x *Setting) meaning() string {
	switch {
	case x.Choices != nil:
		return x.Doc + ": `\"" + strings.Join(x.Choices, "\"`, `\"") + "\"`"
	case x.isDuration():
		return x.Doc + ", seconds " + x.limits.words(false)
	}
	return x.Help()
}

// written returns the default as a file has it.
func (x *Setting) written() string {
	switch {
	case x.standard == "", x.is(reflect.Int) && !x.limits.has(float64(x.value.Int())):
		return "–"
	case x.isDuration():
		d, _ := time.ParseDuration(x.standard) // it is the text of one
		return fmt.Sprint(d.Seconds())
	case x.is(reflect.String):
		return "`\"" + x.standard + "\"`"
	case x.is(reflect.Bool):
		return "`" + x.standard + "`"
	}
	return x.standard
}
