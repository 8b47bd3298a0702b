package analysis

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/infer/predict"
	"achilles/infer/shortform"
)

// A Sink receives the files of an analysis.
type Sink interface {
	// Put stores a file under its name. It may keep data, which the caller must not change afterwards.
	Put(name string, data []byte) error
}

// documentFile is the name of the file that has a Document except its tables.
const documentFile = "analysis.json"

// Write puts analysis.json and the tables into a sink, always in the same order. The error names the file.
func (d *Document) Write(s Sink) error {
	b, err := json.MarshalIndent(d, "", "  ")
	if err == nil {
		err = s.Put(documentFile, append(b, '\n'))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", documentFile, err)
	}
	for _, f := range d.Tables.files() {
		if f.optional && f.rows() == 0 {
			continue
		}
		b, err := f.encode()
		if err == nil {
			err = s.Put(f.name, b)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return nil
}

// Read reads the files of an analysis from dir. The error names the file and, for a table, the line and the column.
func Read(dir fs.FS) (*Document, error) {
	b, err := fs.ReadFile(dir, documentFile)
	if err != nil {
		return nil, err
	}
	d := new(Document)
	if err := json.Unmarshal(b, d); err != nil {
		return nil, fmt.Errorf("%s: %w", documentFile, err)
	}
	if d.Format != format || d.Version != version {
		return nil, fmt.Errorf("%s: format %q version %d; this program reads %q version %d", documentFile, d.Format, d.Version, format, version)
	}
	for _, f := range d.Tables.files() {
		b, err := fs.ReadFile(dir, f.name)
		if f.optional && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := f.decode(b); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return d, nil
}

// A file is the file of one table.
type file struct {
	name     string
	optional bool // whether the file is left out if the table has no rows
	rows     func() int
	encode   func() ([]byte, error)
	decode   func([]byte) error
}

// files returns the files of all tables, in the order in which they are written.
func (t *Tables) files() []file {
	return []file{
		fileOf("correlations.csv", &t.Correlations, fixed("set feature responses values spearman spearman_fisher_low spearman_fisher_high spearman_cluster_low spearman_cluster_high "+
			"pearson pearson_fisher_low pearson_fisher_high pearson_cluster_low pearson_cluster_high conformance conformance_cluster_low conformance_cluster_high "+
			"intercept slope slope_cluster_low slope_cluster_high reason"), (*CorrelationRow).fields),
		fileOf("matrix.csv", &t.Matrix, fixed("a b spearman pearson"), (*MatrixRow).fields),
		fileOf("curves.csv", &t.Curves, fixed("set feature kind label value responses mean low high"), (*CurveRow).fields),
		fileOf("robustness.csv", &t.Robustness, fixed("set feature robustness spread spread_by_chance p cells reason"), (*RobustnessRow).fields),
		fileOf("cells.csv", &t.Cells, fixed("grid of cell bin1 bin2 bin3 items responses mean p_competent verdict gain"), (*CellRow).fields),
		fileOf("capability.csv", &t.Capability, t.capabilityColumns, func(r *CapabilityRow) []any { return r.fields(len(t.Spaces)) }),
		fileOf("regions.csv", &t.Regions, fixed("grid of region verdict cells responses mean members"), (*RegionRow).fields),
		fileOf("next.csv", &t.Next, fixed("grid of rank cell bin1 bin2 bin3 items p_competent gain"), (*NextRow).fields),
		fileOf("prediction.csv", &t.Prediction, fixed(gradeColumns), (*GradeRow).fields),
		fileOf("shift.csv", &t.Shift, fixed("shift train "+gradeColumns), func(r *GradeRow) []any { return append([]any{&r.Shift, &r.Train}, r.fields()...) }),
		optional(fileOf("scores.csv", &t.Scores, fixed("model score mean sd published"), (*ScoreRow).fields)),
		optional(fileOf("new.csv", &t.New, fixed("new model score mean sd"), (*NewRow).fields)),
		optional(fileOf("abilities.csv", &t.Abilities, fixed("model subject skill success_rate ability low high"), (*AbilityRow).fields)),
		optional(fileOf("parameters.csv", &t.Parameters, fixed("model item difficulty discrimination infit outfit"), (*ParameterRow).fields)),
		optional(fileOf("masks.csv", &t.Masks, fixed("model item skill weight"), (*MaskRow).fields)),
		optional(fileOf("observed.csv", &t.Observed, fixed("model item ability responses success low high"), (*ObservedRow).fields)),
		optional(fileOf("short_forms.csv", &t.ShortForms, fixed("new way items model subjects within_2_percent rmse covered half_width"), shortFormFields)),
		optional(fileOf("agreement.csv", &t.Agreement, fixed("model spearman kendall stability stability_sd negative_slopes"), (*AgreementRow).fields)),
	}
}

// optional returns f as a file that is left out if its table has no rows.
func optional(f file) file {
	f.optional = true
	return f
}

const gradeColumns = "model split responses error error_se mae mae_se mse mse_se log_loss bias calibration refinement"

// fixed returns a function for fileOf that always returns the same columns. Spaces separate the names of the columns.
func fixed(names string) func(head []string) []string {
	return func([]string) []string { return strings.Fields(names) }
}

// capabilityColumns returns three columns, and three more for each grid. When the file is read, head is its first line,
// which names the grids; capabilityColumns adds these names to t.Spaces. When the file is written, head is nil.
func (t *Tables) capabilityColumns(head []string) []string {
	names := []string{"subject", "responses", "success_rate"}
	for k := len(names); k < len(head); k += 3 {
		t.Spaces = append(t.Spaces, head[k])
	}
	for _, s := range t.Spaces {
		names = append(names, s, s+" se", s+" cells")
	}
	return names
}

// fileOf returns the file of a table. names returns the columns; its argument is the first line of the file if it is
// read, and nil if it is written. fields returns the addresses of a row's fields in the order of the columns, each a
// *string, *int or *float64.
func fileOf[R any](name string, rows *[]R, names func(head []string) []string, fields func(r *R) []any) file {
	return file{name, false, func() int { return len(*rows) },
		func() ([]byte, error) { return encode(names(nil), *rows, fields) },
		func(data []byte) (err error) {
			lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
			if err == nil && len(lines) == 0 {
				err = errors.New("the file is empty")
			}
			if err == nil {
				*rows, err = decode(names(lines[0]), lines, fields)
			}
			return err
		}}
}

func encode[R any](names []string, rows []R, fields func(r *R) []any) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(names) // writing to a bytes.Buffer does not fail
	line := make([]string, len(names))
	for i := range rows {
		for k, f := range fields(&rows[i]) {
			switch v := f.(type) {
			case *string:
				line[k] = *v
			case *int:
				line[k] = strconv.Itoa(*v)
			case *float64:
				line[k] = number(*v)
			}
		}
		w.Write(line)
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// number returns the shortest text from which v can be read back exactly, or "" if v is not finite.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// decode returns the rows below the first line. It finds columns by their names.
func decode[R any](names []string, lines [][]string, fields func(r *R) []any) ([]R, error) {
	at := make([]int, len(names))
	for k, name := range names {
		if at[k] = slices.Index(lines[0], name); at[k] < 0 {
			return nil, fmt.Errorf("line 1: there is no column %q", name)
		}
	}
	rows := make([]R, len(lines)-1)
	for i, line := range lines[1:] {
		for k, f := range fields(&rows[i]) {
			if err := parse(line[at[k]], f); err != nil {
				return nil, fmt.Errorf("line %d, column %q: %w", i+2, names[k], err)
			}
		}
	}
	return rows, nil
}

// parse reads text into field, which is a *string, *int or *float64. The float of an empty text is NaN.
func parse(text string, field any) (err error) {
	switch v := field.(type) {
	case *string:
		*v = text
	case *int:
		*v, err = strconv.Atoi(text)
	case *float64:
		if *v = math.NaN(); text != "" {
			*v, err = strconv.ParseFloat(text, 64)
		}
	}
	return err
}

func (r *CorrelationRow) fields() []any {
	s, p, c, l := &r.Spearman, &r.Pearson, &r.Conformance, &r.Line
	return []any{&r.Set, &r.Feature, &r.Responses, &r.Levels, &s.Value, &s.Fisher.Low, &s.Fisher.High, &s.Cluster.Low, &s.Cluster.High,
		&p.Value, &p.Fisher.Low, &p.Fisher.High, &p.Cluster.Low, &p.Cluster.High, &c.Value, &c.Cluster.Low, &c.Cluster.High,
		&l.Intercept.Value, &l.Slope.Value, &l.Slope.Cluster.Low, &l.Slope.Cluster.High, &r.Reason}
}

func (r *MatrixRow) fields() []any { return []any{&r.A, &r.B, &r.Spearman, &r.Pearson} }

func (r *CurveRow) fields() []any {
	return []any{&r.Set, &r.Feature, &r.Kind, &r.Label, &r.Value, &r.N, &r.Mean, &r.Low, &r.High}
}

func (r *RobustnessRow) fields() []any {
	return []any{&r.Set, &r.Feature, &r.Value, &r.Spread, &r.Expected, &r.P, &r.Cells, &r.Reason}
}

func (r *CellRow) fields() []any {
	return []any{&r.Grid, &r.Of, &r.Cell, &r.Bins[0], &r.Bins[1], &r.Bins[2], &r.Items, &r.Responses, &r.Mean, &r.P, (*string)(&r.Verdict), &r.Gain}
}

func (r *CapabilityRow) fields(spaces int) []any {
	if r.Spaces == nil {
		r.Spaces = make([]SpaceCapability, spaces)
	}
	all := []any{&r.Subject, &r.Responses, &r.SuccessRate}
	for k := range r.Spaces {
		all = append(all, &r.Spaces[k].Capability, &r.Spaces[k].SE, &r.Spaces[k].Cells)
	}
	return all
}

func (r *RegionRow) fields() []any {
	return []any{&r.Grid, &r.Of, &r.Region, (*string)(&r.Verdict), &r.Cells, &r.Responses, &r.Mean, &r.Members}
}

func (r *NextRow) fields() []any {
	return []any{&r.Grid, &r.Of, &r.Rank, &r.Cell, &r.Bins[0], &r.Bins[1], &r.Bins[2], &r.Items, &r.P, &r.Gain}
}

func (r *GradeRow) fields() []any {
	m, se := &r.Mean, &r.SE
	return []any{&r.Model, &r.Split, &r.N, &m[predict.Error], &se[predict.Error], &m[predict.MAE], &se[predict.MAE], &m[predict.MSE], &se[predict.MSE],
		&m[predict.LogLoss], &m[predict.Bias], &r.Calibration, &r.Refinement}
}

func (r *ScoreRow) fields() []any {
	return []any{&r.Model, &r.Score, &r.Mean, &r.SD, &r.Published}
}

func (r *NewRow) fields() []any {
	r.Published = math.NaN()
	return []any{&r.New, &r.Model, &r.Score, &r.Mean, &r.SD}
}

func (r *AbilityRow) fields() []any {
	return []any{&r.Model, &r.Subject, &r.Skill, &r.SuccessRate, &r.Value, &r.Low, &r.High}
}

func (r *ParameterRow) fields() []any {
	return []any{&r.Model, &r.Item, &r.Difficulty, &r.Discrimination, &r.Infit, &r.Outfit}
}

func (r *MaskRow) fields() []any {
	return []any{&r.Model, &r.Item, &r.Skill, &r.Weight}
}

func (r *ObservedRow) fields() []any {
	return []any{&r.Model, &r.Item, &r.Ability, &r.Responses, &r.Success, &r.Low, &r.High}
}

func shortFormFields(r *shortform.Result) []any {
	return []any{&r.New, &r.Way, &r.Items, &r.Model, &r.Subjects, &r.Within, &r.RMSE, &r.Covered, &r.HalfWidth}
}

func (r *AgreementRow) fields() []any {
	return []any{&r.Model, &r.Spearman, &r.Kendall, &r.Stability, &r.StabilitySD, &r.Negative}
}
