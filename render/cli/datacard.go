package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/sim/num"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/table"
)

// aboutData says in a sentence what a public part has.
func aboutData(d *record.Dataset) string {
	text := num.Counted(d.Items.Len(), "item")
	if n := len(distinct(d.Items.Suite)); n > 1 {
		text += " of " + num.Counted(n, "suite")
	}
	if n := d.Responses.Len(); n > 0 {
		var measures []string
		for _, m := range d.Manifest.Measures {
			measures = append(measures, m.Name)
		}
		text = fmt.Sprintf("%s (%s) of %s to %s", num.Counted(n, "response"), strings.Join(measures, ", "), num.Counted(len(d.Subjects), "subject"), text)
	}
	if d.Manifest.Watchable() {
		text += ", with recorded episodes"
	}
	return text + "."
}

func distinct(words []string) []string { return slices.Compact(slices.Sorted(slices.Values(words))) }

// dataCard returns the data card of a public part in Markdown. It has what the part says, and nothing of a sealed truth.
func dataCard(q *cardSettings, d *record.Dataset, about, digest string) []byte {
	m := &d.Manifest
	sealed := m.Parents[part.Sealed]
	var b bytes.Buffer
	section := func(head string, texts ...string) {
		b.WriteString("\n## " + head + "\n")
		for _, text := range texts {
			b.WriteString("\n" + strings.TrimSpace(text) + "\n")
		}
	}
	stated := func(text string) string {
		if text == "" {
			return "not stated"
		}
		return text
	}
	b.WriteString("# " + q.Name + "\n\n" + about + "\n")
	section("Data", string(tabular.Markdown(partsTable(d))), "Tables are Parquet files; `"+results.CroissantFile+"` has every file with its digest.")
	if columns := columnsTable(m); len(columns.Rows) > 0 {
		section("Columns", string(tabular.Markdown(columns)))
	}
	if len(m.Measures) > 0 {
		section("Measures", string(tabular.Markdown(measuresTable(m))))
	}
	made := "The responses were recorded, not drawn from a known truth: none was sealed with them."
	if sealed != "" {
		made = "Achilles made the items and recorded the responses; the truth about them was sealed at the same time."
	}
	section("How it was made", made+" The manifest, `public/"+part.ManifestFile+"`, has SHA-256 `"+digest+"`.")
	section("Licence", "Licence: "+stated(q.Licence)+". Creator: "+stated(q.Creator)+". Published: "+stated(q.Date)+".")
	if sealed != "" {
		text := "The manifest commits to the sealed truth by SHA-256 `" + sealed + "`, so that it cannot be changed afterwards. It is not in these data; keep it from those who infer until they have finished."
		if m.NotConfined {
			text += " Some subjects were programs that ran unconfined: they could read whatever their user can, the truth included."
		}
		section("Seal", text)
	} else {
		section("Seal", "There is no sealed truth: estimates from these data can only be compared with new responses.")
	}
	use := "To show the episodes to observers or subjects, and to measure them by their answers."
	if d.Responses.Len() > 0 {
		use = "To estimate capabilities, biases and noise of the subjects from their responses, to predict held-out ones, and to compare methods that do so. Rows with the split `held-out` grade predictions: fit none of them."
	}
	section("Intended use", use)
	section("Limits", strings.Join(limits(d), "\n"))
	return b.Bytes()
}

// limits says what the data lack, by counting.
func limits(d *record.Dataset) (list []string) {
	held, unscored := 0, 0
	for _, r := range d.Responses.All() {
		if r.Split == record.HeldOut {
			held++
		}
		if r.Unscored != 0 {
			unscored++
		}
	}
	if d.Responses.Len() > 0 {
		list = append(list, fmt.Sprintf("- Of %s, held out: %s; without a value: %s (column `unscored` says why).", num.Counted(d.Responses.Len(), "response"), num.Count(held), num.Count(unscored)))
	}
	undocumented := 0
	for i := range d.Manifest.Tables {
		t := &d.Manifest.Tables[i]
		if len(t.Columns) == 0 {
			list = append(list, "- The manifest does not describe the columns of "+t.Name+".")
		}
		for _, c := range columnsIn(&d.Manifest, t) {
			if c.Doc == "" {
				undocumented++
			}
		}
	}
	if undocumented > 0 {
		list = append(list, "- "+num.Counted(undocumented, "column")+" without a description.")
	}
	if len(d.Covariates) > 0 {
		list = append(list, "- There are covariates of subjects. If these are people, check consent and whether a row identifies one before you publish.")
	}
	return append(list, "- Results hold for these items and subjects; other items may ask for other capabilities.")
}

