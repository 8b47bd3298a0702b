package analysis

import (
	"slices"
	"strings"

	"achilles/infer/adaptive"
	"achilles/infer/predict"
	"achilles/sim/table"
)

var correlationsAre = table.Table{Name: "correlations", Title: "Correlations of success with item features", Key: []string{"set", "feature"},
	Foot: []string{"Brackets: interval by Fisher's z, assuming independent responses; with ≥ 20 subjects prefer the bootstrap over subjects. Conformance: minus the rank correlation between feature values and mean success at each; 1 if success falls from every value to the next."}}

var correlationColumns = []column[CorrelationRow]{
	col(table.Column{Name: "set", Doc: "set of subjects", Weight: 1}, func(r *CorrelationRow) any { return &r.Set }),
	col(table.Column{Name: "feature"}, func(r *CorrelationRow) any { return &r.Feature }),
	col(table.Column{Name: "responses", Weight: 4}, func(r *CorrelationRow) any { return &r.Responses }),
	col(table.Column{Name: "values", Weight: 5, Doc: "distinct values of the feature"}, func(r *CorrelationRow) any { return &r.Levels }),
	col(table.Column{Name: "spearman", Head: "Spearman", Digits: 3, Low: "spearman_fisher_low", High: "spearman_fisher_high", Doc: "rank correlation"}, func(r *CorrelationRow) any { return &r.Spearman.Value }),
	col(table.Column{Name: "spearman_fisher_low"}, func(r *CorrelationRow) any { return &r.Spearman.Fisher.Low }),
	col(table.Column{Name: "spearman_fisher_high"}, func(r *CorrelationRow) any { return &r.Spearman.Fisher.High }),
	col(table.Column{Name: "spearman_cluster_low", Head: "Spearman (resampled)", Digits: 3, To: "spearman_cluster_high", Weight: 3, Doc: "interval from resampled subjects"}, func(r *CorrelationRow) any { return &r.Spearman.Cluster.Low }),
	col(table.Column{Name: "spearman_cluster_high"}, func(r *CorrelationRow) any { return &r.Spearman.Cluster.High }),
	col(table.Column{Name: "pearson", Head: "Pearson", Digits: 3, Low: "pearson_fisher_low", High: "pearson_fisher_high", Weight: 2}, func(r *CorrelationRow) any { return &r.Pearson.Value }),
	col(table.Column{Name: "pearson_fisher_low"}, func(r *CorrelationRow) any { return &r.Pearson.Fisher.Low }),
	col(table.Column{Name: "pearson_fisher_high"}, func(r *CorrelationRow) any { return &r.Pearson.Fisher.High }),
	col(table.Column{Name: "pearson_cluster_low", Head: "Pearson (resampled)", Digits: 3, To: "pearson_cluster_high", Weight: 4, Doc: "interval from resampled subjects"}, func(r *CorrelationRow) any { return &r.Pearson.Cluster.Low }),
	col(table.Column{Name: "pearson_cluster_high"}, func(r *CorrelationRow) any { return &r.Pearson.Cluster.High }),
	col(table.Column{Name: "conformance", Digits: 2, Low: "conformance_cluster_low", High: "conformance_cluster_high", Doc: "with the interval from resampled subjects"}, func(r *CorrelationRow) any { return &r.Conformance.Value }),
	col(table.Column{Name: "conformance_cluster_low"}, func(r *CorrelationRow) any { return &r.Conformance.Cluster.Low }),
	col(table.Column{Name: "conformance_cluster_high"}, func(r *CorrelationRow) any { return &r.Conformance.Cluster.High }),
	col(table.Column{Name: "shape", Weight: 2, Doc: "course of success as the feature grows: rises, falls, U, inverted U; unclear where other subjects and items could have another"}, func(r *CorrelationRow) any { return (*string)(&r.Shape) }),
	col(table.Column{Name: "turn", Digits: 3, Weight: 5, Doc: "value at which success turns, where the shape is a U"}, func(r *CorrelationRow) any { return &r.Turn }),
	col(table.Column{Name: "eta", Digits: 3, Weight: 3, Doc: "correlation ratio, corrected for chance; also for labels"}, func(r *CorrelationRow) any { return &r.Eta }),
	col(table.Column{Name: "intercept", Hidden: true}, func(r *CorrelationRow) any { return &r.Line.Intercept.Value }),
	col(table.Column{Name: "slope", Digits: 3, Low: "slope_cluster_low", High: "slope_cluster_high", Weight: 3, Doc: "of the least-squares line of success on the feature, with the interval from resampled subjects"}, func(r *CorrelationRow) any { return &r.Line.Slope.Value }),
	col(table.Column{Name: "slope_cluster_low"}, func(r *CorrelationRow) any { return &r.Line.Slope.Cluster.Low }),
	col(table.Column{Name: "slope_cluster_high"}, func(r *CorrelationRow) any { return &r.Line.Slope.Cluster.High }),
	col(table.Column{Name: "reason", Hidden: true, Doc: "why numbers are missing"}, func(r *CorrelationRow) any { return &r.Reason }),
}

