package analysis

import (
	"math"
	"strconv"

	"achilles/infer/adaptive"
	"achilles/infer/chargrid"
	"achilles/infer/predict"
)

// Tables has the tables of an analysis, each as a slice of rows. A number that is not defined is NaN here and an empty field
// in the file.
type Tables struct {
	Spaces        []string // names of the grids, that of capability first
	Correlations  []CorrelationRow
	Matrix        []MatrixRow // one row for every pair of features
	Curves        []CurveRow
	Robustness    []RobustnessRow
	Each          []EachRow        // with Settings.Each
	SubjectLosses []SubjectLossRow // of models on the splits
	Compared      []ComparedRow    // with Prediction.Compared
	Searches      []SearchRow      // of models with abilities, where the settings have values to choose among
	Resampled     []ResampledRow   // with Settings.Resample
	Cells         []CellRow        // all cells of the sets' grids, and the cells of subjects' grids that have responses
	Capability    []CapabilityRow
	Regions       []RegionRow // in the first space only
	Next          []NextRow   // in the first space only
	Prediction    []GradeRow
	Shift         []GradeRow
	Scores        []ScoreRow
	Intervals     []IntervalRow // with Prediction.Intervals
	New           []NewRow
	Abilities     []AbilityRow
	Vectors       []VectorRow
	Classes       []ClassRow      // with models with abilities, and skills
	Similarity    []SimilarityRow // with models with abilities, of up to mostSimilar subjects
	Extremes      []ExtremeRow    // with models with abilities
	Parameters    []ParameterRow
	Masks         []MaskRow
	Observed      []ObservedRow
	Agreement     []AgreementRow
	Consistency   []ConsistencyRow // with Prediction.Stability
	ShortForms    []adaptive.ShortForm
}

// A ScoreRow is a score of a model: its mean and standard deviation over the splits, and a published number.
type ScoreRow struct {
	Model, Score        string
	Mean, SD, Published float64
}

// A NewRow is a score of a model on splits with new subjects, new items or both (see NewResult). It has no published number.
type NewRow struct {
	New string // the unit of the splits
	ScoreRow
}

// An AbilityRow is a model's estimate of a subject's ability, overall or in one skill.
type AbilityRow struct {
	Model, Subject string
	Skill          string // empty: overall; on NAME: on a subset of the items
	SuccessRate    float64
	predict.Ability
}

// A VectorRow has one number of the vector by which a model predicts a subject's responses.
type VectorRow struct {
	Model, Subject string
	Dimension      string // a skill's name, or a number from 1
	Value          float64
}

// A ParameterRow has a model's parameters of an item.
type ParameterRow struct {
	Model, Item                string
	Difficulty, Discrimination float64
	Infit, Outfit              float64
}

// A MaskRow says how much an item needs a skill, as a model estimates.
type MaskRow struct {
	Model, Item, Skill string
	Weight             float64
}

// An ObservedRow is the success of a group of subjects of like ability on an item, with Wilson's interval.
type ObservedRow struct {
	Model, Item                            string
	Ability, Responses, Success, Low, High float64
}

// An AgreementRow says how a model's order of the subjects agrees with the order by success rate, and how it agrees
// between halves of the items. See TraitsResult.
type AgreementRow struct {
	Model                                               string
	Spearman, Kendall, Stability, StabilitySD, Negative float64
}

// A CorrelationRow is the correlation of success with a feature in a set of subjects.
type CorrelationRow struct {
	Set string
	chargrid.Correlation
}

// A MatrixRow is the correlation of two features, or of a feature and success.
type MatrixRow struct {
	A, B              string
	Spearman, Pearson float64
}

// A CurveRow is a point of the characteristic curve of a feature in a set of subjects.
type CurveRow struct {
	Set, Feature string
	Kind         string // value or bin
	chargrid.CurvePoint
}

// A RobustnessRow is the robustness of a set of subjects to a feature.
type RobustnessRow struct {
	Set string
	chargrid.Robustness
}

// A CellRow is a cell of the grid of a set or a subject.
type CellRow struct {
	Grid, Of        string
	Cell            int
	Bins            [3]string // labels of the cell's bins, one for every feature of the grid; further ones are empty
	Items           int
	Responses, Mean float64
	chargrid.Judgement
}

