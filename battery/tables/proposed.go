package tables

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// text returns the mapping in TOML.
func (p *proposer) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# How achilles import read the files. Edit it, and import the same files with --mapping and this file.")
	line("name = %s", quoted(p.title()))
	if p.read.Separator != "" {
		line("\n[read]\nencoding = %s\nseparator = %s\ndecimal = %s", quoted(p.read.Encoding), quoted(p.read.Separator), quoted(p.read.Decimal))
	} else if p.read.Decimal == "," {
		line("\n[read]\ndecimal = \",\"")
	}
	if p.itemKey != nil {
		line("\n[items]\nid = %s", quotedKey(p.itemKey))
	}
	column := func(f *published) {
		line("name = %s", quoted(f.name))
		if f.column != f.name {
			line("column = %s", quoted(f.column))
		}
		if f.missing != nil {
			line("missing = %s", quotedList(f.missing))
		}
	}
	for i := range p.features {
		line("\n[[feature]]")
		column(&p.features[i])
		if role := p.features[i].role; role != "demand" {
			line("role = %s", quoted(role))
		}
	}
	if p.subjectKey != nil {
		line("\n[subjects]\nid = %s", quotedKey(p.subjectKey))
	}
	for i := range p.covariates {
		line("\n[[covariate]]")
		column(&p.covariates[i])
	}
	line("\n[responses]\nform = %s", quoted(string(p.form)))
	if p.form == transposed {
		line("subject = %s", quoted(p.pattern))
	} else if p.subject != nil {
		line("subject = %s", quotedKey(p.subject))
	}
	if p.form != wide {
		line("item = %s", quotedKey(p.item))
	}
	if p.form != long && len(p.except) > 0 {
		line("except = %s", quotedList(p.except))
	}
	if p.form == long {
		line("value = %s", quoted(p.score))
	}
	if p.right != "" {
		line("right = %s", quoted(p.right))
	}
	if p.where != "" {
		line("where = %s", quoted(p.where))
	}
	for _, l := range []struct {
		key  string
		list []string
	}{{"missing", p.wish.Missing}, {"repetition", p.repetition}} {
		if len(l.list) > 0 {
			line("%s = %s", l.key, quotedList(l.list))
		}
	}
	if p.count != "" {
		line("count = %s", quoted(p.count))
	}
	if p.position != "" {
		line("position = %s", quoted(p.position))
	}
	for k, name := range p.went {
		if name != "" {
			line("%s = %s", choiceKeys[k], quoted(name))
		}
	}
	if p.each > 0 {
		line("trials = %d", p.each)
	}
	if p.trials != "" {
		line("trials = %s\nrate = %v", quoted(p.trials), p.rate)
	}
	for _, l := range []struct {
		key  string
		list []string
	}{{"leave_out", p.wish.LeaveOut}, {"reverse", p.wish.Reverse}} {
		if len(l.list) > 0 {
			line("%s = %s", l.key, quotedList(l.list))
		}
	}
	if p.wish.Blanks != "" {
		line("blanks = %s", quoted(p.wish.Blanks))
	}
	if p.wish.Part > 0 {
		line("part = %d", p.wish.Part)
	}
	if p.src.Absent != "" {
		line("absent = %s # no row", p.src.Absent)
	}
	if p.split != "" {
		line("split = %s", quoted(p.split))
	}
	line("measure = \"success\"\nfamily = %s", quoted(string(p.family)))
	if p.itemKey != nil {
		line("other_items = \"ignore\"")
	}
	for _, t := range []struct {
		name string
		list [][2]string
	}{{"only", p.only}, {"levels", p.levels}, {"key", pairs(p.wish.Key)}} {
		if len(t.list) == 0 {
			continue
		}
		line("\n[responses.%s]", t.name)
		for _, kv := range t.list {
			value := kv[1]
			if t.name != "levels" {
				value = quoted(value)
			}
			line("%s = %s", quoted(kv[0]), value)
		}
	}
	if p.split != "" {
		return b.String()
	}
	line("\n[split]\nheld_out = 0.2 # proportion of subject × item cells that grade predictions\nseed = 0")
	return b.String()
}

// pairs returns names and their texts, sorted by name.
func pairs(of map[string]string) (list [][2]string) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		list = append(list, [2]string{name, of[name]})
	}
	return list
}

// title returns the name of a mapping: that of the file.
func (p *proposer) title() string {
	return (&File{Name: p.src.Name}).Base()
}

// quoted returns a text as TOML has it.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func quotedList(list []string) string {
	var out []string
	for _, s := range list {
		out = append(out, quoted(s))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// quotedKey returns a key: a text, or a list of several.
func quotedKey(key []string) string {
	if len(key) == 1 {
		return quoted(key[0])
	}
	return quotedList(key)
}