// reasoned adds to the features of a table the reasons why their numbers are missing, as notes.
func reasoned(t *table.Table) *table.Table {
	for i := range t.Rows {
		if reason := t.Value(i, "reason"); reason.Exists() {
			t.Note(i, "feature", t.Value(i, "feature").Text()+": "+reason.Text())
		}
	}
	return t
}

var matrixIs = table.Table{Name: "matrix", Title: "Rank correlations between features and success", Key: []string{"a", "b"}, View: &table.View{Down: "a", Across: "b", Cell: "spearman"}}

var matrixColumns = []column[MatrixRow]{
	col(table.Column{Name: "a", Head: "feature"}, func(r *MatrixRow) any { return &r.A }),
	col(table.Column{Name: "b"}, func(r *MatrixRow) any { return &r.B }),
	col(table.Column{Name: "spearman", Digits: 3, Doc: "Spearman's rank correlation"}, func(r *MatrixRow) any { return &r.Spearman }),
	col(table.Column{Name: "pearson", Digits: 3, Doc: "Pearson's correlation"}, func(r *MatrixRow) any { return &r.Pearson }),
}

var curvesAre = table.Table{Name: "curves", Title: "Characteristic curves: success by each feature alone", Key: []string{"set", "feature", "label", "kind"},
	Foot: []string{"In brackets Wilson's interval, for as many independent responses as those of the subjects are worth."}}

var curveColumns = []column[CurveRow]{
	col(table.Column{Name: "set", Doc: "set of subjects"}, func(r *CurveRow) any { return &r.Set }),
	col(table.Column{Name: "feature"}, func(r *CurveRow) any { return &r.Feature }),
	col(table.Column{Name: "kind", Doc: "value of the feature, or bin of values"}, func(r *CurveRow) any { return &r.Kind }),
	col(table.Column{Name: "label"}, func(r *CurveRow) any { return &r.Label }),
	col(table.Column{Name: "value", Digits: -1, Weight: 2, Doc: "value of the feature; of a bin the mean over its responses"}, func(r *CurveRow) any { return &r.Value }),
	col(table.Column{Name: "responses", Weight: 1}, func(r *CurveRow) any { return &r.N }),
	col(table.Column{Name: "mean", Head: "success rate", Digits: 3, Low: "low", High: "high"}, func(r *CurveRow) any { return &r.Mean }),
	col(table.Column{Name: "low"}, func(r *CurveRow) any { return &r.Low }),
	col(table.Column{Name: "high"}, func(r *CurveRow) any { return &r.High }),
}

var robustnessIs = table.Table{Name: "robustness", Title: "Robustness to irrelevant features", Key: []string{"set", "feature"},
	Foot: []string{"Robustness: 1 − spread, where spread is the mean over cells of the largest difference in success between feature values. P: permutation p-value, permuting values among the trials of each cell."}}