// A CapabilityRow is the success rate of a subject and its capability over every grid.
type CapabilityRow struct {
	Subject     string
	Responses   int
	SuccessRate float64
	Spaces      []SpaceCapability // in the order of Tables.Spaces
}

// A SpaceCapability is the capability of a subject over one grid, with its standard error and the number of cells in which
// the subject has responses.
type SpaceCapability struct {
	Capability, SE float64
	Cells          int
}

// A RegionRow is a region of neighbouring cells with the same verdict.
type RegionRow struct {
	Grid, Of        string
	Region          int // number of the region: 1 is the largest
	Verdict         chargrid.Decision
	Cells           int // number of cells
	Responses, Mean float64
	Members         string // indices of the cells, separated by spaces
}

// A NextRow is a cell to test next; rank 1 is the first.
type NextRow struct {
	Grid, Of   string
	Rank, Cell int
	Bins       [3]string
	Items      int
	P, Gain    float64
}

// A GradeRow is the grade of a model on a split.
type GradeRow struct {
	Shift        string // name of the shift; empty in Tables.Prediction
	Train        int    // number of responses that the model was fitted to; 0 in Tables.Prediction
	Model, Split string
	predict.Grade
}

// tables returns the tables of the analysis.
func (a *Analysis) tables() (t Tables) {
	for _, set := range a.Sets {
		for _, c := range set.Correlations {
			t.Correlations = append(t.Correlations, CorrelationRow{set.Name, c})
		}
		for _, c := range set.Curves {
			for _, p := range c.Values {
				t.Curves = append(t.Curves, CurveRow{set.Name, c.Feature, "value", p})
			}
			for _, p := range c.Binned {
				t.Curves = append(t.Curves, CurveRow{set.Name, c.Feature, "bin", p})
			}
		}
		for _, r := range set.Robustness {
			t.Robustness = append(t.Robustness, RobustnessRow{set.Name, r})
		}
	}
	for i, x := range a.Matrix.Names {
		for j, y := range a.Matrix.Names[:i] {
			t.Matrix = append(t.Matrix, MatrixRow{x, y, a.Matrix.Spearman[i][j], a.Matrix.Pearson[i][j]})
		}
	}
	for i := range a.Spaces {
		t.Spaces = append(t.Spaces, a.Spaces[i].Name)
		t.Cells = append(t.Cells, a.Spaces[i].cells(len(a.Sets))...)
	}
	if len(a.Spaces) > 0 {
		t.Regions, t.Next = a.Spaces[0].regions(), a.Spaces[0].next()
	}
	if a.Capability != nil {
		for i := range a.Capability.Subjects {
			t.Capability = append(t.Capability, a.Capability.Subjects[i].row())
		}
	}
	for _, m := range a.Prediction {
		t.Prediction = append(t.Prediction, m.rows("", 0)...)
	}
	for i := range a.Prediction {
		t.Scores = append(t.Scores, a.Settings.scoreRows(&a.Prediction[i])...)
	}
	for _, n := range a.New {
		for i := range n.Models {
			for _, r := range a.Settings.scoreRows(&n.Models[i]) {
				r.Published = math.NaN()
				t.New = append(t.New, NewRow{string(n.Unit), r})
			}
		}
	}
	t.Searches = a.searches()
	t.Intervals = a.intervals()
	t.SubjectLosses, t.Resampled = a.subjectLosses(), a.resampled
	t.Compared = a.compared
	t.ShortForms = a.ShortForms
	for i := range a.Traits {
		a.Traits[i].addTo(&t, a)
	}
	t.Each, t.Classes, t.Similarity, t.Extremes = a.each, a.classes, a.similarity, a.extremes
	for _, s := range a.Shifts {
		for _, m := range s.Models {
			t.Shift = append(t.Shift, m.rows(s.Name, s.Train)...)
		}
	}
	return t
}