func partsTable(d *record.Dataset) *table.Table {
	type row struct {
		name        string
		files, rows int
		bytes       int64
	}
	var rows []row
	m := &d.Manifest
	for _, t := range m.Tables {
		r := row{name: t.Name, rows: t.Rows}
		for _, f := range t.Files {
			r.files, r.bytes = r.files+1, r.bytes+f.Bytes
		}
		rows = append(rows, r)
	}
	for _, f := range m.Files {
		folder, _, _ := strings.Cut(f.Path, "/")
		if k := len(rows) - 1; k < 0 || rows[k].name != folder {
			rows = append(rows, row{name: folder, rows: -1})
		}
		r := &rows[len(rows)-1]
		r.files, r.bytes = r.files+1, r.bytes+f.Bytes
	}
	return table.Of(table.Table{Name: "parts"}, rows, []table.Field[row]{
		table.Col(table.Column{Name: "part", Kind: table.Text}, func(r row) table.Value { return table.String(r.name) }),
		table.Col(table.Column{Name: "rows", Kind: table.Count}, func(r row) (none table.Value) {
			if r.rows < 0 {
				return none
			}
			return table.Int(r.rows)
		}),
		table.Col(table.Column{Name: "files", Kind: table.Count}, func(r row) table.Value { return table.Int(r.files) }),
		table.Col(table.Column{Name: "bytes", Kind: table.Count}, func(r row) table.Value { return table.Int(int(r.bytes)) }),
	})
}

// featuresOf returns what the schema says of the columns of a table.
func featuresOf(m *record.Manifest, name string) []record.Feature {
	return map[string][]record.Feature{"items": m.Features, "subjects": m.Covariates}[name]
}

// columnsIn returns the columns of a table as the manifest describes them. A manifest need not: then those that its schema names.
func columnsIn(m *record.Manifest, t *part.Table) []table.Column {
	if len(t.Columns) > 0 {
		return t.Columns
	}
	var out []table.Column
	for _, f := range featuresOf(m, t.Name) {
		c := table.Column{Name: f.Name, Doc: f.Doc, Unit: f.Unit}
		if f.Kind == record.Text {
			c.Kind = table.Text
		}
		out = append(out, c)
	}
	return out
}

func columnsTable(m *record.Manifest) *table.Table {
	type row struct {
		of string
		table.Column
		feature record.Feature
	}
	var rows []row
	for i := range m.Tables {
		t := &m.Tables[i]
		for _, c := range columnsIn(m, t) {
			r := row{of: t.Name, Column: c}
			features := featuresOf(m, t.Name)
			if i := slices.IndexFunc(features, func(f record.Feature) bool { return f.Name == c.Name }); i >= 0 {
				r.feature = features[i]
			}
			rows = append(rows, r)
		}
	}
	text := func(name string, of func(r row) string) table.Field[row] {
		return table.Col(table.Column{Name: name, Kind: table.Text}, func(r row) table.Value { return table.Named(of(r)) })
	}
	return table.Of(table.Table{Name: "columns"}, rows, []table.Field[row]{
		text("table", func(r row) string { return r.of }),
		text("column", func(r row) string { return r.Name }),
		text("kind", func(r row) string { return r.Kind.String() }),
		text("role", func(r row) string { return string(r.feature.Role) }),
		text("unit", func(r row) string { return r.Unit }),
		text("range", func(r row) string {
			if r.feature.Range == nil {
				return ""
			}
			return fmt.Sprintf("%s to %s", table.Float(r.feature.Range[0]).Text(), table.Float(r.feature.Range[1]).Text())
		}),
		text("meaning", func(r row) string { return r.Doc }),
	})
}

func measuresTable(m *record.Manifest) *table.Table {
	text := func(name string, of func(m record.Measure) string) table.Field[record.Measure] {
		return table.Col(table.Column{Name: name, Kind: table.Text}, func(m record.Measure) table.Value { return table.Named(of(m)) })
	}
	return table.Of(table.Table{Name: "measures"}, m.Measures, []table.Field[record.Measure]{
		text("measure", func(m record.Measure) string { return m.Name }),
		text("family", func(m record.Measure) string { return string(m.Family) }),
		text("meaning", func(m record.Measure) string { return m.Doc }),
	})
}