var robustnessColumns = []column[RobustnessRow]{
	col(table.Column{Name: "set", Doc: "set of subjects", Weight: 1}, func(r *RobustnessRow) any { return &r.Set }),
	col(table.Column{Name: "feature"}, func(r *RobustnessRow) any { return &r.Feature }),
	col(table.Column{Name: "robustness", Digits: 3}, func(r *RobustnessRow) any { return &r.Value }),
	col(table.Column{Name: "spread", Digits: 3, Weight: 2}, func(r *RobustnessRow) any { return &r.Spread }),
	col(table.Column{Name: "spread_by_chance", Digits: 3, Weight: 2, Doc: "spread that is expected where the feature does not matter"}, func(r *RobustnessRow) any { return &r.Expected }),
	col(table.Column{Name: "p", Head: "P", Digits: 3, Test: true}, func(r *RobustnessRow) any { return &r.P }),
	col(table.Column{Name: "cells", Weight: 3}, func(r *RobustnessRow) any { return &r.Cells }),
	col(table.Column{Name: "reason", Hidden: true, Doc: "why numbers are missing"}, func(r *RobustnessRow) any { return &r.Reason }),
}

var cellsAre = table.Table{Name: "cells", Title: "Cells of the agent characteristic grids", Key: []string{"grid", "of", "cell"},
	Foot: []string{"Of the grids of single subjects only the cells with responses."}}

var cellColumns = []column[CellRow]{
	col(table.Column{Name: "grid", Doc: "features of the grid"}, func(r *CellRow) any { return &r.Grid }),
	col(table.Column{Name: "of", Doc: "subject, or set of subjects"}, func(r *CellRow) any { return &r.Of }),
	col(table.Column{Name: "cell", Weight: 3, Doc: "index of the cell"}, func(r *CellRow) any { return &r.Cell }),
	col(table.Column{Name: "bin1", Head: "bin 1", Doc: "of the grid's first feature"}, func(r *CellRow) any { return &r.Bins[0] }),
	col(table.Column{Name: "bin2", Head: "bin 2", Doc: "of the grid's second feature"}, func(r *CellRow) any { return &r.Bins[1] }),
	col(table.Column{Name: "bin3", Head: "bin 3", Doc: "of the grid's third feature"}, func(r *CellRow) any { return &r.Bins[2] }),
	col(table.Column{Name: "items", Weight: 2}, func(r *CellRow) any { return &r.Items }),
	col(table.Column{Name: "responses", Weight: 1}, func(r *CellRow) any { return &r.Responses }),
	col(table.Column{Name: "mean", Head: "success rate", Digits: 3}, func(r *CellRow) any { return &r.Mean }),
	col(table.Column{Name: "p_competent", Head: "P(competent)", Digits: 3, Weight: 1}, func(r *CellRow) any { return &r.P }),
	col(table.Column{Name: "classification", Was: "verdict"}, func(r *CellRow) any { return (*string)(&r.Verdict) }),
	col(table.Column{Name: "gain", Digits: 3, Weight: 2, Doc: "expected reduction of P(1 − P) by one more trial"}, func(r *CellRow) any { return &r.Gain }),
}

var capabilityIs = table.Table{Name: "capability", Title: "Capability: mean over cells with responses of the success rate in each", Key: []string{"subject"},
	Foot: []string{"SE: standard error."}}

// capabilityColumns returns three columns, and three more for each grid.
func capabilityColumns(spaces []string) []column[CapabilityRow] {
	out := []column[CapabilityRow]{
		col(table.Column{Name: "subject"}, func(r *CapabilityRow) any { return &r.Subject }),
		col(table.Column{Name: "responses", Weight: 2}, func(r *CapabilityRow) any { return &r.Responses }),
		col(table.Column{Name: "success_rate", Digits: 3}, func(r *CapabilityRow) any { return &r.SuccessRate }),
	}
	for k, name := range spaces {
		at := func(r *CapabilityRow) *SpaceCapability {
			if r.Spaces == nil {
				r.Spaces = make([]SpaceCapability, len(spaces))
			}
			return &r.Spaces[k]
		}
		weight := 4
		if k == 0 {
			weight = 0
		}
		out = append(out,
			col(table.Column{Name: name, Digits: 3, Weight: weight, Doc: "capability over this grid"}, func(r *CapabilityRow) any { return &at(r).Capability }),
			col(table.Column{Name: name + " se", Head: name + " (SE)", Digits: 3, Weight: weight + 1}, func(r *CapabilityRow) any { return &at(r).SE }),
			col(table.Column{Name: name + " cells", Head: name + " (cells)", Weight: weight + 1, Doc: "cells in which the subject has responses"}, func(r *CapabilityRow) any { return &at(r).Cells }))
	}
	return out
}