// cells returns the rows of all grids of the space. The first grids, of number sets, are those of sets of subjects; of
// the other grids, cells without a response are left out.
func (s *SpaceResult) cells(sets int) (rows []CellRow) {
	for k, g := range s.Grids {
		for c, j := range g.Cells {
			mean, ok := g.Mean(c)
			if !ok {
				if k >= sets {
					continue
				}
				mean = math.NaN()
			}
			rows = append(rows, CellRow{s.Name, g.Of, c, s.bins(c), s.Space.Items[c], g.N[c], mean, j})
		}
	}
	return rows
}

// bins returns the labels of a cell's bins, one for every feature of the grid. Further ones are empty.
func (s *SpaceResult) bins(cell int) (bins [3]string) {
	copy(bins[:], s.Space.Label(cell))
	return bins
}

func (s *SpaceResult) regions() (rows []RegionRow) {
	for _, g := range s.Grids {
		for i, r := range g.Regions {
			row := RegionRow{s.Name, g.Of, i + 1, r.Verdict, len(r.Cells), r.N, math.NaN(), ""}
			if r.N > 0 {
				row.Mean = r.Sum / r.N
			}
			for k, c := range r.Cells {
				if k > 0 {
					row.Members += " "
				}
				row.Members += strconv.Itoa(c)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// mostSuggestions is the largest number of cells to test next that are listed for each set and subject.
const mostSuggestions = 10

func (s *SpaceResult) next() (rows []NextRow) {
	for _, g := range s.Grids {
		for i, n := range g.Next[:min(len(g.Next), mostSuggestions)] {
			rows = append(rows, NextRow{s.Name, g.Of, i + 1, n.Cell, s.bins(n.Cell), n.Items, n.P, n.Gain})
		}
	}
	return rows
}

func (r *SubjectCapability) row() CapabilityRow {
	row := CapabilityRow{r.Subject, r.Responses, r.SuccessRate, nil}
	for k, c := range r.Capability {
		x := SpaceCapability{math.NaN(), r.SE[k], r.Cells[k]}
		if c != nil {
			x.Capability = *c
		}
		row.Spaces = append(row.Spaces, x)
	}
	return row
}

func (m *ModelResult) rows(shift string, train int) (rows []GradeRow) {
	for i, g := range m.Grades {
		rows = append(rows, GradeRow{shift, train, m.Model, m.Splits[i], g})
	}
	return rows
}

// addTo adds the rows of one model to the tables.
func (r *TraitsResult) addTo(t *Tables, a *Analysis) {
	for s, id := range a.Subjects {
		t.Abilities = append(t.Abilities, AbilityRow{r.Model, id, "", r.SuccessRate[s], r.Ability[s]})
		for k, skill := range r.Skills {
			t.Abilities = append(t.Abilities, AbilityRow{r.Model, id, r.SkillNames[k], r.SuccessRate[s], skill[s]})
		}
		for k, subset := range r.Subsets {
			t.Abilities = append(t.Abilities, AbilityRow{r.Model, id, "on " + a.Settings.Prediction.Subsets[k], r.SuccessRate[s], subset[s]})
		}
		if r.Printed != nil {
			t.Abilities = append(t.Abilities, AbilityRow{r.Model, id, "overall, equation 12", r.SuccessRate[s], r.Printed[s]})
		}
		for k, x := range r.Vector[s] {
			name := strconv.Itoa(k + 1)
			if len(r.SkillNames) == len(r.Vector[s]) {
				name = r.SkillNames[k]
			}
			t.Vectors = append(t.Vectors, VectorRow{r.Model, id, name, x})
		}
	}
	for j, id := range a.ItemNames {
		t.Parameters = append(t.Parameters, ParameterRow{r.Model, id, r.Difficulty[j], r.Discrimination[j], r.Infit[j], r.Outfit[j]})
		if r.Mask == nil {
			continue
		}
		for k, w := range r.Mask[j] {
			t.Masks = append(t.Masks, MaskRow{r.Model, id, r.SkillNames[k], w})
		}
	}
	t.Observed = append(t.Observed, r.Observed...)
	t.Agreement = append(t.Agreement, AgreementRow{r.Model, r.Spearman, r.Kendall, r.Stability, r.StabilitySD, r.Negative})
	t.Consistency = append(t.Consistency, r.Consistency...)
}