// spacesOf returns the names of the grids of which a table of capabilities has columns.
func spacesOf(t *table.Table) (names []string) {
	for k := 3; k < len(t.Columns); k += 3 {
		names = append(names, t.Columns[k].Name)
	}
	return names
}

var regionsAre = table.Table{Name: "regions", Title: "Regions of neighbouring cells with the same classification", Key: []string{"grid", "of", "region"}}

var regionColumns = []column[RegionRow]{
	col(table.Column{Name: "grid", Weight: 3, Doc: "features of the grid"}, func(r *RegionRow) any { return &r.Grid }),
	col(table.Column{Name: "of", Doc: "subject, or set of subjects"}, func(r *RegionRow) any { return &r.Of }),
	col(table.Column{Name: "region", Weight: 3, Doc: "1 is the largest"}, func(r *RegionRow) any { return &r.Region }),
	col(table.Column{Name: "classification", Was: "verdict"}, func(r *RegionRow) any { return (*string)(&r.Verdict) }),
	col(table.Column{Name: "cells", Doc: "number of cells"}, func(r *RegionRow) any { return &r.Cells }),
	col(table.Column{Name: "responses"}, func(r *RegionRow) any { return &r.Responses }),
	col(table.Column{Name: "mean", Head: "success rate", Digits: 3}, func(r *RegionRow) any { return &r.Mean }),
	col(table.Column{Name: "members", Hidden: true, Doc: "indices of the cells"}, func(r *RegionRow) any { return &r.Members }),
}

var nextIs = table.Table{Name: "next", Title: "Cells to test next, the most informative first", Key: []string{"grid", "of", "rank"},
	Foot: []string{"Gain: expected reduction of P(1 − P) by one more trial in the cell. Items 0: the battery has no item there."}}

// nextColumns returns the columns of the cells to test next. The bins have the names of the first grid's features.
func nextColumns(spaces []string) []column[NextRow] {
	bins := []string{"bin 1", "bin 2", "bin 3"}
	if len(spaces) > 0 {
		copy(bins, strings.Split(spaces[0], " × "))
	}
	return []column[NextRow]{
		col(table.Column{Name: "grid", Weight: 3, Doc: "features of the grid"}, func(r *NextRow) any { return &r.Grid }),
		col(table.Column{Name: "of", Doc: "subject, or set of subjects"}, func(r *NextRow) any { return &r.Of }),
		col(table.Column{Name: "rank", Weight: 2}, func(r *NextRow) any { return &r.Rank }),
		col(table.Column{Name: "cell", Hidden: true, Doc: "index of the cell"}, func(r *NextRow) any { return &r.Cell }),
		col(table.Column{Name: "bin1", Head: bins[0], Doc: "bin of the grid's first feature"}, func(r *NextRow) any { return &r.Bins[0] }),
		col(table.Column{Name: "bin2", Head: bins[1], Doc: "bin of the grid's second feature"}, func(r *NextRow) any { return &r.Bins[1] }),
		col(table.Column{Name: "bin3", Head: bins[2], Doc: "bin of the grid's third feature"}, func(r *NextRow) any { return &r.Bins[2] }),
		col(table.Column{Name: "items"}, func(r *NextRow) any { return &r.Items }),
		col(table.Column{Name: "p_competent", Head: "P(competent)", Digits: 3}, func(r *NextRow) any { return &r.P }),
		col(table.Column{Name: "gain", Digits: 3}, func(r *NextRow) any { return &r.Gain }),
	}
}

const splitFoot = "Error: proportion of predictions on the wrong side of 0.5. For a binary measure, MSE is the Brier score. SE: standard error, clustered by subject."

var predictionIs = table.Table{Name: "prediction", Title: "Predictive models on every split", Key: []string{"model", "split"}, Foot: []string{splitFoot}}

var gradeColumns = []column[GradeRow]{
	col(table.Column{Name: "model"}, func(r *GradeRow) any { return &r.Model }),
	col(table.Column{Name: "split"}, func(r *GradeRow) any { return &r.Split }),
	col(table.Column{Name: "responses", Weight: 3, Doc: "tested responses"}, func(r *GradeRow) any { return &r.N }),
	col(table.Column{Name: "error", Digits: 3}, func(r *GradeRow) any { return &r.Mean[predict.Error] }),
	col(table.Column{Name: "error_se", Head: "SE of error", Digits: 3, Weight: 4}, func(r *GradeRow) any { return &r.SE[predict.Error] }),
	col(table.Column{Name: "mae", Head: "MAE", Digits: 3}, func(r *GradeRow) any { return &r.Mean[predict.MAE] }),
	col(table.Column{Name: "mae_se", Head: "SE of MAE", Digits: 3, Weight: 4}, func(r *GradeRow) any { return &r.SE[predict.MAE] }),
	col(table.Column{Name: "mse", Head: "MSE", Digits: 3}, func(r *GradeRow) any { return &r.Mean[predict.MSE] }),
	col(table.Column{Name: "mse_se", Head: "SE of MSE", Digits: 3, Weight: 4}, func(r *GradeRow) any { return &r.SE[predict.MSE] }),
	col(table.Column{Name: "log_loss", Digits: 4, Weight: 1}, func(r *GradeRow) any { return &r.Mean[predict.LogLoss] }),
	col(table.Column{Name: "bias", Digits: 3, Weight: 1}, func(r *GradeRow) any { return &r.Mean[predict.Bias] }),
	col(table.Column{Name: "calibration", Head: "calibration loss", Digits: 3, Weight: 2}, func(r *GradeRow) any { return &r.Calibration }),
	col(table.Column{Name: "refinement", Head: "refinement loss", Digits: 3, Weight: 2}, func(r *GradeRow) any { return &r.Refinement }),
}

var shiftIs = table.Table{Name: "shift", Title: "Predictive models trained on easy items and tested on hard ones, on every shift", Key: []string{"shift", "model", "split"}, Foot: []string{splitFoot}}

var shiftColumns = append([]column[GradeRow]{
	col(table.Column{Name: "shift", Head: "harder by"}, func(r *GradeRow) any { return &r.Shift }),
	col(table.Column{Name: "train", Weight: 3, Doc: "responses that the model was fitted to"}, func(r *GradeRow) any { return &r.Train }),
}, gradeColumns...)

const scoreFoot = "Macro F1 and accuracy at the threshold one half. ± standard deviation over the splits."

var scoresAre = table.Table{Name: "scores", Title: "Scores of predictive models", Key: []string{"model", "score"}, Foot: []string{scoreFoot},
	View: &table.View{Down: "model", Across: "score", Cell: "mean", Below: []string{"published"}}}

var scoreColumns = []column[ScoreRow]{
	col(table.Column{Name: "model"}, func(r *ScoreRow) any { return &r.Model }),
	col(table.Column{Name: "score"}, func(r *ScoreRow) any { return &r.Score }),
	col(table.Column{Name: "mean", Digits: 3, Spread: "sd", Doc: "over the splits"}, func(r *ScoreRow) any { return &r.Mean }),
	col(table.Column{Name: "sd", Digits: 3, Doc: "over the splits"}, func(r *ScoreRow) any { return &r.SD }),
	col(table.Column{Name: "published", Digits: 3}, func(r *ScoreRow) any { return &r.Published }),
}

var newIs = table.Table{Name: "new", Title: "Scores where subjects, items or both are new", Key: []string{"new", "model", "score"}, Foot: []string{scoreFoot}}

var newColumns = []column[NewRow]{
	col(table.Column{Name: "new", Doc: "subject, item or both: training excluded the test subjects, the test items, or both"}, func(r *NewRow) any { return &r.New }),
	col(table.Column{Name: "model"}, func(r *NewRow) any { return &r.Model }),
	col(table.Column{Name: "score"}, func(r *NewRow) any { return &r.Score }),
	col(table.Column{Name: "mean", Digits: 3, Spread: "sd", Doc: "over the splits"}, func(r *NewRow) any { return &r.Mean }),
	col(table.Column{Name: "sd", Digits: 3, Doc: "over the splits"}, func(r *NewRow) any { return &r.SD }),
}

var abilitiesAre = table.Table{Name: "abilities", Title: "Abilities of subjects, overall and by skill", Key: []string{"model", "skill", "subject"},
	Foot: []string{"Expected success rate over all items or, for models with skills, over the items that need the skill; for irt, θ."}}

var abilityColumns = []column[AbilityRow]{
	col(table.Column{Name: "model"}, func(r *AbilityRow) any { return &r.Model }),
	col(table.Column{Name: "subject"}, func(r *AbilityRow) any { return &r.Subject }),
	col(table.Column{Name: "skill", Doc: "none: overall; on NAME: on a subset of the items"}, func(r *AbilityRow) any { return &r.Skill }),
	col(table.Column{Name: "success_rate", Digits: 3, Weight: 1}, func(r *AbilityRow) any { return &r.SuccessRate }),
	col(table.Column{Name: "ability", Digits: 3, Low: "low", High: "high"}, func(r *AbilityRow) any { return &r.Value }),
	col(table.Column{Name: "low"}, func(r *AbilityRow) any { return &r.Low }),
	col(table.Column{Name: "high"}, func(r *AbilityRow) any { return &r.High }),
}

var vectorsAre = table.Table{Name: "vectors", Title: "Vectors of subjects: the numbers by which a model predicts", Key: []string{"model", "subject", "dimension"}, FileOnly: true,
	Foot: []string{"Of the first fit, in the model's own units. Numbered dimensions may be rotated or reversed: only what they predict has a meaning."}}

var vectorColumns = []column[VectorRow]{
	col(table.Column{Name: "model"}, func(r *VectorRow) any { return &r.Model }),
	col(table.Column{Name: "subject"}, func(r *VectorRow) any { return &r.Subject }),
	col(table.Column{Name: "dimension", Doc: "skill, or number"}, func(r *VectorRow) any { return &r.Dimension }),
	col(table.Column{Name: "value", Digits: 3}, func(r *VectorRow) any { return &r.Value }),
}

var parametersAre = table.Table{Name: "parameters", Title: "Items: fit, difficulty and discrimination", Key: []string{"model", "item"},
	Foot: []string{"Infit and outfit: mean-square residual statistics. Expected value 1; > 1: underfit (noise), < 1: overfit (more regular than the model)."}}

var parameterColumns = []column[ParameterRow]{
	col(table.Column{Name: "model"}, func(r *ParameterRow) any { return &r.Model }),
	col(table.Column{Name: "item"}, func(r *ParameterRow) any { return &r.Item }),
	col(table.Column{Name: "difficulty", Digits: 2}, func(r *ParameterRow) any { return &r.Difficulty }),
	col(table.Column{Name: "discrimination", Digits: 2}, func(r *ParameterRow) any { return &r.Discrimination }),
	col(table.Column{Name: "infit", Digits: 2}, func(r *ParameterRow) any { return &r.Infit }),
	col(table.Column{Name: "outfit", Digits: 2}, func(r *ParameterRow) any { return &r.Outfit }),
}

var masksAre = table.Table{Name: "masks", Title: "How much items need skills", Key: []string{"model", "item", "skill"}}

var maskColumns = []column[MaskRow]{
	col(table.Column{Name: "model"}, func(r *MaskRow) any { return &r.Model }),
	col(table.Column{Name: "item"}, func(r *MaskRow) any { return &r.Item }),
	col(table.Column{Name: "skill"}, func(r *MaskRow) any { return &r.Skill }),
	col(table.Column{Name: "weight", Digits: 3}, func(r *MaskRow) any { return &r.Weight }),
}

var observedIs = table.Table{Name: "observed", Title: "Success on each item by ability group", Key: []string{"model", "item", "ability"},
	Foot: []string{"In brackets Wilson's interval."}}

var observedColumns = []column[ObservedRow]{
	col(table.Column{Name: "model"}, func(r *ObservedRow) any { return &r.Model }),
	col(table.Column{Name: "item"}, func(r *ObservedRow) any { return &r.Item }),
	col(table.Column{Name: "ability", Digits: 3, Doc: "mean of the group"}, func(r *ObservedRow) any { return &r.Ability }),
	col(table.Column{Name: "responses", Weight: 1}, func(r *ObservedRow) any { return &r.Responses }),
	col(table.Column{Name: "success", Head: "success rate", Digits: 3, Low: "low", High: "high"}, func(r *ObservedRow) any { return &r.Success }),
	col(table.Column{Name: "low"}, func(r *ObservedRow) any { return &r.Low }),
	col(table.Column{Name: "high"}, func(r *ObservedRow) any { return &r.High }),
}

var shortFormsAre = table.Table{Name: "short_forms", Title: "Short forms: totals of new subjects predicted from a few items", Key: []string{"new", "way", "items", "model"},
	Foot: []string{"Within 2 points: proportion of subjects whose total is predicted to within two percentage points. Intervals are those of 90 %."}}

var shortFormColumns = []column[adaptive.ShortForm]{
	col(table.Column{Name: "new", Doc: "what is new: a subject, or a family of subjects"}, func(r *adaptive.ShortForm) any { return &r.New }),
	col(table.Column{Name: "way", Head: "selection", Doc: "how the items were selected: chosen or drawn at random for all, or adaptive: one after the other, by the subject's responses"}, func(r *adaptive.ShortForm) any { return &r.Way }),
	col(table.Column{Name: "items"}, func(r *adaptive.ShortForm) any { return &r.Items }),
	col(table.Column{Name: "model"}, func(r *adaptive.ShortForm) any { return &r.Model }),
	col(table.Column{Name: "subjects", Weight: 3}, func(r *adaptive.ShortForm) any { return &r.Subjects }),
	col(table.Column{Name: "within_2_percent", Head: "within 2 points", Digits: 3}, func(r *adaptive.ShortForm) any { return &r.Within }),
	col(table.Column{Name: "rmse", Head: "RMSE", Digits: 4}, func(r *adaptive.ShortForm) any { return &r.RMSE }),
	col(table.Column{Name: "covered", Head: "coverage", Digits: 3, Weight: 1, Doc: "proportion of intervals that contain the total"}, func(r *adaptive.ShortForm) any { return &r.Covered }),
	col(table.Column{Name: "half_width", Digits: 4, Weight: 2, Doc: "mean half width of the intervals"}, func(r *adaptive.ShortForm) any { return &r.HalfWidth }),
}

var agreementIs = table.Table{Name: "agreement", Title: "Rank agreement of abilities", Key: []string{"model"},
	Foot: []string{"Stability: Kendall's tau-b between fits to disjoint halves of the items, ± its standard deviation. Negative discriminations: proportion of items on which more ability lowers success."}}

var agreementColumns = []column[AgreementRow]{
	col(table.Column{Name: "model"}, func(r *AgreementRow) any { return &r.Model }),
	col(table.Column{Name: "spearman", Head: "Spearman with success", Digits: 3}, func(r *AgreementRow) any { return &r.Spearman }),
	col(table.Column{Name: "kendall", Head: "Kendall's tau-b", Digits: 3, Weight: 1, Doc: "with success"}, func(r *AgreementRow) any { return &r.Kendall }),
	col(table.Column{Name: "stability", Digits: 3, Spread: "stability_sd"}, func(r *AgreementRow) any { return &r.Stability }),
	col(table.Column{Name: "stability_sd"}, func(r *AgreementRow) any { return &r.StabilitySD }),
	col(table.Column{Name: "negative_slopes", Head: "negative discriminations", Digits: 3, Weight: 2}, func(r *AgreementRow) any { return &r.Negative }),
}

// A modelLosses is a row of the table of mean losses.
type modelLosses struct {
	shift, model string // the shift is empty for random splits
	Losses
}

var lossesAre = table.Table{Name: "losses", Title: "Predictive models: mean losses over the splits", Key: []string{"shift", "model"},
	Foot: []string{"Error: proportion of predictions on the wrong side of 0.5. For a binary measure, MSE is the Brier score. Brackets: interval corrected for overlap between splits. Bias: mean of prediction − response."}}

func end(i interval, k int) table.Value {
	if i == nil {
		return table.None
	}
	return table.Float(i[k])
}

var lossColumns = []table.Field[modelLosses]{
	table.Col(table.Column{Name: "model", Kind: table.Text}, func(r modelLosses) table.Value { return table.String(r.model) }),
	table.Col(table.Column{Name: "shift", Head: "harder by", Kind: table.Text, Doc: "what makes the tested items harder than the trained ones; none: random splits"}, func(r modelLosses) table.Value { return table.Named(r.shift) }),
	table.Col(table.Column{Name: "layout", Kind: table.Flag, Weight: 4, Doc: "whether the model is a measurement layout"}, func(r modelLosses) table.Value { return table.Bool(IsLayout(r.model)) }),
	table.Col(table.Column{Name: "splits", Kind: table.Count, Weight: 5}, func(r modelLosses) table.Value { return table.Int(r.Splits) }),
	table.Col(table.Column{Name: "error", Digits: 4, Percent: true, Low: "error_low", High: "error_high"}, func(r modelLosses) table.Value { return table.Maybe(r.Error) }),
	table.Col(table.Column{Name: "error_low"}, func(r modelLosses) table.Value { return end(r.ErrorInt, 0) }),
	table.Col(table.Column{Name: "error_high"}, func(r modelLosses) table.Value { return end(r.ErrorInt, 1) }),
	table.Col(table.Column{Name: "error_sd", Hidden: true, Doc: "standard deviation over the splits"}, func(r modelLosses) table.Value { return table.Maybe(r.ErrorSD) }),
	table.Col(table.Column{Name: "mae", Head: "MAE", Digits: 4, Percent: true, Low: "mae_low", High: "mae_high", Weight: 2}, func(r modelLosses) table.Value { return table.Maybe(r.MAE) }),
	table.Col(table.Column{Name: "mae_low"}, func(r modelLosses) table.Value { return end(r.MAEInt, 0) }),
	table.Col(table.Column{Name: "mae_high"}, func(r modelLosses) table.Value { return end(r.MAEInt, 1) }),
	table.Col(table.Column{Name: "mse", Head: "MSE", Digits: 4, Percent: true, Low: "mse_low", High: "mse_high"}, func(r modelLosses) table.Value { return table.Maybe(r.MSE) }),
	table.Col(table.Column{Name: "mse_low"}, func(r modelLosses) table.Value { return end(r.MSEInt, 0) }),
	table.Col(table.Column{Name: "mse_high"}, func(r modelLosses) table.Value { return end(r.MSEInt, 1) }),
	table.Col(table.Column{Name: "log_loss", Digits: 4, Weight: 3}, func(r modelLosses) table.Value { return table.Maybe(r.LogLoss) }),
	table.Col(table.Column{Name: "bias", Digits: 3, Percent: true, Weight: 3}, func(r modelLosses) table.Value { return table.Maybe(r.Bias) }),
}

// IsLayout reports whether a model of an analysis is a measurement layout. Every model that this package does not define is
// one.
func IsLayout(model string) bool { return !slices.Contains(Models(), model) }
